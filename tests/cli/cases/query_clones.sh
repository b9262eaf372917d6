# A name stands for all its clones.
sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
show cflr query r.cflr 'points-to pick::arg'
show cflr query r.cflr 'alias pick::arg first::p' 'alias pick::arg second::p'

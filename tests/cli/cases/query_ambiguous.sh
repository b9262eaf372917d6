# Several things have the name: they are listed, with numbers that may be used instead.
sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
show cflr query r.cflr 'points-to p'
show cflr query r.cflr 'points-to 7'

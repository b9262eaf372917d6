sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
show cflr query r.cflr 'points-to second::qq'
show cflr query r.cflr 'points-to main.c:400:p'
show cflr query r.cflr 'alias 0 9'
show cflr query r.cflr 'reaches 0 Nothing 1'

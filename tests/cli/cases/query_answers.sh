sources_graph sources.cflg && cflr solve -q -g pointer.cfg sources.cflg -o r.cflr >/dev/null || exit
show cflr query r.cflr 'alias main.c:4:p second::q'
show cflr query r.cflr 'alias first::p second::q'
show cflr query r.cflr 'aliases first::p'
show cflr query r.cflr 'points-to main.c:4:q'
show cflr query r.cflr 'reaches 2 d 0'
show cflr query r.cflr 'reaches "src/main.c:1:&x" a first::p'
show cflr query r.cflr 'points-to src/main.c:1:x'

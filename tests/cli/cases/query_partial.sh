# What a part of a result has not is unknown, not a no; what it has is a yes.
sources_graph sources.cflg || exit
cflr solve -q -g pointer.cfg sources.cflg -o whole.cflr >/dev/null || exit
cflr solve -q -g pointer.cfg sources.cflg --slice 1/2 -o part.cflr >/dev/null || exit
for result in whole part; do
    show cflr query $result.cflr 'alias main.c:4:p second::q' 'alias first::p second::q'
    show cflr query $result.cflr 'reaches 0 d 8' 'points-to first::p'
    show cflr explain -g pointer.cfg $result.cflr 'alias first::p second::q'
done
cflr query -q part.cflr 'alias first::p second::q' --format json
cflr explain -q -g pointer.cfg part.cflr 'alias first::p second::q' --format json

# A 'no' of a part is not certain, and a warning says so; all parts together know.
sources_graph sources.cflg
cflr solve -q -g pointer.cfg sources.cflg -o whole.cflr >/dev/null
cut_result whole.cflr 2 part
for file in whole.cflr part1.cflr part2.cflr; do
    show cflr query $file 'alias first::p second::p'
    show cflr query $file 'points-to second::q'
done
cflr merge part1.cflr part2.cflr -o merged.cflr
show cflr query merged.cflr 'alias first::p second::p'

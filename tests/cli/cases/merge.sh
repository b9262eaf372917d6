# Parts of a result become what a run that is not cut writes, in any order.
cflr solve -q -g fields.cfg fields.tsv -o whole.cflr >/dev/null
cut_result whole.cflr 3 part
cflr info part2.cflr
cflr merge part3.cflr part1.cflr part2.cflr -o merged.cflr
cmp whole.cflr merged.cflr
cflr merge part1.cflr part2.cflr part3.cflr -o - | cmp whole.cflr -
cflr merge part2.cflr part1.cflr part3.cflr -o merged.cflr --format json
cut_result whole.cflr 1 all
cflr merge all1.cflr -o merged.cflr && cmp whole.cflr merged.cflr

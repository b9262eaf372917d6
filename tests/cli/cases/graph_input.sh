# Every kind of file that holds a graph, standard input, and a label of several.
levels() { cflr graph bfs "$@" --source 0 -o - || exit; }
levels path.tsv >expected
cflr convert path.tsv path.mtx && levels path.mtx | cmp - expected || exit
cflr convert path.tsv path.dimacs && levels path.dimacs | cmp - expected || exit
cflr convert path.tsv path.cflg && levels path.cflg --label a | cmp - expected || exit
levels - <path.tsv | cmp - expected || exit
gzip -k path.tsv && levels path.tsv.gz | cmp - expected || exit
printf '\0\0\0\0\1\0\0\0\1\0\0\0\2\0\0\0\2\0\0\0\3\0\0\0' >path.el32
levels path.el32 | cmp - expected || exit
cat expected
levels fields.tsv --label 'f[8]'
levels fields.tsv --label e
show cflr graph bfs - </dev/null
printf '0 1\n1 -1\n' >broken.txt
show cflr graph bfs broken.txt
show cflr graph bfs .

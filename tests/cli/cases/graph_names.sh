# Vertices with names: sources, columns, the best ones, components; in any order of vertices.
printf 'a b 3\nb c 4\nd d 1\n' >trips.txt
cflr graph sssp trips.txt --source b -o - || exit
cflr graph cc trips.txt -q --reorder degree -o - || exit
cflr graph reach trips.txt -q --source a,d --reorder degree --top 9 || exit
cflr graph mst trips.txt -q -o - || exit
cflr graph sssp trips.txt --source a -q -o levels.ndjson && cat levels.ndjson || exit
cflr graph sssp trips.txt --source a --format json --top 2 | grep -e '"vertex"' -e '"source"'
cflr graph bfs trips.txt --source a -q # no more than this
show cflr graph bfs trips.txt --source x
show cflr graph bfs trips.txt --source a,b
# Names may be given ahead, and those without edges count.
printf '#@ 7\n#@ x\n#@ alone\nx 7\n' >ahead.txt
cflr graph cc ahead.txt -q -o - || exit
printf '# vertices 3\n0 1\n' >alone.txt
cflr graph cc alone.txt -q -o - || exit
printf '# vertices 3\na b\n' >few.txt
show cflr graph cc few.txt
# One name among numbers makes all of them names; what is nearly a number is no name.
printf '0 1\n1 x\n' >mixed.txt
cflr graph bfs mixed.txt --source 0 -o - || exit
printf '0 1\n1 2.5\n' >real.txt
show cflr graph bfs real.txt
# Those of labelled graphs, where each has its own.
printf 'main foo call\nfoo bar call\n' >calls.tsv
cflr convert calls.tsv calls.cflg && cflr graph bfs calls.cflg --source main -o - || exit
cflr graph bfs path.tsv --source 0 -q -o levels.csv && cat levels.csv || exit
# Lists that count from 1.
printf '1 2\n2 3\n' >one.txt
cflr graph bfs one.txt --source 0 -q || exit
show cflr graph bfs one.txt --source 0 -o -
show cflr graph bfs one.txt 0
show cflr graph bfs one.txt other
show cflr graph dijkstra one.txt

# A graph without vertices, and one with one vertex and no edges.
printf '' >none.txt
printf '0 0 1\n' >one.txt
for primitive in bfs sssp sswp ssnsp cc pagerank pagerank-delta ppr bc hits salsa tc mst mis \
        colour kcore reach gcs nndr wtf; do
    cflr graph $primitive none.txt -q --weights 1:1 --verify >report
    echo "$primitive: exit $?"
    cflr graph $primitive one.txt -q --drop-loops --weights 1:1 --verify --trials 2 >report || exit
    grep -e '^verified' report | sed 's/[0-9]* checked/N checked/'
done
cflr graph bfs one.txt --drop-loops --top 5 | tail -n 3
cflr graph hits none.txt -o - || exit
cflr graph cc none.txt --top 5 | tail -n 2

# The columns of every primitive, of one small graph:
#
#     0 -> 1 -> 3 -> 4     5 -> 6
#     0 -> 2 -> 3
cat >edges.txt <<'END'
0 1 4
0 2 1
1 3 2
2 3 7
3 4 1
5 6 3
END
columns() { cflr graph $primitive edges.txt -q --device cpu --verify -o - || exit; }
for primitive in bfs sssp sswp ssnsp cc bc mst kcore reach; do
    echo "$primitive:"
    columns
done
# Which set and which colours is not told here; --verify knows those that are right.
for primitive in mis colour; do
    columns >columns.txt
    echo "$primitive: $(head -n 1 columns.txt), $(wc -l <columns.txt) lines"
done
# Ranks and hubs depend on how sums are rounded.
for primitive in pagerank pagerank-delta ppr hits salsa gcs nndr wtf; do
    echo "$primitive:"
    columns | awk '/^#/ { print; next }
        { printf "%d", $1; for (i = 2; i <= NF; i++) printf "\t%.3f", $i; print "" }'
done
# A name that ends in .ndjson: one object a line. What is no number is null.
cflr graph sssp edges.txt --source 1 -o paths.ndjson >report || exit
cat paths.ndjson
cflr graph sswp edges.txt --source 1 -o widths.ndjson >report || exit
cat widths.ndjson
cflr graph mst edges.txt -q -o forest.ndjson >report || exit
cat forest.ndjson
# Floats are written so that reading gives them back.
printf '0 1 0.1\n1 2 -0.2\n' >real.txt
cflr graph mst real.txt -q -o - || exit
printf '0 1 0.1\n1 2 0.2\n' >real.txt
cflr graph sssp real.txt -q -o - || exit
cflr graph sswp real.txt -q -o - || exit
# Triangles are no value of vertices.
show cflr graph tc edges.txt -q -o triangles.tsv
show cflr graph mst edges.txt -q --top 3
test ! -e triangles.tsv

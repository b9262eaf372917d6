# What each primitive says of the whole graph: a clique of four, a path, a vertex alone.
cat >edges.txt <<'END'
0 1 5
0 2 5
0 3 5
1 2 1
1 3 1
2 3 1
3 4 9
4 5 9
7 7 1
END
values() { sed -n '/"values": {$/,/}/s/^ *"\(.*\)": \([^,{]*\),*$/  \1 \2/p' report.json; }
for primitive in bfs sssp sswp ssnsp cc tc mst mis colour kcore reach bc; do
    echo "$primitive"
    cflr graph $primitive edges.txt -q --verify --format json >report.json || exit
    values
done
# Those that end when little changes say how little; those that were not done say so.
for primitive in pagerank pagerank-delta ppr hits salsa gcs nndr wtf; do
    cflr graph $primitive edges.txt -q --undirected --format json >report.json || exit
    echo "$primitive $(values | sed 's/ [0-9.e+-]*$/ N/')"
    cflr graph $primitive edges.txt --undirected --most-iterations 2 --verify 2>/dev/null |
        grep '^iterations'
done

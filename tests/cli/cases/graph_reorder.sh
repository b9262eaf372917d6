# What is found does not depend on the order of the vertices, and names them as they were
# named.
for primitive in "sssp --source 17" "bfs --source 17" kcore "cc --drop-loops"; do
    cflr graph -q $primitive --gen world:300:4:200 -o plain.tsv > report
    for order in degree search sampled; do
        cflr graph -q $primitive --gen world:300:4:200 --reorder $order --verify -o other.tsv > \
            report
        cmp plain.tsv other.tsv && echo "$primitive, $order: the same"
    done
done
# Several spanning trees may weigh the same. Edges are in the order of their ends as they were
# named.
for order in degree search sampled; do
    cflr graph -q mst --gen grid:9:9 --reorder $order -o tree.tsv | grep '^weight '
    awk '$1 >= $2 { print "ends are in the wrong order:", $0 }' tree.tsv
    sed 1d tree.tsv | sort -c -k1,1n -k2,2n || exit
    sed 1d tree.tsv | wc -l
done
cflr graph -q mst --gen grid:9:9 | grep '^weight '
show cflr graph sssp -q --gen grid:4:4 --reorder search --source 99
show cflr graph sssp --gen grid:4:4 --reorder sideways
cflr graph bfs --gen star:5 --reorder degree --format json | grep -E "\"order\"|\"reorder\"" |
    sed "s/: [0-9.e-]*,$/: N,/"
cflr graph bfs --gen star:5 --reorder search --top 2 | sed -n '/^order/p; /^vertex  /,$p'

# Rows that stay in their file: the processor reads them; what would change them is refused.
cflr convert --gen rmat:8 --undirected --weights 1:60 g.cflp || exit
for primitive in bfs sssp cc pagerank kcore mst reach; do
    cflr graph $primitive g.cflp --undirected -o expected >report || exit
    cflr graph $primitive g.cflp --map --verify -o found >report || exit
    cmp expected found && echo "$primitive: the same"
done
show cflr graph bfs g.cflp --map --undirected
show cflr graph bfs g.cflp --map --weights 1:9
show cflr graph bfs g.cflp --map --reorder degree
show cflr graph bfs --map --gen chain:9
show cflr graph bfs --map
cflr convert --gen rmat:8 directed.cflp || exit
show cflr graph tc directed.cflp --map
show cflr graph sssp directed.cflp --map
show cflr graph bfs path.tsv --map
show cflr graph bfs none.cflp --map
show cflr graph bfs - --map <g.cflp
cp g.cflp damaged.cflp
printf X | dd of=damaged.cflp bs=1 seek=20000 conv=notrunc 2>/dev/null
show cflr graph bfs damaged.cflp --map

# Ways to run give the same.
cflr graph bfs --gen rmat:10 --source 0 -o auto.tsv >report || exit
for way in push pull; do
    cflr graph bfs --gen rmat:10 --source 0 --direction $way -o $way.tsv >report || exit
    cmp auto.tsv $way.tsv || exit
done
cflr graph sssp --gen rmat:10 -q -o auto.tsv >report || exit
for delta in 1 50.5 1e6; do
    cflr graph sssp --gen rmat:10 -q --delta $delta -o delta.tsv >report || exit
    cmp auto.tsv delta.tsv || exit
done
for split in 2 7; do
    cflr graph sssp --gen rmat:10 -q --split $split --verify -o split.tsv >report || exit
    cmp auto.tsv split.tsv || exit
done
cflr graph bfs --gen rmat:10 --split 7 # it counts edges
show cflr graph cc --gen rmat:10 --split 1
# So many hops, and no further.
cflr graph bfs --gen chain:9 --source 0 --hops 3 --verify -o - || exit
cflr graph bfs --gen grid:5:5 --source 12 --undirected --hops 1 --verify | grep '^reached'
# Ranks: fewer steps, a wider tolerance, another damping.
cflr graph pagerank --gen rmat:8 --most-iterations 3 --tolerance 0 | grep '^iterations'
cflr graph pagerank --gen rmat:8 --damping 0 --tolerance 1e-9 | grep '^iterations'
# Several GPUs are not the processor.
show cflr graph bfs --gen rmat:10 --device cpu --gpus 2
show cflr graph bfs --gen rmat:10 --gpus 0

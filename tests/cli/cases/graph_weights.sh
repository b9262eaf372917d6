# Weights are those of the file, or drawn; a primitive that needs them and has none says how to draw
# some.
printf '0 1 4\n1 2 4\n0 2 9\n' >heavy.txt
printf '0 1 4\n1 2 -4\n' >negative.txt
printf '0 1\n1 2\n0 2\n' >plain.txt
distances() { cflr graph sssp "$@" -o - || exit; }
distances heavy.txt
distances heavy.txt --weights 2:2
distances plain.txt --weights 7:7:3
distances --gen chain:3 --weights 1:1
show cflr graph sssp plain.txt
show cflr graph sssp negative.txt
show cflr graph mst negative.txt -q -o -
cflr graph sssp --gen chain:3 -o other.tsv | grep kind || exit
cflr graph sssp --gen chain:3 -q -o drawn.tsv || exit
cflr graph sssp --gen chain:3 --weights 1:255 -o asked.tsv >report || exit
cmp drawn.tsv asked.tsv && cmp drawn.tsv other.tsv || exit
cflr graph bfs heavy.txt | grep kind
# What has no use for weights joins edges that differ in nothing else, and says so.
printf '0 1 3\n1 0 5\n0 1 4\n1 2 1\n' >both.txt
for primitive in kcore ssnsp; do
    cflr graph $primitive both.txt --undirected --source 0 -o - 2>/dev/null ||
        cflr graph $primitive both.txt -o - || exit
    cflr graph $primitive both.txt --undirected --keep-parallel -q -o - || exit
done
cflr convert both.txt both.cflp && cflr graph kcore both.cflp -q -o - || exit
cflr graph pagerank both.txt | grep kind
# Distances that 32 bits do not hold.
printf '0 1 2147483647\n1 2 2147483647\n2 3 2147483647\n' >far.txt
show cflr graph sssp far.txt

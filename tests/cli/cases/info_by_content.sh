# Content tells a result from a graph, whatever the file is called.
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
cflr solve -q -g closure.cfg path.tsv -o path.cflr.zst >/dev/null
cp path.cflr path.bin
cflr convert path.tsv path.cflg
cp path.cflg graph.cflr
for file in path.cflr.zst path.bin graph.cflr; do
    show cflr info $file
done
cflr info - <path.cflr
cflr convert path.tsv facts/
show cflr info facts
show cflr info path.cflr --graph-format cflg
printf 'CFLR' >cut.bin
show cflr info cut.bin

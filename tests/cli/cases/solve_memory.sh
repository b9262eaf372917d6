# The limit counts what the process occupies already, so it is set well above a sanitizer's share.
chain 20000 >long.tsv
for threads in 1 2; do
    cflr solve -g linear.cfg long.tsv --model parallel --memory 150M -j$threads -o part.cflr \
        >counts 2>messages
    echo "exit $?"
    grep -c 'incomplete: stopped early' counts
    grep -c 'memory limit' messages
    cflr info part.cflr --format json | grep '"complete"'
done

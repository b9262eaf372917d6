# An interrupt ends the run soon, with what it has.
chain 20000 >long.tsv
for threads in 1 2; do
    timeout --preserve-status -s INT 2 cflr solve -g closure.cfg long.tsv --model parallel -j$threads -o part.cflr >counts
    echo "exit $?"
    grep -c 'incomplete: stopped early' counts
    cflr info part.cflr --format json | grep '"complete"'
    timeout --preserve-status -s TERM 2 cflr solve -q -g closure.cfg long.tsv --model parallel -j$threads --format json >counts
    echo "exit $?"
    grep '"complete"' counts
done

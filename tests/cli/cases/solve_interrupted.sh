# An interrupt ends the run soon, with what it has.
chain 20000 >long.tsv
for threads in 1 2; do
    start cflr solve -v -g closure.cfg long.tsv --model parallel -j$threads -o part.cflr
    kill -INT $!
    wait $!
    echo "exit $?"
    grep -c 'incomplete: stopped early' counts
    tail -n 1 messages
    cflr info part.cflr --format json | grep '"complete"'
    start cflr solve -v -g closure.cfg long.tsv --model parallel -j$threads --format json
    kill -TERM $!
    wait $!
    echo "exit $?"
    tail -n 1 messages
    grep '"complete"' counts
done

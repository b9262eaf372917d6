# Signals that follow the first one closely are the same request, as those of `timeout`, which sends
# to the command and to its group. The result is kept, and nothing else is left.
chain 20000 >long.tsv
for pause in 0 500 2000; do # rounds of a loop: to start a program for it might take a second
    rm -f part.cflr
    start cflr solve -v -g closure.cfg long.tsv --model parallel -o part.cflr
    kill -TERM $!
    while [ $pause -gt 0 ]; do pause=$((pause - 1)); done
    kill -TERM $! 2>/dev/null
    wait $!
    echo "exit $?"
    grep interrupted messages
    cflr info part.cflr --format json | grep '"complete"'
    ls | grep tmp
done
true

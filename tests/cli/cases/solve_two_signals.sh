# Signals that follow the first one closely are the same request: `timeout` sends to the command and
# to its group. The result is kept, and nothing else is left.
chain 20000 >long.tsv
for pause in 0 0.01 0.02; do
    rm -f part.cflr
    cflr solve -q -g closure.cfg long.tsv --model parallel -o part.cflr >counts &
    sleep 2
    kill -TERM $!
    sleep $pause
    kill -TERM $! 2>/dev/null
    wait $!
    echo "exit $?"
    cflr info part.cflr --format json | grep '"complete"'
    ls | grep tmp
done
true

# An interrupt ends the run soon, with what it has.
chain 20000 >long.tsv
timeout --preserve-status -s INT 1 cflr solve -g closure.cfg long.tsv -o part.cflr >counts
echo "exit $?"
grep -c 'incomplete: stopped early' counts
timeout --preserve-status -s TERM 1 cflr solve -q -g closure.cfg long.tsv --format json >counts
echo "exit $?"
grep '"complete"' counts
cflr info part.cflr --format json | grep '"complete"'

# Waiting for a question that does not come is ended by one interrupt.
cflr solve -q -g closure.cfg path.tsv -o r.cflr >/dev/null || exit
{ echo 'reaches 0 S 1'; sleep 3; } | timeout --preserve-status -s INT 1 cflr query r.cflr -

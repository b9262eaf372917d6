# The limit counts what the process occupies already, so it is set well above a sanitizer's share.
chain 20000 >long.tsv
cflr solve -g closure.cfg long.tsv --memory 150M -o part.cflr 2>messages | grep -c incomplete
sed 's/[0-9][0-9]*/N/g' messages
cflr info part.cflr --format json | grep '"complete"' | head -n 1
cflr solve -q -g closure.cfg long.tsv --memory 150M >/dev/null 2>&1

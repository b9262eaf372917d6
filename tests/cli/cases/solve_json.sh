cflr solve -g closure.cfg path.tsv --format json --model edge-indexed >all.json
code=$?
mask <all.json
exit $code

cflr solve -g closure.cfg path.tsv --verify --format=json >all.json || exit
mask <all.json | sed -n '/"verify"/,$p'

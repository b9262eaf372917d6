cflr solve -g closure.cfg broken.tsv

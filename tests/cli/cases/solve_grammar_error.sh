cflr solve -g broken.cfg path.tsv

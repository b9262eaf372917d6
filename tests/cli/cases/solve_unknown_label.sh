cflr solve -g closure.cfg path.tsv --pairs tsv --label S --label nothing

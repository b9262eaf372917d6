cflr solve -g closure.cfg path.tsv --export tsv --label S --label nothing

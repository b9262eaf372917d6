# -o takes the result, standard output still has the counts; info reads the result back.
cflr solve -g closure.cfg path.tsv -o path.cflr && cflr info path.cflr

# Not even the input fits.
cflr solve -g closure.cfg path.tsv --memory 64K

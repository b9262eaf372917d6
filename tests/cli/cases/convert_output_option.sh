# The output of convert may be named by -o.
show cflr convert path.tsv -o out.tsv
show cflr convert path.tsv -o -
show cflr convert path.tsv -o out.cflg --format json
# Labels that differ in their index only stay different.
show cflr convert fields.tsv out.mtx

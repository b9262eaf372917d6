show cflr query path.tsv 'reaches 0 S 1'
cflr solve -q -g closure.cfg path.tsv -o r.cflr >/dev/null || exit
head -c 300 r.cflr >cut.cflr
show cflr query cut.cflr 'reaches 0 S 1'

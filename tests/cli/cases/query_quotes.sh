# Quotes that were forgotten or left open are reported.
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
show cflr query path.cflr reaches 0 S 1
show cflr query path.cflr 'reaches 0 "S 1'
show cflr query path.cflr 'reaches 0 "S" 1'
# Questions that cannot be read.
show cflr query path.cflr - <.

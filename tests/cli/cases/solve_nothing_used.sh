# A grammar for other labels, and a graph without edges, are reported.
printf '0 1 zzz\n1 2 yyy\n' | show cflr solve -g reach -
printf '0 1 zzz\n' | show cflr solve -q -g reach -
: >empty.tsv
show cflr solve -g closure.cfg empty.tsv
# What is no input is refused: a closed standard input, an empty binary file.
show cflr solve -g closure.cfg - <&-
: >empty.cflg
show cflr solve -g closure.cfg empty.cflg
: >empty.cflr
show cflr info empty.cflr

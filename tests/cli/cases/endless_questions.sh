# Questions that have no end, and a graph that does not come.
show cflr solve -q -g closure.cfg path.tsv --pairs /dev/zero
yes 'no line ends' | tr -d '\n' | show cflr solve -q -g closure.cfg path.tsv --pairs -
yes '0 1' | cflr solve -q -g closure.cfg path.tsv --pairs - --memory 60M 2>&1 |
    sed 's/:[0-9]*:/:N:/'
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
show cflr query path.cflr - </dev/zero
mkfifo fifo
show timeout --preserve-status -s TERM 1 cflr info fifo
show timeout 20 cflr info fifo --time 1s

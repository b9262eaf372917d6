# What steers a terminal or looks like a message of its own is escaped, wherever it comes from.
bad=$(printf 'a\033[31m\nb')
cp path.tsv "$bad.tsv"
cp closure.cfg "$bad.cfg"
show cflr info "$bad" 2>&1
show cflr info "$bad.tsv" -o none/x 2>&1
show cflr convert "$bad.tsv" "$bad" 2>&1
show cflr solve -g "$bad" path.tsv 2>&1
show cflr solve -q -g closure.cfg path.tsv --only "$bad" 2>&1
show cflr grammar check "$bad.cfg"
show cflr graph "$bad" path.tsv 2>&1 | sed "s/bfs .*/.../"
show cflr "$bad" 2>&1
cflr graph bfs "$bad.tsv" | head -n 1
printf '0\t1\tx\033y\n' >escape.tsv
show cflr info escape.tsv 2>&1
# CSI as a character of UTF-8, and bytes that are none, in names, which may hold them.
printf 'p\302\2331m\tq\377r\ta\n' >names.tsv
show cflr solve -q -g closure.cfg names.tsv -o r.cflr >info.txt
show cflr query r.cflr 'points-to x' 2>&1
printf 'p\302\2331m\tq\377r\n' >pairs.txt
show cflr solve -q -g closure.cfg names.tsv --pairs pairs.txt

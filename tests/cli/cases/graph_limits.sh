# Out of time or memory: no result, and nothing is written.
show cflr graph bfs --gen rmat:18 --time 0.01s -o levels.tsv
show cflr graph bfs --gen rmat:20 --memory 64M -o levels.tsv 2>messages
sed 's/[0-9][0-9]*/N/g' messages
ls levels.tsv 2>/dev/null
true

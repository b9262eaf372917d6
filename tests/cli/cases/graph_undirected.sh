# A primitive of undirected graphs takes each graph so, and says it once.
printf '0 1\n1 2\n2 0\n2 2\n' >triangle.txt
for line in 'tc' 'tc -q' 'tc --undirected' 'bfs' 'bfs --undirected' \
        'bfs --undirected --drop-loops'; do
    echo "$line"
    cflr graph $line triangle.txt >report || exit
    grep -e '^edges  ' -e kind -e triangles -e reached report
done
printf '0 1\n0 1\n0 1\n' >parallel.txt
cflr graph bfs parallel.txt | grep '^edges  '
cflr graph bfs parallel.txt --keep-parallel | grep '^edges  '

# The greatest values first, of equal ones the smaller vertex; what nothing leads to is left out.
top() { cflr graph "$@" -q >report || exit; sed -n '/^vertex  /,$p' report; }
top bfs --gen chain:5 --source 2 --top 2
top bfs --gen chain:5 --source 2 --top 9
top bfs --gen grid:3:3 --top 4
top kcore --gen clique:4 --top 2
# What to follow: not what 0 follows already.
printf '0 1\n0 2\n1 2\n1 3\n2 4\n1 4\n' >follow.txt
top wtf follow.txt --source 0 --top 3 --verify
top wtf follow.txt --source 0 --top 3 --verify --circle 1
printf '0 1 5\n1 2 3\n' >edges.txt
top sswp edges.txt --top 3
top pagerank --gen star:5 --undirected --damping 0.5 --tolerance 1e-9 --top 2
cflr graph sswp edges.txt --top 1 --format json | sed -n '/"top"/,$p'

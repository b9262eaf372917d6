# What a report tells, of a file and of a graph that is made by rule, with one trial and with
# several.
cflr graph bfs path.tsv | mask || exit
echo
cflr graph bfs --gen grid:3:3 --trials 4 --verify --top 3 -o levels.tsv >report || exit
mask <report
cat levels.tsv

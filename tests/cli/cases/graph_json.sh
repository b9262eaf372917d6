cflr graph bfs --gen grid:2:3 --trials 2 --verify --top 2 --format json --device cpu >report.json ||
    exit
mask <report.json
# Numbers are numbers, also where there is nothing to divide by.
printf '' >empty.tsv
cflr graph cc empty.tsv --format json >report.json || exit
mask <report.json | grep -e vertices -e mteps -e components

# The vertex of most edges, of several the smallest; a list; one that is drawn for each trial.
printf '0 1\n2 0\n2 1\n3 0\n3 1\n4 4\n' >edges.txt
source_of() { grep '^source' report; }
cflr graph bfs edges.txt >report || exit
source_of
cflr graph bfs edges.txt --source 1 >report || exit
source_of
cflr graph reach edges.txt --source 3,0,3 -o - || exit
cflr graph reach --gen chain:20 --source 0,1,2,3,4,5,6,7,8,9 >report || exit
source_of
drawn() {
    cflr graph bfs "$@" --format json >report.json || exit
    sed -n 's/.*"source": \([0-9]*\).*/\1/p' report.json | tr '\n' ' '
    echo
}
drawn edges.txt --trials 8 --source random
drawn edges.txt --trials 8 --source random:1
drawn edges.txt --trials 8 --source random:2
drawn --gen star:1000 --trials 4 --source random
# No vertex has an edge: any of them.
drawn --gen grid:1:1 --trials 2 --source random
# A circuit has two: the ground, too.
cflr graph gcs edges.txt --weights 1:1 -q --most-iterations 1 -o - || exit
cflr graph gcs edges.txt --weights 1:1 -q --source random --trials 2 --verify | grep '^verified'
show cflr graph cc edges.txt --source 0
show cflr graph reach edges.txt --source "$(seq -s , 0 64)"
show cflr graph bfs edges.txt --source 5

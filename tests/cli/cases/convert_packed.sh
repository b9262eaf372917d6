# Plain graphs in packed rows: from all that `cflr graph` reads or makes, and the same values again.
values() { cflr graph "$@" -q -o - || exit; }
printf '0 1 4\n0 2 1\n2 1 2\n1 3 5\n3 3 1\n' >roads.txt
cflr convert roads.txt roads.cflp || exit
values sssp roads.txt --source 0 >expected
values sssp roads.cflp --source 0 | cmp - expected && cat expected
for how in --undirected --drop-loops '--weights 2:9:3' '--undirected --drop-loops'; do
    cflr convert roads.txt how.cflp $how || exit
    values kcore roads.txt $how >expected
    values kcore how.cflp | cmp - expected || exit
    # what was written as it is can be changed when it is read
    values kcore roads.cflp $how | cmp - expected && echo "$how: same"
done
cflr convert fields.tsv -o field.cflp --label 'f[8]' || exit
values bfs field.cflp --source 0
cflr convert --gen star:5 star.cflp.zst --undirected && values bfs star.cflp.zst --source 1
cflr convert - - --to cflp <roads.txt >piped && cmp piped roads.cflp && echo "piped: same"
printf '0 1\n0 1\n' >twice.txt
cflr convert twice.txt twice.cflp --keep-parallel --format json
values ssnsp twice.cflp --keep-parallel --source 0
values ssnsp twice.cflp --source 0
cflr convert --gen chain:3 --weights 1:9 chain.cflp --undirected --format json
show cflr convert fields.tsv none.cflp
show cflr convert fields.tsv none.cflp --label x
show cflr convert roads.txt none.cflp --graph-format tsv
show cflr convert path.tsv path.cflg --undirected
show cflr convert --gen chain:3
show cflr convert --gen chain:3 roads.txt none.cflp
show cflr convert --gen chain:3 none.cflp -o none.cflp
show cflr convert --gen chain:x none.cflp
show cflr convert roads.txt none.cflp --weights 9
show cflr convert roads.txt nowhere/none.cflp
show cflr convert roads.cflp roads.tsv
show cflr graph bfs roads.cflp --label a
head -c 9000 roads.cflp >cut.cflp
show cflr graph bfs cut.cflp
: >empty.cflp
show cflr graph bfs empty.cflp
cp path.tsv other.cflp
ls none* roads.tsv 2>/dev/null
show cflr graph bfs other.cflp

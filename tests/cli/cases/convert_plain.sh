# Formats of plain graphs keep weights, whatever they come from.
printf '0 1 4\n0 2 1\n2 1 -2\n1 3 5\n3 3 1\n' >roads.txt
printf '0 1 4.5\n1 2 0.1\n' >reals.txt
printf '0 1\n1 2\n' >none.txt
values() { cflr graph mst "$1" -q -o - || exit; }
values roads.txt >expected
for name in x.mtx x.gr x.wel32 x.txt x.cflp x.wel.zst; do
    cflr convert roads.txt $name && values $name | cmp - expected || exit
done
cat x.mtx x.gr x.txt
cflr convert reals.txt r.mtx && cat r.mtx && cflr convert r.mtx - --to list || exit
cflr convert none.txt n.gr && cat n.gr && cflr convert none.txt n.el32 && wc -c <n.el32 || exit
cflr convert --gen star:4 star.mtx --undirected --weights 7:7 --format json && cat star.mtx || exit
cflr convert fields.tsv f.txt --label 'f[8]' && cat f.txt || exit
printf 'a b 3\nc a 4\n' >names.txt
cflr convert names.txt named.wel && cat named.wel || exit
show cflr convert names.txt named.gr
for name in roads.txt x.cflp x.wel32; do show cflr info $name; done
cflr info x.cflp --format json
show cflr convert roads.txt x.el32
show cflr convert reals.txt x.wel32
show cflr convert none.txt x.wel32
printf '# vertices 9\n0 1\n' >alone.txt
show cflr convert alone.txt x.el32
printf 'a,b c\n' >blank.csv
show cflr convert blank.csv x.txt
show cflr convert --gen star:4 x.dot
show cflr convert fields.tsv x.gr

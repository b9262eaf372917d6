# Functions that never return, in another unit: known when all are there, one after the other or
# linked later.
cd units || exit 99
found() { sed -n 's/^main.c:\([0-9]*\):[0-9]*: null: .*/\1/p' | tr '\n' ' '; }
echo "bugs: $(grep -n '/\* bug' main.c | cut -d : -f 1 | tr '\n' ' ')"
echo "both: $(cflr check -q --rules null main.c die.c | found)"
echo "in the other order: $(cflr check -q --rules null die.c main.c | found)"
echo "alone: $(cflr check -q --rules null main.c | found)"
# Linkable graphs keep it.
cflr extract -q --linkable --data-flow main.c -o m.cflg
cflr extract -q --linkable --data-flow die.c -o d.cflg
cflr link -q m.cflg d.cflg -o linked.cflg
cflr extract -q --data-flow main.c die.c -o once.cflg
cflr convert -q linked.cflg linked.tsv && cflr convert -q once.cflg once.tsv
wc -l <once.tsv >n_once && wc -l <linked.tsv | cmp - n_once && echo "the same when linked"

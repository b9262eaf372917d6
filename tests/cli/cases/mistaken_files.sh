# A file of another kind than what is asked for.
printf 'int x;\nint *f(int *p) { int *q = p; return q; }\n' >l.c
printf 'source,target,label\n0,1,a\n' >header.csv
printf '# of a spreadsheet\nf,g,calls\ng,h,calls\n' >names.csv
printf '0 1\n' | cflr convert - -o plain.cflp
cflr convert path.tsv -o path.cflg
cflr solve -q -g closure.cfg path.tsv -o path.cflr >/dev/null
for file in l.c header.csv names.csv closure.cfg plain.cflp nowhere.c; do
    show cflr solve -g closure.cfg $file
done
for file in path.cflg plain.cflp closure.cfg l.c; do
    show cflr query $file 'reaches 0 S 1'
    show cflr solve -g $file path.tsv
done
show cflr query path.tsv 'reaches 0 S 1'
show cflr solve -g path.cflr path.tsv
show cflr explain path.cflg 'reaches 0 S 1'
show cflr callgraph path.tsv
show cflr info l.c
show cflr convert l.c -o l.cflg
show cflr explain --imprecision l.c
# What is damaged, and what has both, is not taken for something else.
head -c 100 path.cflr >cut.cflr
show cflr query cut.cflr 'reaches 0 S 1'
printf '0 1 a,b\n2 3\n' | tee commas.tsv >/dev/null
show cflr solve -g closure.cfg commas.tsv
show cflr solve -g closure.cfg - <header.csv

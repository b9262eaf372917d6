# What cannot be linked, and what is reported of a header that has changed.
cat >h.h <<end
extern int *x;
end
echo '#include "h.h"
int *x;' >a.c
echo '#include "h.h"
int **y = &x;' >b.c
echo 'f: ret = arg0' >mine.txt
cflr extract -q a.c --linkable -o a.cflg
cflr extract -q b.c --linkable -o b.cflg
cflr extract -q b.c -o plain.cflg
cflr extract -q b.c --linkable --fields insensitive -o fields.cflg
cflr extract -q b.c --linkable --summaries mine.txt -o summaries.cflg
head -c 300 b.cflg >cut.cflg
for other in plain fields summaries missing; do
    show cflr link a.cflg $other.cflg -o whole.cflg
done
show cflr link cut.cflg -o whole.cflg 2>&1 | sed 's/byte [0-9]*/byte N/'
show cflr link path.tsv -o whole.cflg
show cflr link a.cflg -o whole.xyz
echo '/* a line more */ extern int *x;' >h.h
cflr extract -q b.c --linkable -o later.cflg
show cflr link a.cflg later.cflg -o whole.cflg -v
show cflr link b.cflg later.cflg -o whole.cflg 2>&1 | short_paths
ls whole*

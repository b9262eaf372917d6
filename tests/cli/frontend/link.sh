# Programs and libraries that are extracted apart, and linked: the graph of one extraction of all.
mkdir app lib
cat >lib/pick.h <<end
int *pick(int *);
static inline int *first(int *p) { return p; }
end
cat >lib/pick.c <<end
#include "pick.h"
static int *last;
int *pick(int *p) { last = first(p); return last; }
end
cat >app/main.c <<end
#include "../lib/pick.h"
static int *last;
int x;
int main(void) { last = pick(first(&x)); return *last; }
end
cflr extract -q app/main.c lib/pick.c -o whole.cflg
cflr extract -q lib/pick.c --linkable -o lib.cflg
cflr extract -q app/main.c --linkable -o app.cflg
cflr link app.cflg lib.cflg -o linked.cflg
cmp whole.cflg linked.cflg && echo same
cflr link -q lib.cflg app.cflg --context clone --to tsv >linked.tsv
cflr extract -q app/main.c lib/pick.c --context clone --to tsv | cmp - linked.tsv &&
    echo same with contexts
echo "-- to be linked again"
cflr link -q lib.cflg app.cflg --linkable -o both.cflg
cflr link -q both.cflg lib.cflg -o linked.cflg --format json |
    grep -e '"units"' -e duplicate -e world
cmp whole.cflg linked.cflg && echo same
echo "-- alone, the library is open, and what it lacks unknown"
cflr link app.cflg -o linked.cflg 2>&1 | grep -e unmodelled -e model
cflr link lib.cflg -o linked.cflg 2>&1 | grep open
cflr link app.cflg --unknown
echo "-- a part of it"
echo 'int *more(int *p) { return p; }' >lib/more.c
cflr extract -q lib/pick.c lib/more.c --linkable -o lib.cflg
cflr link app.cflg lib.cflg --target app/main.c -o linked.cflg 2>&1 | grep left
cmp whole.cflg linked.cflg && echo same
echo "-- a graph as any other"
cflr solve -q -g pointer-fs both.cflg -o both.cflr >/dev/null
show cflr query both.cflr 'points-to app/main.c:4:last' | short_paths
cflr convert -q both.cflg graph.cflg
show cflr link graph.cflg -o linked.cflg 2>&1

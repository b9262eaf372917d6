# Calls: by name, through pointers and the library, in two units; and what is asked of it.
cflr analyze -q called/main.c called/other.c -o r.cflr >/dev/null
cflr callgraph r.cflr | sed 's|/usr/include.*stdlib.h:[0-9:]*|stdlib.h|'
for asked in '--callers main.c:9:helper' '--callers helper' '--callees apply' '--callers first' \
    '--callees qsort --callers work' '--callees outside' '--callers other.c:7:apply'; do
    echo "# $asked"
    cflr callgraph r.cflr $asked | sed 's|/usr/include.*stdlib.h:[0-9:]*|stdlib.h|'
done
echo '# one graph, whatever made it'
cflr callgraph r.cflr >all.txt
for threads in 1 3; do
    cflr analyze -q -j $threads called/other.c called/main.c -o t.cflr >/dev/null
    cflr callgraph -j $threads t.cflr | cmp - all.txt
done
for run in 1 2; do # the second from the cache
    cflr analyze -q called/main.c called/other.c -o t.cflr --cache kept >/dev/null
    cflr callgraph t.cflr | cmp - all.txt
done
cflr extract -q called/main.c --linkable -o main.cflg >/dev/null
cflr extract -q called/other.c --linkable -o other.cflg >/dev/null
cflr link -q --callees types main.cflg other.cflg -o both.cflg >/dev/null
cflr convert -q both.cflg again.cflg && cflr solve -q -g pointer-fs again.cflg -o t.cflr >/dev/null
cflr callgraph t.cflr | cmp - all.txt
cflr analyze -q called/main.c called/other.c --context clone -o t.cflr >/dev/null
cflr callgraph t.cflr | cmp - all.txt
echo '# code that is not there'
cflr analyze -q calls.c -o t.cflr >/dev/null && cflr callgraph t.cflr
echo '# an open program'
cflr analyze -q called/other.c -o t.cflr >/dev/null && cflr callgraph t.cflr
cflr callgraph t.cflr --callees outside | wc -l
echo '# names that are escaped'
cp called/other.c 'called/o"t	h\er.c'
sed -i 's/apply/again/; s/by_number/by_size/' 'called/o"t	h\er.c'
cflr analyze -q called/*.c -o t.cflr >/dev/null
cflr callgraph t.cflr --callees again
cflr callgraph t.cflr --callees again --dot
cflr callgraph t.cflr --callees again --format json -o t.json && grep -m 1 '"file".*er.c' t.json |
    sed 's|"/.*/|"|'
echo '# what cannot be asked'
cflr callgraph r.cflr --callers aply
echo "exit code $?"
cflr query r.cflr 'callees main'
echo "exit code $?"
cflr solve -q -g pointer.cfg path.tsv -o t.cflr >/dev/null && cflr callgraph t.cflr
echo "exit code $?"
cflr analyze -q calls.c --only alias -o t.cflr >/dev/null && cflr callgraph t.cflr
echo "exit code $?"
cflr solve -q -g pointer-fs both.cflg --from main::argv --only PT -o t.cflr >/dev/null
cflr callgraph t.cflr
echo "exit code $?"
echo '# functions that nothing calls, or that call nothing'
cat >alone.c <<'C'
static int kept(int n) { return n; }
static int used(int n) { return n; }
int (*table[])(int) = {kept};
int (*hook)(int);
int main(int n, char **argv) { return used(n) + (argv[1] ? hook(n) : 0); }
C
cflr analyze -q alone.c -o t.cflr >/dev/null
for asked in '--callers kept' '--callers main' '--callees used' '--callers used --callees used' \
    '--callees outside' '--callers nowhere'; do
    echo "# $asked"
    cflr callgraph t.cflr $asked
    echo "exit code $?"
done
cflr callgraph t.cflr --callers kept --callees kept --format json | grep -v '"file"'
cflr callgraph -q t.cflr --callers kept
grep -v main alone.c >open.c
echo 'static int never(int n) { return used(n); } int run(void) { return used(1); }' >>open.c
cflr analyze -q open.c -o t.cflr >/dev/null && cflr callgraph t.cflr --callers never
echo '# functions that do nothing, and what runs without a call'
cat >library.c <<'C'
static int x;
__attribute__((constructor)) static void first(void) { x = 1; }
void exported(void) {}
int unused(void) { return x; }
void declared(void);
C
for world in closed open; do
    cflr analyze -q --world $world library.c -o t.cflr >/dev/null
    for name in first exported unused declared; do
        cflr callgraph t.cflr --callers $name
        echo "exit code $?"
    done
done
cflr callgraph r.cflr -o nowhere/r.txt

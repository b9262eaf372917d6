# Where values go: null pointers, through memory and code outside; texts from outside; any value.
cat >null.c <<'C'
#include <stddef.h>
struct box { int *slot; };
void keep(int **p);
int *take(void);
static int *find(int k) { static int x; return k ? &x : NULL; }
static void put(struct box *b, int *v) { b->slot = v; }
static int *give(void) { int *n = NULL; keep(&n); return n; }
int main(int argc, char **argv) {
    struct box b;
    put(&b, find(argc));
    int *got = b.slot, *other = take(), *safe = &argc;
    return *got + *other + *safe + *give();
}
C
cflr analyze -q -g nullflow null.c -o null.cflr >/dev/null
for question in 'flows find::NULL main::got' 'flows main::got find::NULL' \
    'flows find::NULL main::safe' 'flows find::NULL nowhere' 'flows find::NULL'; do
    echo "# $question"
    cflr explain -q null.cflr "$question"
    echo "exit code $?"
done
cflr explain -q null.cflr 'flows find::NULL main::got' --format json | grep -c '"symbol": "null"'
echo '# an open program'
cflr analyze -q -g nullflow --world open null.c -o open.cflr >/dev/null
cflr explain -q open.cflr 'flows give::NULL main::other'
cat >text.c <<'C'
#include <stdlib.h>
static void run(char *text) { system(text); }
int main(void) { run(getenv("X")); return 0; }
C
cflr analyze -q -g taint --rules command text.c -o text.cflr >/dev/null
cflr convert -q text.cflr -o text.tsv >/dev/null
show cflr explain -q text.cflr "flows $(grep 'source\[' text.tsv | cut -f1) run::*text"
cflr analyze -q -g valueflow --calls brackets null.c -o value.cflr >/dev/null
show cflr explain -q value.cflr 'flows main::find() put::v'
show cflr explain -q value.cflr 'flows take() main::other'
echo '# without an answer'
cflr analyze -q null.c -o r.cflr >/dev/null
cflr explain -q r.cflr 'flows find::NULL main::got'
echo "exit code $?"
cflr query -q r.cflr 'flows find::NULL main::got'
echo "exit code $?"
cflr query -q null.cflr 'alias main::got main::other'
echo "exit code $?"

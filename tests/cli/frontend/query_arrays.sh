# The name of an array or record is its address where a pointer is asked for, as in C.
cat >arrays.c <<'end'
struct s { int *a; char text[8]; int *many[2]; };
typedef void (*hook)(char *, int);
static void fill(char *to, int n) { while (n--) to[n] = 0; }
static void walk(struct s *r) { r->a = 0; }
static void each(int **v) { if (!*v) *v = 0; }
static int *par(int *arr[2], struct s by_value) { return arr[0] ? arr[0] : by_value.a; }
static int x, y;
static const hook hooks[2] = {fill};
int (*row)[3];
static char never[4];
union u { int *p; } common;
int main(void) {
    char buf[20];
    struct s rec, other = {&x}, recs[2];
    int *ptrs[3] = {&x, &y}, grid[2][3];
    fill(buf, 20);
    fill(rec.text, 8);
    walk(&rec);
    walk(recs);
    each(ptrs);
    each(rec.many);
    each(&common.p);
    row = grid;
    hooks[0](never + never[0], 1);
    return par(ptrs, other) == hooks[1] + 0 ? 1 : 0;
}
end
cflr analyze arrays.c -q -o r.cflr -- -w >/dev/null || exit
for pair in 'main::buf fill::to' 'arrays.c:16:buf fill::to' 'arrays.c:13:buf fill::to' \
        'main::rec walk::r' 'main::recs walk::r' \
    'main::ptrs each::v' 'main::rec.many each::v' 'common each::v' 'main::other walk::r' \
    'main::grid row' 'main::buf walk::r' 'main::other main::other' 'main::buf main::recs'; do
    echo "alias $pair: $(cflr query -q r.cflr "alias $pair")"
done
for name in main::buf main::rec main::other main::other[] main::ptrs main::ptrs[] main::\&ptrs \
        hooks hooks[] row par::arr \
    par::by_value never; do
    cflr query r.cflr "points-to $name" 2>&1 | short_paths | sed "s/^/$name: /"
done
cflr query r.cflr 'aliases main::buf' | short_paths
printf 'alias main::buf fill::to\npoints-to main::ptrs[]\n' | cflr query --format json r.cflr - |
    grep -c '"name": "[xy]"\|true'
# A member that is an array, or a record; and what lies where a pointer points.
cat >members_of.c <<'end'
struct in { int *a; int n; };
struct out { int k; struct in in; int *tab[3]; };
static struct out o;
static int x, y;
static void f(struct out *p) { p->tab[1] = &x; p->in.a = &x; p->in = o.in; }
static int **only_address(struct out *p) { return p->tab; }
static int other(struct out *p, int **list) { list[1] = &y; return *only_address(p)[0]; }
int main(int n, char **v) { f(&o); return *o.tab[0] + *o.in.a + other(&o, o.tab) + *v[n]; }
end
ask() {
    for question; do
        cflr query r.cflr "$question" 2>&1 | short_paths | sed "s/^/$question: /"
    done
}
cflr analyze members_of.c -q -o r.cflr -- -w >/dev/null || exit
ask 'points-to f::p->tab[]' 'points-to f::p->tab' 'points-to o.tab[]' 'points-to o.in' \
    'points-to o.in[]' 'points-to members_of.c:5:o.in' 'points-to other::list[]' \
    'points-to main::v[]' 'points-to o[]' 'alias f::p->tab[] f::p->in.a' 'alias f::p->in o.in' \
    'points-to only_address::p->tab[]' 'points-to f::p[]' 'points-to o.k' 'points-to f::p->on[]'
cflr explain -q r.cflr 'alias f::p->tab[] f::p->in.a' | short_paths
# Elements that are apart.
cat >apart.c <<'end'
static int x, y;
static int *list[3];
int main(void) { list[1] = &x; list[0] = &y; return *list[0] + *list[1]; }
end
cflr analyze apart.c -q -g pointer-fs --arrays constant -o r.cflr >/dev/null || exit
ask 'points-to list[0]' 'points-to list[1]' 'points-to list[]' 'points-to apart.c:3:list[]'

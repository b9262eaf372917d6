# A member that is a record or an array is its address, also where a copy of the whole has named
# what lies in it.
cat >copied.c <<'c'
struct in { int *ip; char tag[8]; };
union u { int *first; long number; };
struct rec { char name[16]; int *p; struct in in, many[3]; int *list[4]; union u u; } whole;
static int x, y;
static struct rec *keep(struct rec r) { static struct rec kept; kept = r; return &kept; }
static struct in *look(struct in *q) { return q; }
static int **each(int **v) { return v; }
int main(void) {
    struct rec r = {.p = &x, .in.ip = &y}, *rp = &r, untold;
    struct in *in = look(&r.in), *many = r.many;
    int **list = each(r.list), *p = r.p;
    union u *u = &r.u;
    whole = untold = r;
    look(&whole.in);
    return keep(r) == &whole || (in != many && *list == p && u->first == rp->list[1]);
}
c
cflr analyze copied.c -q -o r.cflr -- -w >/dev/null || exit
for pair in 'r.in in' 'r.many many' 'r.list list' 'r.u u' 'r.p p' 'r.in list' 'untold.in in' \
        'untold.list list'; do
    echo "alias $pair: $(cflr query -q r.cflr "alias main::${pair% *} main::${pair#* }")"
done
echo "alias r.in look::q: $(cflr query -q r.cflr 'alias main::r.in look::q')"
echo "alias whole.in look::q: $(cflr query -q r.cflr 'alias whole.in look::q')"
echo "alias r.list each::v: $(cflr query -q r.cflr 'alias main::r.list each::v')"
for name in main::r.in main::r.in[] main::r.list main::r.list[] main::r.p keep::kept.many; do
    cflr query r.cflr "points-to $name" 2>&1 | short_paths | sed "s/^/$name: /"
done

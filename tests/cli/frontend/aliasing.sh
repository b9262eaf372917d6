# A pointer leads to what its type allows, and what is of another type is not lost on the way.
cat >types.c <<'end'
#include <stdlib.h>
void apart(const void *, const void *);
void same(const void *, const void *);
struct base { int *count; };
struct node { struct base base; struct node *next; };
struct leaf { char text[8]; int *count; };
struct other { int *count; };
union either { struct node *node; struct leaf *leaf; };
static int x, y;
static void *kept[2];
static void *keep(void *v) { return v; }
static struct node *(*made)(void *) = (struct node *(*)(void *))keep;
int main(int c, char **v) {
    static struct node n;
    static struct leaf l;
    static struct other o;
    kept[0] = &n;
    kept[1] = &l;
    struct node *p = kept[0];
    struct leaf *q = kept[1];
    void *any = kept[c > 9];
    same(p, &n);
    same(q, &l);
    same(any, &n);
    same(any, &l);
    apart(p, &l);
    apart(q, &n);
    struct base *b = &p->base;      /* a record that begins with one */
    same(b, &n);
    same((struct node *)b, &n);
    same((struct other *)b, &n);    /* cast, with nothing between */
    union either e;
    e.node = p;
    same(e.node, &n);
    apart(e.node, &l);
    struct node *h = malloc(sizeof *h);     /* one site, two types */
    struct leaf *m = keep(h);
    h->base.count = &x;
    m->count = &y;
    apart(h->base.count, m->count);
    same(h->base.count, &x);
    same(m->count, &y);
    char *bytes = (char *)&n;               /* characters that are a record's */
    same(bytes, &n);
    char *text = l.text;
    same(text, l.text);
    apart(text, &n);
    same(made(&n), &n);
    apart((void *)made, &n);
    return 0;
}
end
cflr check -q types.c --aliasing strict --must-alias same --no-alias apart
cflr check -q types.c --aliasing any --must-alias same --no-alias apart | grep -c FAILED
cflr extract -q types.c --aliasing strict -o types.cflg
cflr solve -g pointer-fs types.cflg -o types.cflr
cflr extract -q types.c --aliasing strict --linkable -o part.cflg
cflr link -q --aliasing strict part.cflg -o linked.cflg
cflr solve -q -g pointer-types linked.cflg --verify -o linked.cflr >/dev/null
cflr query linked.cflr 'points-to main::p' 'points-to main::any' | short_paths
cat >places.c <<'end'
struct in { int *root, n; };
struct e { long a; struct in in; int many[4]; } e;
int x, *p, *q, *r, *s, *t;
int main(int c, char **v) {
    p = &e.in.n;
    q = p;
    r = &x;
    s = c > 1 ? &e.in.n : &e.many[2];
    t = (int *)&e.in.root;
    return *q;
}
end
cflr analyze -q places.c --aliasing strict --show 2 -o places.cflr | grep alias
cflr query places.cflr 'alias p q' 'alias p r' 'alias q s' 'aliases p' 'aliases r' 'points-to p' \
    'points-to s' 'points-to t' | short_paths
cflr query places.cflr 'reaches p L q'
cflr info places.cflr | grep -c '~'
cflr solve -q places.cflr -g pointer-types --only L --from p -o p.cflr
cflr query p.cflr 'alias p r'
cflr query p.cflr 'aliases p'
cat >list.c <<'end'
#include <stdlib.h>
struct node { int *value; struct node *next; };
int *pool_get(void);
struct node *cache;
struct node *push(struct node *list, int *value) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = list;
    return n;
}
static int sum(int *first, int *second) {
    int own, *mine = &own, *got = pool_get();
    *mine = *first;
    return *mine + *second + *got;
}
int total(struct node *a, struct node *b) {
    int *same = a->value;
    return sum(same, a->value) + sum(b->value, cache->value);
}
end
cflr analyze -q list.c --aliasing strict -o list.cflr | grep entry
cflr query list.cflr 'alias push::n push::return' 'alias total::a total::b' \
    'alias sum::got total::a' \
    'alias sum::mine sum::first' 'points-to total::a' 'points-to outside' 'aliases push::n' |
    short_paths
cflr analyze -q types.c --aliasing strict --fields insensitive -o types.cflr
cflr check -q types.c --aliasing strict --rules null

/* With --arrays constant: what means any element: other indices, what an array decays to, addresses, views. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../check.h"

static int x, y, z;

struct pair {
    int *key;
    int *value;
};

struct table {
    int n;
    int *slot[3];
    struct pair in[2];
};

static void indices(void) {
    int *a[3], *m[2][2];
    int i = 1;
    a[i] = &x;
    SAME(a[1], a[i]);
    a[2] = &y;
    i++;
    SAME(a[i], a[2]);
    INTO(a[i], y);
    m[i - 1][0] = &x;
    m[0][i - 1] = &y;
    SAME(m[1][0], m[i - 1][0]);
    INTO(m[0][1], y);
}

static void store(int **to, int *what) {
    to[1] = what;
}

static void decay(void) {
    int *a[3], *b[3], *c[3], *d[3];
    int **p = a;
    p[1] = &x;
    SAME(a[1], p[1]);
    p++;
    *++p = &y;
    INTO(a[2], y);
    store(b, &z);
    INTO(b[1], z);
    *(c + 1) = &x;
    INTO(c[1], x);
    int **q = &d[0];
    q[2] = &y;
    SAME(d[2], q[2]);
    int **last = &d[2];
    last[-1] = &z;
    INTO(d[1], z);
}

/* More elements than a value has nodes. */
static void many(void) {
    int *a[9], **p = a, i = 8;
    struct table t[8], *q = &t[5];
    a[7] = &x;
    SAME(p[7], a[7]);
    p[8] = &y;
    INTO(a[8], y);
    INTO(a[i], y);
    t[i - 3].slot[1] = &z;
    INTO(t[5].slot[1], z);
    SAME(q->slot[1], t[5].slot[1]);
    q->in[1].key = &x;
    APART(t[5].in[1].key, t[5].slot[1]);
}

static void rows(void) {
    int *m[2][2];
    int *(*row)[2] = m;
    int **cell = m[0];
    row[1][1] = &x;
    SAME(m[1][1], row[1][1]);
    cell[2] = &y;
    INTO(m[1][0], y);
    int *(*whole)[2][2] = &m;
    (*whole)[0][1] = &z;
    INTO(m[0][1], z);
}

static void of_records(void) {
    struct pair t[3], *e = &t[1];
    int **v = &t[1].value;
    e->key = &x;
    *v = &y;
    e[1].key = &z;
    SAME(t[1].key, e->key);
    INTO(t[1].value, y);
    INTO(t[2].key, z);
    APART(t[1].key, t[1].value);
}

static void in_members(void) {
    struct table t, *p = &t, *copy = malloc(sizeof *copy);
    int **s = p->slot, **deep;
    s[2] = &x;
    SAME(t.slot[2], s[2]);
    struct pair *e = t.in;
    e[1].value = &y;
    INTO(p->in[1].value, y);
    deep = (int **)((char *)p + offsetof(struct table, slot));
    deep[1] = &z;
    INTO(t.slot[1], z);
    memcpy(copy, &t, sizeof t);
    SAME(copy->slot[2], t.slot[2]);
    SAME(copy->in[1].value, t.in[1].value);
    APART(copy->slot[1], copy->in[1].value);
}

static void copied(void) {
    int *a[3], *b[3], *c[3];
    int **heap = malloc(sizeof a);
    a[1] = &x;
    memcpy(b, a, sizeof b);
    INTO(b[1], x);
    memcpy(heap, a, sizeof a);
    memcpy(c, heap, sizeof c);
    INTO(c[1], x);
    struct table t, u;
    t.slot[2] = &x;
    t.in[0].key = &y;
    memcpy(u.slot, t.slot, sizeof t.slot + sizeof t.in); /* beyond the member */
    SAME(u.slot[2], t.slot[2]);
    SAME(u.in[0].key, t.in[0].key);
}

static int by_number(const void *a, const void *b) {
    int *const *first = a, *const *second = b;
    return **first - **second;
}

static int by_key(const void *a, const void *b) {
    const struct pair *first = a, *second = b;
    return *first->key - *second->key;
}

/* What changes places inside an array. */
static void sorted(void) {
    int *a[3] = {&x, &y, &z}, *b[2] = {&x, &y};
    struct pair t[2] = {{&x, &y}, {&y, &z}};
    x = 2;
    y = 1;
    z = 0;
    qsort(a, 3, sizeof *a, by_number);
    INTO(a[0], z);
    INTO(a[2], x);
    qsort(t, 2, sizeof *t, by_key);
    INTO(t[0].value, z);
    INTO(t[1].value, y);
    memmove(b, b + 1, sizeof *b);
    INTO(b[0], y);
}

static struct table *table_of(struct pair *member) {
    return (struct table *)((char *)member - offsetof(struct table, in));
}

static struct pair *pair_of(int **member) {
    return (struct pair *)((char *)member - offsetof(struct pair, value));
}

static void containers(void) {
    struct table t;
    struct pair v[2];
    t.slot[1] = &x;
    struct table *back = table_of(t.in);
    SAME(back->slot[1], t.slot[1]);
    v[1].key = &y;
    struct pair *e = pair_of(&v[0].value);
    e++;
    SAME(e->key, v[1].key);
}

/* Elements lie where members of other types do. */
static void views(void) {
    struct flat {
        long n;
        int *a, *b, *c;
    };
    struct table t;
    struct flat *f = (struct flat *)&t;
    void *hidden = &t;
    struct flat *g = hidden;
    union {
        int *at[2];
        struct pair named;
    } u, w = {.at = {&x, &y}};
    t.slot[1] = &x;
    t.slot[2] = &y;
    SAME(f->b, t.slot[1]);
    SAME(g->c, t.slot[2]);
    u.named.value = &z;
    SAME(u.at[1], u.named.value);
    INTO(w.named.value, y);
    struct pair *p = (struct pair *)(void *)t.slot;
    p->value = &z;
    INTO(t.slot[1], z);
}

static int *(*kept)[2];

static int *of_kept(int i) {
    return kept[1][i];
}

static void hide(void *v) {
    int **w = v;
    w[1] = &z;
}

static void hidden_pointers(void) {
    static int *m[2][2];
    int *a[3];
    void *v = a;
    void **w = v;
    w[1] = &x;
    INTO(a[1], x);
    struct begins {
        struct {
            int *slot[2];
        } in;
        int *end;
    } s;
    hide(&s);
    INTO(s.in.slot[1], z);
    APART(s.in.slot[1], s.end);
    kept = m;
    m[1][1] = &y;
    int *from = of_kept(1);
    INTO(from, y);
}

int main(void) {
    indices();
    decay();
    many();
    rows();
    of_records();
    in_members();
    copied();
    sorted();
    containers();
    views();
    hidden_pointers();
    return CHECKED;
}

/* With --arrays constant: elements with a constant index, of variables and members, and copies of them. */
#include "../check.h"

static int x, y, z, u;

struct pair {
    int *key;
    int *value;
};

struct table {
    int n;
    int *slot[3];
    struct pair in[2];
    int *end;
};

static int *global[2];

static void of_variables(void) {
    static int *kept[3];
    int *a[4];
    global[0] = &x;
    global[1] = &y;
    APART(global[0], global[1]);
    a[0] = &x;
    a[1] = &y;
    2 [a] = &z;
    (a)[3] = &u;
    APART(a[0], a[1]);
    APART(a[1], a[2]);
    APART(a[2], a[3]);
    INTO(a[2], z);
    INTO(a[1 + 2], u);
    int **deep[2], *v[1];
    deep[0] = v;
    deep[1] = &a[3];
    v[0] = &x;
    INTO(deep[0][0], x);
    INTO(deep[1][0], u);
    kept[2] = a[1];
    SAME(kept[2], a[1]);
    APART(kept[2], global[0]);
}

static void of_members(void) {
    struct table t, *p = &t;
    t.slot[0] = &x;
    p->slot[1] = &y;
    t.in[0].value = &z;
    t.in[1].value = &u;
    t.end = &x;
    APART(p->slot[0], t.slot[1]);
    SAME(t.slot[1], p->slot[1]);
    APART(p->in[0].value, p->in[1].value);
    SAME(p->in[1].value, t.in[1].value);
    APART(t.slot[1], t.end);
    struct table *q = &*p;
    INTO(q->slot[0], x);
    APART(q->slot[0], q->in[0].value);
}

static void of_arrays(void) {
    int *m[2][2];
    struct table t[2];
    m[0][0] = &x;
    m[0][1] = &y;
    m[1][0] = &z;
    m[1][1] = &u;
    APART(m[0][0], m[0][1]);
    APART(m[0][1], m[1][0]);
    APART(m[1][0], m[1][1]);
    INTO(m[1][1], u);
    t[0].slot[1] = &x;
    t[1].slot[1] = &y;
    APART(t[0].slot[1], t[1].slot[1]);
    INTO(t[1].slot[1], y);
}

/* Those behind the first sixteen are one with a[0]; of large elements there are fewer. */
static void behind_the_first(void) {
    struct large {
        int *in[16];
        struct pair two[8];
    } t[4];
    int *a[20], *b[20];
    a[0] = &x;
    a[15] = &y;
    a[16] = &z;
    a[17] = &u;
    APART(a[15], a[16]);
    INTO(a[16], z);
    BLURRED(a[16], a[17]);
    BLURRED(a[0], a[16]);
    b[17] = &x;
    b[1] = &y;
    INTO(b[17], x);
    APART(b[17], b[1]);
    t[1].in[1] = &x;
    t[2].in[1] = &y;
    APART(t[1].in[1], t[2].in[1]);
    INTO(t[2].in[1], y);
    BLURRED(t[0].in[1], t[2].in[1]);
    t[0].in[1] = &z;
    APART(t[0].in[1], t[1].in[2]);
}

static struct table same(struct table t) {
    return t;
}

static void copies(void) {
    struct table a, b, c;
    struct table d[2];
    a.slot[0] = &x;
    a.slot[1] = &y;
    a.in[1].key = &z;
    a.in[1].value = &u;
    b = a;
    APART(b.slot[0], b.slot[1]);
    SAME(b.slot[1], a.slot[1]);
    SAME(b.in[1].key, a.in[1].key);
    c = same(b);
    INTO(c.slot[1], y);
    APART(c.slot[1], c.in[1].value);
    d[1] = c;
    SAME(d[1].slot[1], a.slot[1]);
    APART(d[1].slot[0], d[1].slot[1]);
    struct pair one = d[1].in[1];
    SAME(one.value, a.in[1].value);
    APART(one.key, one.value);
}

static int *first(void) {
    return &x;
}
static int *second(void) {
    return &y;
}

static void functions(void) {
    static int *(*const table[2])(void) = {first, second};
    int *one = table[0]();
    int *two = table[1]();
    INTO(one, x);
    INTO(two, y);
    APART(one, two);
}

int main(void) {
    of_variables();
    of_members();
    of_arrays();
    behind_the_first();
    copies();
    functions();
    return CHECKED;
}

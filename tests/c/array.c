/* Arrays: one element; of pointers, of records, of arrays; subscripts either way round. */
#include "check.h"

static int x, y, z;

struct entry {
    int *key;
    int *value;
};

static int *global[2] = {&x, &y};

static void of_pointers(void) {
    int *a[3];
    int **p = a;
    int i = 2;
    a[0] = &x;
    a[i] = &y;
    SAME(a[0], p[0]);
    SAME(*(p + i), a[i]);
    int *w = 2 [a];
    SAME(w, a[2]);
    int **q = &a[1];
    BLURRED(q, p);
    BLURRED(a[0], a[2]);
    INTO(a[i], y);
    INTO(global[1], y);
}

static void of_records(void) {
    struct entry t[4];
    struct entry *e = &t[1];
    t[1].key = &x;
    t[1].value = &z;
    SAME(e->key, t[1].key);
    e++;
    e->key = &y;
    SAME(t[2].key, e->key);
    APART(e->key, t[1].value);
}

static void of_arrays(void) {
    int *m[2][3];
    int *(*row)[3] = m;
    int **cell = m[1];
    m[1][2] = &x;
    SAME(row[1][2], m[1][2]);
    SAME(cell[2], m[1][2]);
    SAME((*(row + 1))[2], cell[2]);
}

static void in_records(void) {
    struct {
        int n;
        int *slot[2];
        struct entry in[2];
        int *end;
    } s, *p = &s;
    s.slot[1] = &x;
    s.in[1].value = &y;
    s.end = &z;
    int **begin = s.slot;
    SAME(begin[1], p->slot[1]);
    SAME(p->in[1].value, s.in[1].value);
    APART(p->slot[1], s.in[1].value);
    APART(p->end, s.slot[1]);
}

int main(void) {
    of_pointers();
    of_records();
    of_arrays();
    in_records();
    return CHECKED;
}

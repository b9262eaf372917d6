/* Wrappers of allocators: what they give back is one object each, or one for each type that callers make of it. */
#include "check.h"
#include <stdlib.h>

struct pair {
    int *one, *two;
};
struct chain {
    struct chain *next;
    int *value;
};

static int x, y;

/* Gives back what it is given. */
static void *checked(void *p, size_t n) {
    if (!p && n) abort();
    return p;
}

static void *inner(size_t n) {
    void *p = malloc(n);
    return checked(p, n);
}

static void *outer(size_t n) { return n ? inner(n) : 0; }

/* With a header before what it gives back. */
static void *counted(size_t n) {
    size_t *p = inner(n + sizeof *p);
    *p = n;
    return p + 1;
}

static struct chain *cons(int *value, struct chain *next) {
    struct chain *c = outer(sizeof *c);
    c->value = value;
    c->next = next;
    return c;
}

static void take(struct pair *given) { given->two = &y; }

static char *text(size_t n) { return outer(n); }

static void *hidden(void) {
    void *p = outer(sizeof(struct pair));
    struct pair *q = p;
    q->one = &x;
    return p;
}

static void *(*by_value)(size_t) = inner;

int main(void) {
    struct pair *a = outer(sizeof *a), *b = outer(sizeof *b);
    a->one = &x;
    b->one = &y;
    INTO(a->one, x);
    INTO(b->one, y);
    BLURRED(a->one, b->one);
    struct chain *c = cons(&x, cons(&y, 0));
    INTO(c->value, x);
    INTO(c->next->value, y);
    BLURRED(a, c);
    int **v = outer(2 * sizeof *v);
    v[1] = &y;
    INTO(v[1], y);
    BLURRED(v, a);
    struct pair *d = counted(sizeof *d);
    struct chain *e = counted(sizeof *e);
    d->two = &x;
    e->value = &y;
    INTO(d->two, x);
    INTO(e->value, y);
    BLURRED(d, e);
    void *raw = outer(sizeof(struct pair));
    BLURRED(raw, a);
    take(raw);
    struct pair *f = raw;
    INTO(f->two, y);
    SAME(f, raw);
    char *t = text(8), *u = outer(8);
    BLURRED(t, u);
    struct pair *g = hidden();
    INTO(g->one, x);
    BLURRED(g, a);
    struct pair *h = by_value(sizeof *h);
    h->one = &y;
    INTO(h->one, y);
    BLURRED(h, g);
    struct pair *same = checked(a, 1);
    SAME(same, a);
    int *z = checked(&y, 1);
    SAME(z, &y);
    return CHECKED;
}

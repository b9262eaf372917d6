/* Calls through values: variables, members, tables, arguments, results, conditionals, casts. */
#include "check.h"

static int x, y, z;

typedef int *step(int *);

static int *same(int *p) { return p; }
static int *other(int *p) { return &y; }
static int *third(int *p) { return &z; }
static int unrelated(int n) { return n; }

struct ops {
    int tag;
    step *run;
    step *stop;
};

static step *choose(int which) { return which ? same : other; }
static int *apply(step *f, int *p) { return f(p); }
static int *apply_declared(int *f(int *), int *p) { return (*f)(p); }
static int *twice(step *f, int *p) { return apply(f, apply(f, p)); }

int main(void) {
    step *f = same;
    int *p = f(&x);
    INTO(p, x);
    step *g = &other;
    int *q = (*g)(&x);
    INTO(q, y);
    struct ops ops = {1, same, third};
    struct ops *to = &ops;
    int *r = to->run(&x);
    SAME(r, p);
    int *s = ops.stop(&x);
    INTO(s, z);
    APART(s, q);
    step *table[] = {same, other};
    int *t = table[1](&x);
    INTO(t, y);
    int *u = choose(0)(&x);
    INTO(u, y);
    int *v = apply(third, &x);
    INTO(v, z);
    int *w = apply_declared(other, &x);
    INTO(w, y);
    int *a = (1 ? third : other)(&x);
    INTO(a, z);
    int *b = ((int *(*)(void *))same)(&y);
    INTO(b, y);
    int *c = twice(same, &x);
    INTO(c, x);
    step **slot = &to->run;
    *slot = third;
    int *d = (**slot)(&x);
    INTO(d, z);
    int (*h)(int) = unrelated;
    h(1);
    return CHECKED;
}

/* Records by value: arguments and results, direct and through values, nested calls. */
#include "check.h"

static int x, y, z;

struct pair {
    int *a;
    int *b;
};
struct big {
    int numbers[20];
    struct pair in;
    struct pair many[3];
};

static struct pair make(int *a, int *b) {
    struct pair p = {a, b};
    return p;
}
static struct pair swap(struct pair p) { return (struct pair){p.b, p.a}; }
static int *get(struct big b) { return b.in.b; }
static struct big wrap(struct pair p) {
    struct big b;
    b.in = p;
    b.many[1] = p;
    return b;
}
static void change(struct pair p) { p.a = &z; }

int main(void) {
    struct pair p = make(&x, &y);
    INTO(p.a, x);
    INTO(p.b, y);
    APART(p.a, p.b);
    struct pair q;
    q = swap(p);
    SAME(q.a, p.b);
    struct big b = wrap(q);
    SAME(b.in.a, q.a);
    SAME(b.many[1].b, q.b);
    int *r = get(b);
    SAME(r, b.in.b);
    int *s = make(&z, &y).a;
    INTO(s, z);
    struct pair (*f)(struct pair) = swap;
    struct pair t = f(p);
    SAME(t.b, p.a);
    int *u = f(t).b;
    SAME(u, t.a);
    struct pair v = swap(swap(p));
    SAME(v.a, p.a);
    change(p);
    INTO(p.a, x);
    return CHECKED;
}

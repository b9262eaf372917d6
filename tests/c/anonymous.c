/* Anonymous records: their members belong to the record around them. */
#include "check.h"

static int x, y, z;

struct s {
    int *before;
    struct {
        int *a;
        union {
            int *b;
            void *c;
            struct {
                int *d;
                int *e;
            };
        };
        int *f;
    };
    struct {
        int *g;
        int *h;
    } named;
    int *after;
};

struct base {
    int *low;
    int *high;
};
struct derived {
    int id;
    struct base; /* -fms-extensions */
    int *own;
};

int main(void) {
    struct s s;
    struct s *p = &s;
    s.a = &x;
    s.b = &y;
    SAME(p->a, s.a);
    SAME(s.c, s.b);
    SAME(s.d, p->b);
    s.e = &z;
    s.f = &x;
    APART(s.e, s.b);
    APART(p->e, p->f);
    s.named.h = &y;
    s.after = &z;
    s.before = &x;
    SAME(p->named.h, s.b);
    APART(p->named.h, p->after);
    INTO(s.before, x);
    struct derived d;
    struct derived *q = &d;
    struct base *up = (struct base *)&q->low;
    d.low = &x;
    d.high = &y;
    d.own = &z;
    SAME(up->high, q->high);
    SAME(up->low, s.a);
    APART(up->high, q->own);
    return CHECKED;
}

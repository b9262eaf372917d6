/* Conditionals: both arms; a ?: b; nested ones; with null; as address, callee and record. */
#include "check.h"

static int x, y, z;

static int *same(int *p) { return p; }
static int *other(int *p) { return &z; }

int main(void) {
    int one = 1;
    int *a = &x;
    int *b = &y;
    int *p = one ? a : b;
    SAME(p, a);
    int *q = one ? a : one > 1 ? b : &z;
    SAME(q, a);
    int *none = 0;
    int *r = none ?: b;
    SAME(r, b);
    int *c = &x, *d = &y;
    int *s = one ? (int *)0 : c;
    APART(s, d);
    *(one ? &a : &b) = &z;
    SAME(a, &z);
    int *t = (one ? other : same)(&x);
    INTO(t, z);
    int *many = one == 1   ? &x
                : one == 2 ? &y
                : one == 3 ? &z
                : one == 4 ? a
                : one == 5 ? b
                : one == 6 ? p
                : one == 7 ? q
                           : r;
    INTO(many, x);
    int *logic = (one && a) ? &x : &y;
    INTO(logic, x);
    return CHECKED;
}

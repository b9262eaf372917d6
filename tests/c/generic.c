/* Chosen at compile time: _Generic, __builtin_choose_expr. The others are not evaluated. */
#include "check.h"

static int x, y;
static long l;

static int *for_int(int *p) { return p; }
static int *for_long(long *p) { return &y; }

#define PICK(p) _Generic((p), int *: for_int, long *: for_long)(p)

int main(void) {
    int *p = &x;
    int *q = _Generic(p, int *: p, long: &y, default: 0);
    SAME(q, p);
    int *r = PICK(p);
    SAME(r, p);
    int *s = PICK(&l);
    INTO(s, y);
    int *t = __builtin_choose_expr(sizeof(int) == 4, p, &y);
    SAME(t, p);
    APART(t, s);
    int *u = __builtin_choose_expr(0, p, &y);
    INTO(u, y);
    APART(u, p);
    int same = __builtin_types_compatible_p(int, long);
    return CHECKED;
}

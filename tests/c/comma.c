/* The comma: effects on the left, value on the right. */
#include "check.h"

static int x, y;

int main(void) {
    int *p, *q, *r, *s;
    int *t = (p = &x, q = &y, p);
    SAME(t, p);
    APART(t, q);
    for (r = p, s = q; r != q; r = q) SAME(r, p);
    SAME(s, q);
    r = p, s = r;
    SAME(s, p);
    return CHECKED;
}

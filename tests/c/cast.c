/* Casts: between pointers, to integers as wide and back, to narrower ones. */
#include "check.h"
#include <stdint.h>

static int x, y;

struct a {
    int tag;
    int *p;
};
struct b {
    int tag;
    void *p;
    int *more;
};

int main(void) {
    void *v = &x;
    int *p = v;
    char *bytes = (char *)(void *)p;
    SAME(bytes, p);
    uintptr_t n = (uintptr_t)p;
    int *q = (int *)n;
    SAME(q, p);
    uintptr_t tagged = n | 1;
    int *r = (int *)(tagged & ~(uintptr_t)1);
    SAME(r, p);
    intptr_t sum = (intptr_t)p + 4;
    int *s = (int *)(sum - 4);
    SAME(s, p);
    unsigned short narrow = (unsigned short)(uintptr_t)p;
    int lost = (int)(intptr_t)p;
    unsigned __int128 wide = (uintptr_t)p;
    int *t = (int *)(uintptr_t)wide;
    SAME(t, p);
    struct b object = {1, &y, &x};
    struct a *view = (struct a *)&object;
    INTO(view->p, y);
    APART(view->p, object.more);
    const int *constant = (const int *)p;
    SAME(constant, p);
    int *high = (int *)((n >> 3) << 3);
    SAME(high, p);
    int *top = (int *)(n / 4 * 4);
    SAME(top, p);
    int *minus = (int *)-1;
    APART(minus, p);
    return CHECKED;
}

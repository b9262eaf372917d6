/* Statements: all of them, whatever controls them; labels, computed goto, variable arrays. */
#include "check.h"

static int x, y, z;

static int *through(int n) {
    int *p = 0;
    if (n == 0)
        p = &x;
    else if (n == 1)
        p = &y;
    else {
        p = &z;
    }
    return p;
}

static int *switched(int n) {
    switch (n) {
        int *unreached;
        case 0:
            return &x;
        case 1 ... 3: {
            unreached = &y;
            return unreached;
        }
        default:;
            int *last = &z;
            return last;
    }
}

static int *looped(int n) {
    int *p = &x;
    while (n-- > 0) p = &y;
    do {
        if (n < -5) continue;
        if (n) break;
        p = &z;
    } while (n++ < 0);
    for (int *q = p; q; q = 0) p = q;
    return p;
}

static int *jumped(int n) {
    static void *const labels[] = {&&zero, &&one};
    int *p;
    goto *labels[n];
zero:
    p = &x;
    goto out;
one:
    p = &y;
out:
    return p;
}

static int *sized(int n) {
    int *list[n];
    int *(*pointer)[n] = &list;
    list[n - 1] = &z;
    int *p = (*pointer)[n - 1];
    SAME(p, list[n - 1]);
    return p;
}

int main(void) {
    int *p = through(1);
    INTO(p, y);
    int *q = switched(2);
    INTO(q, y);
    int *r = looped(1);
    INTO(r, y);
    int *s = jumped(1);
    INTO(s, y);
    int *t = sized(2);
    INTO(t, z);
    return CHECKED;
}

/* a ?: b: where it is a, it is not null; a is evaluated once, so that holds for members and results, too. */
#include <stddef.h>

#include "check.h"

static int x, y;

struct holder {
    int *kept;
};

static int *give(int full) {
    return full ? &x : NULL;
}

static int *returned(int *p) {
    return p ?: &y;
}

static void passed(int *p) {
    SOLID(p);
}

static void whole(int *p, struct holder *h) {
    int *q = p ?: &y;
    SOLID(q);
    NULLED(p);
    q = give(0) ?: &y;
    SOLID(q);
    q = h->kept ?: &y;
    SOLID(q);
    q = give(0) ?: give(0) ?: &y;
    SOLID(q);
    q = (int *)((void *)give(0) ?: (void *)&y);
    SOLID(q);
    q = returned(p);
    SOLID(q);
    passed(give(0) ?: &y);
    q = give(0) ?: give(0);
    NULLED(q);
    q = p ?: NULL;
    NULLED(q);
}

static void assigning(void) {
    int *p, *q;
    q = (p = give(0)) ?: &y;
    SOLID(q);
    NULLED(p);
    q = give(1) ?: (p = give(0));
    UNSURE(q);
}

static void deciding(int *p, int *q) {
    if (!(p ?: q)) return;
    UNSURE(p);
    if ((p ?: q) && p) SOLID(p);
    if (p ?: (q = give(1))) UNSURE(q);
    while (!(q ?: NULL)) q = &y;
    SOLID(q);
}

/* A function is chosen, and a pointer in an integer. */
static void pass(int *p) {
    if (p) SOLID(p);
}

static void others(void (*f)(int *), __UINTPTR_TYPE__ n) {
    (f ?: pass)(&x);
    int *q = (int *)(n ?: (__UINTPTR_TYPE__)&y);
    SOLID(q);
}

int main(void) {
    struct holder h = {NULL};
    whole(NULL, &h);
    assigning();
    deciding(&x, &y);
    if (x) deciding(NULL, NULL);
    others(NULL, (__UINTPTR_TYPE__)give(0));
    return CHECKED;
}

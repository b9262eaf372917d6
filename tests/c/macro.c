/* Several sites in one macro: each is one of its own. */
#include "check.h"
#include <stddef.h>

static int x, y;

static int *same(int *p) { return p; }

#define TWO_STRINGS(a, b) (a = "one", b = "two")
#define TWO_NULLS(a, b) (a = NULL, b = NULL)
#define SWAP(a, b)     \
    do {               \
        int *t_ = (a); \
        (a) = (b);     \
        (b) = t_;      \
    } while (0)
#define DECLARE(name) int *name##_first = &x, *name##_second = &y
#define TWO_LITERALS(a, b) ((a) = &(int){1}, (b) = &(int){2})

int main(void) {
    const char *a, *b;
    TWO_STRINGS(a, b);
    APART(a, b);
    int *p, *q;
    TWO_NULLS(p, q);
    DECLARE(v);
    APART(v_first, v_second);
    TWO_LITERALS(p, q);
    APART(p, q);
    int *r = &x, *s = &y;
    SWAP(r, s);
    INTO(r, y);
    int *c = same(&x), *d = same(&y);
    INTO(d, y);
    return CHECKED;
}

/* Operands that are never evaluated have no effect: sizeof, alignof, typeof, offsetof. */
#include "check.h"
#include <stddef.h>

static int x, y;

struct s {
    int *a;
    int *b;
};

static int *never(int **to) { return *to = &y; }

int main(void) {
    int *p = &x;
    int *q = &y;
    size_t n = sizeof(p = q) + sizeof *never(&p) + sizeof(struct s) + sizeof(int *[4]);
    n += _Alignof(int *) + __alignof__(*p);
    typeof(p = q) r = p;
    typeof(never(&p)) t = r;
    SAME(t, p);
    APART(p, q);
    n += offsetof(struct s, b);
    return CHECKED;
}

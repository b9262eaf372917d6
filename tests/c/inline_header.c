/* Functions with a body in headers are read like any other. */
#include "inline_header.h"

#include "check.h"

static int x;

inline int *plain_inline(int *p) { return p; }
int *plain_inline(int *p);
extern inline __attribute__((gnu_inline)) int *gnu_inline(int *p) { return p; }
int *gnu_inline(int *p) { return p; }

int main(void) {
    int *p = header_same(&x);
    INTO(p, x);
    header_kept = p;
    SAME(header_kept, p);
    int *q = plain_inline(p);
    SAME(q, p);
    int *r = gnu_inline(q);
    SAME(r, p);
    return CHECKED;
}

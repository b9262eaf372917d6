/* Attributes of gcc, and its words __auto_type and __extension__. */
#include "check.h"

static int x, y, z;
static int *cleaned, *early;

static void clean(int **p) {
    cleaned = *p;
}

int *target(int *p) {
    return p;
}
int *aliased(int *p) __attribute__((alias("target")));

int *real = &x;
extern int *other __attribute__((alias("real")));

__attribute__((constructor)) static void before_main(void) {
    early = &z;
}

typedef union {
    int *i;
    char *c;
} any __attribute__((transparent_union));

static int *take(any a) {
    return a.i;
}

__attribute__((weak)) int *weak(int *p) {
    return p;
}

int main(void) {
    int *p = &y;
    { int *scoped __attribute__((cleanup(clean))) = p; }
    SAME(cleaned, p);
    int *q = aliased(p);
    SAME(q, p);
    other = p;
    SAME(real, p);
    INTO(early, z);
    int *r = take(p);
    SAME(r, p);
    int *(*taker)(any) = take;
    int *s = taker(p);
    SAME(s, p);
    int *t = weak(p);
    SAME(t, p);
    __auto_type u = p;
    SAME(u, p);
    int *v = __extension__({
        int *inner = p;
        inner;
    });
    SAME(v, p);
    return CHECKED;
}

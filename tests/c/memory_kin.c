/* mempcpy, bcopy and realloc. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "check.h"

static int x, y;

struct s {
    int *a;
    int *b;
};

int main(void) {
    struct s v = {&x, &y}, e, f;
    char *end = mempcpy(&e, &v, sizeof v);
    SAME(e.b, v.b);
    APART(e.a, v.b);
    char *last = end - 1;
    INTO(last, e);
    bcopy(&v, &f, sizeof f);
    SAME(f.a, v.a);
    APART(f.b, v.a);
    struct s *small = malloc(sizeof *small);
    *small = v;
    struct s *large = realloc(small, 2 * sizeof *large);
    SAME(large->b, v.b);
    APART(large->a, v.b);
    large[1].a = &x;
    INTO(large[1].a, x);
    return CHECKED;
}

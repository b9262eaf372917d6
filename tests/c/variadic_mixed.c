/* The type of a call and the function differ in which arguments are variable. */
#include <stdarg.h>
#include "check.h"

static int x, y, z;

struct pair {
    int *a;
    int *b;
};

typedef int *(*open_type)(int, ...);
typedef int *(*fixed_type)(int, int *, int *);
typedef int *(*old_type)();

static int *open_body(int n, ...) {
    va_list ap;
    va_start(ap, n);
    va_arg(ap, int *);
    int *p = va_arg(ap, int *);
    va_end(ap);
    return p;
}

static int *fixed_body(int n, int *p, int *q) {
    return n ? q : p;
}

static int *open_record(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct pair p = va_arg(ap, struct pair);
    va_end(ap);
    return p.b;
}

static int *open_second(int n, int *first, ...) {
    va_list ap;
    va_start(ap, first);
    int *p = va_arg(ap, int *);
    va_end(ap);
    APART(p, first);
    return p;
}

int main(void) {
    open_type f = (open_type)fixed_body;
    int *a = f(1, &x, &y);
    INTO(a, y);
    fixed_type g = (fixed_type)open_body;
    int *b = g(1, &y, &z);
    INTO(b, z);
    old_type h = (old_type)open_body;
    int *c = h(2, &y, &z);
    INTO(c, z);
    struct pair pair = {&x, &y};
    int *(*i)(int, struct pair) = (int *(*)(int, struct pair))open_record;
    int *d = i(1, pair);
    INTO(d, y);
    APART(d, pair.a);
    open_type j = (open_type)open_second;
    int *e = j(1, &x, &z);
    INTO(e, z);
    return CHECKED;
}

/* Variable arguments: va_arg, va_copy, a va_list passed on, pointed to and stored; records. */
#include "check.h"
#include <stdarg.h>

static int x, y, z;

struct pair {
    int *a;
    int *b;
};
struct holder {
    int tag;
    va_list list;
};

static int *second(int n, ...) {
    va_list ap;
    va_start(ap, n);
    va_arg(ap, int *);
    int *p = va_arg(ap, int *);
    va_end(ap);
    return p;
}

static int *from_list(va_list ap) { return va_arg(ap, int *); }
static int *from_pointer(va_list *ap) { return va_arg(*ap, int *); }

static int *passed_on(int n, ...) {
    va_list ap, copy;
    va_start(ap, n);
    va_copy(copy, ap);
    int *p = from_list(copy);
    va_end(copy);
    int *q = from_pointer(&ap);
    va_end(ap);
    SAME(p, q);
    return p;
}

static int *of_record(int n, ...) {
    va_list ap;
    va_start(ap, n);
    struct pair p = va_arg(ap, struct pair);
    va_end(ap);
    return p.b;
}

static int *stored(int n, ...) {
    struct holder h;
    va_start(h.list, n);
    int *p = va_arg(h.list, int *);
    va_end(h.list);
    return p;
}

static int *callback(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *p = va_arg(ap, int *);
    va_end(ap);
    return p;
}

int main(void) {
    int *a = second(2, &x, &y);
    INTO(a, y);
    int *b = passed_on(1, &z);
    INTO(b, z);
    APART(b, a);
    struct pair pair = {&x, &y};
    int *c = of_record(1, pair);
    INTO(c, y);
    APART(c, b);
    int *d = stored(1, &x);
    INTO(d, x);
    int *(*f)(int, ...) = callback;
    int *e = f(1, &z);
    INTO(e, z);
    APART(e, d);
    return CHECKED;
}

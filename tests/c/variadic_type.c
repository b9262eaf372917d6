/* va_arg of types that hold expressions: typeof, pointers to arrays of variable size. */
#include <stdarg.h>
#include "check.h"

static int x, y;

static int *of_typeof(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *p;
    p = va_arg(ap, typeof(p));
    va_end(ap);
    return p;
}

static int *of_array(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *(*p)[n] = va_arg(ap, int *(*)[n]);
    va_end(ap);
    return (*p)[0];
}

static int *same(int *p) {
    return p;
}

static int *of_function(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int *(*f)(int *) = va_arg(ap, typeof(&same));
    va_arg(ap, typeof(f(&x)));
    va_end(ap);
    return f(&y);
}

int main(void) {
    int *a = of_typeof(1, &x);
    INTO(a, x);
    int *array[2] = {&y};
    int *b = of_array(2, &array);
    INTO(b, y);
    APART(b, a);
    int *c = of_function(1, same, &y);
    INTO(c, y);
    APART(c, a);
    return CHECKED;
}

/* not run: _Generic of a type is of C2y, and few compilers know it. */
#include "check.h"

static int x, y, z;
static long l;

#define CHOOSE(type) _Generic(type, int *: &x, default: &l)
#define CHOOSE_OF(value) _Generic((value), int *: (value), default: &l)

int main(int argc, char **argv) {
    int *a = _Generic(int, int: &x, default: &l);
    INTO(a, x);
    int *b = _Generic(typeof(argc), char: &l, int
                      : (&y), default: &l);
    INTO(b, y);
    APART(b, a);
    int *c = CHOOSE(int *);
    INTO(c, x);
    APART(c, b);
    int *d = argc ? &z : CHOOSE_OF(&z);
    INTO(d, z);
    APART(d, c);
    int *e = _Generic(d, int *: a, default: &l);
    INTO(e, x);
    APART(e, d);
    int *f = _Generic(int *, int *: &x, default: &y);
    BLURRED(f, b);
    return CHECKED;
}

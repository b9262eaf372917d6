/* What can hold no pointer: enum, bool, float, complex, vectors, narrow bit-fields. */
#include "check.h"
#include <stdbool.h>

static int x, y;

enum color { RED, GREEN };
typedef int four __attribute__((vector_size(16)));

struct bits {
    unsigned narrow : 3;
    unsigned long wide : 48;
    enum color color;
    bool flag;
    double d;
};

int main(void) {
    enum color c = GREEN;
    bool b = &x != &y;
    double d = 1.5;
    _Complex double z = 1.0 + 2.0i;
    four v = {1, 2, 3, 4};
    v += v;
    struct bits bits = {.narrow = 3, .color = c, .flag = b, .d = d};
    bits.wide = (unsigned long)&x;
    int *p = (int *)(unsigned long)bits.wide;
    SAME(p, &x);
    int *q = b ? &y : &x;
    INTO(q, y);
    z *= z;
    return CHECKED;
}

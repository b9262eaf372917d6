/* Builtins on integers that are as wide as a pointer pass it on. */
#include "check.h"

static int x;

int main(void) {
    int *p = &x;
    unsigned long n = (unsigned long)p, sum, sum_l, difference;
    __builtin_add_overflow(n, 0, &sum);
    int *a = (int *)sum;
    SAME(a, p);
    __builtin_uaddl_overflow(n, 0, &sum_l);
    int *b = (int *)sum_l;
    SAME(b, p);
    __builtin_sub_overflow(n, 0, &difference);
    int *c = (int *)difference;
    SAME(c, p);
    unsigned long swapped = __builtin_bswap64(n);
    int *d = (int *)__builtin_bswap64(swapped);
    SAME(d, p);
    unsigned long low = n << 8 | n >> 56;
    int *e = (int *)(low >> 8 | low << 56);
    SAME(e, p);
    return CHECKED;
}

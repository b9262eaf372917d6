/* Inline assembly: every operand may flow to every output, and so may what it points to. */
#include "check.h"

static int x, y;

__asm__("");

int main(void) {
    int *p = &x;
    int *q = 0;
    __asm__("mov %1, %0" : "=r"(q) : "r"(p));
    SAME(q, p);
    int *r = &y;
    __asm__ volatile("" : "+r"(r) : : "memory");
    INTO(r, y);
    int *s = 0;
    int **pp = &p;
    __asm__("mov (%1), %0" : "=r"(s) : "r"(pp));
    SAME(s, p);
    struct {
        int *m;
    } t = {0};
    __asm__("mov %1, %0" : "=m"(t.m) : "r"(p));
    SAME(t.m, p);
    int n = 1;
    __asm__("add $1, %0" : "+r"(n));
    return CHECKED;
}

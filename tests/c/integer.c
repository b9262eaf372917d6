/* Pointers on their way through integers: in variables, members, parameters, arrays, memory. */
#include "check.h"
#include <stddef.h>
#include <stdint.h>

static int x, y;

struct cell {
    int tag;
    unsigned long bits;
};

static uintptr_t pack(void *p, unsigned tag) { return (uintptr_t)p | tag; }
static void *unpack(uintptr_t n) { return (void *)(n & ~(uintptr_t)7); }

#define INT_TO_PTR(n) ((void *)&((char *)0)[n])
#define PTR_TO_INT(p) ((long)(((char *)p) - (char *)0))

int main(void) {
    uintptr_t n = pack(&x, 1);
    int *p = unpack(n);
    INTO(p, x);
    struct cell c = {1, (unsigned long)&y};
    struct cell d = c;
    int *q = (int *)d.bits;
    INTO(q, y);
    APART(p, q);
    uintptr_t list[2];
    list[1] = (uintptr_t)p;
    int *r = (int *)list[1];
    SAME(r, p);
    long *place = (long *)&p;
    int *s = (int *)*place;
    SAME(s, p);
    int *t = INT_TO_PTR((long)q);
    SAME(t, q);
    size_t length = sizeof list;
    for (size_t i = 0; i < length; i++) n += i;
    int *u = (int *)PTR_TO_INT(p);
    SAME(u, p);
    return CHECKED;
}

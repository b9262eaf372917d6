/* Inline assembly that touches memory: what operands point to, records, addresses of operands. */
#include "check.h"

static int x, y, z;

struct s {
    int *a;
    int *b;
};

static void *copy_word(void *to, const void *from) {
    void *r;
    __asm__ volatile("mov (%2), %%rax\n\tmov %%rax, (%1)\n\tmov %1, %0"
                     : "=&r"(r)
                     : "r"(to), "r"(from)
                     : "rax", "memory");
    return r;
}

#define STORE(place, value) __asm__ volatile("mov %1, %0" : "=m"(place) : "r"(value))

static void registers(int *p) {
    int *a;
    __asm__("mov %[from], %[to]" : [to] "=r"(a) : [from] "r"(p));
    SAME(a, p);
    int **place = &p; /* registers only: a has no part in what is behind it */
    int **b = &a;
    APART(b, place);
}

struct counted {
    unsigned long count;
    int *a;
};

/* An integer in memory says nothing of what lies beside it, whatever is clobbered. */
static void count(struct counted *c) {
    __asm__ volatile("lock; incq %0" : "+m"(c->count) : : "memory");
}

static void counters(void) {
    struct counted one = {0, &x}, two = {0, &y};
    count(&one);
    count(&two);
    APART(one.a, two.a);
    unsigned long n = 0;
    int *p = &z;
    __asm__ volatile("mov %1, %0" : "=m"(n) : "r"(p) : "memory");
    int *back = (int *)n;
    SAME(back, p);
}

int main(void) {
    counters();
    int *p = &x;
    int *q = 0;
    __asm__ volatile("mov %0, (%1)" : : "r"(p), "r"(&q) : "memory");
    SAME(q, p);
    struct s s = {0, 0};
    __asm__ volatile("mov %1, %0" : "=m"(s) : "r"(p));
    SAME(s.a, p);
    int *r = 0, **rp = &r;
    __asm__ volatile("mov %0, (%1)" : : "r"(p), "r"(rp) : "memory");
    SAME(r, p);
    int *v;
    __asm__("lea %1, %0" : "=r"(v) : "m"(y));
    INTO(v, y);
    int *w = &z, *o = &x;
    __asm__ volatile("xchg %0, %1" : "+r"(w), "+m"(o));
    INTO(w, x);
    INTO(o, z);
    int *g = 0;
    __asm__ goto("mov %0, (%1)\n\tjmp %l2" : : "r"(p), "r"(&g) : "memory" : out);
    g = &y;
out:
    INTO(g, x);
    int *h = &x;
    __asm__ goto("jmp %l0" : : : : on);
    h = &y;
on:
    INTO(h, x);
    int *m = 0;
    copy_word(&m, &p);
    SAME(m, p);
    int *n;
    STORE(n, p);
    SAME(n, p);
    int *u, **pu = &u;
    __asm__("mov %1, %0" : "=m"(*pu) : "r"(p));
    SAME(u, p);
    registers(p);
    return CHECKED;
}

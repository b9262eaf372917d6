/* Memory that is read with another layout than it was written with: offsets decide.
 *
 * What is missed here is missed by the model of memory: an element of an array is no step, and memory of
 * characters is text.
 */
#include <stdint.h>
#include <string.h>
#include "check.h"

static int x, y, z;

struct pair {
    int *a;
    int *b;
};
struct nested {
    int tag;
    struct pair p;
};
struct flat {
    int tag;
    int *a;
    int *b;
};
union vector {
    struct pair named;
    int *at[2];
};
union box {
    double number;
    int *p;
};

#pragma pack(push, 1)
struct packed {
    char tag;
    int *p;
};
#pragma pack(pop)

static void layouts(void) {
    struct nested n = {1, {&x, &y}};
    struct flat *f = (struct flat *)&n;
    SAME(f->a, n.p.a);   /* f[8] */
    SAME(f->b, n.p.b); /* f[16] is f[8]f[8] */
    union vector v;
    v.named.a = &x;
    v.named.b = &y;
    SAME(v.at[0], v.named.a);
    SAME(v.at[1], v.named.b);
    int **pp = &n.p.a;
    MISSED(pp[1], n.p.b);
    struct packed k = {'k', &z};
    struct packed *to = &k;
    int **place = &to->p;
    SAME(*place, k.p);
}

static void numbers(void) {
    int *from = &x, *to = 0;
    for (unsigned i = 0; i < sizeof from; i++) ((char *)&to)[i] = ((char *)&from)[i];
    SAME(to, from);
    union box a = {.p = from};
    double number = a.number;
    union box b = {.number = number};
    MISSED(b.p, a.p);
    union box c;
    c.number = number;
    MISSED(c.p, a.p);
    uint32_t low = (uint32_t)(uintptr_t)from, high = (uint32_t)((uintptr_t)from >> 32);
    int *joined = (int *)((uintptr_t)high << 32 | low);
    UNKNOWN(joined, from);
    long distance = (char *)&y - (char *)&x;
    int *other = (int *)((char *)&x + distance);
    int *q = &y;
    MISSED(other, q);
}

static void copies(void) {
    struct pair p = {&x, &y};
    char one[sizeof p], two[sizeof p];
    memcpy(one, &p, sizeof p);
    memcpy(two, one, sizeof p); /* text, for all that is known */
    struct pair *back = (struct pair *)two;
    SAME(back->a, p.a);
    SAME(back->b, p.b);
}

static int *counted;

static int count(int *p) {
    counted = p;
    return 2;
}

static void sizes(void) {
    int *p = &z;
    unsigned long n = sizeof(char[count(p)]);
    MISSED(counted, p);
    (void)n;
}

int main(int argc, char **argv) {
    layouts();
    numbers();
    copies();
    sizes();
    char *name = argv[0];
    char **rest = argv + 1;
    char *same = argv[argc - argc];
    SAME(same, name);
    APART(name, rest);
    return CHECKED;
}

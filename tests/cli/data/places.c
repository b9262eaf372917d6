/* Places in records, memory without a type, and pointers that do not take what would arrive. */
#include <stdlib.h>
struct base {
    int *count;
};
struct node {
    long n;
    struct base base;
    struct node *next;
};
struct leaf {
    char text[8];
    int *count;
};
static int x, y;
static void *kept[2];
static void *keep(void *v) {
    return v;
}
static struct node n;
static struct leaf l;
static struct node *p;
static struct leaf *q;
static struct base *b;
static struct base *base;
static int *c1, *c2;
static char *t;
static void **slot;
static struct node **cell;
static struct node *held;
int main(int c, char **v) {
    kept[0] = &n;
    kept[1] = &l;
    p = kept[0];
    q = kept[c];
    b = &p->base;
    b->count = &x;
    c1 = n.base.count;
    base = kept[1];
    struct leaf *m = malloc(sizeof *m);
    struct leaf *m2 = keep(m);
    m2->count = &y;
    c2 = m->count;
    t = (char *)p + c;
    cell = malloc(sizeof *cell);
    slot = (void *)cell;
    *slot = &l;
    held = *cell;
    return c;
}

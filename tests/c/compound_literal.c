/* Compound literals are objects, one for each place. */
#include "check.h"

static int x, y;

struct pair {
    int *a;
    int *b;
};

static struct pair *file_scope = &(struct pair){&x, &y};

static int *first(struct pair *p) { return p->a; }
static int *second(struct pair p) { return p.b; }

int main(void) {
    struct pair *p = &(struct pair){.b = &x};
    struct pair *q = &(struct pair){&y};
    APART(p, q);
    SAME(p->b, file_scope->a);
    q->b = &y;
    APART(q->b, p->b);
    int **list = (int *[]){&x, &y};
    INTO(list[1], y);
    int *r = first(&(struct pair){&x});
    INTO(r, x);
    int *s = second((struct pair){&x, &y});
    INTO(s, y);
    int *t = (struct pair){&y, &x}.b;
    INTO(t, x);
    struct pair copy = (struct pair){&x, &y};
    SAME(copy.b, file_scope->b);
    APART(copy.b, copy.a);
    int *value = &(int){3};
    APART(value, t);
    return CHECKED;
}

/* The heap: one object for each place of an allocation; wrappers share theirs. */
#include "check.h"
#include <stdlib.h>

static int x;

struct node {
    int *value;
    struct node *next;
};

static void *wrapper(size_t n) { return malloc(n); }

static struct node *cons(int *value, struct node *next) {
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

#define TWO(a, b) (a = malloc(4), b = malloc(4))

int main(void) {
    int *p = malloc(4);
    int *q = calloc(1, 4);
    APART(p, q);
    int *r = wrapper(4);
    int *s = wrapper(4);
    APART(r, p);
    BLURRED(r, s);
    struct node *list = cons(&x, cons(&x, 0));
    INTO(list->next->value, x);
    void *(*make)(size_t) = malloc;
    int *t = make(4);
    APART(t, p);
    int *u = make(8);
    BLURRED(u, t);
    int *v, *w;
    TWO(v, w);
    APART(v, w);
    free(p);
    free(q);
    return CHECKED;
}

/* Null pointers: each constant is a root of its own; null edges say where it goes. */
#include "check.h"
#include <stddef.h>

static int x;
static int *file_scope = NULL;

struct s {
    int *a;
    int *b;
};

static int *maybe(int n) {
    if (n) return NULL;
    return &x;
}
static int take(int *p) { return p == NULL; }

int main(void) {
    int *p = 0;
    int *q = (void *)0;
    p = '\0';
    int *r = maybe(0);
    INTO(r, x);
    struct s s = {0};
    struct s t = {.b = NULL};
    if (p != 0 && take(NULL)) q = p;
    take(r ? r : 0);
    int **slot = &((struct s *)0)->b;
    int (*f)(int *) = take;
    f(0);
    int *u = (int *)0x10;
    return CHECKED;
}

/* Functions as values: compared, stored, returned; those of the library bring their summary. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

static int x, y;
static char text[] = "abc";

static int *same(int *p) { return p; }
static int *other(int *p) { return p; }

static int order(const void *a, const void *b) {
    int *const *p = a;
    INTO(*p, x);
    return 0;
}

int main(void) {
    int *(*f)(int *) = same;
    int *(*g)(int *) = &same;
    int *(*h)(int *) = *other;
    SAME(f, g);
    APART(f, h);
    char *(*find)(const char *, int) = strchr;
    char *p = find(text, 'b');
    INTO(p, text);
    int *list[] = {&x, &x};
    qsort(list, 2, sizeof *list, order);
    void *any = (void *)same;
    int *q = ((int *(*)(int *))any)(&y);
    INTO(q, y);
    return CHECKED;
}

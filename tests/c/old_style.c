/* K&R definitions, functions without a prototype, implicit declarations. */
#include "check.h"

static int x, y;

static int *pick(which, a, b)
int which;
int *a, *b;
{
    return which ? a : b;
}

static int *element(list, i)
int *list[];
int i;
{
    return list[i];
}

static int *later();

int main() {
    int *p = pick(1, &x, &y);
    INTO(p, x);
    int *list[2] = {&y, &y};
    int *q = element(list, 1);
    INTO(q, y);
    int *r = later(&x, 1);
    INTO(r, x);
    int *(*f)() = later;
    int *s = f(&x, 0);
    SAME(s, r);
    return CHECKED;
}

static int *later(p, n)
int *p;
int n;
{
    return p;
}

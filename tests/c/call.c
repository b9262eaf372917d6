/* Direct calls: arguments, results, recursion, results that are not used, calls as arguments. */
#include "check.h"

static int x, y, z;
static int *kept;

static int *same(int *p) { return p; }
static int *pick(int which, int *a, int *b) { return which ? a : b; }
static void keep(int *p) { kept = p; }
static void fill(int **to, int *with) { *to = with; }
static int *nothing(void) { return 0; }

static int *down(int n, int *p, int *q) {
    if (n == 0) return p;
    return down(n - 1, q, p);
}

int main(void) {
    int *p = same(&x);
    INTO(p, x);
    int *q = pick(0, p, &y);
    INTO(q, y);
    int *r;
    fill(&r, &z);
    INTO(r, z);
    same(&y);
    keep(r);
    SAME(kept, r);
    int *s = down(3, &x, &z);
    INTO(s, z);
    int *t = pick(1, pick(0, &x, &y), nothing());
    INTO(t, y);
    int *u = (same)(&z), *v = (*same)(&z), *w = (&same)(&z);
    INTO(u, z);
    INTO(v, z);
    INTO(w, z);
    BLURRED(p, w);
    return CHECKED;
}

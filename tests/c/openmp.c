/* OpenMP: statements under directives count as they do without them. */
#include "check.h"

static int x, y, z;
static int *found[4];

static void loops(void) {
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        int *q = &x;
        found[i] = q;
    }
    INTO(found[0], x);
    int *p;
#pragma omp simd
    for (int i = 0; i < 1; i++) p = &y;
    INTO(p, y);
    APART(p, found[0]);
}

static void tasks(void) {
    int *r = 0, *s = 0, *t, *from = &x;
#pragma omp parallel sections
    {
#pragma omp section
        r = &z;
#pragma omp section
        { s = &y; }
    }
    INTO(r, z);
    INTO(s, y);
#pragma omp task firstprivate(from) shared(r)
    { r = from; }
#pragma omp taskwait
    INTO(r, x);
#pragma omp atomic write
    t = &z;
    INTO(t, z);
#pragma omp critical
    { t = &y; }
    INTO(t, y);
}

int main(void) {
    loops();
    tasks();
    return CHECKED;
}

/* Pointer arithmetic stays in the object; differences and comparisons are numbers. */
#include "check.h"

static int x, y;

int main(void) {
    int *v[8];
    int **p = v + 2;
    int **q = 3 + v;
    int **r = &p[-2];
    long n = q - p;
    v[0] = &x;
    SAME(r[0], v[0]);
    SAME(*(q - 3), v[0]);
    SAME(*(p + n - 3), v[0]);
    int before = p < q && p != r;
    int *same = (p += before, p[-3]);
    SAME(same, v[0]);
    char *bytes = (char *)v;
    int **back = (int **)(bytes + 8 * sizeof(int *) - sizeof v);
    SAME(back, r);
    int *other = &y;
    APART(other, r[0]);
    return CHECKED;
}

/* Parameters that are written as arrays or functions are pointers. */
#include "check.h"

static int x, y;

typedef int vector[3];
typedef int *handler(int *);

static int *same(int *p) { return p; }

static int *array(int a[4]) { return a; }
static int *typed(vector v) { return v + 1; }
static int *sized(int n, int a[static 3]) { return n ? a : &a[1]; }
static int *variable(int n, int *a[n]) { return a[n - 1]; }
static int **matrix(int *m[2][2]) { return m[1]; }
static int *function(handler f, int *p) { return f(p); }
static void change(int a[]) {
    a = &y;
    INTO(a, y);
}

int main(void) {
    int v[3];
    int *p = array(&x);
    INTO(p, x);
    int *q = typed(v);
    INTO(q, v);
    APART(p, q);
    int *r = sized(1, v);
    INTO(r, v);
    int *list[2] = {&x, &y};
    int *s = variable(2, list);
    INTO(s, y);
    int *m[2][2];
    m[1][0] = &x;
    int **row = matrix(m);
    INTO(row[0], x);
    int *t = function(same, &y);
    INTO(t, y);
    change(v);
    return CHECKED;
}

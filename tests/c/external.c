/* not run: it calls functions that nobody defines.
 *
 * A function without body or summary may do anything with what it can reach.
 */
#include "check.h"

static int x, y, z;

int *unknown_get(void);
int *unknown_same(int **place);
void unknown_put(int **place);
void known(int *p);
extern int *unknown_variable;

static void seen(int *p) {}

int main(void) {
    int *p = &x;
    unknown_put(&p);
    int *q = unknown_same(&p);
    SAME(q, p);
    int *r = &y;
    APART(r, q);
    int *u = unknown_get(); /* two functions may know each other */
    UNKNOWN(u, p);
    seen(r);
    int *s = unknown_variable;
    UNKNOWN(s, p);
    void (*f)(int **) = unknown_put;
    int *t = &z;
    f(&t);
    return CHECKED;
}

/* setjmp and longjmp: the order of execution plays no part, so nothing is lost. */
#include "check.h"
#include <setjmp.h>

static int x, y;
static jmp_buf env;
static int *volatile given;

static void leave(int *p) {
    given = p;
    longjmp(env, 1);
}

int main(void) {
    int *volatile p = &x;
    if (setjmp(env) == 0) {
        p = &y;
        leave(&x);
    }
    INTO(p, y);
    INTO(given, x);
    return CHECKED;
}

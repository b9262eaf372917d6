/* Where variables live: file scope, static, local static, extern, tentative, thread-local. */
#include "check.h"

static int x, y, z;

int *tentative; /* no initialiser: still a definition */
int *tentative;
static int *own = &x;
extern int *elsewhere;
int *elsewhere = &y;
static _Thread_local int *per_thread = &x;
__thread int *gnu_thread = &z;

static int *remember(int *next) {
    static int *last = &z;
    int *old = last;
    last = next;
    return old;
}

static int *also_remember(int *next) {
    static int *last;
    int *old = last;
    last = next;
    return old;
}

static void use_extern(void) {
    extern int *tentative;
    int *p = tentative;
    SAME(p, own);
}

static void shadowed(void) {
    int *p = &x;
    {
        int *p = &y;
        INTO(p, y);
        APART(p, own);
    }
    for (int *p = &z; p; p = 0) INTO(p, z);
    SAME(p, own);
}

int main(void) {
    tentative = own;
    use_extern();
    SAME(tentative, own);
    INTO(elsewhere, y);
    SAME(per_thread, own);
    APART(gnu_thread, own);
    int *before = remember(&x);
    int *after = remember(&y);
    INTO(before, z);
    SAME(after, own);
    also_remember(&y);
    int *other = also_remember(&y);
    APART(other, own);
    shadowed();
    return CHECKED;
}

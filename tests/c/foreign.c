/* not run: its functions and variables are defined nowhere.
 *
 * What comes from outside may be called: the call is as unknown as one of a function without body.
 */
#include <dlfcn.h>
#include "check.h"

static int x, y, z, own, given;

struct two {
    int *a;
    int *b;
};

extern int *(*outside)(int *);
extern struct two outside_record;
extern int *outside_place;
int *common; /* this one is defined here */

static int *seen;

static int *callback(int *p) {
    seen = p;
    return &y;
}

int main(void) {
    int *p = outside(&x);
    INTO(p, x);
    int *(*copied)(int *) = outside;
    int *q = copied(&y);
    INTO(q, y);
    int *r = ((int *(*)(int *))dlsym(0, "f"))(&own);
    INTO(r, own);
    UNKNOWN(p, r);      /* two sources of unknown functions may know each other */
    outside = callback; /* somebody there may call it with what that variable holds */
    int *s = outside(&z);
    INTO(s, y);
    INTO(seen, z);
    outside_record.a = &x;
    int *t = outside_record.b;
    INTO(t, x);
    outside_place = &given;
    int *u = outside_place;
    INTO(u, given);
    common = &x;
    UNKNOWN(common, u); /* somebody there was given &x */
    return CHECKED;
}

/* assert, with the headers of the system: a test, because it does not come back. */
#include <assert.h>
#include <stddef.h>

#include "check.h"

static int x;

static int checked(int *p, int *q) {
    UNSURE(p);
    assert(p);
    SOLID(p);
    assert(q != NULL && "q is there");
    SOLID(q);
    return *p + *q;
}

int main(void) {
    checked(&x, &x);
    if (x) checked(NULL, NULL);
    return CHECKED;
}

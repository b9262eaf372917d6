/* GNU statement expressions: their value is that of the last statement. */
#include "check.h"

static int x, y;

struct pair {
    int *a;
    int *b;
};

#define FIRST(p, q)      \
    ({                   \
        int *_p = (p);   \
        int *_q = (q);   \
        _p ? _p : _q;    \
    })

int main(void) {
    int *p = ({
        int *inner = &x;
        inner;
    });
    INTO(p, x);
    int *q = FIRST(&y, FIRST(p, p));
    INTO(q, y);
    int *r = ({
        struct pair s = {&x, &y};
        s;
    }).b;
    INTO(r, y);
    APART(r, p);
    int *t;
    ({ t = p; });
    SAME(t, p);
    ({ int *nothing = &y; });
    return CHECKED;
}

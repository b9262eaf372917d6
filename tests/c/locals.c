/* Locals whose address nobody takes: each use has the values that can be there. */
#include "check.h"

#include <setjmp.h>

static int x, y, z;

struct node {
    struct node *next;
    int *value;
};

#define EACH(p, condition) for (p = &z; condition;)

static void in_line(void) {
    int *p = &x;
    INTO(p, x);
    APART(p, &y);
    p = &y;
    INTO(p, y);
    APART(p, &x);
    int *q = p;
    p = &z;
    INTO(q, y);
    APART(q, p);
}

static void argument(int *p) {
    INTO(p, x);
    APART(p, &y);
    p = &y;
    APART(p, &x);
}

static void branches(int c) {
    int *p = &x, *q = &x;
    if (c) {
        p = &y;
        APART(p, &x);
    } else {
        q = &z;
    }
    if (c) INTO(p, y);
    BLURRED(p, &x);
    APART(p, &z);
    APART(q, &y);
    c ? (p = &z) : (q = &z);
    INTO(p, z);
    APART(q, &y);
    q = 0;
    p = q ?: &y;
    INTO(p, y);
    APART(p, &x);
    if (c && (p = &x)) INTO(p, x);
    BLURRED(p, &y);
}

static void loops(struct node *list, int n) {
    int *p = &x;
    while (n > 0) {
        if (n == 1) INTO(p, y);
        p = &y;
        APART(p, &x);
        n--;
    }
    BLURRED(p, &x);
    APART(p, &z);
    int *last = 0;
    for (struct node *l = list; l; l = l->next) {
        if (!l->value) continue;
        last = l->value;
        if (last == &y) break;
    }
    INTO(last, y);
    struct node *at;
    for (at = list; at->next;) at = at->next;
    APART(at->value, &z);
    p = &z;
    do {
        if (n == 3) INTO(p, x);
        p = &x;
    } while (++n < 4);
    APART(p, &z);
    for (p = &y;; p = &z) {
        if (n == 5) break;
        INTO(p, y);
        n = 5;
    }
    INTO(p, z);
    APART(p, &x);
    for (;;) {
        p = &x;
        if (n) break;
    }
    APART(p, &z);
    p = &y;
    EACH(p, n < 6) {
        INTO(p, z);
        BLURRED(p, &y); /* libclang does not tell which parts the loop has */
        n = 6;
    }
}

static void cases(int n) {
    int *p = &x, *q;
    switch (n) {
        case 1:
            p = &y;
            APART(p, &x);
            break;
        case 2:
            p = &z; /* falls through */
        default:
            APART(p, &y);
            INTO(p, z);
    }
    if (n == 2) INTO(p, z);
    q = p;
    switch (n) {
        case 5:
            q = &z;
    }
    BLURRED(q, &x);
    int left = 3;
    int *r = &x;
    switch (n) { /* a loop in a switch */
        do {
            r = &y;
            case 2:
                if (left == 3) INTO(r, x);
                if (left == 2) INTO(r, y);
                APART(r, &z);
        } while (--left > 0);
    }
    INTO(r, y);
}

static void jumps(int n) {
    static void *const labels[] = {&&one, &&two};
    int *p = &x;
again:
    if (n == 0) INTO(p, x);
    if (n == 1) INTO(p, y);
    APART(p, &z);
    p = &y;
    if (n++ == 0) goto again;
    APART(p, &x);
    int *q = &x;
    goto *labels[n - 2];
one:
    INTO(q, x);
    q = &y;
    n = 3;
    goto *labels[n - 2];
two:
    INTO(q, y);
    APART(q, &z);
}

/* A label behind a declaration: libclang shows it in two ways. */
static void over_a_declaration(int n) {
    int *p = &x;
    if (n) goto out;
    int late;
    p = &y;
    late = *p;
    x = late;
out:
    INTO(p, x);
    APART(p, &z);
}

static int *returned(int n) {
    int *p = &x;
    if (n) return p;
    p = &y;
    return p;
}

/* ---- what is one for all definitions ---- */

static void seen_by_others(void) {
    int *p = &x, **address = &p;
    *address = &y;
    INTO(p, y);
    p = &z;
    BLURRED(p, &y);
    int *volatile v = &x;
    v = &y;
    int *now = v;
    BLURRED(now, &x);
    static int *kept = &x;
    kept = &y;
    BLURRED(kept, &x);
    int *r = &x;
    r = &z;
    __asm__("" : "+r"(r));
    BLURRED(r, &x);
}

static jmp_buf back;

static void twice(void) {
    int *volatile p = &x;
    int *q = &z;
    if (setjmp(back) == 0) {
        p = &y;
        longjmp(back, 1);
    }
    int *now = p;
    INTO(now, y);
    INTO(q, z);
}

static void forget(int **p) {
    INTO(*p, y);
}

static void cleaned(void) {
    __attribute__((cleanup(forget))) int *p = &x;
    p = &y;
}

static void inside(int n) {
    int *p = &x;
    int *q = ({
        p = &y;
        if (n) p = &z;
        p;
    });
    INTO(q, z);
    APART(p, &x);
    p = (q = &x, q);
    APART(p, &z);
}

int main(void) {
    struct node c = {0, &y}, b = {&c, 0}, a = {&b, &x};
    in_line();
    argument(&x);
    branches(1);
    loops(&a, 2);
    cases(2);
    jumps(0);
    over_a_declaration(1);
    int *r = returned(1);
    INTO(r, x);
    seen_by_others();
    twice();
    cleaned();
    inside(1);
    return CHECKED;
}

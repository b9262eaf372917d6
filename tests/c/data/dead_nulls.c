/* Null pointers behind calls that never return go nowhere; what comparisons and switches show of a pointer. */
#define _GNU_SOURCE
#include <error.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"

static int x;

/* ---- behind calls that do not come back ---- */

static int *behind_return(int n) {
    if (n) return &x;
    abort();
    return NULL;
}
static int *behind_comma(int *p) {
    return p ? p : (exit(0), (int *)0);
}
static int *behind_statement(int *p) {
    if (!p) {
        exit(0);
        p = NULL;
    }
    return p;
}
static int *status(int *p) {
    if (!p) error(EXIT_FAILURE, 0, "no pointer");
    return p;
}
static int *line(int *p) {
    if (!p) error_at_line(2, 0, __FILE__, __LINE__, "no pointer");
    return p;
}
static int *told(int *p, int n) {
    if (!p) error(0, 0, "no pointer");
    if (!p) error(n, 0, "no pointer");
    return p;
}

/* ---- comparisons ---- */

static void compared(int *p, int *q, int *r, int *s, int *t) {
    if (p > (int *)0) SOLID(p);
    if (0 < (uintptr_t)q) SOLID(q);
    if (!((uintptr_t)r <= 0)) SOLID(r);
    if (!(0 >= (intptr_t)s)) SOLID(s);
    if (t >= (int *)0) NULLED(t);
}

/* ---- switches ---- */

static void switched(int *p, int *q, int *r, int *s) {
    switch (p != NULL) {
        default:
            break;
        case 1:
            SOLID(p);
    }
    switch ((intptr_t)q) {
        case 0:
            break;
        default:
            SOLID(q);
    }
    switch (!r) {
        case 0:
            SOLID(r);
    }
    switch ((intptr_t)s) {
        case 0 ... 1:
            NULLED(s);
    }
}

static int *left(int *p) {
    switch ((intptr_t)p) {
        case 0:
            return &x;
    }
    return p;
}

static void falls(int *p) {
    switch ((intptr_t)p) {
        case 0:
            x++;
        default:
            NULLED(p);
    }
}

int main(void) {
    int *a = behind_return(1), *b = behind_comma(&x), *c = behind_statement(&x);
    int *d = status(&x), *e = line(&x), *f = left(NULL), *g = told(NULL, 0);
    SOLID(a);
    SOLID(b);
    SOLID(c);
    SOLID(d);
    SOLID(e);
    SOLID(f);
    NULLED(g);
    if (x > 1000) {
        behind_comma(NULL);
        behind_statement(NULL);
        status(NULL);
        line(NULL);
    }
    compared(&x, &x, &x, &x, NULL);
    if (x > 1000) compared(NULL, NULL, NULL, NULL, NULL);
    switched(&x, &x, &x, NULL);
    switched(NULL, NULL, NULL, NULL);
    falls(NULL);
    return CHECKED;
}

/* Arrays at the end of a record without a size. */
#include <stdlib.h>
#include <string.h>
#include "check.h"

static int x, y;

struct open {
    int *first;
    int *rest[];
};

struct zero {
    int *first;
    int *rest[0];
};

struct records {
    size_t n;
    struct {
        int *a;
        int *b;
    } rest[];
};

static struct open fixed = {&x, {&y, &y}};

int main(void) {
    int *p = &x, *q = &y;
    struct open *o = malloc(sizeof *o + 2 * sizeof *o->rest);
    o->first = p;
    o->rest[1] = q;
    SAME(o->rest[1], q);
    APART(o->first, q);
    struct zero *z = malloc(sizeof *z + 2 * sizeof *z->rest);
    z->first = p;
    z->rest[0] = q;
    int **rest = z->rest;
    SAME(*rest, q);
    APART(z->first, q);
    struct records *r = malloc(sizeof *r + 2 * sizeof *r->rest);
    r->rest[1].a = p;
    r->rest[1].b = q;
    SAME(r->rest[1].b, q);
    APART(r->rest[1].a, q);
    SAME(fixed.rest[1], q);
    APART(fixed.first, q);
    struct open *copy = malloc(sizeof *o + 2 * sizeof *o->rest);
    memcpy(copy, o, sizeof *o + 2 * sizeof *o->rest);
    SAME(copy->first, p);
    SAME(copy->rest[1], q);
    return CHECKED;
}

/* Initialisers: designated, nested, elided braces, ranges, unions, what follows a designator. */
#include "check.h"

static int x, y, z;

struct pair {
    int *a;
    int *b;
};
struct all {
    int n;
    int *first;
    struct pair in;
    struct pair many[2];
    union {
        int *u;
        long v;
    };
    unsigned : 3;
    unsigned bits : 5;
    int *slot[3];
    char text[8];
    int *last;
};

static void designated(void) {
    struct all s = {.first = &x, .in.b = &y, .many[1] = {.a = &z}, .last = &y};
    INTO(s.first, x);
    INTO(s.in.b, y);
    INTO(s.many[1].a, z);
    INTO(s.last, y);
    APART(s.in.b, s.many[1].a);
}

static void without_braces(void) {
    struct all s = {1, &x, &y, &z, &x, &y, &z, &x, &y, 7, &z, &z, &z, "text", &x};
    INTO(s.first, x);
    INTO(s.in.a, y);
    INTO(s.in.b, z);
    INTO(s.many[0].a, x);
    INTO(s.many[1].b, x);
    APART(s.in.a, s.in.b);
    INTO(s.u, y);
    INTO(s.slot[2], z);
    INTO(s.last, x);
    APART(s.slot[0], s.last);
}

static void some_braces(void) {
    struct all s = {.many = {{&x, &y}, &z, &y}, {&x}, .slot = {&z}, "abc", &y};
    INTO(s.many[1].a, z);
    INTO(s.many[1].b, y);
    INTO(s.u, x);
    INTO(s.slot[0], z);
    INTO(s.last, y);
    APART(s.u, s.last);
}

static void going_on(void) {
    struct all s = {.many[0].b = &x, &y, &z, &x, .bits = 1, &y, .slot[1] = &z, &y};
    INTO(s.many[0].b, x);
    INTO(s.many[1].a, y);
    INTO(s.many[1].b, z);
    INTO(s.u, x);
    INTO(s.slot[0], y);
    INTO(s.slot[2], y);
    APART(s.u, s.slot[2]);
}

static void ranges(void) {
    int *a[6] = {[0 ... 3] = &x, &y, [5] = &z};
    int *m[2][2] = {[0 ... 1] = {&x, &y}, [1][0] = &z};
    struct pair old = {b : &y, a : &x};
    INTO(a[2], x);
    INTO(a[4], y);
    INTO(a[5], z);
    INTO(m[0][1], y);
    INTO(m[1][0], z);
    INTO(old.a, x);
    APART(old.a, old.b);
}

static void others(struct pair *given) {
    struct pair copy = *given;
    struct pair two[2] = {*given, {.b = given->a}};
    struct all s = {.in = copy, .slot = {copy.a, two[1].b}};
    int *scalar = {&x};
    int *none[] = {};
    SAME(two[0].a, given->a);
    SAME(two[1].b, given->a);
    SAME(s.in.b, given->b);
    SAME(s.slot[1], copy.a);
    INTO(scalar, x);
}

int main(void) {
    struct pair p = {&y, &z};
    designated();
    without_braces();
    some_braces();
    going_on();
    ranges();
    others(&p);
    return CHECKED;
}

/* Assignments of every kind: copies, &, *, chains, ++ and compound ones. */
#include "check.h"

static int x, y;

static void copies(void) {
    int *p = &x;
    int *q;
    int *r = &y;
    q = p;
    SAME(p, q);
    APART(p, r);
    INTO(q, x);
    INTO(r, y);
}

static void through_pointers(void) {
    int *p = &x;
    int *s = &y;
    int **pp = &p;
    int **qq;
    int *r = *pp;
    SAME(r, p);
    qq = pp;
    *qq = s;
    SAME(p, s);
    SAME(*pp, s);
    APART(pp, s);
}

static void chains(void) {
    int *a, *b, *c;
    a = b = c = &x;
    SAME(a, c);
    int **d = &a;
    *(d = &b) = &y;
    SAME(b, *d);
}

static void stepped(void) {
    int v[4];
    int *p = v;
    int *q = p++;
    int *r = --p;
    int *s = p;
    p += 2;
    p -= 1;
    SAME(q, r);
    SAME(q, s);
    BLURRED(p, q);
}

/* From one of the places that a pointer in an array leads to into another one. */
struct held {
    int *value;
};

static void between(void) {
    static int one, two;
    int *first = &one, *second = &two, **list[2] = {&first, &second};
    *list[0] = *list[1];
    int *copied = first;
    SAME(copied, second);
    struct held a = {0}, b = {&two}, *records[2] = {&a, &b};
    records[0]->value = records[1]->value;
    int *taken = a.value;
    SAME(taken, b.value);
    struct held c = {0}, *whole[2] = {&c, &b};
    *whole[0] = *whole[1];
    int *by_record = c.value;
    SAME(by_record, b.value);
}

int main(void) {
    between();
    copies();
    through_pointers();
    chains();
    stepped();
    return CHECKED;
}

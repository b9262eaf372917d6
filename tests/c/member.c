/* Members: `.` and `->`, nested records, pointers to members, the member at offset 0. */
#include "check.h"

static int x, y, z;

struct inner {
    int *a;
    int *b;
};
struct outer {
    int *first;
    struct inner in;
    struct inner *to;
    struct outer *next;
    int tag;
};

static void dots_and_arrows(void) {
    struct outer s;
    struct outer *p = &s;
    s.first = &x;
    s.in.a = &y;
    s.in.b = &z;
    SAME(p->first, s.first);
    SAME(p->in.a, s.in.a);
    APART(p->in.a, p->in.b);
    APART(s.first, s.in.a);
    int *b = (*p).in.b;
    INTO(b, z);
    s.tag = 1;
}

static void inner_pointers(void) {
    struct outer s;
    struct inner *i = &s.in;
    struct outer *p = &s;
    s.to = i;
    s.to->a = &x;
    i->b = &y;
    SAME(s.in.a, i->a);
    SAME(p->to->b, s.in.b);
    int **slot = &p->in.a;
    SAME(*slot, s.in.a);
    APART(*slot, s.in.b);
}

static void first_member(void) {
    struct outer s;
    struct outer *p = &s;
    int **slot = &s.first;
    *slot = &z;
    SAME(p->first, *slot);
    SAME(p, slot);
}

static void linked(void) {
    struct outer a, b;
    a.next = &b;
    b.next = &a;
    a.first = &x;
    b.first = &y;
    INTO(a.next->first, y);
    INTO(a.next->next->first, x);
}

int main(void) {
    dots_and_arrows();
    inner_pointers();
    first_member();
    linked();
    return CHECKED;
}

/* Copies of records go member by member: nested, in arrays, through pointers, chosen. */
#include "check.h"

static int x, y, z;

struct inner {
    int n;
    int *a;
};
struct s {
    int *first;
    struct inner in;
    struct inner many[2];
    int numbers[8];
    int *last;
    int *(*function)(int *);
};

static int *same(int *p) { return p; }

static void plain(void) {
    struct s a = {.first = &x, .last = &z, .function = same};
    struct s b;
    a.in.a = &y;
    a.many[1].a = &x;
    b = a;
    SAME(b.first, a.first);
    SAME(b.in.a, a.in.a);
    SAME(b.many[1].a, a.many[1].a);
    SAME(b.last, a.last);
    APART(b.first, b.last);
    APART(b.in.a, b.last);
    int *p = b.function(b.in.a);
    SAME(p, b.in.a);
}

static void through_pointers(void) {
    struct s a, b;
    struct s *p = &a;
    struct s *q = &b;
    a.first = &x;
    a.last = &y;
    *q = *p;
    SAME(b.first, p->first);
    struct s c = *q;
    SAME(c.last, a.last);
    c.in = p->in;
    p->in.a = &z;
    q->in = (*p).in;
    SAME(b.in.a, a.in.a);
    APART(b.in.a, b.last);
}

static void chosen(int which) {
    struct inner a = {1, &x};
    struct inner b = {2, &y};
    struct inner c = which ? a : b;
    struct inner d;
    d = (which++, b);
    SAME(c.a, b.a);
    SAME(d.a, b.a);
    int *p = (which ? a : b).a;
    SAME(p, a.a);
}

int main(void) {
    plain();
    through_pointers();
    chosen(0);
    return CHECKED;
}

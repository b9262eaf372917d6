/* Where members lie: attributes, bounds and bit-fields move them (see the numbers of f[] in the edges). */
#include "check.h"

static int x, y;

struct plain {
    char c;
    int *p;
    short s;
    long double wide;
    struct {
        char m;
        union {
            char n;
            int *q;
        };
    };
    char rest[3];
    int *last[];
};

struct __attribute__((packed)) tight {
    char c;
    int *p;
    struct {
        char m;
        int *q;
    };
    int *last;
};

#pragma pack(push, 2)
struct bounded {
    char c;
    int *p;
    struct {
        char m;
        int *q;
    };
};
#pragma pack(pop)

struct placed {
    char c;
    int *p __attribute__((aligned(32)));
    int *q;
} __attribute__((aligned(64)));

struct __attribute__((packed, aligned(4))) mixed {
    char c;
    int *p;
};

typedef int wide __attribute__((aligned(16)));
struct named {
    char c;
    wide w;
    int *p;
    _Alignas(32) char d;
    int *q;
};

struct bits {
    char c;
    unsigned a : 20, b : 20;
    int *p;
};

struct outer {
    struct tight t;
    struct placed a;
    struct {
        struct bounded b;
        int *r;
    } in;
    int *s;
};

/* So many bytes from the start, as the compiler that runs this sees it; the edges have the same numbers. */
#ifdef CHECK_RUN
#define LIES(record, bytes, member) SAME((char *)&(record) + (bytes), &(member))
#else
#define LIES(record, bytes, member)
#endif

int main(void) {
    static struct plain l;
    struct tight t;
    struct bounded b;
    struct placed a;
    struct mixed m;
    struct named n;
    struct bits i;
    struct outer o;
    l.p = &x;
    l.q = &y;
    LIES(l, 8, l.p);
    LIES(l, 56, l.q);
    APART(l.p, l.q);
    t.p = &x;
    t.q = &y;
    t.last = &x;
    LIES(t, 1, t.p);
    LIES(t, 17, t.q);
    LIES(t, 25, t.last);
    APART(t.p, t.q);
    b.p = &x;
    b.q = &y;
    LIES(b, 2, b.p);
    LIES(b, 12, b.q);
    APART(b.p, b.q);
    a.p = &x;
    a.q = &y;
    LIES(a, 32, a.p);
    LIES(a, 40, a.q);
    APART(a.p, a.q);
    m.p = &x;
    LIES(m, 1, m.p);
    n.p = &x;
    n.q = &y;
    LIES(n, 24, n.p);
    LIES(n, 40, n.q);
    APART(n.p, n.q);
    i.p = &y;
    LIES(i, 8, i.p);
    o.in.b.q = &x;
    o.in.r = &y;
    o.s = &x;
    LIES(o, 140, o.in.b.q);
    LIES(o, 152, o.in.r);
    LIES(o, 160, o.s);
    APART(o.in.r, o.s);
    return CHECKED;
}

/* One memory under two types: unions of arrays and records, casts between them, what lies behind a record. */
#include "check.h"
#include <stdlib.h>

static int x, y, z;

struct three {
    int *a;
    int *b;
    int *c;
};
union any {
    struct three named;
    int *at[3];
    struct {
        long tag;
        int *rest[2];
    } tagged;
};
struct head {
    long n;
    int *own;
};
struct message {
    struct head head;
    int *body[];
};

static int *second(union any u) {
    return u.named.b;
}

static void unions(void) {
    union any u = {.at = {&x, &y, &z}};
    SAME(u.named.c, u.at[2]);
    int *passed = second(u);
    SAME(passed, u.at[1]);
    union any t = {.tagged = {.tag = 1, .rest = {&x, &y}}};
    SAME(t.named.c, t.tagged.rest[1]);
    union any braces = {.at = {&x, &y}};
    INTO(braces.named.b, y);
    union any *p = &u;
    p->named.b = &x;
    int **at = p->at;
    SAME(at[1], u.named.b);
}

static void casts(void) {
    int *array[3] = {&x, &y, &z};
    struct three *p = (struct three *)array;
    SAME(p->c, array[2]);
    struct three s = {&x, &y, &z};
    int **q = (int **)&s;
    SAME(q[2], s.c);
    long *n = (long *)&s;
    int *r = (int *)n[1];
    SAME(r, s.b);
}

struct parts {
    long n;
    struct {
        int *a;
        int *b;
    } in;
};
struct flat {
    long n;
    int *first;
    int *second;
};

static int *read_flat(void *memory) {
    struct flat *f = memory;
    return f->second;
}

static void write_flat(void *memory) {
    struct flat *f = memory;
    f->first = &y;
}

static void flat(void) {
    struct parts p = {1, {&x, &z}};
    int *got = read_flat(&p);
    INTO(got, z);
    write_flat(&p);
    INTO(p.in.a, y);
    APART(p.in.b, p.in.a);
}

static void behind(void) {
    struct head *h = calloc(1, sizeof *h + 2 * sizeof(int *));
    int **rest = (int **)(h + 1);
    rest[1] = &x;
    h->own = &y;
    struct message *m = (struct message *)h;
    SAME(m->body[1], rest[1]);
    SAME(m->head.own, h->own);
    struct head *back = (struct head *)rest - 1;
    SAME(back->own, h->own);
}

int main(void) {
    unions();
    casts();
    flat();
    behind();
    return CHECKED;
}

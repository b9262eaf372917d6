/* A record in a record, of which the whole is seen as a flat one, and pointers stand between.
 *
 * Steps do not add up where a pointer is kept between them: frontend/typing/nested.c.
 */
#include <stdlib.h>
#include "check.h"

struct in {
    int *a, *b;
};
struct out {
    int *h;
    struct in i;
};
struct flat {
    int *h, *a, *b;
};
struct other {
    int *c, *d;
};

static void cast_directly(void) {
    struct out o;
    struct in *c = &o.i;
    int **q = &c->b;
    struct flat *f = (struct flat *)&o;
    int **r = &f->b, **s = &f->a, **t = &f->h;
    SAME(q, r);
    APART(q, s);
    APART(q, t);
}

static void cast_through_void(void) {
    struct out o;
    struct in *c = &o.i;
    int **q = &c->b;
    void *v = &o;
    struct flat *f = v;
    int **r = &f->b;
    SAME(q, r);
}

static int **inner(struct in *p) {
    return &p->b;
}

static int **whole(struct flat *p) {
    return &p->b;
}

static void call(void) {
    struct out o;
    int **q = inner(&o.i), **r = whole((void *)&o);
    SAME(q, r);
}

static struct in *kept;
static void *all;

static void heap(void) {
    struct out *o = malloc(sizeof *o);
    kept = &o->i;
    all = o;
    int **q = &kept->b, **r = &((struct flat *)all)->b;
    SAME(q, r);
}

union both {
    struct out o;
    struct flat f;
};

static void in_a_union(void) {
    union both u;
    struct in *c = &u.o.i;
    struct flat *f = &u.f;
    int **q = &c->b, **r = &f->b;
    SAME(q, r);
}

/* Three records deep, with a pointer at each step, and another division of the same words. */
struct middle {
    int *x, *y;
    struct in j;
};
struct deep {
    int *h;
    struct middle m;
};
struct three {
    int *x, *y, *z;
};
struct pair_and_three {
    int *h, *k;
    struct three t;
};
struct five {
    int *p, *q, *r, *s, *t;
};

static void three_levels(void) {
    struct deep o;
    struct middle *m = &o.m;
    struct in *c = &m->j;
    int **q = &c->b;
    struct pair_and_three *d = (void *)&o;
    struct three *g = &d->t;
    int **r = &g->z;
    SAME(q, r);
    struct five *f = (void *)&o;
    int **s = &f->t;
    SAME(q, s);
}

/* The record inside is seen as one of another name, or a member as the beginning of one. */
static void other_names(void) {
    struct out o;
    struct other *c = (struct other *)&o.i;
    int **q = &c->d;
    struct flat *f = (void *)&o;
    int **r = &f->b;
    SAME(q, r);
    struct flat g;
    void *v = &g.a;
    struct in *e = v;
    int **s = &e->b, **t = &g.b;
    SAME(s, t);
}

struct holds_flat {
    int *z;
    struct flat f;
};
struct holds_out {
    int *z;
    struct out o;
};

static void both_inside(void) {
    struct holds_out w;
    struct out *o = &w.o;
    struct in *c = &o->i;
    int **q = &c->b;
    struct holds_flat *h = (void *)&w;
    struct flat *f = &h->f;
    int **r = &f->b;
    SAME(q, r);
}

struct with_array {
    int *h;
    struct in i[2];
};

static void arrays(void) {
    struct with_array o;
    struct in *c = &o.i[0];
    int **q = &c->b;
    struct five *f = (void *)&o;
    int **r = &f->r;
    SAME(q, r);
}

/* Nobody knows what lies in these. */
struct closed;
struct closed_too;

static void opaque(void) {
    struct out o;
    struct closed *c = (struct closed *)&o;
    struct closed_too *d = (struct closed_too *)c;
    struct flat *f = (struct flat *)d;
    struct in *i = &o.i;
    int **q = &i->b, **r = &f->b;
    SAME(q, r);
}

int main(void) {
    opaque();
    cast_directly();
    cast_through_void();
    call();
    heap();
    in_a_union();
    three_levels();
    other_names();
    both_inside();
    arrays();
    return CHECKED;
}

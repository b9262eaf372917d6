/* What libclang does not tell, or shows otherwise than C means it, where no other file is about it. */
#include "check.h"
#include <stddef.h>

static int x, y, z;

#define ADDRESS(object) &object
#define ASSIGN(to, from) to = from
#define CONTENT(pointer) *pointer
#define BESIDE(a, b) a, b

/* No token where the operator should be. */
static void operators_in_macros(void) {
    int *p, *q = &y, **to = &q;
    ASSIGN(p, ADDRESS(x));
    INTO(p, x);
    ASSIGN(CONTENT(to), p);
    SAME(q, p);
    int *r = (BESIDE(p, &z));
    INTO(r, z);
    APART(r, p);
}

static int count(int **to, int *with) {
    *to = with;
    return 3;
}

static int *same(int *p) {
    return p;
}

/* Sizes and operands of typeof come before the initialiser, and look like it. */
static void before_the_initialiser(void) {
    int *a, *b, *c, *list[3] = {&x, &x, &x};
    int *(*row)[count(&a, &y)] = (void *)&list;
    SAME(row, &list);
    INTO(a, y);
    typedef int *vector[count(&b, &z)];
    INTO(b, z);
    char text[count(&c, &x)];
    INTO(c, x);
    typeof(same(&x)) d = &y;
    INTO(d, y);
    APART(d, &x);
}

/* Nothing happens in what is only measured. */
static void measured(void) {
    int *p = &x, *q = &y;
    sizeof(p = q);
    (void)sizeof *(count(&q, &z), p);
    INTO(p, x);
    APART(p, q);
    APART(q, &z);
}

static int *once(int **to) {
    *to = &y;
    return *to;
}

/* The first operand is shown three times. */
static void shown_three_times(void) {
    int *p, *q = once(&p) ?: &x;
    SAME(q, p);
}

/* Both have one name for libclang. */
struct two {
    union {
        int *a;
        long b;
    };
    union {
        int *c;
        long d;
    };
};

static void unions_without_a_name(void) {
    struct two s;
    s.a = &x;
    s.c = &y;
    INTO(s.a, x);
    APART(s.a, s.c);
}

/* The record is shown again with each name that is declared, and what is in it is no code. */
static void record_in_a_declaration(void) {
    int *p = &y;
    struct {
        int *first;
        int *second;
        char gap[1 ? 8 : count(&p, &z)];
    } one, *to = &one;
    INTO(p, y);
    APART(p, &z);
    typedef struct named {
        int *first;
        struct inner {
            int *second;
        } in;
    } named;
    one.second = &x;
    SAME(to->second, one.second);
    named n = {.in = {&y}};
    struct inner *in = &n.in;
    INTO(in->second, y);
    APART(in->second, to->second);
}

/* Constants are asked for their value: what follows a designator is placed by it. */
static void constants(void) {
    enum { FIRST, LAST = 2 };
    struct {
        int *slot[3];
        int *end;
    } s = {.slot[LAST] = &x, &y}, t = {.slot[LAST - 1] = &x, &z};
    INTO(s.end, y);
    APART(s.end, s.slot[0]);
    INTO(t.slot[2], z);
    APART(t.end, t.slot[2]);
}

typedef int *aligned_pointer __attribute__((aligned(8)));
typedef struct two other_name;

/* Types under other names. */
static void sugar(void) {
    size_t n = (size_t)&x;
    ptrdiff_t m = (ptrdiff_t)n;
    aligned_pointer p = (int *)m;
    INTO(p, x);
    const volatile other_name s = {&y}, *to = &s;
    __typeof__(*to) *again = to;
    INTO(again->a, y);
}

/* Attributes about results say nothing that a body does not. */
static int *given(int *p) __attribute__((returns_nonnull, nonnull(1), assume_aligned(4)));
static int *given(int *p) {
    return p;
}
__attribute__((malloc, alloc_size(1))) static int *made(size_t n, int *p) {
    return p;
}

static void attributes(void) {
    int *p __attribute__((unused)) = given(&x);
    int *q = made(4, &y);
    INTO(p, x);
    INTO(q, y);
    APART(p, q);
}

int main(void) {
    operators_in_macros();
    before_the_initialiser();
    measured();
    shown_three_times();
    unions_without_a_name();
    record_in_a_declaration();
    constants();
    sugar();
    attributes();
    return CHECKED;
}

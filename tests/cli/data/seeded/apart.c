/* Locals that are apart for a time, and memory that one function has for itself: what is marked `bug`
 * fails in some run, nothing else does. */
#include <setjmp.h>
#include <stdlib.h>

struct item {
    struct item *next;
    int value;
};

static struct item last = {NULL, 2}, first = {&last, 1};

/* One for each section: of a function whose result few callers test less is thought. */
#define MAYBE(name)                   \
    static struct item *name(int i) { \
        return i ? &first : NULL;     \
    }
MAYBE(maybe_a)
MAYBE(maybe_b)
MAYBE(maybe_c)
MAYBE(maybe_d)

static struct item *kept;
static int count;

static void drop(void) {
    if (count++ > 5) kept = NULL;
}

static void fill(struct item **to, int i) {
    *to = maybe_a(i);
}

/* ---- before the address is taken ---- */

static int taken_later(int i) {
    struct item *p = maybe_a(i);
    if (!p) return 0;
    drop();
    i = p->value;
    fill(&p, 1);
    return i;
}

static int taken_before(int i) {
    struct item *p = maybe_a(1), **at = &p;
    if (!p) return 0;
    *at = maybe_a(i);
    return p->value; /* bug */
}

static int taken_around(int n) {
    struct item *p = maybe_a(1), **at = NULL;
    int sum = 0;
    if (!p) return 0;
    for (int i = 0; i < 2; i++) {
        if (at) *at = maybe_a(n);
        sum += p->value; /* bug */
        at = &p;
    }
    return sum;
}

/* ---- records ---- */

struct holder {
    struct item *p;
    int n;
};

static int record_beside(int i) {
    struct holder one = {NULL, i}, two;
    static struct item *p;
    p = maybe_b(i);
    if (!p) return 0;
    two = one;
    return p->value + two.n;
}

static int record_over(int i) {
    struct holder one = {&first, 1}, two = {maybe_b(i), 1}, *to = &one;
    if (!to->p) return 0;
    one = two;
    return to->p->value; /* bug */
}

/* ---- setjmp ---- */

static jmp_buf place;

static void jump(int i) {
    if (i < 2) longjmp(place, 1);
}

static int jumped(int i) {
    struct item *p = maybe_c(i);
    if (!p) return 0;
    if (setjmp(place)) return p->value;
    jump(i);
    return 0;
}

static int jumped_again(int i) {
    struct item *p = &first;
    if (setjmp(place) != 0) return p->value; /* bug */
    p = maybe_c(i);
    jump(i);
    return p == NULL;
}

static int jumped_written(int i) {
    struct item *p = NULL;
    if (setjmp(place) == 0) {
        p = maybe_c(i);
        if (!p) return 0;
        i += p->value;
    }
    return i;
}

static int jumped_early(int i) {
    struct item *p = &first;
    int n = setjmp(place);
    if (n == 0) {
        p = maybe_c(i);
        jump(i);
        if (!p) return 0;
    }
    return p->value; /* bug */
}

static int jumped_first(int i) {
    struct item *p = NULL;
    drop();
    p = &first;
    if (setjmp(place)) return p->value;
    jump(i);
    return p->value;
}

static int jumped_static(int i) {
    static struct item *p;
    p = maybe_d(i);
    if (!p) return 0;
    if (setjmp(place)) return p->value;
    p = &last;
    longjmp(place, 1);
}

static int jumped_static_null(int i) {
    static struct item *p;
    p = maybe_d(1);
    if (!p) return 0;
    if (setjmp(place)) return p->value; /* bug */
    p = maybe_d(i);
    longjmp(place, 1);
}

typedef int (*test)(int);

/* Runs one of them, by its number, with an argument. */
int main(int n, char **words) {
    static const test tests[] = {taken_later,  taken_before, taken_around,  record_beside,
                                 record_over,  jumped,       jumped_again,  jumped_written,
                                 jumped_early, jumped_first, jumped_static, jumped_static_null};
    if (n < 3) return (int)(sizeof tests / sizeof *tests);
    return tests[atoi(words[1])](atoi(words[2])) < 0;
}

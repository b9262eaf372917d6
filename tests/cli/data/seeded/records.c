/* Null pointers in records that are passed and returned by value. Each `bug` ends a run. */
#include <stddef.h>
#include <stdlib.h>

static int z;

struct in {
    int n;
    int *p;
};

struct out {
    char tag;
    struct in in;
    int *row[2];
};

union either {
    int *p;
    long n;
};

static int deep(struct out o) {
    return *o.in.p; /* bug */
}

static int two(struct out o) {
    return deep(o);
}

static int two_calls(void) {
    struct out o = {1, {2, NULL}, {&z, &z}};
    return two(o);
}

static int in_array(struct out o) {
    return *o.row[1]; /* bug */
}

static int array(void) {
    struct out o = {1, {2, &z}, {NULL, NULL}};
    return in_array(o);
}

static struct out make(void) {
    struct out o = {1, {2, NULL}, {&z, &z}};
    return o;
}

static int returned(void) {
    return *make().in.p; /* bug */
}

static struct in pick(struct out o) {
    return o.in;
}

static int of_result(void) {
    return *pick(make()).p; /* bug */
}

static int take(struct in in) {
    return *in.p; /* bug */
}

static int literal(void) {
    return take((struct in){3, NULL});
}

static int follow(struct in in) {
    return *in.p; /* bug */
}

static int call(int (*f)(struct in), struct in in) {
    return f(in);
}

static int by_pointer(void) {
    struct in in = {4, NULL};
    return call(follow, in);
}

static int of_union(union either u) {
    return *u.p; /* bug */
}

static int in_union(void) {
    union either u = {NULL};
    return of_union(u);
}

/* One call's record is not another's, and what is set before is known. */
static struct in same(struct in in) {
    return in;
}

static int right(void) {
    struct in good = {1, &z}, bad = {2, NULL};
    bad = same(bad);
    good = same(good);
    return *good.p + (bad.p != NULL);
}

int main(int n, char **argument) {
    static int (*const all[])(void) = {two_calls, array,      returned, of_result,
                                       literal,   by_pointer, in_union};
    return n > 1 ? all[atoi(argument[1])]() : right();
}

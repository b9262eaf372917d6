/* A parameter is an object: what points to it, or into it, points to it. */
#include "check.h"

static int x, y;

struct pair {
    int *first;
    int *second;
};

static int *load(int **from) {
    int **at = from;
    return *at;
}

static void store(int *count) {
    int *p = count;
    *p = 1;
}

static int *through(int *value, int count, struct pair both) {
    int **to = &value;
    INTO(to, value);
    int *n = &count;
    INTO(n, count);
    int **second = &both.second;
    INTO(second, both);
    store(n);
    SAME(*second, both.second);
    return load(to);
}

int main(void) {
    struct pair p = {&x, &y};
    int *(*f)(int *, int, struct pair) = through;
    int *r = through(&x, 0, p);
    SAME(r, p.first);
    int *s = f(&y, 0, p);
    SAME(s, p.second);
    return CHECKED;
}

/* Copies of memory whose type is not known, or beyond the member that is named: any member of the
 * source may become any member of the target.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "check.h"

static int x, y, z;

struct s {
    int n;
    int *a;
    int *b;
};

static void copy_bytes(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
}

static void *duplicate(const void *from, size_t n) {
    return memcpy(malloc(n), from, n);
}

static void swap(void *a, void *b, size_t n) {
    char t[64];
    memcpy(t, a, n);
    memcpy(a, b, n);
    memcpy(b, t, n);
}

struct stack {
    char *data;
    size_t n;
};

static void push(struct stack *to, const void *from, size_t n) {
    memcpy(to->data + to->n, from, n);
    to->n += n;
}

static void pop(struct stack *from, void *to, size_t n) {
    from->n -= n;
    memcpy(to, from->data + from->n, n);
}

int main(void) {
    struct s v = {1, &x, &y}, e, f, g, h, i, j, k;
    memcpy(&e.a, &v.a, 2 * sizeof(int *));
    SAME(e.b, v.b);
    BLURRED(e.a, v.b);
    APART(v.a, v.b); /* only the target is blurred */
    memcpy((char *)&f + offsetof(struct s, a), (char *)&v + offsetof(struct s, a),
           sizeof f - offsetof(struct s, a));
    SAME(f.b, v.b);
    memcpy(&g.a, &v.a, sizeof(int *)); /* no further than the member */
    g.b = &z;
    APART(g.a, g.b);
    copy_bytes(&h, &v, sizeof v);
    SAME(h.b, v.b);
    struct s *d = duplicate(&v, sizeof v);
    SAME(d->b, v.b);
    struct s other = {2, &z, &z};
    i = v;
    swap(&i, &other, sizeof i);
    SAME(other.b, v.b);
    INTO(i.a, z);
    struct stack stack = {malloc(64), 0};
    push(&stack, &v, sizeof v);
    pop(&stack, &j, sizeof j);
    SAME(j.b, v.b);
    void *(*copy)(void *, const void *, size_t) = memcpy;
    copy(&k, &v, sizeof v);
    SAME(k.b, v.b);
    int *from[2] = {&x, &y}, *to[2];
    copy(to, from, sizeof to);
    SAME(to[1], from[1]);
    return CHECKED;
}

/* memcpy and its kin copy what the types of their arguments tell. */
#include "check.h"
#include <string.h>

static int x, y, z;

struct inner {
    int *a;
    int *b;
};
struct s {
    int n;
    int *first;
    struct inner in;
};

static void copy_bytes(void *to, const void *from, size_t n) { memcpy(to, from, n); }

int main(void) {
    struct s a = {1, &x, {&y, &z}};
    struct s b, c, d;
    int *list[2] = {&x, &y};
    memcpy(&b, &a, sizeof a);
    SAME(b.in.a, a.in.a);
    APART(b.in.a, b.in.b);
    void *to = &c;
    memmove((char *)to, (const void *)&a, sizeof a);
    SAME(c.in.b, a.in.b);
    APART(c.first, c.in.b);
    char buffer[sizeof a];
    memcpy(buffer, &a, sizeof a);
    struct s *view = (struct s *)buffer;
    SAME(view->in.b, a.in.b);
    copy_bytes(&d, &a, sizeof a); /* there, both are void * */
    SAME(d.in.a, a.in.a);
    int *e[2];
    copy_bytes(e, list, sizeof list);
    SAME(e[1], list[1]);
    int *other[2];
    memcpy(other, list, sizeof list);
    SAME(other[1], list[1]);
    int numbers[2] = {1, 2}, more[2];
    memcpy(more, numbers, sizeof more);
    int *m = more, *n = numbers;
    APART(m, n);
    struct s *f = memcpy(&c, &b, sizeof c);
    SAME(f, &c);
    return CHECKED;
}

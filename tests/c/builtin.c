/* Builtins that give back their argument, and those that stand for library functions. */
#include "check.h"

static int x, y;

struct pair {
    int *a;
    int *b;
};

int main(void) {
    int *p = &x;
    int *q = (int *)__builtin_expect((long)p, 1);
    SAME(q, p);
    int *r = __builtin_assume_aligned(p, 4);
    SAME(r, p);
#ifdef __clang__
    int *s = __builtin_addressof(x);
#else
    int *s = &x;
#endif
    SAME(s, p);
    struct pair a = {&x, &y};
    struct pair b;
    __builtin_memcpy(&b, &a, sizeof a);
    SAME(b.a, a.a);
    APART(b.a, b.b);
    int *t = __builtin_alloca(sizeof *t);
    APART(t, p);
    if (__builtin_constant_p(p)) return 1;
    const char *u = __builtin_strchr("abc", 'b');
    return CHECKED;
}

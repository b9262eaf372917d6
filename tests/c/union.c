/* Unions: all members are one place; reading another member than was written sees it. */
#include "check.h"

static int x, y;

union u {
    int *p;
    char *q;
    unsigned long n;
    struct {
        int *first;
        int *second;
    } pair;
};

int main(void) {
    union u u;
    union u *to = &u;
    u.p = &x;
    SAME(u.q, u.p);
    SAME(to->pair.first, u.p);
    int *back = (int *)to->n;
    SAME(back, u.p);
    u.pair.second = &y;
    APART(to->pair.second, u.q);
    union u v = u;
    SAME(v.pair.second, u.pair.second);
    int *made = ((union u)u.p).p; /* a cast to a union */
    SAME(made, u.p);
    union {
        int *at[2];
        struct {
            int *first, *second;
        } named;
    } braced = {.at = {0, &y}}, bare = {0, &y}, whole = {{0, &y}};
    INTO(braced.named.second, y);
    INTO(bare.named.second, y);
    INTO(whole.named.second, y);
    return CHECKED;
}

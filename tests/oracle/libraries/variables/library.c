/* SPDX-License-Identifier: Apache-2.0 */
/* Variables that callers read and write; a function of theirs that the library calls. */
struct state {
    int *current;
    struct state *outer;
    int *(*choose)(int *, int *);
};

struct state *top;
struct state bottom;
int *last[2];
extern int *shared;
static int secret, given, own_secret;

int *pick(int *a, int *b); /* the driver's */

int *step(int *p) {
    struct state *s = top ? top : &bottom;
    int *old = s->current;
    s->current = p;
    last[1] = last[0];
    last[0] = pick(old, &given);
    int *inner = s->outer ? s->outer->current : 0;
    int *from = shared;
    shared = s->choose ? s->choose(inner, from) : p;
    return last[1];
}

/* What the driver's function gives stays here. */
int picked(void) {
    int *own = pick(&secret, &secret), *other = pick(own, own);
    return *own + *other;
}

int *inside(void) {
    int *q = &own_secret;
    int **qq = &q;
    *q = **qq + 1;
    return last[0];
}

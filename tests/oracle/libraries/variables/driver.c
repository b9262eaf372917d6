/* SPDX-License-Identifier: Apache-2.0 */
struct state {
    int *current;
    struct state *outer;
    int *(*choose)(int *, int *);
};

extern struct state *top;
extern struct state bottom;
extern int *last[2];
int *shared;

int *step(int *p);
int *inside(void);
int picked(void);

static int *stored;

int *pick(int *a, int *b) {
    stored = b;
    static int once = 1;
    if (a == b) return &once;
    return a ? a : stored;
}

static int *choose(int *a, int *b) {
    return a ? a : b;
}

int main(void) {
    int x = 1, y = 2, z = 3;
    struct state mine = {&x, &bottom, choose};
    shared = &z;
    step(&x);
    top = &mine;
    bottom.current = last[0];
    step(&y);
    step(stored);
    int *got = step(shared);
    got = inside();
    return (*got + picked()) & 0;
}

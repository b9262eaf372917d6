/* One call of malloc makes the memory of four. */
#include <stdlib.h>

static void *must(unsigned long size) {
    void *memory = malloc(size);
    if (!memory) exit(1);
    return memory;
}

static int a;
static long b;
static char c;
static short d;

int main(void) {
    int **w = must(sizeof *w);
    long **x = must(sizeof *x);
    char **y = must(sizeof *y);
    short **z = must(sizeof *z);
    *w = &a;
    *x = &b;
    *y = &c;
    *z = &d;
    return (int)(**w + **x + **y + **z);
}

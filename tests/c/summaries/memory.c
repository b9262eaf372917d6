/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.c: blocks of memory, and pointers that are moved as bytes.
 */
#include <alloca.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "expect.h"

typedef struct pair {
    int *first;
    int *second;
} pair;

static int one, two;

static void making(void) {
    int *a = malloc(sizeof *a);
    int *b = malloc(sizeof *b);
    int *c = calloc(1, sizeof *c);
    int *d = aligned_alloc(16, 16);
    int *e = memalign(16, 16);
    void *f = NULL;
    FRESH(a);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    APART(a, b);
    APART(b, c);
    APART(d, e);
    if (posix_memalign(&f, 16, 16)) return;
    FRESH(f);
    int *g = alloca(8);
    FRESH(g);
    APART(f, g);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
    free(f);
}

/* Content survives growing: pointers that were stored are still there. */
static void growing(void) {
    pair *old = malloc(sizeof *old);
    old->first = &one;
    pair *grown = realloc(old, 100 * sizeof *grown);
    int *a = grown->first;
    POINTS_TO(a, one);
    grown->second = &two;
    pair *again = reallocarray(grown, 200, sizeof *again);
    int *b = again->second;
    int *c = again->first;
    POINTS_TO(b, two);
    POINTS_TO(c, one);
    FRESH(again);
    free(again);
    int *d = realloc(NULL, 4);
    int *e = reallocarray(NULL, 1, 4);
    FRESH(d);
    FRESH(e);
    APART(d, e);
    free(d);
    free(e);
}

static void moving(void) {
    pair from = {&one, &two}, to, second, third, fourth;
    pair *a = memcpy(&to, &from, sizeof to);
    POINTS_TO(a, to);
    int *b = to.first;
    int *c = to.second;
    POINTS_TO(b, one);
    POINTS_TO(c, two);
    pair *d = memmove(&second, &to, sizeof second);
    POINTS_TO(d, second);
    int *e = second.second;
    POINTS_TO(e, two);
    pair *f = mempcpy(&third, &from, sizeof third);
    POINTS_TO(f, third);
    int *g = third.first;
    POINTS_TO(g, one);
    bcopy(&from, &fourth, sizeof fourth);
    int *h = fourth.first;
    POINTS_TO(h, one);
    APART(b, c);
    APART(e, g);
}

static void blocks_of_pointers(void) {
    int **from = malloc(2 * sizeof *from), **to = malloc(2 * sizeof *to);
    from[0] = &one;
    from[1] = &one;
    memcpy(to, from, 2 * sizeof *to);
    int *a = to[1];
    POINTS_TO(a, one);
    APART(from, to);
    free(from);
    free(to);
}

static void pages(void) {
    char *a = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *b = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FRESH(a);
    APART(a, b);
    char *c = mremap(a, 4096, 4096, 0);
    SAME(c, a);
    char *d = mremap(c, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, b);
    SAME(d, b);
    char *e = mmap(d, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    SAME(e, d);
    munmap(e, 4096);
}

void run_memory(void);
void run_memory(void) {
    making();
    growing();
    moving();
    blocks_of_pointers();
    pages();
}

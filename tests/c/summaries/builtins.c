/* SPDX-License-Identifier: Apache-2.0
 *
 * builtins.c: what both gcc and clang know by names of their own.
 */
#include <stdint.h>
#include <stdlib.h>

#include "expect.h"

static int one, two;

static void making(void) {
    char *a = __builtin_malloc(8), *b = __builtin_calloc(1, 8);
    char *c = __builtin_alloca(8), *d = __builtin_alloca_with_align(8, 64);
    char *e = __builtin_strdup("text"), *f = __builtin_strndup("text", 2);
    FRESH(a);
    FRESH(b);
    FRESH(c);
    FRESH(d);
    FRESH(e);
    FRESH(f);
    APART(a, b);
    APART(c, d);
    APART(e, f);
    char *g = __builtin_realloc(a, 100);
    FRESH(g);
    free(b);
    free(e);
    free(f);
    free(g);
}

static void moving(void) {
    int *from[1] = {&one}, *first[1], *second[1], *third[1], *fourth[1];
    int **a = __builtin_memcpy(first, from, sizeof from);
    int **b = __builtin_memmove(second, from, sizeof from);
    int **c = __builtin_mempcpy(third, from, sizeof from);
    __builtin_bcopy(from, fourth, sizeof from);
    int *d = first[0], *e = second[0], *f = third[0], *g = fourth[0];
    POINTS_TO(a, first);
    POINTS_TO(b, second);
    POINTS_TO(c, third);
    POINTS_TO(d, one);
    POINTS_TO(e, one);
    POINTS_TO(f, one);
    POINTS_TO(g, one);
}

static void moving_checked(void) {
    int *from[1] = {&two}, *first[1], *second[1], *third[1];
    int **a = __builtin___memcpy_chk(first, from, sizeof from, sizeof first);
    int **b = __builtin___memmove_chk(second, from, sizeof from, sizeof second);
    int **c = __builtin___mempcpy_chk(third, from, sizeof from, sizeof third);
    int *d = first[0], *e = second[0], *f = third[0];
    POINTS_TO(a, first);
    POINTS_TO(b, second);
    POINTS_TO(c, third);
    POINTS_TO(d, two);
    POINTS_TO(e, two);
    POINTS_TO(f, two);
}

static void copying(void) {
    char to[64] = "", from[8] = "from";
    char *a = __builtin_strcpy(to, from);
    char *b = __builtin_strncpy(to, from, 5);
    char *c = __builtin_strcat(to, from);
    char *d = __builtin_strncat(to, from, 2);
    char *e = __builtin_stpcpy(to, from);
    char *f = __builtin_stpncpy(to, from, 5);
    char *g = __builtin_memset(to, 0, sizeof to);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
}

static void copying_checked(void) {
    char to[64] = "", from[8] = "from";
    char *a = __builtin___strcpy_chk(to, from, sizeof to);
    char *b = __builtin___strncpy_chk(to, from, 5, sizeof to);
    char *c = __builtin___strcat_chk(to, from, sizeof to);
    char *d = __builtin___strncat_chk(to, from, 2, sizeof to);
    char *e = __builtin___stpcpy_chk(to, from, sizeof to);
    char *f = __builtin___stpncpy_chk(to, from, 5, sizeof to);
    char *g = __builtin___memset_chk(to, 0, sizeof to, sizeof to);
    POINTS_TO(a, to);
    POINTS_TO(b, to);
    POINTS_TO(c, to);
    POINTS_TO(d, to);
    POINTS_TO(e, to);
    POINTS_TO(f, to);
    POINTS_TO(g, to);
}

static void searching(void) {
    char text[16] = "key=value", other[4] = "=";
    char *a = __builtin_strchr(text, '=');
    char *b = __builtin_strrchr(text, 'e');
    char *c = __builtin_strstr(text, other);
    char *d = __builtin_strpbrk(text, other);
    char *e = __builtin_index(text, '=');
    char *f = __builtin_rindex(text, '=');
    char *g = __builtin_memchr(text, '=', 9);
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    POINTS_TO(e, text);
    POINTS_TO(f, text);
    POINTS_TO(g, text);
}

static void asking(void) {
    void *a = __builtin_frame_address(0), *b = __builtin_return_address(0);
    void *c = __builtin_extract_return_addr(b), *d = __builtin_dwarf_cfa();
    KNOWN(a);
    KNOWN(b);
    SAME(b, c);
    KNOWN(d);
    int *e = (int *)__builtin_expect_with_probability((long)&one, 0, 0.5);
    POINTS_TO(e, one);
}

/* Numbers that are addresses on the way. */
static void counting(void) {
    static char text[16];
    uintptr_t start = (uintptr_t)text, sum, difference, product, larger;
    bool wrong = __builtin_add_overflow(start, 1, &sum);
    wrong |= __builtin_sub_overflow(sum, 1, &difference);
    wrong |= __builtin_mul_overflow(start, 1, &product);
    wrong |= __builtin_uaddl_overflow(start, 2, &larger);
    if (wrong) return;
    char *a = (char *)sum, *b = (char *)difference, *c = (char *)product, *d = (char *)larger;
    POINTS_TO(a, text);
    POINTS_TO(b, text);
    POINTS_TO(c, text);
    POINTS_TO(d, text);
    uintptr_t turned = __builtin_bswap64(start);
    char *e = (char *)__builtin_bswap64(turned);
    POINTS_TO(e, text);
    char *f = (char *)__builtin_labs((long)start);
    POINTS_TO(f, text);
}

void run_builtins(void);
void run_builtins(void) {
    making();
    moving();
    moving_checked();
    copying();
    copying_checked();
    searching();
    asking();
    counting();
}

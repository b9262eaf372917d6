/* SPDX-License-Identifier: Apache-2.0
 *
 * test_arrays.c: elements of arrays that are apart, where more than one file or option has a say.
 * What one file shows is in tests/c/arrays/.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_support.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(arrays, .init = setup, .fini = teardown);

static cflr_extract_opts apart(void) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.arrays = CFLR_ARRAYS_CONSTANT;
    opts.world = CFLR_WORLD_CLOSED;
    return opts;
}

static void extract_apart(void) {
    const cflr_extract_opts opts = apart();
    project_extract(&p, &opts);
}

/* Edges and names as text, freed by the caller. */
static char *edges_by(const cflr_extract_opts *opts) {
    project_extract(&p, opts);
    return strdup(p.edges);
}

/* The one file says how long the array is, the others do not or need not know. */
Test(arrays, one_array_of_several_files) {
    project_write(&p, "a.c", "int x, y; int *a[3] = {&x, &y};\n");
    project_write(&p, "b.c", "extern int *a[]; int *second(void) { return a[1]; }\n");
    project_write(&p, "c.c", "extern int *a[3]; int *any(int i) { return a[i]; }\n");
    project_write(&p, "d.c", "extern int *a[]; void take(int **); void f(void) { take(a); }\n");
    extract_apart();
    cr_expect(project_has_edge(&p, "&a -f[8]-> &a[1]"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&y -a-> a[1]"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "a[1] -a-> second::return"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "a -a-> second::return"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&a[1] -d-> a[1]"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&a -f[16]-> &a[2]"), "%s", p.edges);
}

Test(arrays, are_one_element_by_default_and_without_fields) {
    static const char text[] =
        "int x, y; struct s { int n; int *m[2]; } s;\n"
        "int *a[2] = {&x, &y}, *p;\n"
        "void f(void) { p = a[1]; s.m[1] = a[0]; }\n";
    project_write(&p, "a.c", text);
    cflr_extract_opts opts = apart();
    opts.fields = CFLR_FIELDS_INSENSITIVE;
    char *without = edges_by(&opts);
    opts.arrays = CFLR_ARRAYS_ONE;
    char *one = edges_by(&opts);
    cr_expect_str_eq(without, one);
    opts.fields = CFLR_FIELDS_SENSITIVE;
    project_extract(&p, &opts);
    cr_expect(project_has_edge(&p, "a -a-> p"), "%s", p.edges);
    cr_expect(!strstr(p.edges, "&a -f["), "%s", p.edges);
    free(without);
    free(one);
}

/* What has no pointer, a length that the program decides, an array at the end of a record without a
 * length. */
Test(arrays, that_are_one_element_all_the_same) {
    project_write(&p, "a.c",
                  "struct tail { int n; int *v[]; }; struct old { int n; int *v[1]; };\n"
                  "long numbers[4]; int x, *p, *q, *r; void *s;\n"
                  "void f(struct tail *t, struct old *o, int n) {\n"
                  "    int *v[n]; v[1] = &x; p = v[2];\n"
                  "    t->v[1] = &x; q = t->v[2]; o->v[1] = &x; r = o->v[2];\n"
                  "    numbers[1] = (long)&x; s = (void *)numbers[2];\n"
                  "}\n");
    extract_apart();
    cr_expect(project_has_edge(&p, "&x -a-> f::v"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::v -a-> p"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::t -f[8]-> f::&t->v"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::o -f[8]-> f::&o->v"), "%s", p.edges);
    cr_expect(!strstr(p.edges, "f[16]"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&x -a-> numbers"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "numbers -a-> s"), "%s", p.edges);
}

/* clang takes it, gcc does not. */
Test(arrays, from_a_literal) {
    project_write(&p, "a.c",
                  "int x, y, *p;\n"
                  "void f(void) { int *a[2] = (int *[2]){&x, &y}; p = a[1]; }\n");
    extract_apart();
    cr_expect(strstr(p.edges, "-f[8]-> f::&a[1]"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::a[1] -a-> p"), "%s", p.edges);
    cr_expect(strstr(p.edges, "-a-> f::a[1]"), "%s", p.edges);
}

/* Indices that are no constants of C, or no elements. */
Test(arrays, indices) {
    project_write(&p, "a.c",
                  "enum { TWO = 2 }; int x, y, z; static const int one = 1;\n"
                  "int *a[4] = {&x, &y, &z}, *p, *q, *r, *s;\n"
                  "void f(void) {\n"
                  "    int i = 3; const int *j = &one;\n"
                  "    p = a[TWO]; q = a[sizeof(char)]; r = a[i]; s = a[*j];\n"
                  "}\n");
    extract_apart();
    cr_expect(project_has_edge(&p, "a[2] -a-> p"), "%s", p.edges);
    cr_expect(!project_has_edge(&p, "a[1] -a-> p"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "a[1] -a-> q"), "%s", p.edges);
    static const char *const from[] = {"a", "a[1]", "a[2]", "a[3]"};
    for (size_t k = 0; k < sizeof from / sizeof *from; k++) {
        char edge[64];
        snprintf(edge, sizeof edge, "%s -a-> r", from[k]);
        cr_expect(project_has_edge(&p, edge), "%s in\n%s", edge, p.edges);
        snprintf(edge, sizeof edge, "%s -a-> s", from[k]);
        cr_expect(project_has_edge(&p, edge), "%s in\n%s", edge, p.edges);
    }
}

/* Functions that move elements about, called by name and by value. */
Test(arrays, whose_elements_change_places) {
    project_write(&p, "a.c",
                  "typedef unsigned long size_t; int x, *a[2] = {&x};\n"
                  "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"
                  "int less(const void *, const void *);\n"
                  "void f(void) { qsort(a, 2, sizeof *a, less); }\n");
    extract_apart();
    cr_expect(strstr(p.edges, "-a-> f::temporary(a)"), "%s", p.edges);
    cr_expect(strstr(p.edges, "f::*a@4:22 -a-> f::*a@4:22#1") || strstr(p.edges, "-a-> f::*a"),
              "%s", p.edges);
    cflr_extract_opts opts = apart();
    opts.arrays = CFLR_ARRAYS_ONE;
    project_extract(&p, &opts);
    cr_expect(!strstr(p.edges, "temporary(a)"), "%s", p.edges);
}

Test(arrays, of_the_wrong_kind) {
    project_write(&p, "a.c", "int *x;\n");
    cflr_extract_opts opts = apart();
    opts.arrays = (cflr_arrays)2;
    project_try(&p, &opts);
    cr_expect_eq(p.status, CFLR_ARGUMENT);
    cr_expect(strstr(p.error.message, "arrays"), "%s", p.error.message);
}

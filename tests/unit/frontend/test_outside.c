/* SPDX-License-Identifier: Apache-2.0
 *
 * Open programs: which are, and what leads to and from their outside. What follows from that is
 * checked by running (tests/oracle/libraries).
 */
#include <criterion/criterion.h>
#include <string.h>

#include "extract_support.h"

static project p;

static void begin(void) {
    project_begin(&p);
}

static void end(void) {
    project_end(&p);
}

TestSuite(outside, .init = begin, .fini = end);

static void extract(cflr_world world, cflr_contexts contexts) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = world;
    opts.context = contexts;
    project_extract(&p, &opts);
}

static bool is_open(void) {
    bool open = cflr_graph_outside(p.graph) != CFLR_NO_VERTEX;
    cr_expect_eq(p.counts.open, open);
    cr_expect_eq(project_note(&p, CFLR_NOTE_OPEN, "") != NULL, open);
    return open;
}

Test(outside, is_there_without_main) {
    project_write(&p, "a.c", "int *f(int *q) { return q; }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect(is_open());
    cr_expect(project_has_edge(&p, "outside -caller-> f::q"));
    cr_expect(project_has_edge(&p, "f::return -escapes-> outside"));
    cr_expect(project_has_edge(&p, "&f -escapes-> outside"));
    extract(CFLR_WORLD_CLOSED, CFLR_CONTEXT_NONE);
    cr_expect_not(is_open());
    project_write(&p, "b.c", "int main(void) { return 0; }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect_not(is_open());
    extract(CFLR_WORLD_OPEN, CFLR_CONTEXT_NONE);
    cr_expect(is_open());
    cr_expect_eq(p.counts.functions_entered, 2);
}

Test(outside, a_static_main_is_not_the_program) {
    project_write(&p, "a.c", "static int main(void) { return 0; }\nint (*f)(void) = main;\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect(is_open());
}

static const char hidden_text[] =
    "#define HIDDEN __attribute__((visibility(\"hidden\")))\n"
    "int *seen;\n"
    "static int *unseen;\n"
    "HIDDEN int *hidden;\n"
    "HIDDEN int *f(int *q) { return q; }\n"
    "static int *g(int *q) { return q; }\n"
    "int *h(int *q) { hidden = unseen = q; return g(f(q)); }\n";

Test(outside, names_what_is_neither_static_nor_hidden) {
    project_write(&p, "a.c", hidden_text);
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect_eq(p.counts.functions_entered, 1);
    cr_expect_eq(p.counts.variables_entered, 1);
    cr_expect(project_has_edge(&p, "outside -caller-> h::q"));
    cr_expect_not(project_has_edge(&p, "outside -caller-> f::q"));
    cr_expect_not(project_has_edge(&p, "outside -caller-> g::q"));
    cr_expect(project_has_edge(&p, "&seen -escapes-> outside"));
    cr_expect_eq(project_named(&p, "&hidden"), 0);
}

/* One unit knows that it is hidden; that counts for all. */
Test(outside, hidden_in_one_unit_is_hidden) {
    project_write(&p, "a.c",
                  "__attribute__((visibility(\"hidden\"))) int *f(int *q) { return q; }\n"
                  "__attribute__((visibility(\"hidden\"))) int *v;\n");
    project_write(&p, "b.c", "int *f(int *); extern int *v; int *g(int *r) { return f(v = r); }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect_eq(p.counts.functions_entered, 1);
    cr_expect_eq(p.counts.variables_entered, 0);
}

Test(outside, functions_without_model_are_part_of_it) {
    project_write(&p, "a.c",
                  "int *in(int *); extern int *theirs;\n"
                  "int *f(int *q) { int *r = in(q); int *(*g)(int *) = in; theirs = q;\n"
                  "return g(r); }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect(project_has_edge(&p, "f::q -escapes-> outside"));
    cr_expect(strstr(p.edges, "outside -unknown[in]-> f::"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "&in -escapes-> outside"));
    cr_expect(project_has_edge(&p, "&theirs -escapes-> outside"));
    cr_expect_eq(project_named(&p, "outside"), 1);
}

Test(outside, gives_members_of_records_and_variable_arguments) {
    project_write(&p, "a.c",
                  "#include <stdarg.h>\n"
                  "struct s { int *a, *b; };\n"
                  "struct s f(struct s q) { struct s r = {q.b, q.a}; return r; }\n"
                  "int *g(int n, ...) { va_list l; va_start(l, n); int *x = va_arg(l, int *);\n"
                  "va_end(l); return x; }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_NONE);
    cr_expect(project_has_edge(&p, "outside -caller-> f::q"));
    cr_expect(project_has_edge(&p, "outside -caller-> f::q.b"));
    cr_expect(strstr(p.edges, "outside -caller-> g::"), "%s", p.edges);
}

/* Callers outside reach the base of a function, and no copy that a call of the program has. */
Test(outside, enters_one_copy_of_a_function) {
    project_write(&p, "a.c",
                  "int *f(int *q) { return q; }\n"
                  "int x, y; int *g(void) { return f(&x); } int *h(void) { return f(&y); }\n");
    extract(CFLR_WORLD_AUTO, CFLR_CONTEXT_CLONE);
    uint32_t label = cflr_graph_find_label(p.graph, "caller", NULL);
    cr_expect_eq(cflr_graph_label_edges(p.graph, label), 1);
    cr_expect_gt(project_named(&p, "q"), 1);
}

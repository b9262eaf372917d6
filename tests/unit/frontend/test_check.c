/* SPDX-License-Identifier: Apache-2.0
 *
 * test_check.c: calls that are checks: what is reported about them, and that they change nothing
 * else.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "construct_support.h"
#include "extract_support.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(check, .init = setup, .fini = teardown);

static const char *const may[] = {"may"}, *const must[] = {"must"}, *const no[] = {"no", "never"};

/* One name for each kind, and a second one. */
static cflr_extract_opts names_of_all_kinds(void) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.may_alias = may;
    opts.n_may_alias = 1;
    opts.must_alias = must;
    opts.n_must_alias = 1;
    opts.no_alias = no;
    opts.n_no_alias = 2;
    return opts;
}

static void check_extract(const char *source, cflr_contexts contexts) {
    cflr_extract_opts opts = names_of_all_kinds();
    opts.context = contexts;
    project_write(&p, "a.c", source);
    project_extract(&p, &opts);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* All checks, a line each: "a.c:3:5 no(p, q) in f: 1" with the number of pairs, or the problem. */
static void list_checks(char *text, size_t size) {
    const cflr_check *c;
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; (c = cflr_extract_check(p.report, i)); i++) {
        at += (size_t)snprintf(
            text + at, size - at, "%s:%u:%u %d %s(%s, %s) in %s: ", base_name(c->file), c->line,
            c->column, (int)c->kind, c->callee, c->expression[0], c->expression[1], c->function);
        at += c->problem[0] ? (size_t)snprintf(text + at, size - at, "%s\n", c->problem)
                            : (size_t)snprintf(text + at, size - at, "%zu\n", c->n);
        cr_assert_lt(at, size);
    }
}

static void expect_checks(const char *expected) {
    char text[4000];
    list_checks(text, sizeof text);
    cr_expect_str_eq(text, expected, "%s", text);
}

Test(check, places_kinds_and_expressions) {
    check_extract(
        "struct s { int *m; struct s *next; int a[4]; };\n"
        "void may(const void *, const void *), must(void *, void *), no(int *, int *);\n"
        "static void never(char *p, char *q) { *p = *q; }\n"
        "int *f(struct s *p, int i, int *q) {\n"
        "    (*no)(p->next->m, &p->a[i]); must(p, (&*p)->next);\n"
        "    may(f, i ? (int *)p : q);\n"
        "    if (i) never(\"a\", ((char *)q));\n"
        "    no(0, f(p, i, q));\n"
        "    return q;\n"
        "}\n",
        CFLR_CONTEXT_NONE);
    expect_checks(
        "a.c:5:5 2 no(p->next->m, &p->a[i]) in f: 1\n"
        "a.c:5:34 1 must(p, (*p).next) in f: 1\n"
        "a.c:6:5 0 may(f, i ? p : q) in f: 1\n"
        "a.c:7:12 2 never(\"a\", q) in f: 1\n"
        "a.c:8:5 2 no(0, f()) in f: 1\n");
    cr_expect_eq(p.counts.calls_unmodelled, 0);
    cr_expect_eq(p.counts.calls_direct, 1);
    cr_expect_eq(p.counts.functions, 1, "the body of never is not read");
}

Test(check, arguments_flow_into_vertices_of_their_own) {
    check_extract(
        "void no(const void *, const void *);\n"
        "int x; void f(int *q) { int *v = &x;\n"
        "    no(v, q); no(v, q); }\n",
        CFLR_CONTEXT_NONE);
    const cflr_check *first = cflr_extract_check(p.report, 0);
    const cflr_check *second = cflr_extract_check(p.report, 1);
    cr_assert(first && second && first->n == 1 && second->n == 1);
    const uint32_t vertices[] = {first->vertex[0][0], first->vertex[1][0], second->vertex[0][0],
                                 second->vertex[1][0]};
    for (int i = 0; i < 4; i++) {
        cflr_vertex_info info;
        cflr_graph_vertex(p.graph, vertices[i], &info);
        cr_expect_eq(info.kind, CFLR_VERTEX_TEMPORARY);
        cr_expect_str_eq(info.name, i % 2 ? "q" : "v");
        cr_expect_eq(info.line, 3);
        for (int k = 0; k < i; k++) cr_expect_neq(vertices[i], vertices[k]);
    }
    cr_expect(project_has_edge(&p, "f::v -a-> f::temporary(v)@3:8"), "%s", p.edges);
    cr_expect(project_has_edge(&p, "f::q -a-> f::temporary(q)@3:11"), "%s", p.edges);
}

/* The edges that lead to no temporary: here all of these are arguments of checks. Freed by the
 * caller. */
static char *edges_to_others(void) {
    char *edges = strdup(p.edges), *kept = calloc(strlen(edges) + 2, 1);
    for (char *at = strtok(edges, "\n"); at; at = strtok(NULL, "\n"))
        if (!strstr(at, "-> f::temporary(")) strcat(strcat(kept, at), "\n");
    free(edges);
    return kept;
}

/* With checks that pass things to functions with bodies and without, and with no checks. A
 * conversion to void * of what the copy reads would make it one of pointers (pieces.c). */
Test(check, nothing_else_changes) {
    static const char source[] =
        "#include <string.h>\n"
        "#ifndef CHECKS\n"
        "#define no(p, q) ((p), (q))\n"
        "#define must(p, q) ((p), (q))\n"
        "#define never(p, q) ((p), (q))\n"
        "#else\n"
        "static void *kept; int *never();\n"
        "static void *no(void *a, void *b) { kept = a; *(void **)a = b; return b; }\n"
        "void *must(void *, void *);\n"
        "#endif\n"
        "struct s { int *m; char c[8]; }; struct s s, t; int x; int *r, **u; void **k;\n"
        "union { char *text; struct s *record; } either;\n"
        "static void copy(char *to, char *from, int n) { while (n--) *to++ = *from++; }\n"
        "int *f(struct s *a, struct s *b, int *q) {\n"
        "    no(a, b); must(&s, &t); no(a->m, q); never(&r, u); no(&q, k); must(a->c, b->c);\n"
        "    no(either.record, (void *)either.record); copy(a->c, either.text, 8); s.m = &x;\n"
        "    return *u;\n"
        "}\n";
    static const char *const flags[] = {"-DCHECKS"};
    cflr_extract_opts opts = names_of_all_kinds();
    project_write(&p, "a.c", source);
    project_extract(&p, &opts);
    cr_expect_eq(cflr_extract_check(p.report, 0), NULL);
    char *before = edges_to_others();
    char *files[] = {(char *)p.source[0]};
    opts.files = (const char *const *)files;
    opts.n_files = 1;
    opts.flags = flags;
    opts.n_flags = 1;
    project_extract(&p, &opts);
    size_t n = 0;
    while (cflr_extract_check(p.report, n)) n++;
    cr_expect_eq(n, 7);
    char *after = edges_to_others();
    cr_expect_str_eq(after, before, "%s\nand before:\n%s", after, before);
    free(before);
    free(after);
}

/* Neither checks nor calls: through a value, at the end of a scope. */
Test(check, other_ways_to_call_do_nothing) {
    check_extract(
        "static int *kept; static void no(int **p, int **q) { kept = *p; *p = *q; }\n"
        "int x, *g; void (*held)(int **, int **) = no;\n"
        "void f(void) { __attribute__((cleanup(no))) int *v = &x; held(&g, &v); }\n",
        CFLR_CONTEXT_NONE);
    expect_checks("");
    cr_expect_eq(strstr(p.edges, "no::"), NULL, "%s", p.edges);
    cr_expect_eq(strstr(p.edges, "kept"), NULL, "%s", p.edges);
}

Test(check, one_for_each_place_of_a_header) {
    project_write(&p, "h.h",
                  "void no(void *, void *), must(void *, void *);\n"
                  "static inline void inside(int *p, int *q) { no(p, q); }\n"
                  "#define BOTH(p, q) do { no(p, q); must(p, (p)); no(q, p); } while (0)\n");
    project_write(&p, "b.c",
                  "#include \"h.h\"\nvoid b(int *v, int *w) { inside(v, w); BOTH(v, w); }\n");
    check_extract(
        "#include \"h.h\"\nvoid a(int *v, int *w) { BOTH(v, w);\n    BOTH(w, v); inside(v, w); }\n",
        CFLR_CONTEXT_NONE);
    expect_checks(
        "a.c:2:26 1 must(v, v) in a: 1\n"
        "a.c:2:26 2 no(v, w) in a: 1\n"
        "a.c:2:26 2 no(w, v) in a: 1\n"
        "a.c:3:5 1 must(w, w) in a: 1\n"
        "a.c:3:5 2 no(w, v) in a: 1\n"
        "a.c:3:5 2 no(v, w) in a: 1\n"
        "b.c:2:40 1 must(v, v) in b: 1\n"
        "b.c:2:40 2 no(v, w) in b: 1\n"
        "b.c:2:40 2 no(w, v) in b: 1\n"
        "h.h:2:45 2 no(p, q) in inside: 1\n");
}

Test(check, a_pair_for_each_copy) {
    check_extract(
        "void no(int *, int *);\n"
        "static void inner(int *p, int *q) { no(p, q); }\n"
        "static void outer(int *p, int *q) { inner(p, q); inner(q, p); }\n"
        "static void loop(int *p, int *q) { no(p, q); loop(q, p); }\n"
        "int x, y; int main(void) { outer(&x, &y); outer(&x, &x); loop(&x, &y); }\n"
        "void idle(void) { no(&x, &y); }\n",
        CFLR_CONTEXT_CLONE);
    expect_checks(
        "a.c:2:37 2 no(p, q) in inner: 4\n"
        "a.c:4:36 2 no(p, q) in loop: 1\n"
        "a.c:6:19 2 no(&x, &y) in idle: 1\n");
    const cflr_check *inner = cflr_extract_check(p.report, 0);
    for (size_t i = 0; i < inner->n; i++) {
        cflr_vertex_info one, other;
        cflr_graph_vertex(p.graph, inner->vertex[0][i], &one);
        cflr_graph_vertex(p.graph, inner->vertex[1][i], &other);
        cr_expect_str_eq(one.context, other.context);
        cr_expect_neq(one.context[0], '\0');
        cr_expect(i == 0 || inner->vertex[0][i - 1] < inner->vertex[0][i]);
    }
    project_extract(&p, NULL);
    cr_expect_eq(cflr_extract_check(p.report, 0), NULL, "nothing was asked for");
}

/* Each is kept with the reason, and the arguments are evaluated all the same. */
Test(check, what_cannot_be_asked) {
    check_extract(
        "void no(), must(unsigned long, void *), may(void *, ...);\n"
        "struct s { int *m; } s; int *g, x; long n;\n"
        "int *f(int *v) { g = v; return v; }\n"
        "void h(int *p) {\n"
        "    no(); no(p); no(p, p, f(&x)); no(s, p); no(p, 3.5);\n"
        "    must((unsigned long)p, p); may(p); may(p, n, p);\n"
        "    no(p, 0); no((int *)n, (void *)0);\n"
        "}\n",
        CFLR_CONTEXT_NONE);
    expect_checks(
        "a.c:5:5 2 no(, ) in h: 0 arguments instead of two pointers\n"
        "a.c:5:11 2 no(p, ) in h: 1 argument instead of two pointers\n"
        "a.c:5:18 2 no(p, p) in h: 3 arguments instead of two pointers\n"
        "a.c:5:35 2 no(s, p) in h: argument 1 is not a pointer\n"
        "a.c:5:45 2 no(p, 3.5) in h: argument 2 is not a pointer\n"
        "a.c:6:5 1 must(p, p) in h: argument 1 is not a pointer\n"
        "a.c:6:32 0 may(p, ) in h: 1 argument instead of two pointers\n"
        "a.c:6:40 0 may(p, n) in h: 3 arguments instead of two pointers\n"
        "a.c:7:5 2 no(p, 0) in h: argument 2 is not a pointer\n"
        "a.c:7:15 2 no(n, 0) in h: 1\n");
    cr_expect(project_has_edge(&p, "&x -a-> f::v"), "%s", p.edges);
}

Test(check, the_same_for_any_thread_count) {
    char one[4000], more[4000];
    for (int u = 0; u < 12; u++) {
        char name[16], text[300];
        snprintf(name, sizeof name, "u%d.c", u);
        snprintf(text, sizeof text,
                 "void no(void *, void *); int *g%d; static inline void s(int *p) { no(p, g%d); }\n"
                 "void f%d(int *p) { no(p, p); s(p); }\n",
                 u % 3, u % 3, u);
        project_write(&p, name, text);
    }
    cflr_context *context = p.context;
    for (int threads = 1; threads <= 8; threads *= 2) {
        cflr_context_opts context_opts;
        const cflr_extract_opts opts = names_of_all_kinds();
        cflr_context_opts_init(&context_opts);
        context_opts.threads = threads;
        cr_assert_eq(cflr_context_new(&context_opts, &p.context, NULL), CFLR_OK);
        project_extract(&p, &opts);
        list_checks(threads == 1 ? one : more, sizeof one);
        project_try(&p, &(cflr_extract_opts){0}); /* frees what belongs to the context */
        cflr_context_free(p.context);
        cr_assert_gt(strlen(one), 500);
        if (threads > 1) cr_expect_str_eq(more, one);
    }
    p.context = context;
}

Test(check, options) {
    static const char *const empty[] = {""}, *const nothing[] = {NULL},
                             *const twice[] = {"no", "no"};
    project_write(&p, "a.c", "int x;\n");
    for (int fault = 0; fault < 4; fault++) {
        cflr_extract_opts opts = names_of_all_kinds();
        if (fault == 0) opts.must_alias = may;
        if (fault == 1) opts.no_alias = NULL;
        if (fault == 2) opts.may_alias = empty;
        if (fault == 3) opts.may_alias = nothing;
        project_try(&p, &opts);
        cr_expect_eq(p.status, CFLR_ARGUMENT, "fault %d", fault);
        cr_expect_eq(p.graph, NULL);
    }
    cflr_extract_opts opts = names_of_all_kinds();
    opts.no_alias = twice;
    project_extract(&p, &opts);
}

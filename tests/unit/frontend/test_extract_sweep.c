/* SPDX-License-Identifier: Apache-2.0
 *
 * test_extract_sweep.c: the n-th allocation of an extraction fails, for every n, while another
 * graph of the context is in use: no leak, a clean status, a report that can be read, and that
 * graph as it was. Inputs of all kinds, and every option that changes what is built.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "extract_support.h"
#include "tests/support/fail_alloc.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(extract_sweep, .init = setup, .fini = teardown);

typedef struct stage {
    fail_alloc f;
    cflr_context *context;
    cflr_graph *graph; /* made undisturbed */
    cflr_extract_opts opts;
} stage;

/* Every note and check, and the numbers. */
static void read_report(const cflr_extract_report *report) {
    cflr_extract_counts counts;
    const cflr_note *note;
    cflr_extract_get_counts(report, &counts);
    cr_assert_leq(counts.units_lost + counts.units_degraded, counts.units);
    for (size_t i = 0; (note = cflr_extract_note(report, i)); i++) {
        cr_assert(note->text[0] && strlen(note->file) < 4096);
    }
    const cflr_check *check;
    for (size_t i = 0; (check = cflr_extract_check(report, i)); i++) {
        cr_assert(strlen(check->file) < 4096 && check->callee[0]);
        cr_assert_eq(check->n == 0, check->problem[0] != '\0');
    }
    const cflr_target *target;
    for (size_t i = 0; (target = cflr_extract_target(report, i)); i++)
        cr_assert(target->name[0] && target->units > 0);
    size_t n_rules;
    const cflr_rule *rule = cflr_extract_rules(report, &n_rules);
    for (size_t i = 0; i < n_rules; i++) cr_assert(rule[i].name[0] && rule[i].message[0]);
    const cflr_unmodelled *function;
    for (size_t i = 0; (function = cflr_extract_unmodelled(report, i)); i++)
        cr_assert(function->calls + function->values > 0 && function->name[0]);
}

static cflr_status extract(void *user, cflr_error *error) {
    const stage *s = user;
    cflr_graph *graph;
    cflr_extract_report *report;
    cflr_status st = cflr_extract(s->context, &s->opts, &graph, &report, error);
    cr_assert_eq(graph != NULL, st == CFLR_OK);
    if (report) read_report(report);
    if (graph && s->graph) {
        cr_assert_eq(cflr_graph_vertices(graph), cflr_graph_vertices(s->graph));
        cr_assert_eq(cflr_graph_edges(graph), cflr_graph_edges(s->graph));
    }
    cflr_graph_free(graph);
    cflr_extract_report_free(report);
    return st;
}

static void sweep(const cflr_extract_opts *extract_opts, const char *what) {
    stage s = {.opts = *extract_opts};
    cflr_allocator allocator = fail_alloc_allocator(&s.f);
    cflr_context_opts opts;
    cflr_error error = {0};
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 1; /* test_extract.c has a sweep with more */
    cr_assert_eq(cflr_context_new(&opts, &s.context, &error), CFLR_OK);
    cflr_status st = cflr_extract(s.context, &s.opts, &s.graph, NULL, &error);
    cr_assert_eq(st, CFLR_OK, "%s: %s", what, error.message);
    cr_expect_gt(fail_alloc_sweep_call(&s.f, extract, &s, what), 100);
    cr_assert_eq(cflr_graph_validate(s.graph, &error), CFLR_OK, "%s", error.message);
    cflr_graph_free(s.graph);
    cr_assert_eq(cflr_context_memory(s.context), 0);
    cflr_context_free(s.context);
    cr_assert_eq(s.f.blocks, 0);
}

/* All that notes are about: a call of an unknown function, code with errors, a file that is not
 * there, one that is not C. */
Test(extract_sweep, notes) {
    char missing[PROJECT_PATH * 2];
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "int *mystery(int *); int x, *y;\n"
                  "void f(void) { y = mystery(&x); }\nint g( { }\n");
    const char *files[] = {p.source[0], project_path(&p, "missing.c", missing), "/other/c++.cc"};
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = files;
    opts.n_files = sizeof files / sizeof *files;
    sweep(&opts, "notes");
}

/* Summaries of the user: one that is taken, one that a body overrules, one that nothing uses. */
Test(extract_sweep, summaries) {
    char path[PROJECT_PATH * 2];
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "int *pick(int *), *mystery(int *); int x, *y;\n"
                  "int *here(int *p) { return p; }\n"
                  "void f(void) { y = pick(&x); y = here(y); y = mystery(y); }\n");
    project_write(&p, "mine.txt", "member m 8\npick: ret = new; *ret = arg0\nhere gone*: none\n");
    const char *summaries[] = {project_path(&p, "mine.txt", path)};
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.summaries = summaries;
    opts.n_summaries = 1;
    sweep(&opts, "summaries");
}

/* Rules: shipped and of a file, calls that are marked, by name and as values, and pointers that are
 * followed. */
Test(extract_sweep, rules) {
    char path[PROJECT_PATH * 2];
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "char *get(int **); void put(char *); void (*f)(char *) = put;\n"
                  "int main(int n, char **w) {\n"
                  "    int *p = 0; char *g = get(&p); put(g); f(w[n]); return *p + g[0]; }\n");
    project_write(&p, "mine.txt",
                  "member m 8\nrule a-b \"text\"\n source get: *ret, **arg0\n source main: "
                  "**arg1\n sink put: *arg0, arg0->m\n");
    const char *rules[] = {"null", project_path(&p, "mine.txt", path)};
    cflr_extract_opts_init(&opts);
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.rules = rules;
    opts.n_rules = 2;
    sweep(&opts, "rules");
}

/* Functions that call one another and themselves, cloned; 0: as many clones as it takes. */
static void sweep_clones(uint64_t limit) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "struct s { int *a, *b; } s;\n"
                  "int *f(int *v) { return v ? f(v) : s.b; }\n"
                  "void g(void) { s.a = f(s.b); s.b = f(s.a); }\n");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.fields = limit ? CFLR_FIELDS_SENSITIVE : CFLR_FIELDS_INSENSITIVE;
    opts.calls = limit ? CFLR_CALLS_ASSIGN : CFLR_CALLS_BRACKETS;
    opts.context = CFLR_CONTEXT_CLONE;
    opts.clone_limit = limit;
    sweep(&opts, "clones");
}

Test(extract_sweep, clones_and_brackets) {
    sweep_clones(0);
}

Test(extract_sweep, too_many_clones) {
    sweep_clones(1);
}

/* Functions that return fresh memory, copied. */
Test(extract_sweep, heap_clones) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "void *malloc(unsigned long); int *r, *s;\n"
                  "static int *make(void) { return malloc(4); }\n"
                  "int main(void) { r = make(); s = make(); }\n");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.context = CFLR_CONTEXT_HEAP;
    sweep(&opts, "heap clones");
}

/* The same by types, through a function that returns its argument. */
Test(extract_sweep, clones_by_type) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "void *malloc(unsigned long); struct s { int *m; } *r; long *l; void *v;\n"
                  "static void *same(void *p) { return p; }\n"
                  "static void *make(void) { return same(malloc(8)); }\n"
                  "int main(void) { r = make(); l = make(); v = make(); }\n");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.context = CFLR_CONTEXT_TYPES;
    sweep(&opts, "clones by type");
}

/* A local for each kind of control. */
Test(extract_sweep, split_locals) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "int x, y, *g;\n"
                  "int *f(int *v, int n) {\n"
                  "    int *p = &x, *q;\n"
                  "    while (n-- && (q = v)) { if (n) continue; v = n > 2 ? (p = q) : p; }\n"
                  "    do { for (q = p;; q = v) { if (!n) break; p = q ?: v; } } while (n++);\n"
                  "    switch (n) { case 1: p = &y; default: goto *(&&end); }\n"
                  "end:\n"
                  "    g = p;\n"
                  "    return q;\n"
                  "}\n");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    sweep(&opts, "split locals");
}

/* Tests of each form, numbers, and effects on data. */
Test(extract_sweep, data_flow) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "char *strdup(const char *); int atoi(const char *); void exit(int);\n"
                  "struct s { char c; int n : 3; struct s *next; } one, two;\n"
                  "int f(struct s *l, const char *t, int n) {\n"
                  "    char *p = strdup(t);\n"
                  "    if (!p || (l && n)) exit(1);\n"
                  "    for (; l != 0; l = l->next) n += l->n % 2, *p = *t;\n"
                  "    one = two;\n"
                  "    return n ? atoi(p) : (p = 0) == 0;\n"
                  "}\n");
    cflr_extract_opts_init(&opts);
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.data_flow = true;
    sweep(&opts, "data flow");
}

/* Functions of several types in one table, one that is unknown, and calls by three types. */
Test(extract_sweep, callees) {
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "int *one(int *a) { return a; } int *two(int *a, int *b) { return b; }\n"
                  "int *any(int *a, ...) { return a; } int *unknown(double);\n"
                  "int *(*turned)(long) = (int *(*)(long))one;\n"
                  "void *table[] = {one, two, any, unknown};\n"
                  "int x, *f(int i) {\n"
                  "    ((int *(*)(int *))table[i])(&x); ((int *(*)())table[i])(&x); turned(1); "
                  "((int *(*)(short))table[i])(1);\n"
                  "    return ((int *(*)(int *, int *))table[i])(&x, &x);\n"
                  "}\n");
    cflr_extract_opts_init(&opts);
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.callees = CFLR_CALLEES_TYPES;
    sweep(&opts, "callees");
}

/* Elements in variables, members, rows, copies and initialisers; more than a value has nodes; what
 * moves them. */
Test(extract_sweep, arrays) {
    cflr_extract_opts opts;
    project_write(
        &p, "a.c",
        "typedef unsigned long size_t; struct s { int n; int *m[2]; struct s *in[9]; };\n"
        "void qsort(void *, size_t, size_t, int (*)(const void *, const void *));\n"
        "int x, *a[3] = {&x, [2] = &x}, *m[2][2] = {[0 ... 1] = {&x}}; struct s s, t[2];\n"
        "int less(const void *, const void *), *f(struct s *p, int i) {\n"
        "    int **w = a; p->in[8] = t; t[1] = *p->in[i]; s = t[1]; m[1][i] = p->m[1];\n"
        "    qsort(a, 3, sizeof *a, less); return m[0][1] ? w[1] : a[2];\n"
        "}\n");
    cflr_extract_opts_init(&opts);
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.arrays = CFLR_ARRAYS_CONSTANT;
    sweep(&opts, "arrays");
}

/* A database with a command, arguments, a file of flags, a duplicate, another language and a file
 * that is not asked for. */
Test(extract_sweep, database) {
    static const char *const flags[] = {"-DNAME=first"};
    char text[1500];
    cflr_extract_opts opts;
    project_write(&p, "a.c", "extern int *first, *second;\nint *f(void) { return NAME; }\n");
    project_write(&p, "b.c", "int *unused;\n");
    project_write(&p, "flags.rsp", "-DA -I.");
    snprintf(text, sizeof text,
             "[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"cc @flags.rsp a.c\"},"
             "{\"directory\": \"%s\", \"file\": \"a.c\", \"arguments\": [\"cc\", \"-DA\", "
             "\"-I.\", \"a.c\"]},"
             "{\"directory\": \"%s\", \"file\": \"b.c\", \"command\": \"cc b.c\"},"
             "{\"directory\": \"%s\", \"file\": \"c.cpp\", \"command\": \"c++ c.cpp\"}]",
             p.folder, p.folder, p.folder, p.folder);
    project_write(&p, "compile_commands.json", text);
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.database = p.folder;
    opts.files = p.source;
    opts.n_files = 1;
    opts.flags = flags;
    opts.n_flags = 1;
    sweep(&opts, "database");
}

/* Checks of each kind, one that cannot be asked, in two copies of a function. */
Test(extract_sweep, checks) {
    static const char *const may[] = {"may"}, *const must[] = {"must"}, *const no[] = {"no"};
    cflr_extract_opts opts;
    project_write(&p, "a.c",
                  "void may(), must(), no();\nint x, y;\n"
                  "static int *f(int *v, int *w) { may(v, w); no(v); return w; }\n"
                  "void g(void) { must(f(&x, &y), f(&y, &x)); }\n");
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.context = CFLR_CONTEXT_CLONE;
    opts.may_alias = may;
    opts.must_alias = must;
    opts.no_alias = no;
    opts.n_may_alias = opts.n_must_alias = opts.n_no_alias = 1;
    sweep(&opts, "checks");
}

/* Programs apart, of which one is asked for with its library; a file of two targets, and one of
 * none. */
Test(extract_sweep, programs) {
    static const char *const targets[] = {"a", "b"};
    static const char *const rows[][2] = {{"a.c", "a.p/a.o"}, {"c.c", "a.p/c.o"},
                                          {"b.c", "b.p/b.o"}, {"c.c", "b.p/c.o"},
                                          {"d.c", "d.o"},     {"e.c", "e.o"}};
    char text[2000] = "[";
    cflr_extract_opts opts;
    project_write(&p, "a.c", "int *give(int *), x, *y; int main(void) { y = give(&x); }\n");
    project_write(&p, "b.c", "int *give(int *), x, *y; int main(void) { y = give(&x); }\n");
    project_write(&p, "c.c", "extern int *y; int *last(void) { return y; }\n");
    project_write(&p, "d.c", "int *give(int *p) { return p; }\n");
    project_write(&p, "e.c", "int *y; int main(void) { return !y; }\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at,
                 "%s{\"directory\": \"%s\", \"file\": \"%s\", \"output\": \"%s\", "
                 "\"arguments\": [\"cc\", \"%s\"]}",
                 i ? "," : "", p.folder, rows[i][0], rows[i][1], rows[i][0]);
    }
    strcat(text, "]");
    project_write(&p, "compile_commands.json", text);
    cflr_extract_opts_init(&opts);
    opts.database = p.folder;
    opts.targets = targets;
    opts.n_targets = 2;
    sweep(&opts, "programs");
}

/* Memory as vertices: records in records, casts, allocations, slots, an unknown function, text that
 * is raw. */
Test(extract_sweep, aliasing) {
    cflr_extract_opts opts;
    project_write(
        &p, "a.c",
        "void *malloc(unsigned long);\n"
        "struct in { int *a; }; struct s { long n; struct in in; char text[16]; char *t; } s;\n"
        "struct like { long n; int *a; }; int x; void *mystery(void *), *v;\n"
        "static int *get(struct s *p) { return p->in.a; }\n"
        "int main(void) {\n"
        "    struct s *p = malloc(sizeof *p), *q = mystery(p);\n"
        "    struct like *l = (struct like *)p; int *(*f)(struct s *) = get;\n"
        "    s.in.a = &x; l->a = f(&s); v = q; p->t = (char *)&s; int **r = (int **)s.text;\n"
        "    return *r == l->a;\n"
        "}\n");
    cflr_extract_opts_init(&opts);
    opts.aliasing = CFLR_ALIASING_STRICT;
    opts.files = p.source;
    opts.n_files = p.n_sources;
    sweep(&opts, "aliasing");
}

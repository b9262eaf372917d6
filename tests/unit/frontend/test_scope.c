/* SPDX-License-Identifier: Apache-2.0
 *
 * test_scope.c: several programs in one database: what is apart, what is shared, what is linked.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract_support.h"
#include "frontend/facts/facts_table.h"
#include "frontend/program/scope.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(scope, .init = setup, .fini = teardown);

/* ---- through the public entry ---- */

typedef struct entry {
    const char *file, *output; /* output may be NULL */
    const char *flags;
} entry;

/* A database of these entries, the last first: their order must not count. */
static void write_database(const entry *entries, size_t n) {
    char text[8000];
    size_t at = 0;
    for (size_t i = n; i-- > 0;) {
        const entry *e = &entries[i];
        at += (size_t)snprintf(
            text + at, sizeof text - at,
            "%s{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc -c %s %s %s %s\"}",
            at ? ",\n" : "[", p.folder, e->file, e->flags ? e->flags : "", e->output ? "-o" : "",
            e->output ? e->output : "", e->file);
        cr_assert_lt(at, sizeof text - 2);
    }
    strcpy(text + at, "]");
    project_write(&p, "compile_commands.json", text);
}

static void extract_with(const char *const *targets, size_t n, cflr_programs programs) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.database = p.folder;
    opts.targets = targets;
    opts.n_targets = n;
    opts.programs = programs;
    project_try(&p, &opts);
}

static void extract(cflr_programs programs) {
    extract_with(NULL, 0, programs);
    cr_assert_eq(p.status, CFLR_OK, "%s: %s", p.error.subject, p.error.message);
}

#define DATABASE(...)                                              \
    do {                                                           \
        const entry entries[] = {__VA_ARGS__};                     \
        write_database(entries, sizeof entries / sizeof *entries); \
    } while (0)

static void expect_edge(const char *edge) {
    cr_expect(project_has_edge(&p, edge), "no %s in\n%s", edge, p.edges);
}

static void expect_no_edge(const char *edge) {
    cr_expect_not(project_has_edge(&p, edge), "%s in\n%s", edge, p.edges);
}

/* Both bodies are one function, whose parameter goes by the name that the first of them gives
 * it. */
static void expect_joined(const char *function, const char *first, const char *second) {
    cr_expect_eq(project_named(&p, first), 1);
    cr_expect_eq(project_named(&p, second), 0);
    cr_expect(project_note(&p, CFLR_NOTE_REDEFINED, function) != NULL);
}

/* Two programs of two files each, which call the same name. */
static void write_two_programs(void) {
    project_write(&p, "a.c",
                  "int *help(int *); int x, *r; int main(void) { r = help(&x); return 0; }");
    project_write(&p, "ah.c", "int *help(int *of_a) { return of_a; }");
    project_write(&p, "b.c",
                  "int *help(int *); int y, *s; int main(void) { s = help(&y); return 0; }");
    project_write(&p, "bh.c", "int *help(int *of_b) { return of_b; }");
}

static void expect_apart(void) {
    expect_edge("&x -a-> help::of_a");
    expect_edge("&y -a-> help::of_b");
    expect_no_edge("&x -a-> help::of_b");
    expect_no_edge("&y -a-> help::of_a");
    cr_expect_eq(p.counts.programs, 2);
    cr_expect_eq(p.counts.redefined, 0);
    cr_expect_eq(p.counts.functions, 4);
}

Test(scope, programs_are_apart) {
    static const char *const outputs[][4] = {
        {"CMakeFiles/a.dir/a.c.o", "CMakeFiles/a.dir/ah.c.o", "sub/CMakeFiles/b.dir/b.c.o",
         "sub/CMakeFiles/b.dir/bh.c.o"},
        {"a.p/a.c.o", "a.p/ah.c.o", "sub/b.p/b.c.o", "sub/b.p/bh.c.o"},
        {"a-a.o", "a-ah.o", "sub/b-b.o", "sub/b-bh.o"},
    };
    write_two_programs();
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        DATABASE({"a.c", outputs[i][0], ""}, {"ah.c", outputs[i][1], ""},
                 {"b.c", outputs[i][2], ""}, {"bh.c", outputs[i][3], ""});
        extract(CFLR_PROGRAMS_APART);
        expect_apart();
        cr_expect_eq(p.counts.untold, 0);
        extract(CFLR_PROGRAMS_MERGED);
        expect_joined("help", "of_a", "of_b");
        expect_edge("&y -a-> help::of_a");
        cr_expect_eq(p.counts.functions, 2);
        cr_expect_eq(p.counts.redefined, 2);
    }
}

/* Without targets a unit with main is a program; which `help` it is linked with is not known. */
Test(scope, programs_without_targets) {
    write_two_programs();
    DATABASE({"a.c", NULL, ""}, {"ah.c", NULL, ""}, {"b.c", "b.o", ""}, {"bh.c", "bh.o", ""});
    extract(CFLR_PROGRAMS_APART);
    expect_joined("help", "of_a", "of_b");
    expect_edge("&x -a-> help::of_a");
    expect_edge("&y -a-> help::of_a");
    cr_expect_eq(p.counts.functions, 3);
    cr_expect_eq(p.counts.programs, 2);
    cr_expect_eq(p.counts.untold, 4);
    cr_expect_eq(p.counts.redefined, 1); /* help, and not main */
    cr_expect_eq(cflr_extract_target(p.report, 2), NULL);
    cr_expect(strstr(cflr_extract_target(p.report, 1)->name, "/b.c") != NULL);
}

/* The library calls what its user defines. */
Test(scope, a_library_means_what_its_programs_mean) {
    project_write(&p, "a.c",
                  "int *hook(int *in_a) { return in_a; } void go(int *); int x;\n"
                  "int main(void) { go(&x); return 0; }");
    project_write(&p, "b.c",
                  "int *hook(int *in_b) { return in_b; } void go(int *); int y;\n"
                  "int main(void) { go(&y); return 0; }");
    project_write(&p, "c.c", "int *hook(int *in_c) { return in_c; } int main(void) { return 0; }");
    project_write(&p, "l.c", "int *hook(int *); void go(int *p) { hook(p); }");
    DATABASE({"a.c", "a.p/a.c.o", ""}, {"b.c", "b.p/b.c.o", ""}, {"c.c", "c.p/c.c.o", ""},
             {"l.c", "l.so.p/l.c.o", ""});
    extract(CFLR_PROGRAMS_APART);
    expect_joined("hook", "in_a", "in_b");
    expect_edge("go::p -a-> hook::in_a");
    expect_no_edge("go::p -a-> hook::in_c");
    expect_edge("&x -a-> go::p");
    expect_edge("&y -a-> go::p");
    cr_expect_eq(p.counts.functions, 6);
}

/* A program's definition may take the place of its library's; that of another program never. */
Test(scope, a_program_may_replace_what_a_library_defines) {
    project_write(&p, "a.c",
                  "int *pick(int *in_a) { return in_a; } int *use(int *); int x;\n"
                  "int main(void) { use(&x); return 0; }");
    project_write(&p, "b.c", "int *pick(int *in_b) { return in_b; } int main(void) { return 0; }");
    project_write(&p, "l.c",
                  "int *pick(int *in_l) { return in_l; }\n"
                  "int *use(int *p) { return pick(p); }");
    DATABASE({"a.c", "a.p/a.c.o", ""}, {"b.c", "b.p/b.c.o", ""}, {"l.c", "l.a.p/l.c.o", ""});
    extract(CFLR_PROGRAMS_APART);
    expect_joined("pick", "in_a", "in_l");
    expect_edge("use::p -a-> pick::in_a");
    expect_no_edge("use::p -a-> pick::in_b");
    cr_expect_eq(p.counts.functions, 5);
}

/* Nothing refers to it: it is loaded. */
Test(scope, a_module_sees_every_program) {
    project_write(&p, "a.c", "int *host(int *in_a) { return in_a; } int main(void) { return 0; }");
    project_write(&p, "b.c", "int *host(int *in_b) { return in_b; } int main(void) { return 0; }");
    project_write(&p, "m.c", "int *host(int *); int x; void begin(void) { host(&x); }");
    DATABASE({"a.c", "a.p/a.c.o", ""}, {"b.c", "b.p/b.c.o", ""}, {"m.c", "m.so.p/m.c.o", ""});
    extract(CFLR_PROGRAMS_APART);
    expect_joined("host", "in_a", "in_b");
    expect_edge("&x -a-> host::in_a");
}

/* What another program defines is outside, and so may have a summary. */
Test(scope, the_outside_is_not_another_program) {
    project_write(&p, "a.c",
                  "char *strchr(const char *, int); char t[2], *r;\n"
                  "int main(void) { r = strchr(t, 1); return 0; }");
    project_write(&p, "b.c",
                  "static char other; char *strchr(const char *s, int c)\n"
                  "{ return &other; } int main(void) { return strchr(0, 0) != 0; }");
    DATABASE({"a.c", "a.p/a.c.o", ""}, {"b.c", "b.p/b.c.o", ""});
    extract(CFLR_PROGRAMS_APART);
    expect_edge("&t -a-> main::temporary(strchr())");
    expect_no_edge("strchr::return -a-> r");
    cr_expect_eq(p.counts.calls_unmodelled, 0);
}

Test(scope, variables_are_apart_too) {
    project_write(&p, "a.c", "int x, *state; int main(void) { state = &x; return 0; }");
    project_write(&p, "b.c", "int y, *state; int main(void) { state = &y; return 0; }");
    DATABASE({"a.c", "a.p/a.c.o", ""}, {"b.c", "b.p/b.c.o", ""});
    extract(CFLR_PROGRAMS_APART);
    cr_expect_eq(project_named(&p, "state"), 2);
    extract(CFLR_PROGRAMS_MERGED);
    cr_expect_eq(project_named(&p, "state"), 1);
}

/* With other flags a file is another unit, which means what its own target does; with the same it
 * is one unit of two targets, and what it means in one it means in both. Its code is there once. */
Test(scope, one_file_of_two_targets) {
    static const char *const flags[] = {"-DB", ""};
    project_write(&p, "a.c",
                  "int *log_to(int *in_a) { return in_a; } int main(void) { return 0; }");
    project_write(&p, "b.c",
                  "int *log_to(int *in_b) { return in_b; } int main(void) { return 0; }");
    project_write(&p, "c.c", "int *log_to(int *); int x; void say(void) { log_to(&x); }");
    for (size_t i = 0; i < 2; i++) {
        DATABASE({"a.c", "a.p/a.c.o", ""}, {"c.c", "a.p/c.c.o", ""}, {"b.c", "b.p/b.c.o", ""},
                 {"c.c", "b.p/c.c.o", flags[i]});
        extract(CFLR_PROGRAMS_APART);
        cr_expect_eq(p.counts.units, 4 - i);
        cr_expect_eq(p.counts.duplicates, i);
        cr_expect_eq(cflr_extract_target(p.report, 0)->units, 2);
        cr_expect_eq(cflr_extract_target(p.report, 1)->units, 2);
        expect_edge("&x -a-> log_to::in_a");
        if (i == 0)
            expect_edge("&x -a-> log_to::in_b");
        else
            expect_joined("log_to", "in_a", "in_b");
        cr_expect_eq(p.counts.functions, 5 - i);
    }
}

/* ---- targets that are asked for ---- */

static bool is_linked(const char *name) {
    const cflr_target *target;
    for (size_t i = 0; (target = cflr_extract_target(p.report, i)); i++)
        if (strcmp(target->name, name) == 0) return target->linked;
    cr_assert_fail("no target %s", name);
    return false;
}

static void write_chain(void) {
    project_write(&p, "a.c", "void one(void); int main(void) { one(); return 0; }");
    project_write(&p, "b.c", "void two(void); int main(void) { two(); return 0; }");
    project_write(&p, "one.c", "void two(void); void one(void) { two(); }");
    project_write(&p, "two.c", "void two(void) {}");
    project_write(&p, "tool.c", "int main(void) { return 0; }");
    DATABASE({"a.c", "app/a.p/a.c.o", ""}, {"b.c", "app/b.p/b.c.o", ""},
             {"one.c", "lib/one.a.p/one.c.o", ""}, {"two.c", "lib/two.a.p/two.c.o", ""},
             {"tool.c", NULL, ""});
}

Test(scope, a_target_brings_what_it_needs) {
    const char *names[] = {"a"};
    write_chain();
    extract_with(names, 1, CFLR_PROGRAMS_APART);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    cr_expect(is_linked("app/a") && is_linked("lib/one.a") && is_linked("lib/two.a"));
    cr_expect_not(is_linked("app/b"));
    cr_expect_eq(p.counts.left_out, 2);
    cr_expect_eq(p.counts.programs, 1);
    cr_expect_eq(p.counts.functions, 3);
}

Test(scope, targets_add_up) {
    const char *names[] = {"app/b", "tool.c"};
    write_chain();
    extract_with(names, 2, CFLR_PROGRAMS_MERGED);
    cr_assert_eq(p.status, CFLR_OK, "%s", p.error.message);
    cr_expect(is_linked("app/b") && is_linked("lib/two.a") && !is_linked("lib/one.a"));
    cr_expect_eq(p.counts.programs, 2);
    cr_expect_eq(p.counts.left_out, 2);
}

Test(scope, a_target_that_is_not_there) {
    static const char *const wrong[] = {"c", "", "p/a", "a.c", "lib"};
    write_chain();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        extract_with(&wrong[i], 1, CFLR_PROGRAMS_APART);
        cr_expect_eq(p.status, CFLR_NOT_FOUND, "%s", wrong[i]);
    }
}

Test(scope, targets_are_listed_without_reading) {
    cflr_extract_opts opts;
    cflr_extract_report *report = NULL;
    cflr_error error;
    write_chain();
    cflr_extract_opts_init(&opts);
    opts.database = p.folder;
    cr_assert_eq(cflr_extract_list(p.context, &opts, &report, &error), CFLR_OK);
    static const char *const names[] = {"app/a", "app/b", "lib/one.a", "lib/two.a"};
    for (size_t i = 0; i < 4; i++) {
        const cflr_target *target = cflr_extract_target(report, i);
        cr_assert(target != NULL);
        cr_expect_str_eq(target->name, names[i]);
        cr_expect_eq(target->units, 1);
        cr_expect_not(target->program || target->linked);
    }
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    cr_expect_eq(cflr_extract_target(report, 4), NULL);
    cr_expect_eq(counts.untold, 1);
    cflr_extract_report_free(report);
}

/* ---- random programs against a definition without cleverness ---- */

/* Unit u is target u. said[u][n]: what it says of name n. Name 0 is main. */
enum { UNITS = 9, NAMES = 6, NOTHING = 0, REFERS, DEFINES };

typedef struct sample {
    int said[UNITS][NAMES];
    bool scope[UNITS][UNITS]; /* of a program: has it the unit */
    int class[NAMES][UNITS];  /* of the units that define or see the name; -1: outside */
} sample;

static bool is_program(const sample *s, int u) {
    return s->said[u][0] == DEFINES;
}

static bool needs(const sample *s, int u, int v) {
    for (int n = 1; n < NAMES; n++)
        if (s->said[u][n] == REFERS && s->said[v][n] == DEFINES && !is_program(s, v)) return true;
    return false;
}

static void close_scope(const sample *s, bool scope[UNITS]) {
    for (int round = 0; round < UNITS; round++)
        for (int u = 0; u < UNITS; u++)
            for (int v = 0; v < UNITS; v++)
                if (scope[u] && needs(s, u, v)) scope[v] = true;
}

static void make_scopes(sample *s) {
    bool needed[UNITS] = {false};
    memset(s->scope, 0, sizeof s->scope);
    for (int u = 0; u < UNITS; u++) needed[u] = is_program(s, u);
    close_scope(s, needed);
    for (int u = 0; u < UNITS; u++) {
        if (!is_program(s, u)) continue;
        s->scope[u][u] = true;
        for (int v = 0; v < UNITS; v++) s->scope[u][v] |= !needed[v];
        close_scope(s, s->scope[u]);
    }
}

/* Do units u and v mean one thing by n, because one scope has both? */
static bool meet(const sample *s, int n, int u, int v) {
    if (s->said[u][n] == NOTHING || s->said[v][n] == NOTHING) return false;
    if (s->said[u][n] == REFERS && s->said[v][n] == REFERS) return false;
    for (int q = 0; q < UNITS; q++)
        if (is_program(s, q) && s->scope[q][u] && s->scope[q][v]) return true;
    return false;
}

static void make_classes(sample *s) {
    for (int n = 1; n < NAMES; n++) {
        for (int u = 0; u < UNITS; u++) s->class[n][u] = u;
        for (int round = 0; round < UNITS; round++)
            for (int u = 0; u < UNITS; u++)
                for (int v = 0; v < UNITS; v++)
                    if (meet(s, n, u, v) && s->class[n][u] > s -> class[n][v])
                        s->class[n][u] = s->class[n][v];
        for (int u = 0; u < UNITS; u++) {
            bool sees = s->said[u][n] == DEFINES;
            for (int v = 0; v < UNITS; v++) sees |= s->said[v][n] == DEFINES && meet(s, n, u, v);
            if (!sees) s->class[n][u] = -1;
        }
    }
}

static const char *name_of(int n) {
    static const char *const names[NAMES] = {"main", "one", "two", "three", "four", "five"};
    return names[n];
}

static void state(cflri_facts *facts, const sample *s, int u) {
    char file[16];
    snprintf(file, sizeof file, "/%d.c", u);
    cr_assert_eq(cflri_facts_init(facts, p.context, CFLR_FIELDS_SENSITIVE, NULL), CFLR_OK);
    for (int n = 0; n < NAMES; n++) {
        if (s->said[u][n] == NOTHING) continue;
        const cflri_place place = {.file = cflri_facts_string(facts, file), .line = 1};
        uint32_t f = cflri_facts_function(facts, name_of(n), name_of(n), &place);
        facts->functions.at[f].external = true;
        facts->functions.at[f].defined = s->said[u][n] == DEFINES;
    }
    cr_assert_eq(facts->status, CFLR_OK);
}

static void compare(const sample *s, const cflri_scopes *scopes, int round) {
    for (int n = 1; n < NAMES; n++)
        for (uint32_t u = 0; u < UNITS; u++)
            for (uint32_t v = 0; v < u; v++) {
                if (s->said[u][n] == NOTHING || s->said[v][n] == NOTHING) continue;
                const char *a = cflri_scopes_key(scopes, u, name_of(n));
                const char *b = cflri_scopes_key(scopes, v, name_of(n));
                cr_assert_eq(strcmp(a, b) == 0, s->class[n][u] == s->class[n][v],
                             "round %d, %s: unit %u has %s, unit %u has %s", round, name_of(n), u,
                             a, v, b);
            }
}

static void try_sample(const sample *s, int round) {
    cflri_unit list[UNITS];
    cflri_scopes scopes;
    memset(list, 0, sizeof list);
    for (int u = 0; u < UNITS; u++) list[u].wanted = true;
    cflri_units units = {.list = {list, UNITS, UNITS}};
    cr_assert_eq(cflri_scopes_init(&scopes, p.context, &units, NULL), CFLR_OK);
    for (int u = 0; u < UNITS; u++) {
        cflri_facts facts;
        state(&facts, s, u);
        cr_assert_eq(cflri_scopes_add(&scopes, (uint32_t)u, &facts, NULL), CFLR_OK);
        cflri_facts_free(&facts);
    }
    cr_assert_eq(cflri_scopes_choose(&scopes, NULL), CFLR_OK);
    cr_assert_eq(cflri_scopes_resolve(&scopes, NULL), CFLR_OK);
    compare(s, &scopes, round);
    cflri_scopes_free(&scopes);
}

Test(scope, random_programs) {
    srand(20261123);
    unsigned apart = 0;
    for (int round = 0; round < 3000; round++) {
        sample s = {0};
        for (int u = 0; u < UNITS; u++) {
            if (u < 2 || rand() % 4 == 0) s.said[u][0] = DEFINES;
            for (int n = 1; n < NAMES; n++)
                s.said[u][n] = rand() % 5 < 3 ? NOTHING : 1 + rand() % 2;
        }
        make_scopes(&s);
        make_classes(&s);
        try_sample(&s, round);
        for (int n = 1; n < NAMES; n++)
            for (int u = 1; u < UNITS; u++)
                apart += s.said[u][n] == DEFINES && s.class[n][u] > 0 && s.said[0][n] == DEFINES;
    }
    cr_expect_gt(apart, 300, "%u", apart); /* there is something to tell apart */
}

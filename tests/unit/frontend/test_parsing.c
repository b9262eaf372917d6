/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parsing.c: extraction whose units are parsed in processes: the same answers as in this one,
 * whatever the units do to the process that parses them.
 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "extract_support.h"
#include "frontend/units/workers.h"
#include "tests/support/fail_alloc.h"

static project p;

static void setup(void) {
    project_begin(&p);
}
static void teardown(void) {
    cr_expect(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "a process is left");
    project_end(&p);
}

TestSuite(parsing, .init = setup, .fini = teardown);

static cflr_extract_opts in_workers(void) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.world = CFLR_WORLD_CLOSED;
    opts.parsing = CFLR_PARSING_WORKERS;
    return opts;
}

static void use_threads(int threads) {
    cflr_context_opts opts;
    cflr_context_free(p.context);
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    cr_assert_eq(cflr_context_new(&opts, &p.context, NULL), CFLR_OK);
}

static void forget_graph(void) {
    cflr_graph_free(p.graph);
    cflr_extract_report_free(p.report);
    p.graph = NULL;
    p.report = NULL;
}

/* ---- the same ---- */

/* Units of all outcomes, with headers, calls from one to another, and something for each rule. */
static void write_units(void) {
    project_write(&p, "h.h",
                  "#define GIVE(x) (give(x))\nint *give(int *);\nstruct s { int *m; };\n");
    for (int i = 0; i < 9; i++) {
        char name[20], text[600];
        snprintf(name, sizeof name, "u%d.c", i);
        snprintf(text, sizeof text,
                 "#include \"h.h\"\nchar *getenv(const char *); int system(const char *);\n"
                 "static int x%d; extern struct s *s%d; struct s t%d = {&x%d};\n"
                 "int *f%d(int *p, int n) {\n"
                 "    int *q = 0; if (n) q = GIVE(p); t%d.m = q; system(getenv(\"A\"));\n"
                 "    return n ? f%d(q, *t%d.m) : q; }\nint *f%d(int *, int);\n",
                 i, (i + 1) % 9, i, i, i, i, (i + 1) % 9, i, (i + 1) % 9);
        project_write(&p, name, text);
    }
    project_write(&p, "give.c", "#include \"h.h\"\nint *give(int *p) { return p; }\n");
    project_write(&p, "main.c",
                  "int *f0(int *, int); int main(void) { int y; return *f0(&y, 3); }\n");
    project_write(&p, "errors.c", "#include \"none.h\"\nint *late(int *p) { return p + ; }\n");
}

/* Both ways, with several numbers of threads. */
static void expect_same(cflr_extract_opts opts, const char *what) {
    for (int threads = 1; threads < 5; threads++) {
        size_t size[2];
        char *told[2];
        forget_graph();
        use_threads(threads);
        for (int way = 0; way < 2; way++) {
            opts.parsing = way ? CFLR_PARSING_WORKERS : CFLR_PARSING_HERE;
            project_extract(&p, &opts);
            told[way] = project_told(&p, &size[way]);
        }
        cr_expect_eq(size[0], size[1], "%s: %zu and %zu bytes", what, size[0], size[1]);
        cr_expect(size[0] == size[1] && memcmp(told[0], told[1], size[0]) == 0, "%s", what);
        free(told[0]);
        free(told[1]);
    }
}

Test(parsing, same_as_here) {
    write_units();
    cflr_extract_opts opts = in_workers();
    expect_same(opts, "by default");
    opts.data_flow = true;
    opts.fields = CFLR_FIELDS_INSENSITIVE;
    opts.context = CFLR_CONTEXT_CLONE;
    opts.callees = CFLR_CALLEES_TYPES;
    expect_same(opts, "data flow, clones, types");
    opts = in_workers();
    opts.programs = CFLR_PROGRAMS_MERGED;
    opts.linkable = true;
    expect_same(opts, "merged and linkable");
    opts.programs = CFLR_PROGRAMS_APART;
    expect_same(opts, "linkable");
}

/* With places of flows. */
Test(parsing, same_rules_and_checks) {
    static const char *const rules[] = {"null", "command"}, *const may[] = {"give"};
    write_units();
    cflr_extract_opts opts = in_workers();
    opts.rules = rules;
    opts.n_rules = 2;
    expect_same(opts, "rules");
    project_extract(&p, &opts);
    size_t found;
    const cflr_flow *flow = cflr_extract_flows(p.report, &found);
    for (size_t i = 0; i < found; i++) cr_expect_gt(flow[i].place.line, 0);
    cr_expect_gt(found, 20, "%zu", found);
    opts.n_rules = 0;
    opts.may_alias = may;
    opts.n_may_alias = 1;
    expect_same(opts, "checks");
}

/* Entries are written by workers, and read by them when some are missing. */
Test(parsing, with_a_cache) {
    char folder[PROJECT_PATH * 2], path[PROJECT_PATH * 2];
    write_units();
    cflr_extract_opts opts = in_workers();
    opts.cache = project_path(&p, "cache", folder);
    project_extract(&p, NULL);
    size_t size, again;
    char *told = project_told(&p, &size);
    for (int round = 0; round < 3; round++) {
        project_extract(&p, &opts);
        char *now = project_told(&p, &again);
        cr_expect(size == again && memcmp(told, now, size) == 0, "round %d", round);
        cr_expect_eq(p.counts.units_cached, round ? round == 1 ? 12 : 11 : 0, "round %d: %u", round,
                     p.counts.units_cached);
        free(now);
        if (round != 1) continue;
        FILE *file = fopen(project_path(&p, "give.c", path), "a");
        cr_assert(file && fputs("/* changed */\n", file) >= 0 && fclose(file) == 0);
        project_extract(&p, NULL); /* the count of lines */
        free(told);
        told = project_told(&p, &size);
    }
    free(told);
}

/* ---- lost units ---- */

static const char good[] = "int *p, x; void f(void) { p = &x; }\n";

static void expect_lost(const char *why) {
    const cflr_note *note = cflr_extract_note(p.report, 0);
    cr_expect_eq(p.counts.units, 2);
    cr_expect_eq(p.counts.units_lost, 1);
    cr_assert(note && note->kind == CFLR_NOTE_LOST);
    cr_expect(strstr(note->file, "/b.c"), "%s", note->file);
    cr_expect(strstr(note->text, why), "%s: %s", why, note->text);
    cr_expect(project_has_edge(&p, "&x -a-> p"), "the other unit is read");
}

static void expect_loss(const char *text, const char *why) {
    cflr_extract_opts opts = in_workers();
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", text);
    for (int threads = 1; threads < 3; threads++) {
        forget_graph();
        use_threads(threads);
        project_extract(&p, &opts);
        expect_lost(why);
    }
}

Test(parsing, a_crash) {
    expect_loss("#pragma clang __debug crash\n", "crashed on it (SIG");
}

Test(parsing, an_overflow_of_the_stack) {
    enum { STARS = 300000 };
    char *text = malloc(STARS + 20), *at = text;
    cr_assert(text);
    at = stpcpy(at, "int ");
    memset(at, '*', STARS);
    stpcpy(at + STARS, "p;\n");
    expect_loss(text, "crashed on it (SIGSEGV)");
    free(text);
}

/* A macro that doubles itself forty times. */
static const char *doubles(void) {
    static char text[2000];
    char *at = stpcpy(text, "#define M0 x +\n");
    for (int i = 1; i <= 40; i++) at += sprintf(at, "#define M%d M%d M%d\n", i, i - 1, i - 1);
    stpcpy(at, "int g(int x) { return M40 0; }\n");
    return text;
}

static void bounded(uint64_t memory, double time) {
    cflr_context_opts opts;
    forget_graph();
    cflr_context_free(p.context);
    cflr_context_opts_init(&opts);
    opts.threads = 2;
    opts.memory_limit = memory;
    opts.time_limit = time;
    cr_assert_eq(cflr_context_new(&opts, &p.context, NULL), CFLR_OK);
}

/* Sanitizers need some memory for themselves. */
static const uint64_t enough = UINT64_C(900) << 20;

Test(parsing, want_of_memory) {
    cflr_extract_opts opts = in_workers();
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", doubles());
    bounded(enough, 0);
    project_extract(&p, &opts);
    expect_lost("it needs more than ");
    cr_expect_eq(p.counts.units_limited, 1);
}

Test(parsing, want_of_memory_for_all) {
    cflr_extract_opts opts = in_workers();
    project_write(&p, "b.c", doubles());
    bounded(enough, 0);
    project_try(&p, &opts);
    cr_expect_eq(p.status, CFLR_LIMIT, "%s", p.error.message);
    cr_expect(strstr(p.error.subject, "/b.c"), "%s", p.error.subject);
    cr_expect_eq(p.counts.units_lost, 1);
}

/* A pipe that nothing writes to. */
Test(parsing, time_is_over) {
    char path[PROJECT_PATH * 2];
    cflr_extract_opts opts = in_workers();
    project_write(&p, "a.c", good);
    project_write(&p, "b.c", "#include \"pipe.h\"\n");
    cr_assert_eq(mkfifo(project_path(&p, "pipe.h", path), 0600), 0);
    bounded(0, 1);
    project_try(&p, &opts);
    cr_expect_eq(p.status, CFLR_LIMIT, "%s", p.error.message);
    cr_expect_eq(p.graph, NULL);
}

/* Also in this process, where they could not be stopped. */
Test(parsing, irregular_files_are_not_read) {
    char path[PROJECT_PATH * 2];
    cr_assert_eq(mkfifo(project_path(&p, "b.c", path), 0600), 0);
    project_write(&p, "a.c", good);
    const char *files[] = {p.source[0], path};
    cflr_extract_opts opts = in_workers();
    opts.files = files;
    opts.n_files = 2;
    project_extract(&p, &opts);
    expect_lost("is no regular file");
    opts.parsing = CFLR_PARSING_HERE;
    project_extract(&p, &opts);
    expect_lost("is no regular file");
    static const char *const flags[][2] = {
        {"-include", "/dev/zero"}, {"-include/dev/zero", "-DA"}, {"-imacros", "/dev/zero"}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        opts.n_files = 1;
        opts.flags = flags[i];
        opts.n_flags = 2;
        project_try(&p, &opts);
        cr_expect_eq(p.status, CFLR_IO);
        cr_expect(strstr(p.error.message, "/dev/zero is no regular file"), "%s", p.error.message);
    }
}

/* ---- the system refuses ---- */

static int forks_left;

static int fork_some(void) {
    if (forks_left-- > 0) return fork();
    errno = EAGAIN;
    return -1;
}

static void count_warning(void *user, cflr_log_level level, const char *message) {
    cr_expect_eq(level, CFLR_LOG_WARNING);
    cr_expect(strstr(message, "cannot start a process"), "%s", message);
    ++*(int *)user;
}

Test(parsing, without_processes_it_is_done_here) {
    int warnings = 0;
    cflr_context_opts context_opts;
    cflr_extract_opts opts = in_workers();
    write_units();
    project_extract(&p, NULL);
    size_t size, again;
    char *told = project_told(&p, &size);
    forget_graph();
    cflr_context_free(p.context);
    cflr_context_opts_init(&context_opts);
    context_opts.log = count_warning;
    context_opts.user = &warnings;
    cr_assert_eq(cflr_context_new(&context_opts, &p.context, NULL), CFLR_OK);
    cflri_workers_fork = fork_some;
    project_extract(&p, &opts);
    cr_expect_eq(warnings, 1);
    char *now = project_told(&p, &again);
    cr_expect(size == again && memcmp(told, now, size) == 0);
    free(told);
    free(now);
}

/* Allocations fail in both processes: those of a worker in its copy of the counter. */
Test(parsing, sweep) {
    enum { RUNS = 150 };
    static const char *const rules[] = {"null"};
    cflr_extract_opts opts = in_workers();
    project_write(&p, "a.c", "int *p; int *get(void); int f(void) { p = get(); return *p; }\n");
    opts.files = p.source;
    opts.n_files = 1;
    opts.rules = rules;
    opts.n_rules = 1;
    for (uint64_t n = 1, step = 1, run = 0; run < RUNS; run++, n += step += run % 20 == 0) {
        fail_alloc f = {.fail_at = n, .fail_on = run % 2};
        cflr_allocator allocator = fail_alloc_allocator(&f);
        cflr_context_opts context_opts;
        cflr_context *context;
        cflr_graph *graph = NULL;
        cflr_extract_report *report = NULL;
        cflr_error error = {.code = CFLR_OK};
        cflr_context_opts_init(&context_opts);
        context_opts.allocator = &allocator;
        context_opts.threads = 2;
        if (cflr_context_new(&context_opts, &context, &error) != CFLR_OK) continue;
        cflr_status st = cflr_extract(context, &opts, &graph, &report, &error);
        cr_expect(st == CFLR_OK || st == CFLR_NO_MEMORY, "%s", error.message);
        cr_expect_eq(graph != NULL, st == CFLR_OK);
        cr_expect_eq(error.code, st, "%s", error.message);
        cflr_graph_free(graph);
        cflr_extract_report_free(report);
        cr_expect_eq(cflr_context_memory(context), 0, "failing at %" PRIu64, n);
        cflr_context_free(context);
        cr_expect_eq(f.blocks, 0);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_cache.c: the same graph with and without what an earlier run kept; what makes a unit be read
 * again, and what does not.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "construct_support.h"
#include "extract_support.h"
#include "frontend/compdb/compdb.h"
#include "frontend/store/cache.h"
#include "frontend/units/unit.h"
#include "tests/support/fail_alloc.h"

static project p;
static char cache[PROJECT_PATH * 2];
static cflr_extract_opts opts;

static void setup(void) {
    project_begin(&p);
    cflr_extract_opts_init(&opts);
    opts.cache = project_path(&p, "kept/here", cache);
}
static void teardown(void) {
    project_end(&p);
}

TestSuite(cache, .init = setup, .fini = teardown);

/* Extracts with the cache: `cached` units must come from it, and all must be as reading all of them
 * gives it. */
static void expect_cached(unsigned cached, const char *when) {
    cflr_extract_opts plain = opts;
    size_t fresh_size, kept_size;
    plain.cache = NULL;
    project_extract(&p, &plain);
    char *fresh = project_told(&p, &fresh_size);
    project_extract(&p, &opts);
    char *kept = project_told(&p, &kept_size);
    cr_expect_eq(p.counts.units_cached, cached, "%s: %u units instead of %u", when,
                 p.counts.units_cached, cached);
    bool same = fresh_size == kept_size && memcmp(fresh, kept, kept_size) == 0;
    cr_expect(same, "%s:\n%s\ninstead of\n%s", when, kept, fresh);
    free(fresh);
    free(kept);
}

/* Replaces a file that was written before. */
static void rewrite(const char *path, const char *text) {
    char whole[PROJECT_PATH * 2];
    FILE *file = fopen(project_path(&p, path, whole), "w");
    cr_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static void write_three(void) {
    project_write(&p, "shared.h",
                  "extern int *shared;\nstatic inline int *get(void) { return shared; }\n");
    project_write(&p, "a.c",
                  "#include \"shared.h\"\nint *shared; int *f(void) { return get(); }\n");
    project_write(&p, "b.c", "#include \"shared.h\"\nvoid g(int *v) { shared = v; }\n");
    project_write(&p, "c.c", "int *mystery(int *); int x;\nint *h(void) { return mystery(&x); }\n");
}

/* ---- what is read again ---- */

Test(cache, a_second_run_reads_nothing) {
    write_three();
    expect_cached(0, "cold");
    expect_cached(3, "warm");
}

Test(cache, bytes_count_not_times) {
    char whole[PROJECT_PATH * 2];
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    write_three();
    expect_cached(0, "cold");
    cr_assert_eq(utimensat(AT_FDCWD, project_path(&p, "shared.h", whole), times, 0), 0);
    expect_cached(3, "touched");
}

Test(cache, a_header_that_changes) {
    write_three();
    expect_cached(0, "cold");
    rewrite("shared.h", "extern int *shared;\nstatic inline int *get(void) { return 0; }\n");
    expect_cached(1, "header changed");
    expect_cached(3, "warm again");
}

Test(cache, a_file_that_changes_and_changes_back) {
    static const char changed[] = "#include \"shared.h\"\nvoid g(int *v) { *shared = *v; }\n";
    static const char before[] = "#include \"shared.h\"\nvoid g(int *v) { shared = v; }\n";
    write_three();
    expect_cached(0, "cold");
    rewrite("b.c", changed);
    expect_cached(2, "changed");
    rewrite("b.c", before);
    expect_cached(3, "as it was");
    rewrite("b.c", changed);
    expect_cached(3, "changed once more");
}

Test(cache, more_states_than_slots) {
    char text[100];
    project_write(&p, "a.c", "");
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 6; i++) {
            snprintf(text, sizeof text, "int *p, x%d; void f(void) { p = &x%d; }\n", i, i);
            rewrite("a.c", text);
            expect_cached(0, text);
        }
    expect_cached(1, "the last one stays");
}

Test(cache, flags_and_fields) {
    static const char *const one[] = {"-DONE"}, *const other[] = {"-DOTHER"};
    project_write(&p, "a.c",
                  "struct s { int *a, *b; } s; int x;\n#ifdef ONE\nint *y = &x;\n#endif\n"
                  "int *f(void) { return s.b; }\n");
    opts.flags = one;
    opts.n_flags = 1;
    expect_cached(0, "cold");
    opts.flags = other;
    expect_cached(0, "another flag");
    opts.fields = CFLR_FIELDS_INSENSITIVE;
    expect_cached(0, "another level of fields");
    opts.flags = one;
    opts.fields = CFLR_FIELDS_SENSITIVE;
    opts.locals = CFLR_LOCALS_WHOLE;
    expect_cached(0, "another level of locals");
    opts.locals = CFLR_LOCALS_SPLIT;
    expect_cached(1, "the first flag");
    opts.context = CFLR_CONTEXT_CLONE;
    opts.calls = CFLR_CALLS_BRACKETS;
    expect_cached(1, "what is decided after reading");
    cr_expect(p.counts.open);
    opts.world = CFLR_WORLD_CLOSED;
    expect_cached(1, "another world");
    cr_expect(!p.counts.open);
}

Test(cache, checks) {
    static const char *const names[] = {"may"}, *const others[] = {"other"};
    project_write(&p, "a.c",
                  "void may(void *, void *); int x;\n"
                  "void f(int *p) { int *q = p; may(p, q); may(&x, q); }\n");
    opts.may_alias = names;
    opts.n_may_alias = 1;
    for (unsigned cached = 0; cached < 2; cached++) {
        const cflr_check *check;
        expect_cached(cached, cached ? "warm" : "cold");
        check = cflr_extract_check(p.report, 1);
        cr_assert(check && check->n == 1 && check->kind == CFLR_CHECK_MAY_ALIAS);
        cr_expect_str_eq(check->expression[0], "&x");
    }
    opts.may_alias = others;
    expect_cached(0, "other names");
    cr_expect(!cflr_extract_check(p.report, 0));
    expect_cached(1, "warm");
}

Test(cache, the_processor_at_hand_is_not_kept) {
    static const char *const flags[] = {"-march=native"};
    project_write(&p, "a.c", "int *p, x; void f(void) { p = &x; }\n");
    opts.flags = flags;
    opts.n_flags = 1;
    expect_cached(0, "cold");
    expect_cached(0, "warm");
}

/* ---- files that appear ---- */

Test(cache, a_header_in_front_of_another) {
    char first[PROJECT_PATH * 2 + 2], second[PROJECT_PATH * 2 + 2];
    const char *flags[] = {first, second};
    snprintf(first, sizeof first, "-I%s/first", p.folder);
    snprintf(second, sizeof second, "-I%s/second", p.folder);
    project_write(&p, "second/name.h", "static int *q(int *v) { return v; }\n");
    project_write(&p, "a.c", "#include <name.h>\nint x; int *f(void) { return q(&x); }\n");
    opts.flags = flags;
    opts.n_flags = 2;
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    project_write(&p, "first/name.h", "static int *q(int *v) { return 0; }\n");
    expect_cached(0, "in front");
    expect_cached(1, "warm");
}

/* The second inclusion is skipped by its guard, and is yet a question. */
Test(cache, a_header_beside_one_that_asks_for_it) {
    char flag[PROJECT_PATH * 2 + 2];
    const char *flags[] = {flag};
    snprintf(flag, sizeof flag, "-I%s/inc", p.folder);
    project_write(&p, "inc/one.h", "#pragma once\nextern int *one;\n");
    project_write(&p, "inc/deep/two.h", "#include \"one.h\"\nextern int *two;\n");
    project_write(&p, "a.c",
                  "#include \"one.h\"\n#include \"deep/two.h\"\nint *f(void) { return one; }\n");
    opts.flags = flags;
    opts.n_flags = 1;
    expect_cached(0, "cold");
    project_write(&p, "inc/deep/one.h", "#pragma once\nextern int *two;\n");
    expect_cached(0, "beside");
}

Test(cache, names_that_are_only_asked_about) {
    project_write(&p, "a.c",
                  "#if __has_include(\"maybe.h\")\nint *p, x; void f(void) { p = &x; }\n#endif\n"
                  "#define LATER \"later.h\"\n#if __has_include(LATER)\nint *q, y;\n"
                  "void g(void) { q = &y; }\n#endif\nint *h(int *v) { return v; }\n");
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    project_write(&p, "maybe.h", "");
    expect_cached(0, "there is one");
    project_write(&p, "later.h", "");
    expect_cached(0, "and another");
    expect_cached(1, "warm");
}

Test(cache, a_missing_header_that_appears) {
    project_write(&p, "a.c", "#include \"gone.h\"\nint *f(int *v) { return v; }\n");
    expect_cached(0, "cold");
    cr_expect_eq(p.counts.units_degraded, 1);
    expect_cached(1, "with its error");
    cr_expect_eq(p.counts.units_degraded, 1);
    cr_expect(project_note(&p, CFLR_NOTE_DEGRADED, "gone.h"));
    project_write(&p, "gone.h", "int *found(int *v) { return v; }\n");
    expect_cached(0, "there now");
    cr_expect_eq(p.counts.units_degraded, 0);
}

Test(cache, files_that_the_command_names) {
    char text[PROJECT_PATH * 6];
    project_write(&p, "inc/forced.h", "static int *q(int *v) { return v; }\n");
    project_write(&p, "work/a.c", "int x; int *f(void) { return q(&x); }\n");
    snprintf(text, sizeof text,
             "[{\"directory\": \"%s/work\", \"file\": \"a.c\", \"command\": \"cc -I../inc -include "
             "forced.h a.c\"}]",
             p.folder);
    project_write(&p, "compile_commands.json", text);
    opts.database = p.folder;
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    rewrite("inc/forced.h", "static int *q(int *v) { return 0; }\n");
    expect_cached(0, "changed");
    project_write(&p, "work/forced.h", "static int *q(int *v) { return v + 1; }\n");
    expect_cached(0, "nearer");
    expect_cached(1, "warm");
}

Test(cache, names_in_macros_of_the_command) {
    static const char *const flags[] = {"-DCONFIG=<own_config.h>", "-DOTHER=\"other.h\""};
    project_write(&p, "a.c",
                  "#if __has_include(CONFIG)\nint x; int *f(void) { return &x; }\n#endif\n"
                  "#if __has_include(OTHER)\nint y; int *g(void) { return &y; }\n#endif\n"
                  "int *h(int *v) { return v; }\n");
    opts.flags = flags;
    opts.n_flags = 2;
    setenv("CPATH", p.folder, 1);
    expect_cached(0, "cold");
    project_write(&p, "own_config.h", "");
    expect_cached(0, "there is one");
    project_write(&p, "other.h", "");
    expect_cached(0, "and another");
    expect_cached(1, "warm");
    unsetenv("CPATH");
}

Test(cache, what_is_embedded) {
    project_write(&p, "data.bin", "12345678");
    project_write(&p, "a.c",
                  "const char data[] = {\n#embed \"data.bin\"\n};\n"
                  "const void *f(void) { return data; }\n");
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    rewrite("data.bin", "123");
    expect_cached(0, "other bytes");
    rewrite("a.c",
            "#define DATA \"data.bin\"\nconst char data[] = {\n#embed DATA\n};\n"
            "const void *f(void) { return data; }\n");
    expect_cached(0, "by a macro");
    expect_cached(0, "is not kept");
}

Test(cache, the_environment) {
    char other[PROJECT_PATH * 2];
    project_write(&p, "other/name.h", "static int *q(int *v) { return v; }\n");
    project_write(&p, "name.h", "static int *q(int *v) { return 0; }\n");
    project_write(&p, "work/a.c", "#include <name.h>\nint x; int *f(void) { return q(&x); }\n");
    setenv("CPATH", p.folder, 1);
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    setenv("C_INCLUDE_PATH", project_path(&p, "other", other), 1);
    expect_cached(0, "one more variable");
    unsetenv("CPATH");
    expect_cached(0, "the other one alone");
    unsetenv("C_INCLUDE_PATH");
}

Test(cache, a_lost_unit_is_tried_again) {
    char whole[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    project_write(&p, "b.c", "int *g(int *v) { return v; }\n");
    cr_assert_eq(unlink(project_path(&p, "b.c", whole)), 0);
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    cr_expect_eq(p.counts.units_lost, 1);
    rewrite("b.c", "int *g(int *v) { return v; }\n");
    expect_cached(1, "there again");
    expect_cached(2, "warm");
}

/* ---- summaries of the user ---- */

static void write_two_callers(void) {
    project_write(&p, "a.c",
                  "int *pick(int *, int *); int x; int *f(void) { return pick(&x, 0); }\n");
    project_write(&p, "b.c", "int *make(void); int *g(void) { return make(); }\n");
}

Test(cache, summaries_of_the_user) {
    char whole[PROJECT_PATH * 2];
    const char *file = project_path(&p, "own.txt", whole);
    write_two_callers();
    expect_cached(0, "cold");
    project_write(&p, "own.txt", "pick: ret = arg0\n");
    opts.summaries = &file;
    opts.n_summaries = 1;
    expect_cached(1, "one that a unit uses");
    cr_expect_eq(p.counts.calls_unmodelled, 1);
    rewrite("own.txt", "pick: ret = arg1\n");
    expect_cached(1, "says something else");
    rewrite("own.txt", "# a line more\n\npick: ret = arg1\nunused: none\n");
    expect_cached(2, "elsewhere, and one without a use");
    cr_expect(project_note(&p, CFLR_NOTE_UNUSED, "unused"));
    rewrite("own.txt", "pick: ret = arg1\nmake: ret = new\n");
    expect_cached(1, "one that the other unit uses");
    rewrite("own.txt", "p*: ret = arg1\nmake: ret = new\n");
    expect_cached(2, "the same, by a prefix");
    rewrite("own.txt", "p*: ret = arg0\nmake: ret = new\n");
    expect_cached(2, "as the first time");
    opts.n_summaries = 0;
    expect_cached(2, "as at first");
}

Test(cache, files_of_summaries_in_their_order) {
    char one[PROJECT_PATH * 2], two[PROJECT_PATH * 2];
    const char *files[] = {project_path(&p, "one.txt", one), project_path(&p, "two.txt", two)};
    const char *turned[] = {two, one};
    write_two_callers();
    project_write(&p, "one.txt", "pick: ret = arg0\nmake: ret = new\n");
    project_write(&p, "two.txt", "pick: ret = arg1\nmake: ret = new\n");
    opts.n_summaries = 2;
    opts.summaries = files;
    expect_cached(0, "cold");
    opts.summaries = turned;
    expect_cached(1, "the other one comes last");
    opts.summaries = files;
    expect_cached(2, "as at first");
}

Test(cache, members_in_summaries) {
    char whole[PROJECT_PATH * 2];
    const char *file = project_path(&p, "own.txt", whole);
    project_write(&p, "a.c",
                  "struct s { int *a, *b; } s; int *get(struct s *);\n"
                  "int *f(void) { return get(&s); }\n");
    project_write(&p, "own.txt", "member m 8\nget: ret = arg0->m\n");
    opts.summaries = &file;
    opts.n_summaries = 1;
    project_try(&p, &opts);
    cr_assert_eq(p.status, CFLR_OK, "%s:%u: %s", p.error.subject, p.error.line, p.error.message);
    expect_cached(1, "warm");
    rewrite("own.txt", "member m 16\nget: ret = arg0->m\n");
    expect_cached(0, "another offset");
}

/* What the library keeps in a variable, and hands to main. */
Test(cache, variables_in_summaries) {
    char whole[PROJECT_PATH * 2];
    const char *file = project_path(&p, "own.txt", whole);
    project_write(&p, "a.c", "extern char *program; char *f(void) { return program; }\n");
    project_write(&p, "b.c", "char *kept; int main(int n, char **v, char **e) { kept = *e; }\n");
    project_write(&p, "own.txt", "unused: none\n");
    opts.summaries = &file;
    opts.n_summaries = 1;
    expect_cached(0, "cold");
    rewrite("own.txt", "variable program: ret = new\n");
    expect_cached(1, "one that a unit uses");
    rewrite("own.txt", "variable other: ret = new\n");
    expect_cached(2, "one that none uses");
    rewrite("own.txt", "variable environ: ret = new\n");
    expect_cached(1, "one that main gets");
    rewrite("own.txt", "environ: ret = new\n");
    expect_cached(1, "a function of that name");
}

/* ---- rules ---- */

static void use_rules(const char *const *rules, size_t n) {
    opts.rules = rules;
    opts.n_rules = n;
}

Test(cache, shipped_rules) {
    static const char *const rules[] = {"null", "command", "format"};
    project_write(&p, "a.c",
                  "char *getenv(const char *); int system(const char *);\n"
                  "int f(void) { return system(getenv(\"V\")); }\n");
    project_write(&p, "b.c",
                  "void *malloc(unsigned long); void g(void) { *(int *)malloc(4) = 1; }\n");
    project_write(&p, "c.c", "int x; int *h(void) { return &x; }\n");
    expect_cached(0, "no rules");
    use_rules(rules, 1);
    expect_cached(0, "places are kept");
    expect_cached(3, "warm");
    use_rules(rules, 2);
    expect_cached(2, "one that marks calls of a unit");
    use_rules(rules + 1, 2);
    expect_cached(0, "other numbers, and no pointers that are followed");
    use_rules(rules, 3);
    expect_cached(0, "one more, which asks all units for attributes");
    expect_cached(3, "warm");
    use_rules(rules, 0);
    expect_cached(3, "as at first");
    opts.data_flow = true;
    expect_cached(0, "data flow without rules");
    expect_cached(3, "warm");
}

static void write_marked(const char **file, char whole[PROJECT_PATH * 2]) {
    *file = project_path(&p, "own.txt", whole);
    project_write(&p, "a.c",
                  "char *get(int), *renamed(void) __asm__(\"linked\"); void put(char *);\n"
                  "void f(void) { put(get(1)); put(renamed()); }\n");
    project_write(&p, "b.c", "extern char *text; void put(char *); void g(void) { put(text); }\n");
    project_write(&p, "c.c", "int x; int *h(int *v) { return *v ? v : &x; }\n");
    project_write(&p, "d.c", "char *kept; int main(int n, char **v) { kept = v[1]; }\n");
    project_write(&p, "own.txt", "rule own \"a message\" source get: ret\n");
    use_rules(file, 1);
}

/* How many of the four units stay as they are when one text takes the place of the other. */
Test(cache, rules_of_the_user) {
    static const struct {
        const char *before, *after;
        unsigned cached;
    } steps[] = {
        {"source get: ret", "level note cwe 78 help \"h\" source get: ret", 4},
        {"source get: ret", "source unused: ret\n    source get: ret # text", 4},
        {"source get: ret", "source get: *ret", 3},
        {"source get: *ret", "source get: bytes *ret", 3},
        {"source get: ret", "sink get: ret", 3},
        {"sink get: ret", "sink get: arg0", 3},
        {"sink get: arg0", "sink get: arg0...", 3},
        {"source get: ret", "source get: ret\nrule last \"l\" source get: ret", 3},
        {"source get: ret", "source get: ret source linked: *ret", 3},
        {"source get: ret", "source get: ret source text: ret", 3},
        {"source get: ret", "source get: ret sink put: arg0", 2},
        {"source get: ret", "source get: ret source main: *arg1", 3},
        {"source text: ret", "source unused: ret\nrule other \"o\" source text: ret", 3},
        {"source get: ret", "source get: ret sink dereference", 0},
        {"source null sink dereference", "source get: ret sink dereference", 3},
        {"sink dereference", "source get: ret\nrule other \"o\" sink dereference", 0},
        {"source get: ret->m\nmember m 8", "source get: ret->m\nmember m 16", 3},
    };
    const char *file;
    char whole[PROJECT_PATH * 2], text[400];
    write_marked(&file, whole);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        for (int now = 0; now < 2; now++) {
            const char *of = now ? steps[i].after : steps[i].before;
            snprintf(text, sizeof text, "rule own \"a message\" %s\n", of);
            rewrite("own.txt", text);
            expect_cached(now ? steps[i].cached : 0, text);
            expect_cached(4, "warm");
        }
        nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
    expect_cached(0, "before");
    rewrite("own.txt", "rule renamed \"a message\" source get: ret->m\nmember m 16\n");
    expect_cached(3, "another name");
}

/* ---- commands ---- */

static void write_database(const char *command) {
    char text[PROJECT_PATH * 6];
    snprintf(text, sizeof text, "[{\"directory\": \"%s\", \"file\": \"a.c\", \"command\": \"%s\"}]",
             p.folder, command);
    project_write(&p, "compile_commands.json", text);
    opts.database = p.folder;
}

Test(cache, a_toolchain_that_gets_headers) {
    static const char text[] = "#include <name.h>\nint x; int *f(void) { return q(&x); }\n";
    project_write(&p, "a.c", text);
    project_write(&p, "tools/aarch64-linux-gnu/include/name.h",
                  "static int *q(int *v) { return v; }\n");
    write_database("tools/bin/aarch64-linux-gnu-gcc -c a.c");
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    cr_expect_eq(p.counts.units_degraded, 0);
    project_write(&p, "tools/aarch64-linux-gnu/sysroot/usr/include/name.h",
                  "static int *q(int *v) { return 0; }\n");
    expect_cached(0, "a better place");
    project_write(&p, "tools/aarch64-linux-gnu/sysroot/usr/include/aarch64-linux-gnu/name.h",
                  "static int *q(int *v) { return v + 1; }\n");
    expect_cached(0, "one that comes first");
    expect_cached(1, "warm");
}

Test(cache, flags_that_are_refused) {
    project_write(&p, "a.c", "int x; int *f(void) { return &x; }\n");
    write_database("cc -mcpu=nonsense -march=unheard-of -c a.c");
    expect_cached(0, "cold");
    expect_cached(1, "warm");
    write_database("cc --target=nonsense-of-target -std=c1066 -c a.c");
    expect_cached(0, "cold, and degraded");
    cr_expect_eq(p.counts.units_degraded, 1);
    expect_cached(1, "warm, and degraded");
    cr_expect_eq(p.counts.units_degraded, 1);
}

/* What is not C is known by the list of units, whether the program is known or not. */
Test(cache, files_of_other_languages) {
    char text[PROJECT_PATH * 6];
    static const char entry[] = "{\"directory\": \"%s\", \"file\": \"%s\", \"command\": \"cc %s\"}";
    const char *names[] = {"a.c", "b.cc", "c.cc"};
    project_write(&p, "a.c", "int x; int *f(void) { return &x; }\n");
    for (unsigned n = 1; n <= 3; n++) {
        size_t at = (size_t)snprintf(text, sizeof text, "[");
        for (unsigned i = 0; i < n; i++) {
            at +=
                (size_t)snprintf(text + at, sizeof text - at, entry, p.folder, names[i], names[i]);
            at += (size_t)snprintf(text + at, sizeof text - at, i + 1 < n ? "," : "]");
        }
        project_write(&p, "compile_commands.json", text);
        opts.database = p.folder;
        expect_cached(n > 1, text);
        cr_expect_eq(p.counts.other_languages, n - 1);
    }
}

/* A database of a.c, b.c and c.c, with what is made of each. */
static void write_outputs(const char *const outputs[3]) {
    char text[PROJECT_PATH * 6];
    size_t at = 0;
    for (unsigned i = 0; i < 3; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "%s{\"directory\": \"%s\", \"file\": \"%c.c\", \"output\": "
                               "\"%s\", \"command\": \"cc %c.c\"}",
                               i ? "," : "[", p.folder, 'a' + i, outputs[i], 'a' + i);
    strcpy(text + at, "]");
    project_write(&p, "compile_commands.json", text);
    opts.database = p.folder;
}

/* Units stay as they are when targets change, and the program does not. */
Test(cache, targets) {
    static const char *const outputs[][3] = {{"a.p/a.o", "b.p/b.o", "a.p/c.o"},
                                             {"a.p/a.o", "b.p/b.o", "b.p/c.o"},
                                             {"a.p/a.o", "b.p/b.o", "c.p/c.o"},
                                             {"a.o", "b.o", "c.o"}};
    project_write(&p, "a.c",
                  "int *give(int *), x, *y; int main(void) { y = give(&x); return 0; }\n");
    project_write(&p, "b.c",
                  "int *give(int *), x, *y; int main(void) { y = give(&x); return 0; }\n");
    project_write(&p, "c.c", "int *give(int *p) { return p; }\n");
    for (unsigned n = 0; n < 4; n++) {
        write_outputs(outputs[n]);
        expect_cached(n ? 3 : 0, outputs[n][2]);
        expect_cached(3, "warm");
        cr_expect_eq(p.counts.programs, 2);
    }
    opts.programs = CFLR_PROGRAMS_MERGED;
    expect_cached(3, "merged");
    opts.targets = (const char *const[]){"b.c"};
    opts.n_targets = 1;
    expect_cached(3, "one target");
    opts.programs = CFLR_PROGRAMS_APART;
    expect_cached(3, "one target, apart");
    cr_expect_eq(p.counts.left_out, 1);
}

/* Once much memory is in use, units wait packed: those that were read, and those of the cache. */
Test(cache, units_that_wait_packed) {
    static const char *const outputs[] = {"p/a.o", "p/b.o", "p/c.o"};
    write_three();
    write_outputs(outputs);
    void *ballast = cflri_alloc(p.context, (size_t)128 << 20);
    expect_cached(0, "cold");
    expect_cached(3, "warm");
    rewrite("c.c", "int *h(void) { return 0; }\n");
    expect_cached(2, "changed");
    cflri_free(p.context, ballast);
}

/* ---- every construct ---- */

/* With the options that linking looks at; n units. Under sanitizers, with the first and the last of
 * them: the same code reads and writes the others. */
static void expect_linked(unsigned n, bool cold) {
    static const struct {
        cflr_contexts context;
        cflr_calls calls;
    } choices[] = {{CFLR_CONTEXT_NONE, CFLR_CALLS_ASSIGN},
                   {CFLR_CONTEXT_CLONE, CFLR_CALLS_BRACKETS},
                   {CFLR_CONTEXT_HEAP, CFLR_CALLS_ASSIGN},
                   {CFLR_CONTEXT_TYPES, CFLR_CALLS_BRACKETS}};
    const size_t step = TEST_SANITIZED && !getenv("CFLR_TEST_EXHAUSTIVE") ? 3 : 1;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i += step) {
        opts.context = choices[i].context;
        opts.calls = choices[i].calls;
        expect_cached(cold && i == 0 ? 0 : n, "the units are known");
        expect_cached(n, "the program is known");
    }
    opts.clone_limit = 100;
    expect_cached(n, "few clones");
    opts.clone_limit = 0;
}

/* Whatever facts and reports are made of is in one of these graphs. */
static void expect_all_constructs(cflr_fields fields, cflr_locals locals) {
    static const char *const checks[] = {"free", "puts", "memcpy"};
    static const char *const rules[] = {"null", "command", "format"};
    construct_files *files = malloc(sizeof *files);
    const char *path[CONSTRUCT_MOST_FILES];
    construct_list(files);
    for (size_t i = 0; i < files->n; i++) path[i] = files->path[i];
    opts.files = path;
    opts.n_files = files->n;
    opts.fields = fields;
    opts.locals = locals;
    expect_linked((unsigned)files->n, true);
    opts.must_alias = checks;
    opts.n_must_alias = sizeof checks / sizeof *checks;
    expect_linked((unsigned)files->n, true);
    cr_expect(cflr_extract_check(p.report, 0) != NULL);
    use_rules(rules, sizeof rules / sizeof *rules);
    expect_linked((unsigned)files->n, true);
    free(files);
}

Test(cache, every_construct) {
    expect_all_constructs(CFLR_FIELDS_SENSITIVE, CFLR_LOCALS_SPLIT);
}

/* Facts of other numbers, read and written by the same code: sanitizers have seen it above. */
Test(cache, every_construct_otherwise) {
    if (TEST_SANITIZED && !getenv("CFLR_TEST_EXHAUSTIVE")) return;
    expect_all_constructs(CFLR_FIELDS_INSENSITIVE, CFLR_LOCALS_WHOLE);
}

/* ---- the directory ---- */

static struct {
    const char *tag; /* of the first section: "FROM" in a unit, "WHAT" in a program */
    unsigned n;
    uint64_t bytes;
    char last[PROJECT_PATH * 2];
} entries;

static int count_entry(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)at;
    char head[12] = "";
    if (kind != FTW_F) return 0;
    FILE *file = fopen(path, "rb");
    cr_assert(file && fread(head, 1, sizeof head, file) == sizeof head);
    fclose(file);
    if (memcmp(head + 8, entries.tag, 4) != 0) return 0;
    entries.n++;
    entries.bytes += (uint64_t)info->st_blocks * 512;
    snprintf(entries.last, sizeof entries.last, "%s", path);
    return 0;
}

static unsigned count_entries(const char *tag) {
    memset(&entries, 0, sizeof entries);
    entries.tag = tag;
    nftw(cache, count_entry, 16, FTW_PHYS);
    return entries.n;
}

static void write_bytes(const char *path, const char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(data, 1, size, file), size);
    fclose(file);
}

/* Damages the one entry with this tag at many places and lengths, of which there are few without
 * sanitizers. It must be replaced by the same
 * bytes, and `cached` units come from the cache nevertheless. */
static void damage_entry(const char *tag, unsigned cached) {
    size_t size, tried = 0;
    cr_assert_eq(count_entries(tag), 1);
    char *path = strdup(entries.last), *whole = project_read_bytes(path, &size),
         *data = malloc(size);
    for (size_t at = 0; at < size; at += TEST_SANITIZED ? 7 : 19, tried++) {
        memcpy(data, whole, size);
        data[at] = (char)(data[at] ^ (1 << at % 8));
        write_bytes(path, data, at % 2 ? size : at);
        project_extract(&p, &opts);
        cr_assert_eq(p.counts.units_cached, cached, "%s, damage at %zu", tag, at);
        cr_assert(project_has_edge(&p, "f::v -a-> f::return"));
        const cflr_note *note = project_note(&p, CFLR_NOTE_CACHE, "damaged");
        cr_assert(note && note->count == 1 && strcmp(note->file, path) == 0);
        size_t now;
        char *again = project_read_bytes(path, &now);
        cr_assert(now == size && memcmp(again, whole, size) == 0, "%s, damage at %zu", tag, at);
        free(again);
    }
    cr_expect_gt(tried, 20);
    free(path);
    free(whole);
    free(data);
}

static void damage_both(void) {
    expect_cached(0, "cold");
    damage_entry("FROM", 0);
    damage_entry("WHAT", 1);
}

Test(cache, damage) {
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    damage_both();
}

Test(cache, damage_with_rules) {
    static const char *const rules[] = {"null"};
    project_write(&p, "a.c", "int *f(int *v) { *v = 1; return v; }\n");
    use_rules(rules, 1);
    damage_both();
}

/* The entry of another unit under this one's name. */
Test(cache, a_foreign_entry) {
    size_t size;
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    expect_cached(0, "cold");
    count_entries("FROM");
    char *other = project_read_bytes(entries.last, &size);
    cr_assert_eq(unlink(entries.last), 0);
    rewrite("a.c", "int *p, x; void g(void) { p = &x; }\n");
    static const char *const flags[] = {"-DOTHER"};
    opts.flags = flags;
    opts.n_flags = 1;
    expect_cached(0, "cold");
    cr_assert_eq(count_entries("FROM"), 1);
    write_bytes(entries.last, other, size);
    project_extract(&p, &opts);
    cr_expect_eq(p.counts.units_cached, 0);
    cr_expect(project_note(&p, CFLR_NOTE_CACHE, "damaged"));
    expect_cached(1, "warm");
    free(other);
}

/* What has the name of an entry and no end, or no beginning, is none. */
Test(cache, entries_that_are_no_files) {
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    expect_cached(0, "cold");
    cr_assert_eq(count_entries("FROM"), 1);
    cr_assert_eq(unlink(entries.last), 0);
    cr_assert_eq(mkfifo(entries.last, 0600), 0);
    expect_cached(0, "a FIFO");
    expect_cached(1, "beside a FIFO");
    cr_assert_eq(unlink(entries.last), 0);
    cr_assert_eq(symlink("/dev/zero", entries.last), 0);
    expect_cached(1, "beside /dev/zero");
}

Test(cache, a_directory_that_cannot_be_made) {
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    project_write(&p, "kept", "a file");
    for (int run = 0; run < 2; run++) {
        project_extract(&p, &opts);
        cr_expect_eq(p.counts.units_cached, 0);
        const cflr_note *note = project_note(&p, CFLR_NOTE_CACHE, "");
        cr_assert(note != NULL);
        cr_expect(strstr(note->file, "kept/here"), "%s", note->file);
        cr_expect_eq(note->count, 1);
    }
}

/* A file that may not grow is what a full disk is. */
Test(cache, a_full_disk) {
    struct rlimit limit;
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    project_write(&p, "b.c", "int *g(int *v) { return v; }\n");
    cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
    struct rlimit small = {100, limit.rlim_max};
    signal(SIGXFSZ, SIG_DFL); /* which would end the process */
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &small), 0);
    project_extract(&p, &opts);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const cflr_note *note = project_note(&p, CFLR_NOTE_CACHE, "cannot write");
    cr_assert(note && note->count == 1);
    cr_expect(project_has_edge(&p, "g::v -a-> g::return"));
    cr_expect_eq(count_entries("FROM"), 0);
    expect_cached(0, "cold");
    expect_cached(2, "warm");
}

/* May be read, and not written. Root is not kept from writing. */
Test(cache, the_directory_of_another) {
    char whole[PROJECT_PATH * 2];
    project_write(&p, "a.c", "int *f(int *v) { return v; }\n");
    expect_cached(0, "cold");
    cr_assert_eq(chmod(p.folder, 0755), 0);
    bool root = geteuid() == 0;
    if (root) cr_assert_eq(seteuid(65534), 0);
    if (!root) cr_assert_eq(chmod(project_path(&p, "kept", whole), 0555), 0);
    if (!root) cr_assert_eq(chmod(cache, 0555), 0);
    project_extract(&p, &opts);
    cr_expect_eq(p.counts.units_cached, 1);
    cr_expect(!project_note(&p, CFLR_NOTE_CACHE, ""));
    static const char *const flags[] = {"-DOTHER"};
    opts.flags = flags;
    opts.n_flags = 1;
    project_extract(&p, &opts);
    cr_expect_eq(p.counts.units_cached, 0);
    cr_expect(project_note(&p, CFLR_NOTE_CACHE, "Permission denied"));
    if (root) cr_assert_eq(seteuid(0), 0);
    if (!root) cr_assert_eq(chmod(cache, 0755), 0);
    if (!root) cr_assert_eq(chmod(whole, 0755), 0);
}

/* Runs end at any time; what they leave is whole entries, and beginnings that nothing reads. */
Test(cache, killed_runs) {
    write_three();
    opts.files = p.source;
    opts.n_files = p.n_sources;
    for (useconds_t wait = 0; wait < 200000; wait += 7000) {
        pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0) {
            cflr_context *context;
            cflr_graph *graph;
            _exit(cflr_context_new(NULL, &context, NULL) != CFLR_OK ||
                  cflr_extract(context, &opts, &graph, NULL, NULL) != CFLR_OK);
        }
        usleep(wait);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        project_extract(&p, &opts);
        cr_expect(!project_note(&p, CFLR_NOTE_CACHE, ""));
        expect_cached(3, "after that");
        nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    }
}

/* ---- the limit ---- */

static void read_with_store(const char *const *files, size_t n, uint64_t limit) {
    cflri_store *store;
    cflri_units_request request = {.files = files, .n_files = n};
    cflri_units units;
    cflri_summaries *summaries;
    cr_assert_eq(cflri_summaries_new(p.context, NULL, 0, &summaries, NULL), CFLR_OK);
    cr_assert_eq(cflri_units_list(p.context, &request, &units, NULL), CFLR_OK);
    cr_assert_eq(cflri_store_open(p.context, &opts, summaries, &store, NULL), CFLR_OK);
    for (size_t i = 0; i < units.list.n; i++) {
        cflri_facts facts = {0};
        cflri_inclusions read = {0};
        cflri_unit_outcome outcome;
        const cflri_unit *unit = &units.list.at[i];
        cflri_kept kept;
        if (!cflri_store_look(store, unit, &kept)) {
            cr_assert_eq(cflri_facts_init(&facts, p.context, CFLR_FIELDS_SENSITIVE, NULL), CFLR_OK);
            cr_assert_eq(cflri_unit_read(p.context, unit, summaries, &facts, &read, &outcome, NULL),
                         CFLR_OK);
            cr_assert(cflri_store_save(store, unit, &read, &facts, &outcome, &kept));
        }
        cflri_inclusions_free(&read, p.context);
        cflri_facts_free(&facts);
    }
    cflri_store_close(store, limit);
    cflri_units_free(&units);
    cflri_summaries_free(summaries);
}

Test(cache, the_oldest_are_removed) {
    enum { FILES = 10, USED = 4 };
    char name[20], text[60];
    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "u%d.c", i);
        snprintf(text, sizeof text, "int *f%d(int *v) { return v; }\n", i);
        project_write(&p, name, text);
    }
    read_with_store(p.source, FILES - 1, CFLRI_STORE_LIMIT);
    cr_assert_eq(count_entries("FROM"), FILES - 1);
    uint64_t one = entries.bytes / (FILES - 1);
    usleep(20000);
    read_with_store(p.source, USED, 0);
    cr_assert_eq(count_entries("FROM"), FILES - 1, "nothing was saved, so nothing is removed");
    usleep(20000);
    read_with_store(p.source + FILES - 1, 1, (USED + 1) * one);
    cr_expect_eq(count_entries("FROM"), USED + 1);
    expect_cached(USED + 1, "the used ones and the new one stay");
}

/* ---- several at once ---- */

static void *extract_alone(void *edges) {
    cflr_context *context;
    cflr_context_opts context_opts;
    cflr_graph *graph;
    cflr_context_opts_init(&context_opts);
    context_opts.threads = 2;
    if (cflr_context_new(&context_opts, &context, NULL) != CFLR_OK) return NULL;
    for (int run = 0; run < 5; run++) {
        if (cflr_extract(context, &opts, &graph, NULL, NULL) != CFLR_OK) return NULL;
        *(uint64_t *)edges += cflr_graph_edges(graph);
        cflr_graph_free(graph);
    }
    cflr_context_free(context);
    return edges;
}

Test(cache, many_runs_at_once) {
    enum { RUNS = 4 };
    pthread_t thread[RUNS];
    uint64_t edges[RUNS] = {0};
    write_three();
    opts.files = p.source;
    opts.n_files = p.n_sources;
    for (int i = 0; i < RUNS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, extract_alone, &edges[i]), 0);
    for (int i = 0; i < RUNS; i++) {
        void *done;
        pthread_join(thread[i], &done);
        cr_expect(done != NULL);
    }
    expect_cached(3, "warm");
    for (int i = 0; i < RUNS; i++) cr_expect_eq(edges[i], 5 * cflr_graph_edges(p.graph));
}

/* ---- memory ---- */

static cflr_status extract(cflr_context *context, void *cold, cflr_error *error) {
    cflr_graph *graph;
    if (cold) nftw(cache, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    cflr_status st = cflr_extract(context, &opts, &graph, NULL, error);
    cflr_graph_free(graph);
    return st;
}

Test(cache, failing_allocations) {
    static const char *const names[] = {"may"}, *const rules[] = {"null"};
    char whole[PROJECT_PATH * 2];
    const char *file = project_path(&p, "own.txt", whole);
    project_write(&p, "own.txt", "pick: ret = arg0\n");
    project_write(&p, "h.h", "extern int *p;\n");
    project_write(
        &p, "a.c",
        "#include \"h.h\"\nint *pick(int *), *make(void); void may(void *, void *); int x;\n"
        "void f(void) { p = pick(&x); may(p, make()); }\n");
    opts.files = p.source;
    opts.n_files = p.n_sources;
    opts.summaries = &file;
    opts.n_summaries = 1;
    opts.may_alias = names;
    opts.n_may_alias = 1;
    use_rules(rules, 1);
    fail_alloc_sweep(extract, &p);
    fail_alloc_sweep(extract, NULL);
    expect_cached(1, "warm");
}

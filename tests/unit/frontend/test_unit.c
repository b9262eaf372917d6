/* SPDX-License-Identifier: Apache-2.0
 *
 * test_unit.c: what libclang says about a file, and what becomes of it.
 */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "extract_support.h"
#include "frontend/compdb/compdb.h"
#include "frontend/units/unit.h"

#define BAD_C CFLR_SOURCE_DIR "/tests/bad/c"

static project p;
static cflri_summaries *summaries;
static cflri_unit_outcome outcome;
static size_t n_assigns;

static void setup(void) {
    project_begin(&p);
    cr_assert_eq(cflri_summaries_new(p.context, NULL, 0, &summaries, NULL), CFLR_OK);
}
static void teardown(void) {
    cflri_summaries_free(summaries);
    project_end(&p);
}

TestSuite(unit, .init = setup, .fini = teardown);

static void read_first(const cflri_units_request *request) {
    cflri_units units;
    cflri_facts facts;
    cflr_error error = {0};
    cr_assert_eq(cflri_units_list(p.context, request, &units, &error), CFLR_OK, "%s",
                 error.message);
    cr_assert_eq(cflri_facts_init(&facts, p.context, CFLR_FIELDS_SENSITIVE, &error), CFLR_OK);
    cr_assert_eq(
        cflri_unit_read(p.context, &units.list.at[0], summaries, &facts, NULL, &outcome, &error),
        CFLR_OK, "%s", error.message);
    n_assigns = facts.assigns.n;
    cflri_facts_free(&facts);
    cflri_units_free(&units);
}

static void read_path(const char *path, const char *const *flags, size_t n_flags) {
    read_first(
        &(cflri_units_request){.files = &path, .n_files = 1, .flags = flags, .n_flags = n_flags});
}

static void read_text(const char *text, const char *flag) {
    char path[PROJECT_PATH * 2];
    project_write(&p, "a.c", text);
    read_path(project_path(&p, "a.c", path), &flag, flag ? 1 : 0);
}

static const char body[] = "int *p, x;\nvoid f(void) { p = &x; }\n";

Test(unit, good) {
    read_text(body, NULL);
    cr_expect_eq(outcome.state, CFLRI_UNIT_READ);
    cr_expect_eq(outcome.errors, 0);
    cr_expect_eq(outcome.lines, 2);
    cr_expect_str_eq(outcome.first_error, "");
    cr_expect_eq(n_assigns, 1);
    read_text("int x;", NULL);
    cr_expect_eq(outcome.lines, 1, "a last line without newline is a line");
}

/* Headers of the compiler itself are found, whatever is installed beside libclang. */
Test(unit, compiler_headers_are_found) {
    read_text(
        "#include <stddef.h>\n#include <stdarg.h>\n#include <stdint.h>\n"
        "#include <stdatomic.h>\n#include <stdio.h>\n#include <immintrin.h>\n",
        NULL);
    cr_expect_eq(outcome.state, CFLRI_UNIT_READ, "%s", outcome.first_error);
}

/* gcc's own flags and old C cost nothing. */
Test(unit, what_does_not_degrade) {
    static const char *const flags[] = {
        "-fno-lifetime-dse", "-mindirect-branch=thunk", "-mpreferred-stack-boundary=4",
        "-Werror",           "-mno-such-flag",          "-std=gnu89"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        read_text(body, flags[i]);
        cr_expect_eq(outcome.state, CFLRI_UNIT_READ, "%s: %s", flags[i], outcome.first_error);
        cr_expect_eq(n_assigns, 1, "%s", flags[i]);
    }
    static const char *const texts[] = {
        "f(x) int x; { return g(x); }\n",
        "int *p; void f(long n) { p = n; n = p; }\n",
        "int *f(char *s) { return s; }\nvoid (*h)(int) = f;\n",
        "int f(void) { return; }\nvoid g(void) { return 1; }\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        read_text(texts[i], NULL);
        cr_expect_eq(outcome.state, CFLRI_UNIT_READ, "%s: %s", texts[i], outcome.first_error);
    }
}

Test(unit, a_missing_header_degrades) {
    read_text("#include \"nowhere.h\"\nint *p, x;\nvoid f(void) { p = &x; }\n", NULL);
    cr_expect_eq(outcome.state, CFLRI_UNIT_DEGRADED);
    cr_expect_eq(outcome.errors, 1);
    cr_expect_eq(outcome.error_line, 1);
    cr_expect(strstr(outcome.first_error, "nowhere.h"), "%s", outcome.first_error);
    cr_expect(strstr(outcome.error_file, "/a.c"), "%s", outcome.error_file);
    cr_expect_eq(n_assigns, 1, "what comes after it is read");
}

Test(unit, a_flag_for_another_clang_is_dropped) {
    static const char *const flags[] = {"--target=not-a-machine", "-std=c99999"};
    for (size_t i = 0; i < 2; i++) {
        read_text(body, flags[i]);
        cr_expect_eq(outcome.state, CFLRI_UNIT_DEGRADED, "%s", flags[i]);
        cr_expect(strstr(outcome.first_error, "refused some flags"), "%s", outcome.first_error);
        cr_expect_eq(n_assigns, 1);
    }
}

Test(unit, lost) {
    char path[PROJECT_PATH * 2];
    read_path(project_path(&p, "nowhere.c", path), NULL, 0);
    cr_expect_eq(outcome.state, CFLRI_UNIT_LOST);
    cr_expect(strstr(outcome.first_error, "No such file"), "%s", outcome.first_error);
    mkdir(project_path(&p, "folder.c", path), 0777);
    project_write(
        &p, "compile_commands.json",
        "[{\"directory\": \".\", \"file\": \"folder.c\", \"command\": \"cc -c folder.c\"}]");
    read_first(&(cflri_units_request){.database = project_path(&p, "compile_commands.json", path)});
    cr_expect_eq(outcome.state, CFLRI_UNIT_LOST);
    cr_expect_neq(outcome.first_error[0], '\0');
}

/* Each file ends in its documented state, and nothing is printed. */
Test(unit, corpus) {
    char line[512], printed[PROJECT_PATH * 2];
    unsigned cases = 0;
    static const char *const states[] = {"read", "degraded", "lost"};
    FILE *table = fopen(BAD_C "/EXPECTED", "r");
    cr_assert(table != NULL);
    project_path(&p, "stderr", printed);
    int kept = dup(2), other = open(printed, O_CREAT | O_TRUNC | O_WRONLY, 0600);
    cr_assert(kept >= 0 && other >= 0);
    while (fgets(line, sizeof line, table)) {
        char file[100], state[20], part[100] = "", path[400];
        unsigned at_line;
        if (line[0] == '#') continue;
        cr_assert_geq(sscanf(line, "%99[^\t]\t%19[^\t]\t%u\t%99[^\n]", file, state, &at_line, part),
                      3, "%s", line);
        snprintf(path, sizeof path, BAD_C "/%s", file);
        dup2(other, 2);
        read_path(path, NULL, 0);
        dup2(kept, 2);
        cr_expect_str_eq(states[outcome.state], state, "%s: %s", file, outcome.first_error);
        cr_expect_eq(outcome.error_line, at_line, "%s:%u: %s", file, outcome.error_line,
                     outcome.first_error);
        cr_expect(strstr(outcome.first_error, part), "%s: '%s' is not in '%s'", file, part,
                  outcome.first_error);
        cases++;
    }
    fclose(table);
    struct stat info;
    cr_expect_eq(fstat(other, &info), 0);
    cr_expect_eq(info.st_size, 0, "the parser printed; see %s", printed);
    close(other);
    cr_assert_geq(cases, 20);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * From a file to answers in one call.
 */
#include "cflr/analyze.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/support.h"

#define FILE_NAME CFLR_SOURCE_DIR "/tests/c/alias.c"

static void analyze_in(cflr_parsing parsing, const char *grammar, const char *file,
                       cflr_status expected) {
    cflr_error error;
    cflr_context *context = test_context();
    cflr_result *result;
    cflr_extract_report *report;
    cflr_analyze_opts opts;
    cflr_analyze_opts_init(&opts);
    opts.files = &file;
    opts.n_files = 1;
    opts.grammar = grammar;
    opts.parsing = parsing;
    cflr_status st = cflr_analyze(context, &opts, &result, &report, &error);
    cr_assert_eq(st, expected, "%s", st == CFLR_OK ? "succeeds" : error.message);
    if (st != CFLR_OK) cr_assert_null(result);
    cflr_result_free(result);
    cflr_extract_report_free(report);
    cr_assert_eq(cflr_analyze(context, &opts, &result, NULL, &error), expected);
    cflr_result_free(result);
    test_context_end(context);
}

static void analyze(const char *grammar, const char *file, cflr_status expected) {
    analyze_in(CFLR_PARSING_WORKERS, grammar, file, expected);
    analyze_in(CFLR_PARSING_HERE, grammar, file, expected);
}

Test(analyze, a_file) {
    analyze(NULL, FILE_NAME, CFLR_OK);
    analyze("pointer-fs", FILE_NAME, CFLR_OK);
}

Test(analyze, failures) {
    analyze("no-such-grammar", FILE_NAME, CFLR_IO);
    analyze(NULL, CFLR_SOURCE_DIR "/tests/c/no-such-file.c", CFLR_IO);
}

Test(analyze, nothing_is_asked_for) {
    cflr_error error;
    cflr_context *context = test_context();
    cflr_result *result;
    MUST_FAIL(cflr_analyze(context, NULL, &result, NULL, &error), CFLR_ARGUMENT);
    cr_assert_null(result);
    test_context_end(context);
}

Test(analyze, answers_by_name) {
    static const char text[] =
        "int x, y; int main(void) { int *p = &x, *q = p, *r = &y; return *q + *r; }";
    char name[] = "/tmp/cflr-analyze-XXXXXX.c";
    cflr_error error;
    cflr_context *context = test_context();
    cflr_result *result;
    cflr_analyze_opts opts;
    cflr_through answer;
    cflr_vertex_list objects;
    cflr_vertex_info info;
    int fd = mkstemps(name, 2);
    cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    close(fd);
    cflr_analyze_opts_init(&opts);
    opts.files = (const char *const[]){name};
    opts.n_files = 1;
    MUST(cflr_analyze(context, &opts, &result, NULL, &error));
    unlink(name);
    MUST(cflr_result_ask_alias(result, "main::p", "main::q", &answer, &error));
    cr_expect_eq(answer, CFLR_THROUGH_PROGRAM);
    MUST(cflr_result_ask_alias(result, "main::p", "main::r", &answer, &error));
    cr_expect_eq(answer, CFLR_THROUGH_NOTHING);
    MUST(cflr_result_ask_points_to(result, "main::r", &objects, &error));
    cr_assert_eq(objects.count, 1);
    cflr_graph_vertex(cflr_result_graph(result), objects.vertices[0], &info);
    cr_expect_str_eq(info.name, "y");
    cflr_vertex_list_free(context, &objects);
    cflr_result_free(result);
    test_context_end(context);
}

/* ---- what is logged ---- */

static char logged[4096];

static void keep(void *user, cflr_log_level level, const char *message) {
    (void)user;
    size_t length = strlen(logged);
    cr_assert_eq(level, CFLR_LOG_WARNING);
    snprintf(logged + length, sizeof logged - length, "%s\n", message);
}

static void analyze_logged(const char *const *files, size_t n, cflr_extract_report **report) {
    cflr_error error;
    cflr_context *context = test_context();
    cflr_result *result;
    cflr_analyze_opts opts;
    cflr_analyze_opts_init(&opts);
    opts.files = files;
    opts.n_files = n;
    context->opts.log = keep;
    logged[0] = '\0';
    MUST(cflr_analyze(context, &opts, &result, report, &error));
    cflr_result_free(result);
    if (report) cflr_extract_report_free(*report);
    test_context_end(context);
}

Test(analyze, what_was_not_read_is_logged) {
    enum { UNITS = 12 };
    static const char text[] = "#include \"missing.h\"\nint x, *p = &x;\n";
    char name[UNITS][32];
    const char *files[UNITS + 1] = {FILE_NAME};
    cflr_extract_report *report;
    for (int i = 0; i < UNITS; i++) {
        strcpy(name[i], "/tmp/cflr-analyze-XXXXXX.c");
        int fd = mkstemps(name[i], 2);
        cr_assert(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
        close(fd);
        files[i + 1] = name[i];
    }
    analyze_logged(files, 1, NULL);
    cr_expect_str_eq(logged, "");
    analyze_logged(files, 2, NULL);
    cr_expect(strstr(logged, ":1: read with errors: 'missing.h' file not found"), "%s", logged);
    analyze_logged(files, UNITS + 1, NULL);
    cr_expect(strstr(logged, "2 more units were not read, or with errors"), "%s", logged);
    analyze_logged(files, 2, &report);
    cr_expect_str_eq(logged, "", "a caller that takes the report reads it there: %s", logged);
    for (int i = 0; i < UNITS; i++) unlink(name[i]);
}

/* ---- beside each other ---- */

static void *analyze_again(void *unused) {
    (void)unused;
    for (int i = 0; i < 4; i++) analyze(NULL, FILE_NAME, CFLR_OK);
    return NULL;
}

/* Each call that forks has a copy of what the others have open, and of what they do meanwhile. A
 * sanitizer has locks of its own, which stay taken in a copy. */
Test(analyze, in_many_threads) {
    if (TEST_SANITIZED) return;
    enum { THREADS = 8 };
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, analyze_again, NULL), 0);
    for (int i = 0; i < THREADS; i++) cr_assert_eq(pthread_join(thread[i], NULL), 0);
}

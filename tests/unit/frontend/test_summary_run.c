/* SPDX-License-Identifier: Apache-2.0
 *
 * test_summary_run.c: runs tests/c/summaries/ and checks what the C library really does.
 *
 * The same lines are questions to the analysis (test_summary_flow.c): so what the summaries claim
 * is held against what can be observed.
 */
#include <criterion/criterion.h>

#include "tests/c/summaries/expect.h"

static unsigned checks;

void expect_true(bool holds, const char *what, const char *file, int line) {
    checks++;
    cr_expect(holds, "%s:%d: %s", file, line, what);
}

void run_strings(void);
void run_memory(void);
void run_library(void);
void run_system(void);
void run_accounts(void);
void run_network(void);
void run_numbers(void);
void run_text(void);
void run_streams(void);
void run_processes(void);
void run_tables(void);
void run_files(void);
void run_objects(void);
void run_builtins(void);
void run_bytes(void);

Test(summary_run, strings) {
    run_strings();
    cr_expect_gt(checks, 40);
}

Test(summary_run, memory) {
    run_memory();
    cr_expect_gt(checks, 20);
}

Test(summary_run, library) {
    run_library();
    cr_expect_gt(checks, 30);
}

Test(summary_run, system) {
    run_system();
    cr_expect_gt(checks, 40);
}

Test(summary_run, accounts) {
    run_accounts();
    cr_expect_gt(checks, 60);
}

Test(summary_run, network) {
    run_network();
    cr_expect_gt(checks, 60);
}

Test(summary_run, numbers) {
    run_numbers();
    cr_expect_gt(checks, 60);
}

Test(summary_run, text) {
    run_text();
    cr_expect_gt(checks, 60);
}

Test(summary_run, streams) {
    run_streams();
    cr_expect_gt(checks, 30);
}

Test(summary_run, processes) {
    run_processes();
    cr_expect_gt(checks, 30);
}

Test(summary_run, tables) {
    run_tables();
    cr_expect_gt(checks, 20);
}

Test(summary_run, files) {
    run_files();
    cr_expect_gt(checks, 30);
}

Test(summary_run, objects) {
    run_objects();
    cr_expect_gt(checks, 30);
}

Test(summary_run, builtins) {
    run_builtins();
    cr_expect_gt(checks, 40);
}

Test(summary_run, bytes) {
    run_bytes();
    cr_expect_geq(checks, 6);
}

#ifdef CFLR_TEST_LIBRARIES
void run_libraries(void);

Test(summary_run, libraries) {
    run_libraries();
    cr_expect_gt(checks, 60);
}
#endif

#ifdef CFLR_TEST_CALLBACKS
void run_callbacks(void);

Test(summary_run, callbacks) {
    run_callbacks();
    cr_expect_gt(checks, 100);
}

void run_hooks(void);

Test(summary_run, hooks) {
    run_hooks();
    cr_expect_gt(checks, 10);
}
#endif

#ifdef CFLR_TEST_PORTABLE
void run_portable(void);

Test(summary_run, portable) {
    run_portable();
    cr_expect_gt(checks, 70);
}
#endif

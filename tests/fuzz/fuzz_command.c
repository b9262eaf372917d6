/* SPDX-License-Identifier: Apache-2.0
 *
 * fuzz_command.c: hostile text for the command: what it reads itself, without the library.
 *
 * The first byte, a digit from 0 on, picks the reader: a report (SARIF or a baseline), a list of
 * suppressions, comments of C, a list of changed files, a configuration. The rest is the content of
 * a file.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/alerts/changed.h"
#include "cli/alerts/read_report.h"
#include "cli/alerts/suppressions.h"
#include "cli/run/settings.h"
#include "tests/fuzz/fuzz.h"

/* A configuration is about these. */
const command *const commands[] = {&command_check, &command_solve, &command_diff, NULL};

static char path[] = "/tmp/fuzz-command-XXXXXX";

static void remove_file(void) {
    unlink(path);
}

/* Messages are not looked at. */
static int begin(void) {
    int file = mkstemp(path);
    must(file >= 0 && atexit(remove_file) == 0 && setenv("CFLR_CONFIG", path, 1) == 0);
    must(unsetenv("CFLR_ARGS") == 0);
    FILE *nowhere = fopen("/dev/null", "w");
    must(nowhere != NULL);
    stderr = nowhere;
    json_begin();
    return file;
}

static void read_one_report(void) {
    report r;
    int code = report_read(path, &r);
    must(code == 0 || code == EXIT_USAGE || code == cflr_status_exit_code(CFLR_FORMAT));
    for (size_t i = 0; code == 0 && i < r.n; i++) {
        const reported *at = &r.list[i];
        must(at->tool && at->rule && at->uri && at->text && at->level);
        must(!at->fingerprints || json_is_object(at->fingerprints));
    }
    report_free(&r);
}

static void read_suppressions(void) {
    const char *rules[] = {"null", "no-alias"};
    const alerts asked = {.rule = rules, .n_rules = 2, .complete = true};
    int code = suppressions_read(path);
    must(code == 0 || code == EXIT_USAGE);
    json_t *list = suppressions_json(&asked);
    must(json_is_array(list));
    json_decref(list);
    suppressions_audit(&asked);
    suppressions_free();
}

static int look_at_comment(void *user, const found_comment *c) {
    size_t *bytes = user;
    must(c->line > 0 && c->first > 0 && c->n_reason > 0);
    *bytes += c->n_rules + c->n_reason;
    return 0;
}

static void read_changed(void) {
    alerts none = {.complete = true};
    int code = changed_read(path);
    must(code == 0 || code == EXIT_USAGE);
    if (code == 0) changed_apply(&none);
    changed_free();
}

static void read_configuration(void) {
    static const char *const names[] = {"check", "solve", "diff"};
    for (size_t i = 0; commands[i]; i++) {
        const char *line[] = {names[i], NULL}, **words = line;
        const setting *list;
        size_t n;
        int n_words = 1, code = settings_merge(commands[i], &n_words, &words);
        must(code == 0 || code == EXIT_USAGE);
        settings_list(&list, &n);
        for (size_t k = 0; k < n; k++) must(list[k].command && list[k].option && list[k].from);
        for (int k = 1; code == 0 && k < n_words; k++) must(strncmp(words[k], "--", 2) == 0);
        settings_free();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    size_t bytes = 0;
    if (file < 0) file = begin();
    if (!size) return 0;
    must(ftruncate(file, 0) == 0);
    must(pwrite(file, data + 1, size - 1, 0) == (ssize_t)(size - 1));
    switch (data[0] & 7) {
        case 0:
            read_one_report();
            break;
        case 1:
            read_suppressions();
            break;
        case 2:
            must(comments_scan(path, look_at_comment, &bytes) == 0 && bytes <= 3 * size);
            break;
        case 3:
            read_changed();
            break;
        default:
            read_configuration();
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_diff.c: `cflr diff OLD NEW`: what the later of two files has that the earlier one has not,
 * and the other way around. Both are reports (diff_reports.c), or both are results
 * (diff_results.c): the first bytes tell.
 */
#include <errno.h>
#include <string.h>

#include "cli/diff/diff.h"

static char *only, *fail_on, *sarif_path;

static struct poptOption table[] = {
    OPTION_VALUE("only", '\0', &only,
                 "print these only, or nothing but how many there are, one of: new gone counts",
                 "WHICH"),
    OPTION_VALUE("fail-on", '\0', &fail_on,
                 "what makes the exit code 1 (default: new, of results any difference), one of: "
                 "new none",
                 "WHICH"),
    OPTION_VALUE("sarif", '\0', &sarif_path, "write NEW, a report, with its new results alone",
                 "FILE"),
    COMMON_OPTIONS};

static int check_options(diff_request *request) {
    static const option_word parts[] = {
        {"new", DIFF_NEW}, {"gone", DIFF_GONE}, {"counts", DIFF_COUNTS}, {NULL, 0}};
    static const option_word failing[] = {
        {"new", DIFF_FAILS_NEW}, {"none", DIFF_FAILS_NONE}, {NULL, 0}};
    int part = DIFF_ALL, fails = DIFF_FAILS_BY_KIND;
    int code = read_word("only", only, parts, &part);
    if (!code) code = read_word("fail-on", fail_on, failing, &fails);
    if (!code) code = check_writable(output_path());
    if (!code && sarif_path) code = check_writable(sarif_path);
    request->only = (diff_part)part;
    request->fails = (diff_fails)fails;
    request->sarif = sarif_path;
    return code;
}

/* Is the file a result, or at least no text? 0, or the exit code after a message. */
static int look_at_kind(const char *path, bool *result) {
    static const char word[] = "CFLR";
    char begin[sizeof word] = "";
    FILE *file = fopen(path, "r");
    if (!file) {
        complain("%s: cannot open: %s", shown(path), strerror(errno));
        return cflr_status_exit_code(CFLR_IO);
    }
    size_t n = fread(begin, 1, sizeof word - 1, file);
    fclose(file);
    *result = n == sizeof word - 1 && memcmp(begin, word, n) == 0;
    return 0;
}

static int diff(const diff_request *request) {
    bool old = false, new = false;
    int code = look_at_kind(request->old, &old);
    if (!code) code = look_at_kind(request->new, &new);
    if (code) return code;
    if (old != new)
        return usage_error("%s is a result, %s is none: compare two results, or two reports",
                           shown(old ? request->old : request->new),
                           shown(old ? request->new : request->old));
    if (old && request->sarif) return usage_error("--sarif is of reports, and these are results");
    return old ? diff_results(request) : diff_reports(request);
}

static int run(const cli_arguments *arguments) {
    diff_request request = {.old = arguments->operand[0], .new = arguments->operand[1]};
    int code = check_options(&request);
    if (!code) code = session_begin();
    return code ? code : diff(&request);
}

const command command_diff = {.name = "diff",
                              .operands = "OLD NEW",
                              .summary = "compare two results, or two reports",
                              .options = table,
                              .min_operands = 2,
                              .max_operands = 2,
                              .run = run};

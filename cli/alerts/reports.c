/* SPDX-License-Identifier: Apache-2.0
 *
 * reports.c: the files that a run writes for pipelines, each in a format of its own.
 *
 * A report has all alerts that are asked for, known or new: the server that gets it compares runs
 * itself. What is suppressed is left out, because GitHub shows it all the same; and so is what lies
 * outside of the source tree, because one such alert makes GitHub refuse the whole file.
 */
#include "cli/alerts/reports.h"

#include <string.h>

#include "cli/alerts/tree.h"

typedef struct report_kind {
    const char *option;
    char **path;
    void (*write)(FILE *file, const alerts *a);
} report_kind;

static char *sarif_path, *code_quality_path, *markdown_path, *html_path;

struct poptOption reports_table[] = {
    OPTION_VALUE("sarif", '\0', &sarif_path,
                 "what was found as SARIF, for GitHub and others (- for standard output)", "FILE"),
    OPTION_VALUE("code-quality", '\0', &code_quality_path,
                 "what was found as a code quality report of GitLab", "FILE"),
    OPTION_VALUE("html", '\0', &html_path,
                 "what was found as a page to look at, which needs nothing else", "FILE"),
    OPTION_VALUE("markdown", '\0', &markdown_path, "a summary in Markdown", "FILE"), POPT_TABLEEND};

static const report_kind kinds[] = {{"sarif", &sarif_path, sarif_write},
                                    {"code-quality", &code_quality_path, code_quality_write},
                                    {"html", &html_path, html_write},
                                    {"markdown", &markdown_path, markdown_write}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_standard(const report_kind *kind) {
    return *kind->path && strcmp(*kind->path, "-") == 0;
}

int reports_check(void) {
    int code = 0, standard = 0;
    for (size_t i = 0; i < KINDS && !code; i++) {
        if (*kinds[i].path) code = check_writable(*kinds[i].path);
        standard += is_standard(&kinds[i]);
    }
    if (code || standard == 0) return code;
    static char nowhere[] = "/dev/null";
    if (standard > 1) return usage_error("only one report can go to standard output");
    if (output_is_standard()) common.output = nowhere; /* nothing else is to be in it */
    return 0;
}

size_t count_placeless(const alerts *a) {
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        n += a->list[i].asked && !a->list[i].suppressed && !is_reported(&a->list[i]);
    return n;
}

static void warn_placeless(const alerts *a) {
    size_t n = count_placeless(a);
    if (n > 0)
        remark(
            "warning: %zu of what was found is in no report: it is outside of the source tree "
            "(see --source-root)",
            n);
}

int reports_write(const alerts *a, int code) {
    if (sarif_path || code_quality_path) warn_placeless(a);
    for (size_t i = 0; i < KINDS; i++) {
        if (!*kinds[i].path) continue;
        FILE *file = open_file(*kinds[i].path);
        if (file) kinds[i].write(file, a);
        int written = finish_output(file, code);
        if (written != code) return written;
    }
    return code;
}

bool is_reported(const alert *a) {
    return a->asked && !a->suppressed && tree_path(a->place.file) && a->place.line > 0;
}

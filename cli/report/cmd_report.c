/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_report.c: `cflr report RESULT -o PAGE`: a result as a page of HTML that needs nothing else:
 * what points where, to be searched and followed (report.h).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/answer/asking.h"
#include "cli/answer/loading.h"
#include "cli/report/overview.h"

static char *label_name, *page_size, *around, **only;
static int no_source;

static struct poptOption table[] = {
    OPTION_VALUE(
        "label", '\0', &label_name,
        "show the relation of SYMBOL (default: what answers points-to, or the start symbol)",
        "SYMBOL"),
    OPTION_LIST("only", '\0', &only, "list pointers of this file and no others (may be repeated)",
                "PATH"),
    OPTION_VALUE("around", '\0', &around, "begin with POINTER, and keep what is near it",
                 "POINTER"),
    OPTION_VALUE("page-size", '\0', &page_size, "keep what matters most in so much (default 20M)",
                 "SIZE"),
    OPTION_FLAG("no-source", '\0', &no_source, "without code"),
    COMMON_OPTIONS};

static const uint64_t usual_size = 20 << 20;

/* 0, or the exit code after a message. */
static int find_relation(result_page *r) {
    cflr_result_label info;
    uint32_t answer = answering_label(r->result, "points-to");
    r->label = answer != CFLR_NO_LABEL ? answer : cflr_result_start(r->result);
    if (label_name) r->label = cflr_result_find_label(r->result, label_name);
    if (r->label == CFLR_NO_LABEL && label_name) {
        complain("--label %s: the result has no such symbol", shown(label_name));
        return EXIT_USAGE;
    }
    if (r->label == CFLR_NO_LABEL) {
        complain("%s: the result has neither what answers points-to nor its start symbol: --label",
                 shown(r->path));
        return EXIT_USAGE;
    }
    cflr_result_get_label(r->result, r->label, &info);
    r->points_to = r->label == answer;
    if (info.kind != CFLR_SYMBOL_MEETING) return 0;
    complain("'%s' has no rows of its own: --label names a symbol", shown(info.name));
    return EXIT_USAGE;
}

static int write_page(result_page *r) {
    FILE *file = open_output();
    if (!file) return finish_output(file, 0);
    page_write(file, "result", data_put, r);
    return finish_output(file, 0);
}

static int make(result_page *r) {
    int code = find_relation(r);
    if (!code) code = sets_find(r);
    if (code) return code;
    runs_make(r);
    holds_find(r);
    figures_find(r);
    if (around) code = around_find(r, around);
    if (!code) code = choose_rows(r);
    if (!code) overview_warn(r);
    return code ? code : write_page(r);
}

void result_page_free(result_page *r) {
    looks_free(&r->looks);
    blocks_free(&r->sets);
    free(r->set);
    free(r->holds_at);
    free(r->holds);
    free(r->figures.popularity);
    free(r->figures.sharing);
    free(r->near);
    free(r->row);
    free(r->set_row);
    free(r->object);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    result_page r = {.path = arguments->operand[0],
                     .only = only,
                     .limit = usual_size,
                     .code = !no_source,
                     .focus = NONE};
    if (wants_json()) return usage_error("--format json: a page is HTML");
    int code = page_size ? read_size("page-size", page_size, &r.limit) : 0;
    if (!code) code = check_writable(output_path());
    if (!code) code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), r.path, &result, &error) != CFLR_OK) return fail(&error);
    warn_of_result(result, r.path, "what is not on the page may be so, too");
    r.result = result;
    r.graph = cflr_result_graph(result);
    code = make(&r);
    result_page_free(&r);
    return end_result(result, code);
}

const command command_report = {.name = "report",
                                .operands = "RESULT",
                                .summary = "a result as a page to look at: what points where",
                                .options = table,
                                .min_operands = 1,
                                .max_operands = 1,
                                .run = run};

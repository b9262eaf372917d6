/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_callgraph.c: `cflr callgraph RESULT`: which function calls which (callgraph.c).
 */
#include <stdlib.h>

#include "cli/answer/asking.h"
#include "cli/answer/loading.h"
#include "cli/names/names.h"
#include "cli/query/callgraph_print.h"

static char *callers_of, *callees_of;
static int as_dot;

static struct poptOption table[] = {
    OPTION_VALUE("callers", '\0', &callers_of, "only calls that may enter this function",
                 "FUNCTION"),
    OPTION_VALUE("callees", '\0', &callees_of, "only calls that this function makes", "FUNCTION"),
    OPTION_FLAG("dot", '\0', &as_dot, "print a graph for Graphviz"), COMMON_OPTIONS};

static int refuse_function(const callgraph *c, const char *spec) {
    const char **names = calloc(c->n_functions, sizeof *names);
    if (!names) return fail_memory();
    for (uint32_t i = 0; i < c->n_functions; i++) {
        cflr_function_info info;
        callgraph_function(c, i, &info);
        names[c->rank[i]] = info.name;
    }
    const char *meant = nearest(spec, names, c->n_functions);
    complain("no function '%s' is defined, called or used as a value%s%s%s", shown(spec),
             meant ? "; did you mean '" : "", meant ? shown(meant) : "", meant ? "'?" : "");
    free(names);
    return cflr_status_exit_code(CFLR_NOT_FOUND);
}

/* Marks the functions that a name stands for; 0, or the exit code after a message. */
static int choose(const callgraph *c, const char *spec, bool *chosen) {
    bool any = false;
    if (!spec) return 0;
    for (uint32_t i = 0; i < c->n_functions; i++) {
        cflr_function_info info;
        callgraph_function(c, i, &info);
        chosen[i] = names_function(&info, spec);
        any |= chosen[i];
    }
    return any ? 0 : refuse_function(c, spec);
}

static int tell(const cflr_result *result) {
    callgraph c;
    int code = callgraph_begin(&c, result);
    c.chosen = callers_of || callees_of;
    if (!code) code = choose(&c, callees_of, c.caller);
    if (!code) code = choose(&c, callers_of, c.callee);
    if (!code) code = callgraph_collect(&c);
    if (!code) code = callgraph_print(&c, as_dot);
    callgraph_end(&c);
    return code;
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    const char *path = arguments->operand[0];
    if (as_dot && wants_json()) return usage_error("--dot and --format json: one of the two");
    int code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), path, &result, &error) != CFLR_OK)
        return fail_reading(&error, path, INPUT_RESULT);
    code = callgraph_check(result, path);
    if (!code) warn_of_result(result, path, "calls may be missing");
    if (!code) code = tell(result);
    return end_result(result, code);
}

const command command_callgraph = {.name = "callgraph",
                                   .operands = "RESULT",
                                   .summary = "which function calls which, through pointers too",
                                   .options = table,
                                   .min_operands = 1,
                                   .max_operands = 1,
                                   .run = run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c: `cflr explain RESULT QUESTION`: why an answer of a result holds.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/explain_imprecision.h"

enum { CAUSES = 5, MOST_CAUSES = 1000 };

static char *grammar_path, *most_causes;
static int imprecision;

static struct poptOption table[] = {
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar of the result (default: the shipped one with the same answers)",
                 "GRAMMAR"),
    OPTION_FLAG("imprecision", '\0', &imprecision,
                "say by what most points-to pairs come about, and what would be left without"),
    OPTION_VALUE("causes", '\0', &most_causes, "with --imprecision: up to N causes (default: 5)",
                 "N"),
    COMMON_OPTIONS};

static int run_imprecision(const cli_arguments *arguments) {
    uint64_t most = CAUSES;
    if (most_causes && (!parse_count(most_causes, MOST_CAUSES, &most) || most == 0))
        return usage_error("--causes %s: a number from 1 to %d", most_causes, MOST_CAUSES);
    if (arguments->n_operands > 1)
        return usage_error("unexpected '%s': --imprecision takes no question",
                           arguments->operand[1]);
    int code = session_begin();
    return code ? code : explain_imprecision(arguments->operand[0], (uint32_t)most);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
    if (imprecision) return run_imprecision(arguments);
    if (most_causes) return usage_error("--causes is an option of --imprecision");
    if (arguments->n_operands < 2) return usage_error("missing QUESTION");
    int code = session_begin();
    if (code) return code;
    if (cflr_result_load(session(), arguments->operand[0], &result, &error) != CFLR_OK)
        return fail(&error);
    cflr_result_free(result);
    return 0;
}

const command command_explain = {.name = "explain",
                                 .operands = "RESULT QUESTION",
                                 .summary = "why an answer holds, in steps of the source",
                                 .options = table,
                                 .min_operands = 1,
                                 .max_operands = 2,
                                 .run = run};

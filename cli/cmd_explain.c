/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_explain.c: `cflr explain RESULT QUESTION`: why an answer of a result holds.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static char *grammar_path;

static struct poptOption table[] = {
    OPTION_VALUE("grammar", 'g', &grammar_path,
                 "grammar of the result (default: the shipped one with the same answers)",
                 "GRAMMAR"),
    COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_result *result = NULL;
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
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .run = run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_convert.c: `cflr convert IN OUT`: one graph format to another.
 */
#include "cli/cli.h"

static char *from, *to;

static struct poptOption table[] = {
    {"graph-format", '\0', POPT_ARG_STRING, &from, 0,
     "format of IN: auto, tsv, cflg, pocr, gracfl, cfpq, souffle, mtx or dimacs", "FORMAT"},
    {"to", '\0', POPT_ARG_STRING, &to, 0,
     "format of OUT (default: by its name): tsv, cflg, pocr, gracfl, cfpq, souffle, mtx, dimacs, "
     "ndjson, dot or sqlite",
     "FORMAT"},
    COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_graph_format in = CFLR_GRAPH_AUTO, out = CFLR_GRAPH_AUTO;
    if (from && cflr_graph_format_parse(from, &in, &error) != CFLR_OK) return fail(&error);
    if (to && cflr_graph_format_parse(to, &out, &error) != CFLR_OK) return fail(&error);
    if (common.output) return usage_error("convert writes to its second operand, not to -o");
    int code = session_begin();
    if (code) return code;
    cflr_status st = cflr_graph_load(session(), arguments->operand[0], in, &graph, &error);
    if (st == CFLR_OK) st = cflr_graph_save(graph, arguments->operand[1], out, &error);
    code = st == CFLR_OK ? 0 : fail(&error);
    cflr_graph_free(graph);
    return code;
}

const command command_convert = {.name = "convert",
                                 .operands = "IN OUT",
                                 .summary = "turn one graph format into another",
                                 .options = table,
                                 .min_operands = 2,
                                 .max_operands = 2,
                                 .run = run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_convert.c: `cflr convert IN OUT`, or `IN -o OUT`: one graph format to another.
 */
#include <string.h>

#include "cli/run/run.h"

static char *from, *to;

static struct poptOption table[] = {
    OPTION_VALUE("graph-format", '\0', &from, "format of IN, " GRAPH_READ_HELP, "FORMAT"),
    OPTION_VALUE("to", '\0', &to, "format of OUT (default: by its name), " GRAPH_WRITE_HELP,
                 "FORMAT"),
    COMMON_OPTIONS};

static int print_report(const cflr_graph *graph, const char *in, const char *out) {
    json_t *object = json_object();
    json_set_text(object, "input", in);
    json_set_text(object, "output", out);
    json_set_count(object, "vertices", cflr_graph_vertices(graph));
    json_set_count(object, "edges", cflr_graph_edges(graph));
    json_set_count(object, "labels", cflr_graph_labels(graph));
    return print_json(object, 0);
}

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_graph_format in = CFLR_GRAPH_AUTO, out = CFLR_GRAPH_AUTO;
    const char *source = arguments->operand[0], *target = arguments->operand[1];
    if (target && common.output) {
        return usage_error("the output is the second operand or that of -o, not both");
    }
    if (!target) target = common.output;
    if (!target) return usage_error("convert needs IN OUT, or IN -o OUT");
    bool to_standard = strcmp(target, "-") == 0;
    if (from && cflr_graph_format_parse(from, &in, &error) != CFLR_OK) return fail(&error);
    if (to && cflr_graph_format_parse(to, &out, &error) != CFLR_OK) return fail(&error);
    forget_output(); /* the report goes to standard output */
    if (wants_json() && to_standard) {
        return usage_error("--format json: standard output is taken by the graph");
    }
    int code = check_graph_target(target, out);
    if (!code) code = session_begin();
    if (code) return code;
    cflr_status st = cflr_graph_load(session(), source, in, &graph, &error);
    if (to_standard) clear_progress();
    if (st == CFLR_OK) st = cflr_graph_save(graph, target, out, &error);
    if (st != CFLR_OK)
        code = fail(&error);
    else if (wants_json())
        code = print_report(graph, source, target);
    cflr_graph_free(graph);
    return code;
}

const command command_convert = {.name = "convert",
                                 .operands = "IN OUT, or IN -o OUT",
                                 .summary = "turn one graph format into another",
                                 .options = table,
                                 .min_operands = 1,
                                 .max_operands = 2,
                                 .run = run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_extract.c: `cflr extract -p DIR -o prog.cflg`: C source to a labelled graph.
 */
#include "cli/extraction.h"

static char *to;

static struct poptOption table[] = {
    {"to", '\0', POPT_ARG_STRING, &to, 0,
     "graph format (default: by the name of -o; tsv on standard output)", "FORMAT"},
    EXTRACTION_OPTIONS,
    COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_graph_format format = common.output ? CFLR_GRAPH_AUTO : CFLR_GRAPH_TSV;
    if (to && cflr_graph_format_parse(to, &format, &error) != CFLR_OK) return fail(&error);
    int code = extraction_check(arguments);
    if (!code) code = session_begin();
    if (code) return code;
    code = extraction_run(arguments, &graph, &report);
    if (graph) {
        if (cflr_graph_save(graph, output_path(), format, &error) != CFLR_OK)
            code = fail(&error);
        else if (common.output && !wants_json() && !common.quiet)
            extraction_text(report, stderr);
    }
    if (graph && wants_json() && common.output) {
        json_t *object = json_object();
        extraction_json(report, object);
        forget_output(); /* the graph is written; the report goes to standard output */
        int printed = print_json(object, 0);
        if (!code) code = printed;
    }
    cflr_extract_report_free(report);
    cflr_graph_free(graph);
    return code;
}

const command command_extract = {.name = "extract",
                                 .operands = "[-p DIR | FILE.c...] [-- FLAGS]",
                                 .summary = "turn C source into a labelled graph",
                                 .options = table,
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .takes_flags = true,
                                 .run = run};

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_extract.c: `cflr extract -p DIR -o prog.cflg`: C source to a labelled graph.
 */
#include "cli/extraction.h"
#include "cli/targets.h"
#include "cli/unknown.h"

static char *to;
static int unknown, list_targets;

static struct poptOption table[] = {
    OPTION_VALUE(
        "to", '\0', &to,
        "graph format (default: by the name of -o; tsv on standard output), " GRAPH_WRITE_HELP,
        "FORMAT"),
    OPTION_FLAG(
        "unknown", '\0', &unknown,
        "list the functions that have no model, instead of the graph unless -o names its file"),
    OPTION_FLAG("list-targets", '\0', &list_targets,
                "list the executables and libraries that the database tells, and read nothing"),
    EXTRACTION_OPTIONS, COMMON_OPTIONS};

/* To standard output as JSON, or to standard error as text. */
static int print_report(const cflr_extract_report *report) {
    forget_output();
    if (wants_json()) {
        json_t *object = json_object();
        extraction_json(report, object);
        return print_json(object, 0);
    }
    clear_progress();
    if (!common.quiet) extraction_text(report, stderr);
    return 0;
}

/* The graph takes the output, except from --unknown. */
static int write_all(const cflr_graph *graph, const cflr_extract_report *report,
                     cflr_graph_format format) {
    cflr_error error;
    bool standard = output_is_standard();
    if (standard && unknown) return unknown_print(report);
    if (standard) clear_progress();
    if (cflr_graph_save(graph, output_path(), format, &error) != CFLR_OK) return fail(&error);
    if (standard) return 0;
    return unknown ? unknown_print(report) : print_report(report);
}

/* 0, or the exit code after a message. */
static int check_output(void) {
    if (unknown && common.output && output_is_standard()) {
        return usage_error("--unknown takes standard output: the graph needs a file, -o FILE");
    }
    if (unknown && to && !common.output) return usage_error("--to with --unknown needs -o FILE");
    if (wants_json() && output_is_standard() && !unknown) {
        return usage_error("--format json needs -o: standard output is taken by the graph");
    }
    return 0;
}

static int run_list(const cli_arguments *arguments) {
    cflr_extract_report *report = NULL;
    int code = unknown || to ? usage_error("--list-targets goes with no graph") : 0;
    if (!code) code = extraction_check(arguments);
    if (!code) code = session_begin();
    if (!code) code = extraction_list(arguments, &report);
    if (!code) code = targets_print(report);
    cflr_extract_report_free(report);
    return code;
}

static int run(const cli_arguments *arguments) {
    if (list_targets) return run_list(arguments);

    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_graph_format format = output_is_standard() ? CFLR_GRAPH_TSV : CFLR_GRAPH_AUTO;
    if (to && cflr_graph_format_parse(to, &format, &error) != CFLR_OK) return fail(&error);
    int code = check_output();
    if (!code) code = extraction_check(arguments);
    if (!code) code = check_graph_target(output_path(), format);
    if (!code) code = session_begin();
    if (code) return code;
    code = extraction_run(arguments, &graph, &report);
    if (graph) {
        int written = write_all(graph, report, format);
        if (!code) code = written;
    }
    code = extraction_verdict(report, code);
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

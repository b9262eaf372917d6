/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_command.c: where the graph of a command goes, and what is printed beside it.
 */
#include <string.h>

#include "cli/extract/extraction.h"

static char *to;
static int unknown, list_targets;

struct poptOption graph_command_table[] = {
    OPTION_VALUE(
        "to", '\0', &to,
        "graph format (default: by the name of -o; tsv on standard output), " GRAPH_WRITE_HELP,
        "FORMAT"),
    OPTION_FLAG("linkable", '\0', &linkable,
                "keep in the .cflg file of -o what the units say, for cflr link"),
    OPTION_FLAG(
        "unknown", '\0', &unknown,
        "list the functions that have no model, instead of the graph unless -o names its file"),
    OPTION_FLAG("list-targets", '\0', &list_targets,
                "list the executables and libraries that are known, and do nothing else"),
    POPT_TABLEEND};

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

/* Is the graph written as cflg? */
static bool is_cflg(cflr_graph_format format) {
    const char *path = output_path();
    return format == CFLR_GRAPH_AUTO ? ends_with(path, ".cflg") || ends_with(path, ".cflg.zst")
                                     : format == CFLR_GRAPH_CFLG;
}

/* 0, or the exit code after a message. */
static int check_output(cflr_graph_format format) {
    if (linkable && !is_cflg(format))
        return usage_error("--linkable needs a .cflg file, -o FILE.cflg");
    if (unknown && common.output && output_is_standard()) {
        return usage_error("--unknown takes standard output: the graph needs a file, -o FILE");
    }
    if (unknown && to && !common.output) return usage_error("--to with --unknown needs -o FILE");
    if (wants_json() && output_is_standard() && !unknown) {
        return usage_error("--format json needs -o: standard output is taken by the graph");
    }
    return 0;
}

static int run_list(const cli_arguments *arguments, bool linking) {
    cflr_extract_report *report = NULL;
    int code = unknown || to ? usage_error("--list-targets goes with no graph") : 0;
    if (!code) code = extraction_check(arguments, linking);
    if (!code) code = session_begin();
    if (!code) code = extraction_list(arguments, linking, &report);
    if (!code) code = targets_print(report);
    cflr_extract_report_free(report);
    return code;
}

int graph_command_run(const cli_arguments *arguments, bool linking) {
    if (list_targets) return run_list(arguments, linking);

    cflr_error error;
    cflr_graph *graph = NULL;
    cflr_extract_report *report = NULL;
    cflr_graph_format format = output_is_standard() ? CFLR_GRAPH_TSV : CFLR_GRAPH_AUTO;
    if (to && cflr_graph_format_parse(to, &format, &error) != CFLR_OK) return fail(&error);
    int code = check_output(format);
    if (!code) code = extraction_check(arguments, linking);
    if (!code) code = check_graph_target(output_path(), format);
    if (!code) code = session_begin();
    if (code) return code;
    code = extraction_run(arguments, linking, &graph, &report);
    if (graph) {
        int written = write_all(graph, report, format);
        if (!code) code = written;
    }
    code = extraction_verdict(report, code);
    cflr_extract_report_free(report);
    cflr_graph_free(graph);
    return code;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_solve.c: `cflr solve -g GRAMMAR GRAPH`: closes a graph and prints counts or pairs.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

static char *grammar_path, *grammar_format, *graph_format, *model_name, *pairs_format;
static char **labels;
static int verify;

static struct poptOption table[] = {
    {"grammar", 'g', POPT_ARG_STRING, &grammar_path, 0,
     "grammar file, or the name of a shipped one (`cflr grammar list`)", "GRAMMAR"},
    {"grammar-format", '\0', POPT_ARG_STRING, &grammar_format, 0,
     "auto, cflr, pocr, gracfl, svf or cfpq", "FORMAT"},
    {"graph-format", '\0', POPT_ARG_STRING, &graph_format, 0,
     "auto, tsv, cflg, pocr, gracfl, cfpq, souffle, mtx or dimacs", "FORMAT"},
    {"model", '\0', POPT_ARG_STRING, &model_name, 0,
     "auto, naive, vertex, vertex-indexed, edge, edge-indexed or parallel", "MODEL"},
    {"verify", '\0', POPT_ARG_NONE, &verify, 0, "check the result; exit 1 when it is wrong", NULL},
    {"pairs", '\0', POPT_ARG_STRING, &pairs_format, 0,
     "write the pairs of the start symbol, or of --label, as tsv, ndjson, dot, sqlite or souffle",
     "FORMAT"},
    {"label", '\0', POPT_ARG_ARGV, &labels, 0, "with --pairs: this symbol (may be repeated)",
     "SYMBOL"},
    COMMON_OPTIONS};

static cflr_status load(const char *path, cli_loading *l, cflr_error *error) {
    cflr_grammar_format of_grammar = CFLR_GRAMMAR_AUTO;
    cflr_graph_format of_graph = CFLR_GRAPH_AUTO;
    cflr_status st = CFLR_OK;
    double begin = seconds_now();
    if (grammar_format) st = cflr_grammar_format_parse(grammar_format, &of_grammar, error);
    if (st == CFLR_OK && graph_format) st = cflr_graph_format_parse(graph_format, &of_graph, error);
    if (st == CFLR_OK) {
        st = cflr_grammar_load(session(), grammar_path, of_grammar, &l->grammar, error);
    }
    if (st == CFLR_OK) st = cflr_graph_load(session(), path, of_graph, &l->graph, error);
    l->seconds_load = seconds_now() - begin;
    return st;
}

/* 0, EXIT_NO when the result is wrong, or a failure. */
static int check(const cli_loading *l) {
    cflr_verify_report report;
    cflr_error error;
    if (cflr_verify(l->graph, l->grammar, l->result, 0, &report, &error) != CFLR_OK) {
        return fail(&error);
    }
    remark("verified %" PRIu64 " pairs %s: %" PRIu64 " missing, %" PRIu64 " not derivable",
           report.pairs_checked, report.by_reference ? "against the reference" : "on samples",
           report.missing, report.underivable);
    if (report.missing + report.underivable == 0) return 0;
    complain("the result is wrong: %s", report.first_failure);
    return EXIT_NO;
}

static cflr_status find_labels(const cflr_result *result, uint32_t **found, size_t *n,
                               cflr_error *error) {
    *n = 0;
    *found = NULL;
    if (!labels) return CFLR_OK;
    size_t count = 0;
    while (labels[count]) count++;
    *found = calloc(count + 1, sizeof **found);
    if (!*found) {
        *error = (cflr_error){.code = CFLR_NO_MEMORY, .message = "out of memory"};
        return CFLR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        (*found)[i] = cflr_result_find_label(result, labels[i]);
        if ((*found)[i] != CFLR_NO_LABEL) continue;
        *error = (cflr_error){.code = CFLR_NOT_FOUND};
        snprintf(error->message, sizeof error->message,
                 "--label %.100s: the grammar has no such symbol", labels[i]);
        return CFLR_NOT_FOUND;
    }
    *n = count;
    return CFLR_OK;
}

static int write_pairs(const cli_loading *l) {
    cflr_error error;
    cflr_graph_format format;
    uint32_t *found = NULL;
    size_t n;
    cflr_status st = cflr_graph_format_parse(pairs_format, &format, &error);
    if (st == CFLR_OK) st = find_labels(l->result, &found, &n, &error);
    if (st == CFLR_OK) {
        st = cflr_result_export(l->result, found, n, output_path(), format, &error);
    }
    free(found);
    return st == CFLR_OK ? 0 : fail(&error);
}

static int print_text(const cli_loading *l) {
    printf("%-24s %14s %14s\n", "symbol", "pairs", "rows");
    for (uint32_t i = 0; i < cflr_result_labels(l->result); i++) {
        cflr_result_label label;
        cflr_result_get_label(l->result, i, &label);
        printf("%-24s %14" PRIu64 " %14" PRIu64 "\n", label.name, label.pairs, label.rows);
    }
    cflr_result_stats stats;
    cflr_result_get_stats(l->result, &stats);
    printf("%-24s %14" PRIu64 "%s\n", "all", stats.pairs,
           stats.complete ? "" : "  (incomplete: a limit was hit)");
    return finish_output(stdout, 0);
}

/* Writes what was asked for; `code` says how the solving went. */
static int write_results(cli_loading *l, int code) {
    int written = 0;
    double begin = seconds_now();
    if (pairs_format) {
        written = write_pairs(l);
    } else if (common.output) {
        cflr_error error;
        if (cflr_result_save(l->result, common.output, &error) != CFLR_OK) written = fail(&error);
    }
    l->seconds_write = seconds_now() - begin;
    if (written) return written;
    if (pairs_format && !common.output) return code; /* standard output holds the pairs */
    forget_output(); /* from here on: the counts, on standard output */
    if (wants_json())
        written = print_json(solve_json(l), 0);
    else
        written = print_text(l);
    return written ? written : code;
}

static int run(const cli_arguments *arguments) {
    cli_loading l = {0};
    cflr_error error;
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    if (!grammar_path) return usage_error("solve needs -g GRAMMAR");
    if (labels && !pairs_format) return usage_error("--label goes with --pairs");
    if (model_name && cflr_model_parse(model_name, &opts.model, &error) != CFLR_OK) {
        return fail(&error);
    }
    int code = session_begin();
    if (code) return code;
    cflr_status st = load(arguments->operand[0], &l, &error);
    if (l.grammar) print_diagnostics(l.grammar, grammar_path);
    if (st == CFLR_OK) st = cflr_solve(l.graph, l.grammar, &opts, &l.result, &error);
    if (st != CFLR_OK) code = fail(&error);
    if (l.result) {
        int checked = verify ? check(&l) : 0;
        code = write_results(&l, code);
        if (!code) code = checked;
    }
    loading_free(&l);
    return code;
}

const command command_solve = {.name = "solve",
                               .operands = "GRAPH",
                               .summary = "close a labelled graph under a grammar",
                               .options = table,
                               .min_operands = 1,
                               .max_operands = 1,
                               .run = run};

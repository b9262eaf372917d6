/* SPDX-License-Identifier: Apache-2.0
 *
 * analyze.c: extraction, grammar and closure in one call, on the public interface of the three.
 */
#include "cflr/analyze.h"

#include "base/error.h"
#include "base/sized.h"

void cflr_analyze_opts_init_sized(cflr_analyze_opts *opts, size_t struct_size) {
    const cflr_analyze_opts defaults = {.parsing = CFLR_PARSING_WORKERS};
    CFLRI_GIVE_OPTS(opts, struct_size, defaults);
}

static cflr_status read_program(cflr_context *context, const cflr_analyze_opts *asked,
                                cflr_graph **graph, cflr_extract_report **report,
                                cflr_error *error) {
    cflr_extract_opts opts;
    cflr_extract_opts_init(&opts);
    opts.database = asked->database;
    opts.files = asked->files;
    opts.n_files = asked->n_files;
    opts.flags = asked->flags;
    opts.n_flags = asked->n_flags;
    opts.cache = asked->cache;
    opts.parsing = asked->parsing;
    opts.context = CFLR_CONTEXT_AUTO;
    opts.aliasing = CFLR_ALIASING_AUTO;
    return cflr_extract(context, &opts, graph, report, error);
}

static const char *fitting_grammar(const cflr_extract_report *report) {
    cflr_extract_counts counts;
    cflr_extract_get_counts(report, &counts);
    return counts.strict ? "pointer-types" : "pointer-fs";
}

/* Keeps only the symbols that questions are answered from: those that only help to derive them take
 * several times the memory. */
static cflr_status close_graph(const cflr_graph *graph, const cflr_grammar *grammar,
                               cflr_result **result, cflr_error *error) {
    static const char *const question[] = {"alias", "points-to", "flows"};
    enum { QUESTIONS = sizeof question / sizeof *question };
    const char *only[QUESTIONS + 1] = {cflr_grammar_start(grammar)};
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = 1;
    for (size_t i = 0; i < QUESTIONS; i++) {
        const char *symbol = cflr_grammar_needs(grammar, question[i]);
        if (symbol[0]) only[opts.n_only++] = symbol;
    }
    return cflr_solve(graph, grammar, &opts, result, error);
}

cflr_status cflr_analyze(cflr_context *context, const cflr_analyze_opts *opts, cflr_result **result,
                         cflr_extract_report **report, cflr_error *error) {
    cflr_analyze_opts chosen;
    cflr_graph *graph = NULL;
    cflr_grammar *grammar = NULL;
    cflr_extract_report *told = NULL;
    cflr_status st = CFLR_OK;
    *result = NULL;
    cflr_analyze_opts_init(&chosen);
    CFLR_TRY(CFLRI_TAKE_OPTS(&chosen, opts, "cflr_analyze_opts", error));
    CFLR_TRY(read_program(context, &chosen, &graph, &told, error));
    if (!chosen.grammar) chosen.grammar = fitting_grammar(told);
    CFLR_TRY(cflr_grammar_load(context, chosen.grammar, CFLR_GRAMMAR_AUTO, &grammar, error));
    st = close_graph(graph, grammar, result, error);
    if (*result) cflr_result_own_graph(*result);
out:
    if (!*result) cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    if (report)
        *report = told;
    else
        cflr_extract_report_free(told);
    return st;
}

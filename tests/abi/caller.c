/* SPDX-License-Identifier: Apache-2.0
 *
 * caller.c: a program of another version than the library: built with headers in which every struct
 * that carries its size is shorter, or longer (-DNEWER), by one member (headers.py). Behind each
 * such struct stand bytes that no call may write.
 */
#include <cflr/analyze.h>
#include <cflr/cflr.h>
#include <cflr/findings.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 64, UNTOUCHED = 0xA5 };

/* A struct full of rubbish, and bytes behind it. */
#define GUARDED(type, name)         \
    struct {                        \
        type at;                    \
        unsigned char guard[GUARD]; \
    } name;                         \
    memset(&(name), UNTOUCHED, sizeof(name))

#define NEED(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                        \
        }                                                                   \
    } while (0)

static bool untouched(const unsigned char *guard) {
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != UNTOUCHED) return false;
    return true;
}

/* Nothing behind the struct was written; and what is newer in it than the library is zero. */
#ifdef NEWER
#define KEPT(name) \
    NEED(untouched((name).guard) && (name).at.later[0] == 0 && (name).at.later[3] == 0)
#else
#define KEPT(name) NEED(untouched((name).guard))
#endif

/* What an option says that the library does not know is refused, by the name of the struct. */
#ifdef NEWER
#define REFUSED(name, struct_name, call)                                                \
    do {                                                                                \
        cflr_error why;                                                                 \
        (name).at.later[3] = 1;                                                         \
        NEED((call) == CFLR_ARGUMENT && strstr(why.message, struct_name " says more")); \
        (name).at.later[3] = 0;                                                         \
    } while (0)
#else
#define REFUSED(name, struct_name, call)
#endif

static cflr_context *make_context(void) {
    cflr_context *context;
    GUARDED(cflr_context_opts, opts);
    cflr_context_opts_init(&opts.at);
    KEPT(opts);
    opts.at.threads = 2;
    REFUSED(opts, "cflr_context_opts", cflr_context_new(&opts.at, &context, &why));
    NEED(cflr_context_new(&opts.at, &context, NULL) == CFLR_OK);
    NEED(cflr_context_threads(context) == 2);
    return context;
}

/* A path of four vertices, of which the first is a variable. */
static cflr_graph *make_graph(cflr_context *context) {
    static const uint32_t source[] = {0, 1, 2}, target[] = {1, 2, 3};
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t label[3], vertex;
    GUARDED(cflr_vertex_info, info);
    GUARDED(cflr_graph_rows, rows);
    memset(&info.at, 0, sizeof info.at);
    info.at.kind = CFLR_VERTEX_VARIABLE;
    info.at.name = "first";
    NEED(cflr_graph_builder_new(context, &builder, NULL) == CFLR_OK);
    NEED(cflr_graph_builder_vertex(builder, &info.at, &vertex, NULL) == CFLR_OK && vertex == 0);
    NEED(cflr_graph_builder_label(builder, "e", NULL, &label[0], NULL) == CFLR_OK);
    label[1] = label[2] = label[0];
    NEED(cflr_graph_builder_edges(builder, 3, source, target, label, NULL) == CFLR_OK);
    NEED(cflr_graph_builder_freeze(builder, &graph, NULL) == CFLR_OK);
    memset(&info, UNTOUCHED, sizeof info);
    cflr_graph_vertex(graph, 0, &info.at);
    KEPT(info);
    NEED(info.at.kind == CFLR_VERTEX_VARIABLE && strcmp(info.at.name, "first") == 0);
    cflr_graph_get_rows(graph, 0, CFLR_OUT, &rows.at);
    KEPT(rows);
    NEED(rows.at.n_rows > 0 && rows.at.start[0] == 0);
    return graph;
}

static void look(const cflr_result *result) {
    uint32_t source[4], target[4], label = cflr_result_find_label(result, "P");
    GUARDED(cflr_result_label, info);
    GUARDED(cflr_result_stats, stats);
    GUARDED(cflr_result_slice, slice);
    GUARDED(cflr_result_size, size);
    GUARDED(cflr_result_rule, rule);
    GUARDED(cflr_result_account, account);
    cflr_result_get_label(result, label, &info.at);
    KEPT(info);
    NEED(info.at.pairs == 6 && info.at.indexes == 1);
    cflr_result_get_slice(result, &slice.at);
    KEPT(slice);
    NEED(slice.at.number == 0);
    cflr_result_get_stats(result, &stats.at);
    KEPT(stats);
    NEED(stats.at.complete);
    NEED(cflr_result_measure(result, label, &size.at, NULL) == CFLR_OK);
    KEPT(size);
    NEED(size.at.distinct_rows == 3);
    NEED(cflr_result_rules(result) > 0);
    cflr_result_get_rule(result, 0, &rule.at);
    KEPT(rule);
    NEED(cflr_result_accounts(result) > 0);
    cflr_result_get_account(result, 0, &account.at);
    KEPT(account);
    NEED(account.at.bytes > 0);
    uint64_t pairs;
    NEED(cflr_result_pairs(result, label, 0, source, target, 4, &pairs, NULL) == CFLR_OK);
    NEED(pairs == 6);
    NEED(source[3] == 1 && target[3] == 2);
}

static void explain(const cflr_grammar *grammar, const cflr_result *result) {
    cflr_explainer *explainer;
    size_t n;
    GUARDED(cflr_derivation, derivation);
    NEED(cflr_explainer_new(grammar, result, &explainer, NULL) == CFLR_OK);
    NEED(cflr_explain(explainer, "P", "", 0, 3, 0, &n, NULL) == CFLR_OK && n > 0);
    cflr_explanation(explainer, 0, &derivation.at);
    KEPT(derivation);
    NEED(derivation.at.source == 0 && derivation.at.target == 3);
    cflr_explainer_free(explainer);
}

/* There are no rules, so nothing is found. */
static void find(const cflr_graph *graph, const cflr_result *result) {
    cflr_findings *found;
    GUARDED(cflr_findings_opts, opts);
    GUARDED(cflr_findings_counts, counts);
    GUARDED(cflr_summary, summary);
    cflr_findings_opts_init(&opts.at);
    KEPT(opts);
    REFUSED(opts, "cflr_findings_opts", cflr_findings_new(graph, &opts.at, &found, &why));
    NEED(cflr_findings_new(graph, &opts.at, &found, NULL) == CFLR_OK);
    cflr_findings_get_counts(found, &counts.at);
    KEPT(counts);
    NEED(counts.at.complete && counts.at.findings == 0);
    cflr_findings_free(found);
    NEED(cflr_summary_make(result, &summary.at, NULL) == CFLR_OK);
    KEPT(summary);
    NEED(!summary.at.has_alias && !summary.at.has_points_to);
}

static void solve(cflr_context *context, const cflr_graph *graph) {
    static const char rules[] = "P ::= e | P e\n";
    cflr_grammar *grammar;
    cflr_result *result;
    GUARDED(cflr_grammar_stats, stats);
    GUARDED(cflr_solve_opts, opts);
    GUARDED(cflr_verify_report, report);
    NEED(cflr_grammar_parse(context, rules, strlen(rules), "rules", CFLR_GRAMMAR_AUTO, &grammar,
                            NULL) == CFLR_OK);
    cflr_grammar_get_stats(grammar, &stats.at);
    KEPT(stats);
    NEED(stats.at.terminals == 1);
    cflr_solve_opts_init(&opts.at);
    KEPT(opts);
    opts.at.stats = true;
    REFUSED(opts, "cflr_solve_opts", cflr_solve(graph, grammar, &opts.at, &result, &why));
    NEED(cflr_solve(graph, grammar, &opts.at, &result, NULL) == CFLR_OK);
    look(result);
    explain(grammar, result);
    find(graph, result);
    NEED(cflr_verify(graph, grammar, result, 0, &report.at, NULL) == CFLR_OK);
    KEPT(report);
    NEED(report.at.pairs_checked > 0 && report.at.missing == 0);
    cflr_result_free(result);
    cflr_grammar_free(grammar);
}

static void look_at_run(cflr_traversal *traversal) {
    GUARDED(cflr_column, column);
    GUARDED(cflr_value, value);
    GUARDED(cflr_traversal_stats, stats);
    GUARDED(cflr_traverse_report, report);
    NEED(cflr_traversal_column(traversal, 0, &column.at));
    KEPT(column);
    NEED(column.at.type == CFLR_COLUMN_UINT32);
    NEED(cflr_traversal_value(traversal, 0, &value.at));
    KEPT(value);
    NEED(value.at.count == 4);
    cflr_traversal_statistics_sized(traversal, &stats.at, sizeof stats.at);
    KEPT(stats);
    NEED(stats.at.device == CFLR_DEVICE_CPU);
    NEED(cflr_traversal_verify(traversal, &report.at, NULL) == CFLR_OK);
    KEPT(report);
    NEED(report.at.checked > 0 && report.at.wrong == 0);
}

static void traverse(cflr_context *context, const cflr_graph *graph) {
    cflr_csr *csr;
    cflr_traversal *traversal;
    const uint32_t source = 0;
    GUARDED(cflr_csr_opts, rows);
    GUARDED(cflr_primitive_needs, needs);
    GUARDED(cflr_traverse_opts, opts);
    cflr_csr_opts_init(&rows.at);
    KEPT(rows);
    REFUSED(rows, "cflr_csr_opts", cflr_csr_of_graph(context, graph, 0, &rows.at, &csr, &why));
    NEED(cflr_csr_of_graph(context, graph, 0, &rows.at, &csr, NULL) == CFLR_OK);
    cflr_primitive_asks_sized(CFLR_BFS, &needs.at, sizeof needs.at);
    KEPT(needs);
    NEED(!needs.at.symmetric);
    cflr_traverse_opts_init(&opts.at);
    KEPT(opts);
    opts.at.device = CFLR_DEVICE_CPU;
    REFUSED(opts, "cflr_traverse_opts",
            cflr_traversal_new(csr, CFLR_BFS, &opts.at, &traversal, &why));
    NEED(cflr_traversal_new(csr, CFLR_BFS, &opts.at, &traversal, NULL) == CFLR_OK);
    NEED(cflr_traversal_run(traversal, &source, 1, NULL) == CFLR_OK);
    look_at_run(traversal);
    cflr_traversal_free(traversal);
    cflr_csr_free(csr);
}

#ifdef WITH_FRONTEND
static void look_at_calls(const cflr_graph *graph) {
    GUARDED(cflr_function_info, function);
    GUARDED(cflr_call_info, call);
    NEED(cflr_graph_functions(graph) > 1 && cflr_graph_calls(graph) > 0);
    cflr_graph_function(graph, 1, &function.at);
    KEPT(function);
    NEED(function.at.name[0]);
    cflr_graph_call(graph, 0, &call.at);
    KEPT(call);
    NEED(call.at.line > 0);
}

static void analyze(cflr_context *context, const char *const *files) {
    cflr_graph *graph;
    cflr_result *result;
    cflr_extract_report *report;
    GUARDED(cflr_extract_opts, opts);
    GUARDED(cflr_analyze_opts, all);
    GUARDED(cflr_extract_counts, counts);
    cflr_extract_opts_init(&opts.at);
    KEPT(opts);
    opts.at.files = files;
    opts.at.n_files = 1;
    REFUSED(opts, "cflr_extract_opts", cflr_extract(context, &opts.at, &graph, NULL, &why));
    NEED(cflr_extract(context, &opts.at, &graph, &report, NULL) == CFLR_OK);
    cflr_extract_get_counts(report, &counts.at);
    KEPT(counts);
    NEED(counts.at.units == 1 && counts.at.functions > 0);
    look_at_calls(graph);
    cflr_extract_report_free(report);
    cflr_graph_free(graph);
    cflr_analyze_opts_init(&all.at);
    KEPT(all);
    all.at.files = files;
    all.at.n_files = 1;
    REFUSED(all, "cflr_analyze_opts", cflr_analyze(context, &all.at, &result, NULL, &why));
    NEED(cflr_analyze(context, &all.at, &result, NULL, NULL) == CFLR_OK);
    cflr_result_free(result);
}
#endif

int main(int n, char **arguments) {
    cflr_context *context = make_context();
    cflr_graph *graph = make_graph(context);
    solve(context, graph);
    traverse(context, graph);
    cflr_graph_free(graph);
#ifdef WITH_FRONTEND
    NEED(n == 2);
    analyze(context, (const char *const *)&arguments[1]);
#else
    (void)n, (void)arguments;
#endif
    NEED(cflr_context_memory(context) == 0);
    cflr_context_free(context);
    puts("every struct keeps to its size");
    return 0;
}

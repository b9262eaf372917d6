/* SPDX-License-Identifier: Apache-2.0
 *
 * swap_grammar.c: one graph, several grammars: what a researcher does when trying out an analysis.
 *
 * A call graph fragment: main calls id twice, from sites 1 and 2. Reachability that ignores calls
 * says that both arguments reach both results; matching call[i] with ret[i] keeps them apart.
 */
#include <cflr/cflr.h>
#include <stdio.h>
#include <string.h>

enum { A, B, PARAMETER, RESULT, X, Y, VERTICES };

static const char *const names[VERTICES] = {"a", "b", "parameter", "result", "x", "y"};

/* x = id(a) at site 1; y = id(b) at site 2 */
static const struct {
    uint32_t source, target;
    const char *label, *index;
} edges[] = {
    {A, PARAMETER, "call", "1"}, {B, PARAMETER, "call", "2"}, {PARAMETER, RESULT, "a", NULL},
    {RESULT, X, "ret", "1"},     {RESULT, Y, "ret", "2"},
};

static const struct {
    const char *name, *text;
} grammars[] = {
    {"calls ignored", "Flow ::= Step | Flow Step\nStep ::= a | call[i] | ret[i]\n"},
    {"calls matched", "Flow ::= a | Flow Flow | Open[i] ret[i]\nOpen[i] ::= call[i] Flow\n"},
};

static cflr_status make_graph(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    cflr_graph_builder *builder;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    for (size_t i = 0; st == CFLR_OK && i < sizeof edges / sizeof *edges; i++) {
        uint32_t label;
        st = cflr_graph_builder_label(builder, edges[i].label, edges[i].index, &label, error);
        if (st == CFLR_OK) {
            st = cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, error);
        }
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

static void print_flows(const char *name, const cflr_result *result) {
    static const uint32_t from[] = {A, B}, to[] = {X, Y};
    uint32_t flow = cflr_result_find_label(result, "Flow");
    printf("%s:", name);
    for (size_t i = 0; i < 2; i++) {
        for (size_t k = 0; k < 2; k++) {
            if (!cflr_result_has(result, flow, from[i], to[k])) continue;
            printf(" %s->%s", names[from[i]], names[to[k]]);
        }
    }
    putchar('\n');
}

int main(void) {
    cflr_error error;
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = make_graph(context, &graph, &error);
    for (size_t i = 0; st == CFLR_OK && i < sizeof grammars / sizeof *grammars; i++) {
        cflr_grammar *grammar = NULL;
        cflr_result *result = NULL;
        st = cflr_grammar_parse(context, grammars[i].text, strlen(grammars[i].text),
                                grammars[i].name, CFLR_GRAMMAR_CFLR, &grammar, &error);
        if (st == CFLR_OK) st = cflr_solve(graph, grammar, NULL, &result, &error);
        if (st == CFLR_OK) print_flows(grammars[i].name, result);
        cflr_result_free(result);
        cflr_grammar_free(grammar);
    }
    if (st != CFLR_OK) fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * bulk.c: arrays in, arrays out: for a program that holds a graph in columns, as databases and
 * numerical libraries do.
 *
 * The graph is a ring of four vertices with a tail; the relation is what each vertex can reach.
 */
#include <cflr/cflr.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGES = 6 };

static const uint32_t source[EDGES] = {0, 1, 2, 3, 3, 4}, target[EDGES] = {1, 2, 3, 0, 4, 5};

/* Edges may have different labels; here all have one. */
static cflr_status make_graph(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    cflr_graph_builder *builder;
    uint32_t label[EDGES];
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    if (st == CFLR_OK) st = cflr_graph_builder_label(builder, "e", NULL, &label[0], error);
    for (int i = 1; st == CFLR_OK && i < EDGES; i++) label[i] = label[0];
    if (st == CFLR_OK) st = cflr_graph_builder_edges(builder, EDGES, source, target, label, error);
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

/* The first call tells the number of pairs, the second one fills the arrays. */
static cflr_status print_pairs(const cflr_result *result, cflr_error *error) {
    uint32_t label = cflr_result_find_label(result, "Reach");
    uint64_t n;
    cflr_status st = cflr_result_pairs(result, label, 0, NULL, NULL, 0, &n, error);
    if (st != CFLR_OK) return st;
    uint32_t *from = calloc(n, sizeof *from), *to = calloc(n, sizeof *to);
    if (from && to) st = cflr_result_pairs(result, label, 0, from, to, n, &n, error);
    printf("%" PRIu64 " pairs", n);
    for (uint64_t i = 0; from && to && i < n; i++) {
        bool first = i == 0 || from[i] != from[i - 1];
        if (first) printf("\n%" PRIu32 " reaches", from[i]);
        printf(" %" PRIu32, to[i]);
    }
    putchar('\n');
    free(from);
    free(to);
    return st;
}

int main(void) {
    const char *rules = "Reach ::= e | Reach e\n";
    cflr_error error;
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_grammar *grammar = NULL;
    cflr_result *result = NULL;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = make_graph(context, &graph, &error);
    if (st == CFLR_OK)
        st = cflr_grammar_parse(context, rules, strlen(rules), "rules", CFLR_GRAMMAR_AUTO, &grammar,
                                &error);
    if (st == CFLR_OK) st = cflr_solve(graph, grammar, NULL, &result, &error);
    if (st == CFLR_OK) st = print_pairs(result, &error);
    if (st != CFLR_OK) fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_result_free(result);
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}

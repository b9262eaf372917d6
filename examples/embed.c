/* SPDX-License-Identifier: Apache-2.0
 *
 * embed.c: the engine in a program of your own: build a graph, solve, ask.
 *
 *     p = &x; q = p; *q = r;      Does *p alias *q?  What does r flow to?
 */
#include <cflr/cflr.h>
#include <stdio.h>

enum { X, P, Q, R, ADDRESS_X, STAR_P, STAR_Q };

static const struct {
    uint32_t source, target;
    const char *label;
} edges[] = {
    {ADDRESS_X, P, "a"},     /* p = &x */
    {P, Q, "a"},             /* q = p */
    {R, STAR_Q, "a"},        /* *q = r */
    {ADDRESS_X, X, "d"},     /* the content of &x is x */
    {P, STAR_P, "d"},        /* ... of p is *p */
    {Q, STAR_Q, "d"},        /* ... of q is *q */
    {X, ADDRESS_X, "alloc"}, /* x is an object */
};

static cflr_status make_graph(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    cflr_graph_builder *builder;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    for (size_t i = 0; st == CFLR_OK && i < sizeof edges / sizeof *edges; i++) {
        uint32_t label;
        st = cflr_graph_builder_label(builder, edges[i].label, NULL, &label, error);
        if (st == CFLR_OK) {
            st = cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, error);
        }
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

static void ask(const cflr_result *result) {
    uint32_t alias = cflr_result_find_label(result, cflr_result_answer(result, "alias"));
    uint32_t points_to = cflr_result_find_label(result, cflr_result_answer(result, "points-to"));
    printf("q points to x: %s\n", cflr_result_has(result, points_to, Q, X) ? "yes" : "no");
    printf("p aliases q: %s\n", cflr_result_has(result, alias, P, Q) ? "yes" : "no");
    printf("*p aliases r: %s\n", cflr_result_has(result, alias, STAR_P, R) ? "yes" : "no");
    printf("p aliases r: %s\n", cflr_result_has(result, alias, P, R) ? "yes" : "no");
}

int main(void) {
    cflr_error error;
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_grammar *grammar = NULL;
    cflr_result *result = NULL;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = make_graph(context, &graph, &error);
    if (st == CFLR_OK) {
        st = cflr_grammar_load(context, "pointer", CFLR_GRAMMAR_AUTO, &grammar, &error);
    }
    if (st == CFLR_OK) st = cflr_solve(graph, grammar, NULL, &result, &error);
    if (st == CFLR_OK)
        ask(result);
    else
        fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_result_free(result);
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}

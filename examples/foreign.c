/* SPDX-License-Identifier: Apache-2.0
 *
 * foreign.c: aliases for another front end: a compiler that has nodes of its own asks about them.
 *
 * The compiler hands over what its instructions say about pointers, as edges between its own
 * numbers, and asks by these. A shipped grammar does the rest; docs/reference/labels.md has the
 * labels that it reads. Here the program is
 *
 *     void set(int **to, int *v) { *to = v; }
 *     int x, y, *p = &x, *q, *r = &y;
 *     set(&q, p);
 */
#include <cflr/cflr.h>
#include <stdio.h>

enum { X, AT_X, Y, AT_Y, P, Q, AT_Q, R, TO, AT_TO, V, NODES };

static const struct {
    uint32_t source, target;
    const char *label;
} edges[] = {
    /* an object to its address, and the address back to what the object holds */
    {X, AT_X, "alloc"},
    {AT_X, X, "d"},
    {Y, AT_Y, "alloc"},
    {AT_Y, Y, "d"},
    {Q, AT_Q, "alloc"},
    {AT_Q, Q, "d"},
    /* assignments, those to parameters included */
    {AT_X, P, "a"},
    {AT_Y, R, "a"},
    {AT_Q, TO, "a"},
    {P, V, "a"},
    /* *to, and the store through it */
    {TO, AT_TO, "d"},
    {V, AT_TO, "a"},
};

static cflr_status make_graph(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    cflr_graph_builder *builder;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    for (size_t i = 0; st == CFLR_OK && i < sizeof edges / sizeof *edges; i++) {
        uint32_t label;
        st = cflr_graph_builder_label(builder, edges[i].label, NULL, &label, error);
        if (st == CFLR_OK)
            st = cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, error);
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

static void answer(const cflr_result *result, const char *question, uint32_t p, uint32_t q) {
    bool yes = cflr_result_alias(result, p, q) != CFLR_THROUGH_NOTHING;
    printf("%s: %s\n", question, yes ? "may alias" : "do not alias");
}

/* Points-to sets of several nodes at once, as the compiler's own arrays. */
static cflr_status print_objects(const cflr_result *result, cflr_error *error) {
    static const uint32_t pointers[] = {P, Q, R};
    uint32_t label = cflr_result_find_label(result, cflr_result_answer(result, "points-to"));
    uint64_t offset[4];
    uint32_t object[NODES * 3];
    cflr_result_offsets(result, label, 0, pointers, 3, offset);
    cflr_status st = cflr_result_fill(result, label, 0, pointers, 3, offset, object, error);
    for (int i = 0; st == CFLR_OK && i < 3; i++) {
        printf("%c points to", "pqr"[i]);
        for (uint64_t k = offset[i]; k < offset[i + 1]; k++)
            printf(" %c", object[k] == X ? 'x' : 'y');
        putchar('\n');
    }
    return st;
}

int main(void) {
    cflr_error error;
    cflr_context *context = NULL;
    cflr_graph *graph = NULL;
    cflr_grammar *grammar = NULL;
    cflr_result *result = NULL;
    cflr_status st = cflr_context_new(NULL, &context, &error);
    if (st == CFLR_OK) st = make_graph(context, &graph, &error);
    if (st == CFLR_OK)
        st = cflr_grammar_load(context, "pointer", CFLR_GRAMMAR_AUTO, &grammar, &error);
    if (st == CFLR_OK) st = cflr_solve(graph, grammar, NULL, &result, &error);
    if (st == CFLR_OK) {
        answer(result, "p and q", P, Q);
        answer(result, "q and r", Q, R);
        answer(result, "to and &q", TO, AT_Q);
        st = print_objects(result, &error);
    }
    if (st == CFLR_OK) st = cflr_result_failure(result, &error);
    if (st != CFLR_OK) fprintf(stderr, "%s: %s\n", cflr_status_text(st), error.message);
    cflr_result_free(result);
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    cflr_context_free(context);
    return cflr_status_exit_code(st);
}

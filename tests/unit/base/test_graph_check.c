/* SPDX-License-Identifier: Apache-2.0
 *
 * Every invariant of a frozen graph, broken one at a time; graphs that a reader fills itself.
 */
#include "base/context.h"
#include "base/graph/graph.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

/* Function 1 calls 2 by name, and whatever vertices 2 and 3 point to. */
static void add_calls(cflr_context *context, cflr_graph_builder *builder) {
    cflri_calls *calls = cflri_graph_builder_calls(builder);
    for (uint32_t f = 0; f < 3; f++)
        cr_assert(cflri_vec_push(context, &calls->functions,
                                 (cflri_function_row){f, 0, f, 1, CFLR_BODY_HERE, f}));
    for (uint32_t v = 2; v < 4; v++) cr_assert(cflri_vec_push(context, &calls->values, v));
    cr_assert(cflri_vec_push(context, &calls->calls, (cflri_call_row){1, 2, 0, 0, 1, 4, 5, 0}));
    cr_assert(cflri_vec_push(context, &calls->calls, (cflri_call_row){1, 0, 2, 0, 1, 6, 5, 2}));
}

static cflr_graph *sample(cflr_context *context) {
    static const char *const names[] = {"p", "q", "*p", "r"};
    cflr_error error;
    cflr_graph_builder *builder;
    cflr_graph *graph;
    uint32_t vertex, a, f;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_label(builder, "f", "8", &f, &error));
    for (uint32_t v = 0; v < 4; v++) {
        cflr_vertex_info info = {CFLR_VERTEX_VARIABLE, v + 1, 1, names[v], "int *", "g", "x.c", ""};
        MUST(cflr_graph_builder_vertex(builder, &info, &vertex, &error));
        cr_assert_eq(vertex, v);
    }
    for (uint32_t v = 0; v < 4; v++) {
        MUST(cflr_graph_builder_mention(builder, v, &(cflr_mention){"x.c", 10 - v, 1, NULL},
                                        &error));
        MUST(cflr_graph_builder_edge(builder, v, (v + 1) % 4, a, &error));
        MUST(cflr_graph_builder_edge(builder, 0, v, f, &error));
    }
    add_calls(context, builder);
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    MUST(cflr_graph_validate(graph, &error));
    return graph;
}

/* Puts `value` into a place of the graph, sees that it is noticed, and puts things back. */
#define MUST_NOTICE(place, value)                                   \
    do {                                                            \
        __typeof__(place) keep_ = (place);                          \
        (place) = (value);                                          \
        MUST_FAIL(cflr_graph_validate(graph, &error), CFLR_FORMAT); \
        (place) = keep_;                                            \
        MUST(cflr_graph_validate(graph, &error));                   \
    } while (0)

Test(graph_check, every_broken_invariant) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph = sample(context);
    char converse[] = "~a", empty[] = "", blank[] = "a b";
    MUST_NOTICE(graph->n_vertices, 3);
    MUST_NOTICE(graph->n_vertices, UINT32_MAX);
    MUST_NOTICE(graph->n_edges, 7);
    MUST_NOTICE(graph->label, NULL);
    MUST_NOTICE(graph->out, NULL);
    MUST_NOTICE(graph->in, NULL);
    /* strings */
    MUST_NOTICE(graph->strings.text.n, 0);
    MUST_NOTICE(graph->strings.text.at[0], "x");
    MUST_NOTICE(graph->strings.text.at[1], NULL);
    MUST_NOTICE(graph->strings.text.at[1], graph->strings.text.at[2]);
    /* labels */
    MUST_NOTICE(graph->label[0].name, (uint32_t)graph->strings.text.n);
    MUST_NOTICE(graph->label[1].index, UINT32_MAX);
    MUST_NOTICE(graph->label[0].name, 0);
    MUST_NOTICE(graph->label[1], graph->label[0]);
    const char *names[] = {converse, empty, blank};
    for (int i = 0; i < 3; i++) MUST_NOTICE(graph->strings.text.at[graph->label[0].name], names[i]);
    /* relations */
    MUST_NOTICE(graph->out[0].target[0], 2);
    MUST_NOTICE(graph->out[0].row[3], 4);
    MUST_NOTICE(graph->in[1].target[0], 1);
    MUST_NOTICE(graph->in[1].start[1], 2);
    MUST_NOTICE(graph->in[0].row[0], 9);
    MUST_NOTICE(graph->in[1], graph->in[0]);
    MUST_NOTICE(graph->out[1].n_pairs, 3);
    /* sources and mentions */
    MUST_NOTICE(graph->source[2].kind, CFLR_VERTEX_LOCATION + 1);
    MUST_NOTICE(graph->source[2].name, 1000);
    MUST_NOTICE(graph->source[0].type, 1000);
    MUST_NOTICE(graph->source[3].function, 1000);
    MUST_NOTICE(graph->source[3].file, 1000);
    MUST_NOTICE(graph->source[3].context, 1000);
    MUST_NOTICE(graph->mention, NULL);
    MUST_NOTICE(graph->mention[1].file, 1000);
    MUST_NOTICE(graph->mention[1].name, 1000);
    MUST_NOTICE(graph->mention[1].vertex, 4);
    MUST_NOTICE(graph->mention[0].line, 99);
    MUST_NOTICE(graph->mention[1], graph->mention[0]);
    /* calls */
    MUST_NOTICE(graph->calls.functions.at[1].name, 1000);
    MUST_NOTICE(graph->calls.functions.at[1].file, 1000);
    MUST_NOTICE(graph->calls.functions.at[2].body, CFLR_BODY_UNKNOWN + 1);
    MUST_NOTICE(graph->calls.functions.at[2].vertex, 5);
    MUST_NOTICE(graph->calls.calls.at[0].caller, 3);
    MUST_NOTICE(graph->calls.calls.at[0].callee, 3);
    MUST_NOTICE(graph->calls.calls.at[1].expression, 1000);
    MUST_NOTICE(graph->calls.calls.at[1].file, 1000);
    MUST_NOTICE(graph->calls.calls.at[0].end, 3);
    MUST_NOTICE(graph->calls.calls.at[1].end, 1);
    MUST_NOTICE(graph->calls.calls.at[1].end, 3);
    MUST_NOTICE(graph->calls.values.at[0], 4);
    MUST_NOTICE(graph->calls.functions.n, 0);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_check, calls_as_they_are_read) {
    cflr_context *context = test_context();
    cflr_graph *graph = sample(context);
    cflr_function_info function;
    cflr_call_info call;
    cr_assert_eq(cflr_graph_functions(graph), 3);
    cr_assert_eq(cflr_graph_calls(graph), 2);
    cflr_graph_function(graph, 0, &function);
    cr_expect_eq(function.vertex, CFLR_NO_VERTEX);
    cflr_graph_function(graph, 2, &function);
    cr_expect_eq(function.vertex, 1);
    cflr_graph_call(graph, 0, &call);
    cr_expect(call.callee == 2 && call.n == 0 && !call.vertex);
    cflr_graph_call(graph, 1, &call);
    cr_expect(call.callee == 0 && call.n == 2 && call.vertex[0] == 2 && call.vertex[1] == 3);
    cflr_graph_free(graph);
    test_context_end(context);
}

/* What a reader of a file does: fills the tables and completes them. */
static cflr_status fill(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    static const uint64_t edges[] = {UINT64_C(0) << 32 | 1, UINT64_C(1) << 32 | 2,
                                     UINT64_C(2) << 32 | 0};
    cflr_status st = cflri_graph_new(context, graph, error);
    if (st != CFLR_OK) return st;
    cflr_graph *g = *graph;
    g->n_vertices = 3;
    g->label = cflri_alloc_array_zero(context, 2, sizeof *g->label);
    g->out = cflri_alloc_array_zero(context, 2, sizeof *g->out);
    g->source = cflri_alloc_array_zero(context, 3, sizeof *g->source);
    if (!g->label || !g->out || !g->source) return cflri_fail_memory(context, error);
    g->n_labels = 2;
    st = cflri_intern(&g->strings, "a", 1, &g->label[0].name, error);
    if (st == CFLR_OK) st = cflri_intern(&g->strings, "b", 1, &g->label[1].name, error);
    if (st == CFLR_OK) {
        st = cflri_relation_build_sorted(context, edges, 3, &g->out[0], error);
    }
    return st;
}

Test(graph_check, completed_by_a_reader) {
    cflr_context *context = test_context();
    cflr_error error;
    cflr_graph *graph;
    uint64_t count;
    MUST(fill(context, &graph, &error));
    graph->source[2].line = 7;
    MUST(cflri_graph_complete(graph, &error));
    MUST(cflr_graph_validate(graph, &error));
    cr_assert_eq(cflr_graph_edges(graph), 3);
    cr_assert_eq(cflr_graph_find_label(graph, "b", NULL), 1);
    cr_assert(cflr_graph_has_sources(graph));
    cr_assert_eq(*cflr_graph_row(graph, 0, CFLR_IN, 0, &count), 2);
    cflr_graph_free(graph);
    test_context_end(context);
}

Test(graph_check, completing_checks_what_it_relies_on) {
    cflr_context *context = test_context();
    cflr_error error;
    for (int what = 0; what < 4; what++) {
        cflr_graph *graph;
        MUST(fill(context, &graph, &error));
        if (what == 0) graph->label[1].index = 1000;
        if (what == 1) graph->label[1] = graph->label[0];
        if (what == 2) graph->n_vertices = 2;
        if (what == 3) graph->out[0].start[1] = UINT64_MAX;
        MUST_FAIL(cflri_graph_complete(graph, &error), CFLR_FORMAT);
        cflr_graph_free(graph);
    }
    test_context_end(context);
}

static cflr_status fill_and_complete(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflr_graph *graph = NULL;
    cflr_status st = fill(context, &graph, error);
    if (st == CFLR_OK) st = cflri_graph_complete(graph, error);
    if (st == CFLR_OK) st = cflr_graph_validate(graph, error);
    cflr_graph_free(graph);
    return st;
}

Test(graph_check, allocation_failures) {
    cr_assert_gt(fail_alloc_sweep(fill_and_complete, NULL), 10);
}

Test(graph_check, kinds_have_names) {
    cr_assert_str_eq(cflr_vertex_kind_name(CFLR_VERTEX_OTHER), "other");
    cr_assert_str_eq(cflr_vertex_kind_name(CFLR_VERTEX_UNKNOWN), "unknown");
    cr_assert_null(cflr_vertex_kind_name((cflr_vertex_kind)(CFLR_VERTEX_LOCATION + 1)));
}

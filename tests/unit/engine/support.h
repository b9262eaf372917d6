/* SPDX-License-Identifier: Apache-2.0
 *
 * support.h: making graphs, grammars and results in tests of the engine.
 */
#ifndef TEST_ENGINE_SUPPORT_H
#define TEST_ENGINE_SUPPORT_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cflr/cflr.h"
#include "tests/support/support.h"

static const cflr_model test_models[] = {
    CFLR_MODEL_NAIVE,        CFLR_MODEL_VERTEX,   CFLR_MODEL_VERTEX_INDEXED, CFLR_MODEL_EDGE,
    CFLR_MODEL_EDGE_INDEXED, CFLR_MODEL_PARALLEL, CFLR_MODEL_BATCH};
enum { TEST_MODELS = sizeof test_models / sizeof *test_models };

/* Graph, grammar and result of one test, in one context. */
typedef struct world {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *result;
} world;

static inline void world_begin(world *w, int threads) {
    memset(w, 0, sizeof *w);
    w->context = test_context();
    w->context->threads = threads;
    w->context->share = 1; /* small graphs, many threads */
}

/* Reads edges "source target label[index]" separated by ';'. */
static inline cflr_status test_graph(cflr_context *context, const char *edges, cflr_graph **graph,
                                     cflr_error *error) {
    cflr_graph_builder *builder;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    if (st != CFLR_OK) return st;
    for (const char *at = edges; *at && st == CFLR_OK;) {
        unsigned source, target;
        char name[32], index[32] = "";
        int used = 0;
        uint32_t label;
        int n = sscanf(at, " %u %u %31[^][; ]%n", &source, &target, name, &used);
        cr_assert_eq(n, 3, "bad edge: %s", at);
        at += used;
        if (*at == '[') {
            cr_assert_eq(sscanf(at, "[%31[^]]]%n", index, &used), 1);
            at += used;
        }
        st = cflr_graph_builder_label(builder, name, index[0] ? index : NULL, &label, error);
        if (st == CFLR_OK) st = cflr_graph_builder_edge(builder, source, target, label, error);
        at += strspn(at, " ;");
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

static inline void world_graph(world *w, const char *edges) {
    cflr_error error;
    MUST(test_graph(w->context, edges, &w->graph, &error));
}

/* An edge of label[index]. */
static inline void test_indexed_edge(cflr_graph_builder *builder, const char *label, uint32_t index,
                                     uint32_t source, uint32_t target) {
    cflr_error error;
    char text[16];
    uint32_t number;
    snprintf(text, sizeof text, "%u", index);
    MUST(cflr_graph_builder_label(builder, label, text, &number, &error));
    MUST(cflr_graph_builder_edge(builder, source, target, number, &error));
}

static inline cflr_status test_grammar(cflr_context *context, const char *text,
                                       cflr_grammar **grammar, cflr_error *error) {
    return cflr_grammar_parse(context, text, strlen(text), "grammar", CFLR_GRAMMAR_CFLR, grammar,
                              error);
}

static inline void world_grammar(world *w, const char *text) {
    cflr_error error;
    cflr_status st = test_grammar(w->context, text, &w->grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%u:%u: %s", error.line, error.column, error.message);
}

/* What the solver says, with whatever result there is. */
static inline cflr_status world_try(world *w, cflr_model model, cflr_error *error) {
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    return cflr_solve(w->graph, w->grammar, &opts, &w->result, error);
}

static inline void world_solve(world *w, cflr_model model) {
    cflr_error error;
    cflr_status st = world_try(w, model, &error);
    cr_assert_eq(st, CFLR_OK, "%s: %s", cflr_model_name(model), error.message);
}

static inline void world_forget_result(world *w) {
    cflr_result_free(w->result);
    w->result = NULL;
}

/* The same, but the result is the caller's. */
static inline cflr_result *world_closure(world *w, cflr_model model) {
    world_solve(w, model);
    cflr_result *closure = w->result;
    w->result = NULL;
    return closure;
}

static inline void world_end(world *w) {
    cflr_result_free(w->result);
    cflr_grammar_free(w->grammar);
    cflr_graph_free(w->graph);
    test_context_end(w->context);
}

/* Chains of `length` vertices each, n vertices in all; P ::= e | P e closes one to
 * length * (length - 1) / 2 pairs. */
static inline void world_chains(world *w, uint32_t n, uint32_t length) {
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t e;
    MUST(cflr_graph_builder_new(w->context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "e", NULL, &e, &error));
    for (uint32_t v = 0; v + 1 < n; v++) {
        if ((v + 1) % length == 0) continue;
        MUST(cflr_graph_builder_edge(builder, v, v + 1, e, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w->graph, &error));
    world_grammar(w, "P ::= e | P e\n");
}

static inline void world_chain(world *w, uint32_t n) {
    world_chains(w, n, n);
}

static inline uint32_t label_of(const cflr_result *result, const char *name) {
    uint32_t label = cflr_result_find_label(result, name);
    cr_assert_neq(label, CFLR_NO_LABEL, "no symbol %s", name);
    return label;
}

static inline uint64_t pairs_of(const cflr_result *result, const char *name) {
    cflr_result_label info;
    cflr_result_get_label(result, label_of(result, name), &info);
    return info.pairs;
}

/* Has label `l` of one result the same instances and pairs as label `m` of the other? */
static inline void must_be_equal_at(const cflr_result *a, uint32_t l, const cflr_result *b,
                                    uint32_t m, const char *what) {
    cflr_result_label x, y;
    cflr_result_get_label(a, l, &x);
    cflr_result_get_label(b, m, &y);
    cr_assert_str_eq(x.name, y.name);
    cr_assert_eq(x.kind, y.kind);
    cr_assert(x.indexes == y.indexes && x.pairs == y.pairs && x.rows == y.rows,
              "%s: %s has %" PRIu64 " pairs, and %" PRIu64, what, x.name, x.pairs, y.pairs);
    for (uint32_t i = 0; i < x.indexes; i++) {
        uint64_t at = 0, bt = 0;
        cflr_row row = {0}, other = {0};
        cflr_error error;
        cr_assert_str_eq(cflr_result_label_index(a, l, i), cflr_result_label_index(b, m, i));
        do {
            MUST(cflr_result_next_row(a, l, i, &at, &row, &error));
            MUST(cflr_result_next_row(b, m, i, &bt, &other, &error));
            cr_assert_eq(row.count, other.count, "%s: %s at %u", what, x.name, row.vertex);
            if (!row.count) break;
            cr_assert_eq(row.vertex, other.vertex);
            cr_assert_arr_eq(row.target, other.target, row.count * sizeof *row.target,
                             "%s: %s at %u", what, x.name, row.vertex);
        } while (true);
        cflr_row_free(&row);
        cflr_row_free(&other);
    }
}

/* The same symbols, instances and pairs? Statistics of the run do not count. */
static inline void must_be_equal(const cflr_result *a, const cflr_result *b, const char *what) {
    cr_assert_eq(cflr_result_labels(a), cflr_result_labels(b), "%s", what);
    for (uint32_t l = 0; l < cflr_result_labels(a); l++) must_be_equal_at(a, l, b, l, what);
}

#endif

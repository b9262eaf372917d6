/* SPDX-License-Identifier: Apache-2.0
 *
 * support.h: making graphs, grammars and results in tests of the engine.
 */
#ifndef TEST_ENGINE_SUPPORT_H
#define TEST_ENGINE_SUPPORT_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cflr/cflr.h"

/* Graph, grammar and result of one test, in one context. */
typedef struct world {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
    cflr_result *result;
} world;

static inline void world_begin(world *w, int threads) {
    cflr_context_opts opts;
    cflr_error error = {0};
    memset(w, 0, sizeof *w);
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    cr_assert_eq(cflr_context_new(&opts, &w->context, &error), CFLR_OK, "%s", error.message);
}

/* Reads edges "source target label[index]" separated by ';'. */
static inline void world_graph(world *w, const char *edges) {
    cflr_graph_builder *builder;
    cflr_error error = {0};
    cr_assert_eq(cflr_graph_builder_new(w->context, &builder, &error), CFLR_OK);
    for (const char *at = edges; *at;) {
        unsigned source, target;
        char name[32], index[32] = "";
        int used = 0;
        int n = sscanf(at, " %u %u %31[^][; ]%n", &source, &target, name, &used);
        cr_assert_eq(n, 3, "bad edge: %s", at);
        at += used;
        if (*at == '[') {
            cr_assert_eq(sscanf(at, "[%31[^]]]%n", index, &used), 1);
            at += used;
        }
        uint32_t label;
        cr_assert_eq(
            cflr_graph_builder_label(builder, name, index[0] ? index : NULL, &label, &error),
            CFLR_OK, "%s", error.message);
        cr_assert_eq(cflr_graph_builder_edge(builder, source, target, label, &error), CFLR_OK);
        at += strspn(at, " ;");
    }
    cr_assert_eq(cflr_graph_builder_freeze(builder, &w->graph, &error), CFLR_OK, "%s",
                 error.message);
}

static inline void world_grammar(world *w, const char *text) {
    cflr_error error = {0};
    cflr_status st = cflr_grammar_parse(w->context, text, strlen(text), "grammar",
                                        CFLR_GRAMMAR_CFLR, &w->grammar, &error);
    cr_assert_eq(st, CFLR_OK, "%u:%u: %s", error.line, error.column, error.message);
}

static inline void world_solve(world *w, cflr_model model) {
    cflr_solve_opts opts;
    cflr_error error = {0};
    cflr_solve_opts_init(&opts);
    opts.model = model;
    cr_assert_eq(cflr_solve(w->graph, w->grammar, &opts, &w->result, &error), CFLR_OK, "%s",
                 error.message);
}

static inline void world_end(world *w) {
    cflr_result_free(w->result);
    cflr_grammar_free(w->grammar);
    cflr_graph_free(w->graph);
    cr_assert_eq(cflr_context_memory(w->context), 0, "leaked %llu bytes",
                 (unsigned long long)cflr_context_memory(w->context));
    cflr_context_free(w->context);
}

static inline uint64_t pairs_of(const cflr_result *result, const char *name) {
    uint32_t label = cflr_result_find_label(result, name);
    cr_assert_neq(label, CFLR_NO_LABEL, "no symbol %s", name);
    cflr_result_label info;
    cflr_result_get_label(result, label, &info);
    return info.pairs;
}

#endif

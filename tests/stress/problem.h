/* SPDX-License-Identifier: Apache-2.0
 *
 * problem.h: graphs and grammars for the models that use threads, and what their closures must be.
 */
#ifndef CFLRI_STRESS_PROBLEM_H
#define CFLRI_STRESS_PROBLEM_H

#include <string.h>
#include <time.h>

#include "base/context.h"
#include "cflr/cflr.h"
#include "tests/stress/need.h"

static const char alias[] =
    "%start V\n"
    "V ::= ~A V | V A | F[i] f[i] | M | eps\n"
    "F[i] ::= ~f[i] V\n"
    "M ::= ~d V d\n"
    "A ::= A A | a M | a | eps\n";
/* a product: searched, through cycles of all sizes */
static const char steps[] = "P ::= P a | P d | P f[i] | a | d\n";
/* a loop without containment: most nodes are processed once, in order (loop/acyclic.c) */
static const char generations[] = "G ::= ~a d | ~a G d | ~d G f[i]\n";
static const char reach[] = "P ::= P P | a | ~d P d\n";

typedef struct stress_world {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
} stress_world;

static inline uint32_t roll(uint64_t *state, uint32_t bound) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % bound);
}

static inline void make_graph(stress_world *w, uint32_t n, uint32_t edges) {
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t label[4];
    uint64_t state = n;
    cflr_status st = cflr_graph_builder_new(w->context, &builder, &error);
    NEED(st == CFLR_OK, "%s", error.message);
    static const char *const names[] = {"a", "d", "f", "f"}, *const indexes[] = {0, 0, "0", "8"};
    for (int i = 0; i < 4; i++) {
        st = cflr_graph_builder_label(builder, names[i], indexes[i], &label[i], &error);
        NEED(st == CFLR_OK, "%s", error.message);
    }
    for (uint32_t e = 0; e < edges; e++) {
        uint32_t source = roll(&state, n), near = source + 1 + roll(&state, 9);
        uint32_t target = roll(&state, 4) ? near % n : roll(&state, n);
        st = cflr_graph_builder_edge(builder, source, target, label[roll(&state, 4)], &error);
        NEED(st == CFLR_OK, "%s", error.message);
    }
    st = cflr_graph_builder_freeze(builder, &w->graph, &error);
    NEED(st == CFLR_OK, "%s", error.message);
}

/* In the context of `w`. */
static inline void make_problem(stress_world *w, const char *rules, uint32_t n, uint32_t edges) {
    cflr_error error;
    make_graph(w, n, edges);
    cflr_status st = cflr_grammar_parse(w->context, rules, strlen(rules), "rules",
                                        CFLR_GRAMMAR_CFLR, &w->grammar, &error);
    NEED(st == CFLR_OK, "%s", error.message);
}

/* Counts, however often the same graph is made, are the same. */
static inline stress_world begin_with(const char *rules, uint32_t n, uint32_t edges, int threads,
                                      const cflr_allocator *allocator) {
    stress_world w = {0};
    cflr_error error;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    opts.allocator = allocator;
    NEED(cflr_context_new(&opts, &w.context, &error) == CFLR_OK, "%s", error.message);
    w.context->share = 1; /* small graphs, many threads */
    make_problem(&w, rules, n, edges);
    return w;
}

static inline stress_world begin(const char *rules, uint32_t n, uint32_t edges, int threads) {
    return begin_with(rules, n, edges, threads, NULL);
}

static inline void forget_problem(stress_world *w) {
    cflr_grammar_free(w->grammar);
    cflr_graph_free(w->graph);
}

static inline void end(stress_world *w) {
    forget_problem(w);
    NEED(cflr_context_memory(w->context) == 0, "memory leaks");
    cflr_context_free(w->context);
}

static inline cflr_status solve_by_model(const stress_world *w, cflr_model model,
                                         cflr_result **result, cflr_error *error) {
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    return cflr_solve(w->graph, w->grammar, &opts, result, error);
}

static inline cflr_status solve(const stress_world *w, cflr_model model, cflr_result **result) {
    cflr_error error;
    return solve_by_model(w, model, result, &error);
}

static inline uint64_t count(const cflr_result *result) {
    uint64_t sum = 0;
    for (uint32_t l = 0; l < cflr_result_labels(result); l++) {
        cflr_result_label info;
        cflr_result_get_label(result, l, &info);
        sum = sum * 31 + info.pairs * 7 + info.rows;
    }
    return sum;
}

/* Nothing is made up: rows of a symbol without indexes hold no more than they should. */
static inline void must_be_part(const cflr_result *part, const cflr_result *whole) {
    for (uint32_t l = 0; l < cflr_result_labels(part); l++) {
        cflr_result_label info;
        cflr_result_get_label(part, l, &info);
        uint32_t all = cflr_result_find_label(whole, info.name);
        uint64_t cursor = 0;
        cflr_row row = {0}, should = {0};
        while (info.indexes == 1) {
            NEED(cflr_result_next_row(part, l, 0, &cursor, &row, NULL) == CFLR_OK, "row");
            if (!row.count) break;
            NEED(cflr_result_row(whole, all, 0, row.vertex, &should, NULL) == CFLR_OK, "row");
            for (uint64_t i = 0, k = 0; i < row.count; i++, k++) {
                while (k < should.count && should.target[k] < row.target[i]) k++;
                NEED(k < should.count && should.target[k] == row.target[i], "%s: a pair too many",
                     info.name);
            }
        }
        cflr_row_free(&row);
        cflr_row_free(&should);
    }
}

/* For a thread of its own. */
static inline void *cancel_soon(void *user) {
    struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    nanosleep(&pause, NULL);
    cflr_context_cancel(user);
    return NULL;
}

#endif

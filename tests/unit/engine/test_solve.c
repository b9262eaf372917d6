/* SPDX-License-Identifier: Apache-2.0
 *
 * test_solve.c: the public entry: options, limits, cancellation, partial results.
 */
#include <stdio.h>

#include "support.h"

static void chain_world(world *w, const cflr_context_opts *opts, uint32_t n) {
    cflr_error error = {0};
    cflr_graph_builder *builder;
    uint32_t e;
    memset(w, 0, sizeof *w);
    cr_assert_eq(cflr_context_new(opts, &w->context, &error), CFLR_OK);
    cr_assert_eq(cflr_graph_builder_new(w->context, &builder, &error), CFLR_OK);
    cr_assert_eq(cflr_graph_builder_label(builder, "e", NULL, &e, &error), CFLR_OK);
    for (uint32_t v = 0; v + 1 < n; v++) {
        cr_assert_eq(cflr_graph_builder_edge(builder, v, v + 1, e, &error), CFLR_OK);
    }
    cr_assert_eq(cflr_graph_builder_freeze(builder, &w->graph, &error), CFLR_OK);
    world_grammar(w, "P ::= e | P e\n");
}

static const cflr_model models[] = {CFLR_MODEL_NAIVE,          CFLR_MODEL_VERTEX,
                                    CFLR_MODEL_VERTEX_INDEXED, CFLR_MODEL_EDGE,
                                    CFLR_MODEL_EDGE_INDEXED,   CFLR_MODEL_PARALLEL};
enum { N_MODELS = sizeof models / sizeof *models };

Test(solve, every_model_closes_a_chain) {
    for (size_t m = 0; m < N_MODELS; m++) {
        for (int threads = 1; threads <= 3; threads++) {
            cflr_context_opts opts;
            cflr_context_opts_init(&opts);
            opts.threads = threads;
            world w;
            chain_world(&w, &opts, 40);
            world_solve(&w, models[m]);
            cr_assert_eq(pairs_of(w.result, "P"), 40 * 39 / 2, "%s", cflr_model_name(models[m]));
            cflr_result_stats stats;
            cflr_result_get_stats(w.result, &stats);
            cr_assert_eq(stats.model, models[m]);
            cr_assert(stats.complete);
            cr_assert_eq(stats.pairs, 40 * 39 / 2 + 39);
            world_end(&w);
        }
    }
}

/* The limit counts the whole process, so it is set from what the process has. */
static uint64_t resident_bytes(void) {
    FILE *statm = fopen("/proc/self/statm", "r");
    unsigned long long size = 0, resident = 0;
    cr_assert_eq(fscanf(statm, "%llu %llu", &size, &resident), 2);
    fclose(statm);
    return resident * 4096;
}

/* At the memory limit each model stops with pairs that are all derivable, and says so. */
Test(solve, memory_limit_keeps_a_partial_result) {
    for (size_t m = 1; m < N_MODELS; m++) {
        cflr_context_opts opts;
        cflr_error error = {0};
        cflr_context_opts_init(&opts);
        opts.threads = 2;
        opts.memory_limit = resident_bytes() + (24 << 20);
        uint64_t full = 3000ull * 2999 / 2;
        world l;
        chain_world(&l, &opts, 3000);
        cflr_solve_opts solve;
        cflr_solve_opts_init(&solve);
        solve.model = models[m];
        cflr_status st = cflr_solve(l.graph, l.grammar, &solve, &l.result, &error);
        cr_assert_eq(st, CFLR_LIMIT, "%s: status %d", cflr_model_name(models[m]), (int)st);
        cr_assert_not_null(l.result, "%s lost everything", cflr_model_name(models[m]));
        cr_assert_not(cflr_result_complete(l.result));
        cr_assert_leq(cflr_context_memory_peak(l.context), opts.memory_limit);
        uint32_t p = cflr_result_find_label(l.result, "P"), vertex;
        cflr_result_label info;
        cflr_result_get_label(l.result, p, &info);
        cr_assert(info.pairs > 0 && info.pairs < full, "%s: %llu of %llu pairs",
                  cflr_model_name(models[m]), (unsigned long long)info.pairs,
                  (unsigned long long)full);
        uint64_t cursor = 0, count;
        const uint32_t *row;
        while ((row = cflr_result_next_row(l.result, p, 0, &cursor, &vertex, &count))) {
            for (uint64_t k = 0; k < count; k++) cr_assert_gt(row[k], vertex);
        }
        world_end(&l);
    }
}

Test(solve, time_limit_and_cancel_stop_early) {
    for (size_t m = 0; m < N_MODELS; m++) {
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.threads = 2;
        opts.time_limit = 1e-9;
        world w;
        chain_world(&w, &opts, 4000);
        cflr_solve_opts solve;
        cflr_solve_opts_init(&solve);
        solve.model = models[m];
        cflr_error error = {0};
        cr_assert_eq(cflr_solve(w.graph, w.grammar, &solve, &w.result, &error), CFLR_LIMIT, "%s",
                     cflr_model_name(models[m]));
        cr_assert_not_null(w.result);
        cr_assert_not(cflr_result_complete(w.result));
        cflr_result_free(w.result);
        cflr_context_cancel(w.context);
        cr_assert_eq(cflr_solve(w.graph, w.grammar, &solve, &w.result, &error), CFLR_CANCELLED,
                     "%s", cflr_model_name(models[m]));
        cr_assert_not(cflr_result_complete(w.result));
        world_end(&w);
    }
}

static bool stop_after_some(void *user, const cflr_progress *progress) {
    int *calls = user;
    cr_assert_str_eq(progress->phase, "solve");
    return ++*calls < 2;
}

Test(solve, progress_can_cancel) {
    int calls = 0;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.threads = 1;
    opts.progress = stop_after_some;
    opts.user = &calls;
    world w;
    chain_world(&w, &opts, 9000);
    cflr_solve_opts solve;
    cflr_solve_opts_init(&solve);
    solve.model = CFLR_MODEL_EDGE_INDEXED;
    cr_assert_eq(cflr_solve(w.graph, w.grammar, &solve, &w.result, NULL), CFLR_CANCELLED);
    cr_assert_eq(calls, 2);
    world_end(&w);
}

Test(solve, wrong_options_are_refused) {
    world w;
    world_begin(&w, 1);
    world_graph(&w, "0 1 e");
    world_grammar(&w, "P ::= e\n");
    cflr_error error;
    cflr_solve_opts opts = {0};
    cr_assert_eq(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error), CFLR_ARGUMENT);
    cflr_solve_opts_init(&opts);
    opts.model = (cflr_model)99;
    cr_assert_eq(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error), CFLR_ARGUMENT);
    cr_assert_null(w.result);
    cflr_model model;
    cr_assert_eq(cflr_model_parse("edge-indexed", &model, &error), CFLR_OK);
    cr_assert_eq(model, CFLR_MODEL_EDGE_INDEXED);
    cr_assert_eq(cflr_model_parse("edge_indexed", &model, &error), CFLR_ARGUMENT);
    world_end(&w);
}

Test(solve, auto_picks_by_threads) {
    for (int threads = 1; threads <= 2; threads++) {
        cflr_context_opts opts;
        cflr_context_opts_init(&opts);
        opts.threads = threads;
        world w;
        chain_world(&w, &opts, 2500);
        world_solve(&w, CFLR_MODEL_AUTO);
        cflr_result_stats stats;
        cflr_result_get_stats(w.result, &stats);
        cr_assert_eq(stats.model, threads == 1 ? CFLR_MODEL_EDGE_INDEXED : CFLR_MODEL_PARALLEL);
        cr_assert_eq(stats.threads, threads);
        world_end(&w);
    }
}

Test(solve, nothing_in_nothing_out) {
    for (size_t m = 0; m < N_MODELS; m++) {
        world w;
        world_begin(&w, 2);
        world_graph(&w, "");
        world_grammar(&w, "P ::= e | eps\n");
        world_solve(&w, models[m]);
        cflr_result_stats stats;
        cflr_result_get_stats(w.result, &stats);
        cr_assert_eq(stats.pairs, 0);
        world_end(&w);
    }
}

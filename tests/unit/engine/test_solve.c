/* SPDX-License-Identifier: Apache-2.0
 *
 * The public entry: options, limits, cancellation, partial results.
 */
#include <time.h>

#include "engine/results/result.h"
#include "support.h"

Test(solve, every_model_closes_a_chain) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        for (int threads = 1; threads <= 3; threads++) {
            world w;
            world_begin(&w, threads);
            world_chain(&w, 40);
            world_solve(&w, test_models[m]);
            cr_assert_eq(pairs_of(w.result, "P"), 40 * 39 / 2, "%s",
                         cflr_model_name(test_models[m]));
            cflr_result_stats stats;
            cflr_result_get_stats(w.result, &stats);
            cr_assert_eq(stats.model, test_models[m]);
            cr_assert(stats.complete);
            cr_assert_eq(stats.pairs, 40 * 39 / 2 + 39);
            world_end(&w);
        }
    }
}

/* ---- partial results ---- */

/* Some pairs of P, all of them derivable: P(u,v) has u < v. */
static void must_be_partial(const world *w, uint64_t full, const char *what) {
    cr_assert_not_null(w->result, "%s lost everything", what);
    cr_assert_not(cflr_result_complete(w->result));
    uint32_t p = label_of(w->result, "P");
    uint64_t pairs = pairs_of(w->result, "P"), cursor = 0;
    cflr_row row = {0};
    cflr_error error;
    cr_assert(pairs < full, "%s: %" PRIu64 " of %" PRIu64 " pairs", what, pairs, full);
    if (!pairs) return;
    do { /* the memory limit has been met, and a short row takes hardly any */
        MUST(cflr_result_next_row(w->result, p, 0, &cursor, &row, &error));
        for (uint64_t k = 0; k < row.count; k++) cr_assert_gt(row.target[k], row.vertex);
    } while (row.count);
    cflr_row_free(&row);
}

/* Saved in the context that is at its limit, loaded in a fresh one. */
static void must_be_saved(const world *w, const test_dir *dir, const char *what) {
    char path[512];
    cflr_error error;
    cflr_result *loaded;
    test_path(dir, "partial.cflr", path);
    cflr_status st = cflr_result_save(w->result, path, &error);
    cr_assert_eq(st, CFLR_OK, "%s: %s", what, error.message);
    cflr_context *fresh = test_context();
    MUST(cflr_result_load(fresh, path, &loaded, &error));
    cr_assert_not(cflr_result_complete(loaded));
    must_be_equal(w->result, loaded, what);
    cflr_result_free(loaded);
    test_context_end(fresh);
}

/* Whatever the limit, what is there when memory ends is kept and can be saved, also where nothing
 * can be written to a disk. */
Test(solve, memory_limit_keeps_a_partial_result) {
    static const uint64_t limits[] = {16 << 20, 20 << 20, 28 << 20};
    static const uint64_t batch[] = {9 << 20, 10 << 20, 11 << 20}; /* it needs less */
    uint64_t full = UINT64_C(400) * 150 * 149 / 2;
    test_dir dir = test_dir_begin();
    setenv("TMPDIR", "/dev/null", 1);
    for (size_t m = 0; m < TEST_MODELS; m++) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            const char *what = cflr_model_name(test_models[m]);
            if (test_models[m] == CFLR_MODEL_NAIVE && i > 0) continue; /* slow */
            world w;
            cflr_error error = {0};
            world_begin(&w, 2);
            uint64_t limit = test_models[m] == CFLR_MODEL_BATCH ? batch[i] : limits[i];
            w.context->opts.memory_limit = w.context->memory_limit = limit;
            world_chains(&w, 60000, 150);
            cflr_status st = world_try(&w, test_models[m], &error);
            cr_assert_eq(st, CFLR_LIMIT, "%s: %s %s", what, cflr_status_name(st), error.message);
            cr_assert_eq(error.code, CFLR_LIMIT);
            must_be_partial(&w, full, what);
            must_be_saved(&w, &dir, what);
            cr_assert_leq(cflr_context_memory_peak(w.context), limit);
            world_end(&w);
        }
    }
    test_dir_end(&dir);
}

/* With a disk, the batch model needs less memory for the whole. */
Test(solve, memory_limit_is_kept_with_a_disk) {
    test_dir dir = test_dir_begin();
    setenv("TMPDIR", dir.path, 1);
    for (uint64_t limit = 13 << 20; limit <= 15 << 20; limit += 1 << 20) {
        world w;
        cflr_result_stats stats;
        world_begin(&w, 2);
        w.context->opts.memory_limit = w.context->memory_limit = limit;
        world_chains(&w, 60000, 150);
        world_solve(&w, CFLR_MODEL_BATCH);
        cflr_result_get_stats(w.result, &stats);
        cr_assert(stats.complete);
        cr_assert_leq(cflr_context_memory_peak(w.context), limit);
        world_end(&w);
    }
    test_dir_end(&dir);
}

/* Two threads, of which either may be the one that memory is refused to. A result that says it is
 * complete is. */
Test(solve, memory_limit_never_lies) {
    test_dir dir = test_dir_begin();
    uint64_t peak = 0, whole;
    uint32_t complete = 0;
    setenv("TMPDIR", dir.path, 1);
    for (int i = 0; i < 12; i += i && TEST_SANITIZED ? 2 : 1) {
        world w;
        cflr_error error;
        cflr_graph_builder *builder;
        cflr_result_stats stats;
        uint32_t label[2];
        uint64_t edges = 11;
        world_begin(&w, 2);
        MUST(cflr_graph_builder_new(w.context, &builder, &error));
        MUST(cflr_graph_builder_label(builder, "a", NULL, &label[0], &error));
        MUST(cflr_graph_builder_label(builder, "d", NULL, &label[1], &error));
        for (uint32_t e = 0; e < 9000; e++) {
            uint32_t from = test_random_below(&edges, 6000), to = test_random_below(&edges, 6000);
            MUST(cflr_graph_builder_edge(builder, from, to, label[e % 3 == 0], &error));
        }
        MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
        world_grammar(&w, "V ::= ~A V | V A | M | eps\nA ::= a M | a\nM ::= DV d\nDV ::= ~d V\n");
        if (i) w.context->memory_limit = peak / 2 + peak * (uint64_t)i / 12;
        w.context->opts.memory_limit = w.context->memory_limit;
        cflr_status st = world_try(&w, CFLR_MODEL_BATCH, &error);
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT, "%s", error.message);
        if (w.result) cflr_result_get_stats(w.result, &stats);
        if (!i) whole = stats.pairs;
        if (!i) peak = cflr_context_memory_peak(w.context);
        if (w.result) cr_assert_eq(stats.complete, st == CFLR_OK);
        if (w.result && stats.complete) cr_assert_eq(stats.pairs, whole);
        if (w.result) cr_assert_leq(stats.pairs, whole);
        complete += st == CFLR_OK;
        world_end(&w);
    }
    cr_assert(complete > 1 && complete < 12, "%u of 12 results are complete", complete);
    test_dir_end(&dir);
}

static void *refuse(void *user, size_t size) {
    (void)user;
    (void)size;
    return NULL;
}

/* A memory limit is forgotten when memory is there again; what the system refuses later is not
 * blamed on it. */
Test(solve, after_a_memory_limit) {
    world w;
    cflr_error error = {0};
    world_begin(&w, 1);
    world_chain(&w, 1500);
    uint64_t before = cflr_context_memory(w.context);
    w.context->opts.memory_limit = w.context->memory_limit = before + (1 << 20);
    cr_assert_eq(world_try(&w, CFLR_MODEL_EDGE_INDEXED, &error), CFLR_LIMIT);
    world_forget_result(&w);
    cr_assert_eq(cflr_context_memory(w.context), before);
    w.context->opts.memory_limit = w.context->memory_limit = UINT64_C(1) << 30;
    cr_assert_eq(world_try(&w, CFLR_MODEL_EDGE_INDEXED, &error), CFLR_OK, "%s", error.message);
    world_forget_result(&w);
    w.context->default_allocator = false;
    w.context->allocator.allocate = refuse;
    cr_assert_eq(world_try(&w, CFLR_MODEL_EDGE_INDEXED, &error), CFLR_NO_MEMORY);
    cr_assert_null(w.result);
    world_end(&w);
}

/* A limit that leaves no room at all ends cleanly, with a result or without. */
Test(solve, tiny_memory_limits_end_cleanly) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        for (uint64_t room = 0; room < 60000; room += 1777) {
            world w;
            cflr_error error = {0};
            world_begin(&w, 2);
            world_chain(&w, 300);
            w.context->memory_limit = cflr_context_memory(w.context) + room;
            cflr_status st = world_try(&w, test_models[m], &error);
            if (st != CFLR_OK) cr_assert_eq(st, CFLR_LIMIT, "%s", error.message);
            if (st != CFLR_OK && w.result) must_be_partial(&w, 300 * 299 / 2, "tiny");
            world_end(&w);
        }
    }
}

Test(solve, time_limit_and_cancel_stop_early) {
    test_dir dir = test_dir_begin();
    for (size_t m = 0; m < TEST_MODELS; m++) {
        const char *what = cflr_model_name(test_models[m]);
        world w;
        cflr_error error = {0};
        world_begin(&w, 2);
        world_chain(&w, 4000);
        w.context->opts.time_limit = 1e-9;
        cr_assert_eq(world_try(&w, test_models[m], &error), CFLR_LIMIT, "%s", what);
        must_be_partial(&w, UINT64_C(4000) * 3999 / 2, what);
        must_be_saved(&w, &dir, what);
        world_forget_result(&w);
        w.context->opts.time_limit = 0;
        w.context->out_of_time = false;
        cflr_context_cancel(w.context);
        cr_assert_eq(world_try(&w, test_models[m], &error), CFLR_CANCELLED, "%s", what);
        if (w.result) must_be_saved(&w, &dir, what);
        world_end(&w);
    }
    test_dir_end(&dir);
}

/* The second call is due a tenth of a second later, however fast the model is. */
static bool stop_at_second(void *user, const cflr_progress *progress) {
    static const struct timespec wait = {.tv_nsec = 120000000};
    int *calls = user;
    if (strcmp(progress->phase, "solve") == 0 && ++*calls == 1) nanosleep(&wait, NULL);
    return *calls < 2;
}

Test(solve, progress_can_cancel) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        int calls = 0;
        uint64_t n = 9000;
        world w;
        cflr_error error;
        world_begin(&w, 1);
        world_chain(&w, (uint32_t)n);
        w.context->opts.progress = stop_at_second;
        w.context->opts.user = &calls;
        cr_assert_eq(world_try(&w, test_models[m], &error), CFLR_CANCELLED, "%s",
                     cflr_model_name(test_models[m]));
        cr_assert_eq(calls, 2);
        must_be_partial(&w, n * (n - 1) / 2, "cancelled");
        world_end(&w);
    }
}

/* ---- options ---- */

Test(solve, wrong_options_are_refused) {
    world w;
    world_begin(&w, 1);
    world_graph(&w, "0 1 e");
    world_grammar(&w, "P ::= e\n");
    cflr_error error;
    cflr_solve_opts opts = {0};
    MUST_FAIL(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error), CFLR_ARGUMENT);
    cflr_solve_opts_init(&opts);
    opts.model = (cflr_model)99;
    MUST_FAIL(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error), CFLR_ARGUMENT);
    cflr_solve_opts_init(&opts);
    opts.checkpoint = -1;
    MUST_FAIL(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error), CFLR_ARGUMENT);
    cr_assert_null(w.result);
    MUST(cflr_solve(w.graph, w.grammar, NULL, &w.result, &error));
    world_end(&w);
}

Test(solve, models_have_words) {
    cflr_model model;
    cflr_error error;
    for (size_t m = 0; m < TEST_MODELS; m++) {
        MUST(cflr_model_parse(cflr_model_name(test_models[m]), &model, &error));
        cr_assert_eq(model, test_models[m]);
    }
    MUST_FAIL(cflr_model_parse("edge_indexed", &model, &error), CFLR_ARGUMENT);
    cr_assert(strstr(error.message, "edge-indexed"));
    cr_assert_null(cflr_model_name((cflr_model)99));
}

Test(solve, auto_takes_the_fastest) {
    for (int threads = 1; threads <= 2; threads++) {
        world w;
        world_begin(&w, threads);
        world_chains(&w, 3000, 10);
        world_solve(&w, CFLR_MODEL_AUTO);
        cflr_result_stats stats;
        cflr_result_get_stats(w.result, &stats);
        cr_assert_eq(stats.model, CFLR_MODEL_BATCH);
        cr_assert_eq(stats.threads, threads);
        cr_assert_eq(pairs_of(w.result, "P"), 300 * 45);
        world_end(&w);
    }
}

/* Few edges are tried pair by pair, until there are too many pairs, and not where rules are to be
 * tallied. */
Test(solve, auto_tries_small_graphs_pair_by_pair) {
    static const struct {
        uint32_t n, length;
        bool stats;
        cflr_model model;
    } cases[] = {{100, 10, false, CFLR_MODEL_EDGE_INDEXED},
                 {2000, 10, false, CFLR_MODEL_EDGE_INDEXED},
                 {2000, 10, true, CFLR_MODEL_BATCH},
                 {1000, 1000, false, CFLR_MODEL_BATCH}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        world w;
        cflr_error error;
        cflr_solve_opts opts;
        cflr_result_stats stats;
        uint32_t n = cases[c].n, length = cases[c].length;
        world_begin(&w, 1);
        world_chains(&w, n, length);
        cflr_solve_opts_init(&opts);
        opts.stats = cases[c].stats;
        MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
        cflr_result_get_stats(w.result, &stats);
        cr_assert_eq(stats.model, cases[c].model, "case %zu", c);
        cr_assert_eq(pairs_of(w.result, "P"), n / length * (length * (length - 1) / 2));
        world_end(&w);
    }
}

Test(solve, nothing_in_nothing_out) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        world w;
        world_begin(&w, 2);
        world_graph(&w, "");
        world_grammar(&w, "P ::= e | eps\n");
        world_solve(&w, test_models[m]);
        cflr_result_stats stats;
        cflr_result_get_stats(w.result, &stats);
        cr_assert_eq(stats.pairs, 0);
        cr_assert(stats.complete);
        world_end(&w);
    }
}

/* An index that only the grammar knows has no string in the graph. */
Test(solve, constant_index_unknown_to_the_graph) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        world w;
        cflr_error error;
        cflr_verify_report report;
        world_begin(&w, 2);
        world_graph(&w, "0 1 e; 1 2 f[x]");
        world_grammar(&w, "%start P\nP ::= A[\"only\"] f[\"x\"]\nA[\"only\"] ::= e\n");
        world_solve(&w, test_models[m]);
        uint32_t a = label_of(w.result, "A");
        cr_assert_str_eq(cflr_result_label_index(w.result, a, 0), "only");
        cr_assert(cflr_result_has(w.result, label_of(w.result, "P"), 0, 2));
        for (uint64_t samples = 0; samples <= 50; samples += 50) {
            MUST(cflr_verify(w.graph, w.grammar, w.result, samples, &report, &error));
            cr_assert(report.pairs_checked && !report.missing && !report.underivable, "%s",
                      report.first_failure);
        }
        world_end(&w);
    }
}

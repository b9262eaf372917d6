/* SPDX-License-Identifier: Apache-2.0
 *
 * Every model and every number of threads gives the closure of the reference solver: on thousands
 * of random grammars and graphs (random_pairs.h), pair by pair. (The reference itself is held
 * against tests/cases, whose answers were made by another program: test_cases.c.)
 *
 * `batch` is tried with every choice of techniques, with one thread and with several.
 */
#include <limits.h>

#include "grammar/equations/algebra.h"
#include "random_pairs.h"

enum {
    PAIRS = TEST_SANITIZED ? 500 : 2000,
    MANY_PAIRS = 5000,
    TECHNIQUES = 8,
    ON_GRAMMAR = 6,                        /* the first of them */
    FOUR = 1 << (TECHNIQUES - ON_GRAMMAR), /* choices of the others */
    SEVERAL = 16,                          /* one choice in so many is tried with several threads */
};

static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

/* Every choice of techniques for every pair, each with every number of threads, not a quarter of
 * them. */
static bool exhaustive(void) {
    return getenv("CFLR_TEST_EXHAUSTIVE") != NULL;
}

static void solve_and_compare(world *w, const cflr_result *reference, cflr_model model, int threads,
                              uint64_t seed) {
    char what[128];
    snprintf(what, sizeof what, "seed %" PRIu64 ", %s, %d threads", seed, cflr_model_name(model),
             threads);
    w->context->threads = threads;
    world_solve(w, model);
    must_be_equal(reference, w->result, what);
    world_forget_result(w);
}

static void compare_all(world *w, uint64_t seed) {
    cflr_result *reference = world_closure(w, CFLR_MODEL_NAIVE);
    for (size_t m = 1; m < TEST_MODELS; m++) {
        solve_and_compare(w, reference, test_models[m], 1, seed);
    }
    for (size_t t = 1; t < THREAD_COUNTS; t++) {
        solve_and_compare(w, reference, CFLR_MODEL_PARALLEL, thread_counts[t], seed);
        if (!exhaustive() && t != 1 + seed % (THREAD_COUNTS - 1)) continue;
        solve_and_compare(w, reference, CFLR_MODEL_BATCH, thread_counts[t], seed);
    }
    for (unsigned without = 1; without < 1 << TECHNIQUES; without++) {
        bool several = (without + seed) % SEVERAL == 0;
        if (!exhaustive() && without >> ON_GRAMMAR != (without + seed) % FOUR) continue;
        w->context->techniques = ~without;
        for (size_t t = 0; t < THREAD_COUNTS; t++) {
            bool turn = exhaustive() || t == (several ? seed % THREAD_COUNTS : 0);
            if (turn) solve_and_compare(w, reference, CFLR_MODEL_BATCH, thread_counts[t], seed);
        }
    }
    w->context->techniques = UINT_MAX;
    cflr_result_free(reference);
}

/* One symbol or two, alone, are what they are among all. */
static void compare_some(world *w, uint64_t seed) {
    static const char *const names[] = {"A", "B", "C", "D", "G"};
    static const cflr_model models[] = {CFLR_MODEL_BATCH, CFLR_MODEL_EDGE_INDEXED};
    const char *only[2] = {names[seed % 5], names[seed / 5 % 5]};
    world_solve(w, CFLR_MODEL_NAIVE);
    cflr_result *reference = w->result;
    for (size_t m = 0; m < 2; m++) {
        char what[64];
        cflr_error error;
        cflr_solve_opts opts;
        cflr_verify_report report;
        snprintf(what, sizeof what, "seed %" PRIu64 ", only %s and %s", seed, only[0], only[1]);
        cflr_solve_opts_init(&opts);
        opts.model = models[m];
        opts.only = only;
        opts.n_only = 2;
        MUST(cflr_solve(w->graph, w->grammar, &opts, &w->result, &error));
        cr_assert_eq(cflr_result_labels(w->result), only[0] == only[1] ? 1 : 2, "%s", what);
        for (uint32_t l = 0; l < cflr_result_labels(w->result); l++) {
            cflr_result_label info;
            cflr_result_get_label(w->result, l, &info);
            must_be_equal_at(reference, label_of(reference, info.name), w->result, l, what);
        }
        for (uint64_t samples = 0; samples < 100; samples += 50) {
            MUST(cflr_verify(w->graph, w->grammar, w->result, samples, &report, &error));
            cr_assert_eq(report.missing + report.underivable, 0, "%s: %s", what,
                         report.first_failure);
        }
        world_forget_result(w);
    }
    cflr_result_free(reference);
}

static void try_pair(uint64_t seed) {
    world w;
    random_world(&w, seed);
    compare_all(&w, seed);
    compare_some(&w, seed);
    world_end(&w);
}

static void try_pairs(uint64_t quarter) {
    uint64_t pairs = exhaustive() ? MANY_PAIRS : PAIRS;
    for (uint64_t seed = quarter * pairs / 4; seed < (quarter + 1) * pairs / 4; seed++)
        try_pair(seed);
}

Test(models, random_pairs_first_quarter) {
    try_pairs(0);
}

Test(models, random_pairs_second_quarter) {
    try_pairs(1);
}

Test(models, random_pairs_third_quarter) {
    try_pairs(2);
}

Test(models, random_pairs_last_quarter) {
    try_pairs(3);
}

/* Long rows on a few thousand vertices: lists grow through all classes of blocks, sets from
 * comparing to slots to bits, and slices of one row are many. */
Test(models, long_rows) {
    dice d = {7};
    cflr_error error;
    cflr_graph_builder *builder;
    world w;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    uint32_t e, f;
    MUST(cflr_graph_builder_label(builder, "e", NULL, &e, &error));
    MUST(cflr_graph_builder_label(builder, "f", NULL, &f, &error));
    enum { CHAIN = 60, LEAVES = 2600 };
    for (uint32_t v = 0; v < CHAIN; v++) {
        MUST(cflr_graph_builder_edge(builder, v, (v + 1 + roll(&d, 2)) % CHAIN, e, &error));
    }
    for (uint32_t v = 0; v < LEAVES; v++) {
        MUST(cflr_graph_builder_edge(builder, roll(&d, CHAIN), CHAIN + v, f, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_grammar(&w, "P ::= P P | e\nQ ::= P f\nR ::= ~f f\nS ::= f ~Q\n");
    compare_all(&w, 0);
    world_end(&w);
}

/* Tens of thousands of labels at a vertex, each joined by one rule only: with an index, directories
 * and joins must cost what the edges cost. (Without one, every pair of labels is asked about.) */
Test(models, very_many_labels) {
    enum { INDEXES = 20000 };
    cflr_error error;
    cflr_graph_builder *builder;
    world w;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    uint32_t a;
    MUST(cflr_graph_builder_label(builder, "a", NULL, &a, &error));
    MUST(cflr_graph_builder_edge(builder, 1, 2, a, &error));
    MUST(cflr_graph_builder_edge(builder, 2, 3, a, &error));
    for (uint32_t i = 0; i < INDEXES; i++) {
        test_indexed_edge(builder, "call", i, 0, 1);
        test_indexed_edge(builder, "ret", i, 3, 4 + i % 7);
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_grammar(&w, "A ::= A A | C[i] ret[i] | a\nC[i] ::= call[i] A\n");
    static const cflr_model indexed[] = {CFLR_MODEL_VERTEX_INDEXED, CFLR_MODEL_EDGE_INDEXED,
                                         CFLR_MODEL_PARALLEL};
    for (size_t m = 0; m < sizeof indexed / sizeof *indexed; m++) {
        for (int threads = 1; threads <= 3; threads++) {
            w.context->threads = threads;
            world_solve(&w, indexed[m]);
            /* 1-2, 2-3, 1-3, and from 0 to the seven targets of ret */
            cr_assert_eq(pairs_of(w.result, "A"), 10, "%s", cflr_model_name(indexed[m]));
            cr_assert_eq(pairs_of(w.result, "C"), 2 * INDEXES);
            world_forget_result(&w);
        }
    }
    cr_assert_lt(cflr_context_memory_peak(w.context), UINT64_C(100) << 20);
    world_end(&w);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Models that use threads under load, for ThreadSanitizer: a plain program, because Criterion
 * cannot run under it. Each problem is solved with 1 to 8 threads and must give as many pairs of
 * every symbol as a sequential model; then with memory that runs out, and with a cancellation that
 * comes from another thread while it works.
 *
 *     scripts/test tsan
 *
 * (clang's OpenMP runtime explains its barriers to ThreadSanitizer through archer; gcc's cannot.)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/context.h"
#include "cflr/cflr.h"
#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "tests/stress/need.h"

static const char alias[] =
    "%start V\n"
    "V ::= ~A V | V A | F[i] f[i] | M | eps\n"
    "F[i] ::= ~f[i] V\n"
    "M ::= ~d V d\n"
    "A ::= A A | a M | a | eps\n";
/* a product: searched, through cycles of all sizes */
static const char steps[] = "P ::= P a | P d | P f[i] | a | d\n";
static const char reach[] = "P ::= P P | a | ~d P d\n";

static const char *const grammars[] = {alias, reach, steps};
static const cflr_model models[] = {CFLR_MODEL_PARALLEL, CFLR_MODEL_BATCH};

typedef struct world {
    cflr_context *context;
    cflr_graph *graph;
    cflr_grammar *grammar;
} world;

static uint32_t roll(uint64_t *state, uint32_t bound) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*state >> 33) % bound);
}

static void make_graph(world *w, uint32_t n, uint32_t edges) {
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

/* Counts, however often the same graph is made, are the same. */
static world begin(const char *rules, uint32_t n, uint32_t edges, int threads) {
    world w = {0};
    cflr_error error;
    cflr_context_opts opts;
    cflr_context_opts_init(&opts);
    opts.threads = threads;
    NEED(cflr_context_new(&opts, &w.context, &error) == CFLR_OK, "%s", error.message);
    w.context->share = 1; /* small graphs, many threads */
    make_graph(&w, n, edges);
    cflr_status st = cflr_grammar_parse(w.context, rules, strlen(rules), "rules", CFLR_GRAMMAR_CFLR,
                                        &w.grammar, &error);
    NEED(st == CFLR_OK, "%s", error.message);
    return w;
}

static void end(world *w) {
    cflr_grammar_free(w->grammar);
    cflr_graph_free(w->graph);
    NEED(cflr_context_memory(w->context) == 0, "memory leaks");
    cflr_context_free(w->context);
}

static cflr_status solve(const world *w, cflr_model model, cflr_result **result) {
    cflr_error error;
    cflr_solve_opts opts;
    cflr_solve_opts_init(&opts);
    opts.model = model;
    return cflr_solve(w->graph, w->grammar, &opts, result, &error);
}

static uint64_t count(const cflr_result *result) {
    uint64_t sum = 0;
    for (uint32_t l = 0; l < cflr_result_labels(result); l++) {
        cflr_result_label info;
        cflr_result_get_label(result, l, &info);
        sum = sum * 31 + info.pairs * 7 + info.rows;
    }
    return sum;
}

static void all_threads(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    cflr_result *result;
    world w = begin(rules, n, edges, 1);
    NEED(solve(&w, CFLR_MODEL_EDGE_INDEXED, &result) == CFLR_OK, "edge-indexed");
    uint64_t expected = count(result);
    cflr_result_free(result);
    end(&w);
    for (int threads = 1; threads <= 8; threads++) {
        w = begin(rules, n, edges, threads);
        NEED(solve(&w, model, &result) == CFLR_OK, "%d threads", threads);
        NEED(count(result) == expected, "%d threads give another closure", threads);
        cflr_result_free(result);
        end(&w);
    }
}

/* Several threads in each of several slices. */
static void in_slices(const char *rules, uint32_t n, uint32_t edges) {
    enum { SLICES = 3, GRAIN = 64 };
    world w = begin(rules, n, edges, 4);
    cflri_memory_carrier memory;
    cflri_spine spine = {.place = &cflri_batch_place, .slices = SLICES, .grain = GRAIN};
    cflr_result *alone, *sliced;
    NEED(solve(&w, CFLR_MODEL_BATCH, &alone) == CFLR_OK, "one slice");
    NEED(cflri_memory_carrier_init(&memory, w.context, SLICES, NULL) == CFLR_OK, "no memory");
    spine.carrier = &memory.carrier;
    w.context->spine = &spine;
    NEED(solve(&w, CFLR_MODEL_BATCH, &sliced) == CFLR_OK, "%d slices", SLICES);
    NEED(count(sliced) == count(alone), "%d slices give another closure", SLICES);
    cflr_result_free(sliced);
    cflr_result_free(alone);
    cflri_memory_carrier_free(&memory);
    end(&w);
}

/* Nothing is made up: rows of a symbol without indexes hold no more than they should. */
static void must_be_part(const cflr_result *part, const cflr_result *whole) {
    for (uint32_t l = 0; l < cflr_result_labels(part); l++) {
        cflr_result_label info;
        cflr_result_get_label(part, l, &info);
        uint32_t all = cflr_result_find_label(whole, info.name), vertex;
        uint64_t cursor = 0, n, m;
        const uint32_t *row;
        while (info.indexes == 1 &&
               (row = cflr_result_next_row(part, l, 0, &cursor, &vertex, &n))) {
            const uint32_t *should = cflr_result_row(whole, all, 0, vertex, &m);
            for (uint64_t i = 0, k = 0; i < n; i++, k++) {
                while (k < m && should[k] < row[i]) k++;
                NEED(k < m && should[k] == row[i], "%s: a pair too many", info.name);
            }
        }
    }
}

/* From no room at all to enough, in steps: some worker is refused memory while others work. */
static void short_of_memory(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    int partial = 0, whole = 0;
    world all = begin(rules, n, edges, 1);
    cflr_result *reference;
    NEED(solve(&all, CFLR_MODEL_EDGE_INDEXED, &reference) == CFLR_OK, "edge-indexed");
    for (uint64_t room = 1024; room < UINT64_C(1) << 32 && !whole; room += room / 2) {
        world w = begin(rules, n, edges, 4);
        cflr_result *result = NULL;
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = solve(&w, model, &result);
        NEED(st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_NO_MEMORY, "status %d", (int)st);
        NEED(!result || cflr_result_complete(result) == (st == CFLR_OK), "what is complete?");
        partial += st == CFLR_LIMIT && result;
        whole += st == CFLR_OK;
        if (result) must_be_part(result, reference);
        cflr_result_free(result);
        end(&w);
    }
    cflr_result_free(reference);
    end(&all);
    NEED(partial > 3 && whole == 1, "%d partial results, %d whole", partial, whole);
}

static void *cancel_soon(void *user) {
    struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
    nanosleep(&pause, NULL);
    cflr_context_cancel(user);
    return NULL;
}

static void cancelled(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    world w = begin(rules, n, edges, 4);
    cflr_result *result = NULL;
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, cancel_soon, w.context) == 0, "no thread");
    cflr_status st = solve(&w, model, &result);
    pthread_join(thread, NULL);
    NEED(st == CFLR_OK || st == CFLR_CANCELLED, "status %d", (int)st);
    NEED(result && cflr_result_complete(result) == (st == CFLR_OK), "no partial result");
    cflr_result_free(result);
    end(&w);
}

static void try_model(cflr_model model, const char *rules) {
    all_threads(model, rules, 40, 100);
    all_threads(model, rules, 600, 1500);
    all_threads(model, rules, 1500, 1900);
    short_of_memory(model, rules, 600, 1500);
    cancelled(model, rules, 3000, 6000);
}

int main(void) {
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++) {
            try_model(models[m], grammars[g]);
        }
    }
    for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++) {
        in_slices(grammars[g], 600, 1500);
        in_slices(grammars[g], 1500, 1900);
    }
    puts("stress: models that use threads hold");
    return 0;
}

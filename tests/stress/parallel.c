/* SPDX-License-Identifier: Apache-2.0
 *
 * Models that use threads under load, for ThreadSanitizer: a plain program, because Criterion
 * cannot run under it. Each problem is solved with up to 8 threads and must give as many pairs of
 * every symbol as a sequential model; then with memory that runs out, and with a cancellation that
 * comes from another thread while it works.
 *
 *     scripts/test tsan
 *
 * (clang's OpenMP runtime explains its barriers to ThreadSanitizer through archer; gcc's cannot.)
 */
#include <pthread.h>

#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "tests/stress/problem.h"

static const char *const grammars[] = {alias, reach, steps, generations};
static const cflr_model models[] = {CFLR_MODEL_PARALLEL, CFLR_MODEL_BATCH};

static void all_threads(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    cflr_result *result;
    stress_world w = begin(rules, n, edges, 1);
    NEED(solve(&w, CFLR_MODEL_EDGE_INDEXED, &result) == CFLR_OK, "edge-indexed");
    uint64_t expected = count(result);
    cflr_result_free(result);
    end(&w);
    static const int threads[] = {1, 2, 3, 5, 8};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        w = begin(rules, n, edges, threads[i]);
        NEED(solve(&w, model, &result) == CFLR_OK, "%d threads", threads[i]);
        NEED(count(result) == expected, "%d threads give another closure", threads[i]);
        cflr_result_free(result);
        end(&w);
    }
}

/* Several threads in each of several slices. */
static void in_slices(const char *rules, uint32_t n, uint32_t edges) {
    enum { SLICES = 3, GRAIN = 64 };
    stress_world w = begin(rules, n, edges, 4);
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

/* From no room at all to enough, in steps: some worker is refused memory while others work. */
static void short_of_memory(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    int partial = 0, whole = 0;
    stress_world all = begin(rules, n, edges, 1);
    cflr_result *reference;
    NEED(solve(&all, CFLR_MODEL_EDGE_INDEXED, &reference) == CFLR_OK, "edge-indexed");
    for (uint64_t room = 1024; room < UINT64_C(1) << 32 && !whole; room += room / 2) {
        stress_world w = begin(rules, n, edges, 4);
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

static void cancelled(cflr_model model, const char *rules, uint32_t n, uint32_t edges) {
    stress_world w = begin(rules, n, edges, 4);
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

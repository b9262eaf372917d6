/* SPDX-License-Identifier: Apache-2.0
 *
 * test_partial.c: a closure that does not fit keeps what fits, wherever the limit falls: while
 * pairs are found, or only when they become relations.
 */
#include "support.h"

/* With sanitizers fewer limits are tried: they look at every access of each run. */
enum { VERTICES = 700, STEP = 1 << 18, LAST = 48 * STEP, STEPS = TEST_SANITIZED ? 8 : 2 };

static const uint64_t whole = (uint64_t)VERTICES * (VERTICES - 1) / 2;

/* Solves with `room` bytes more than are in use; whether all of it was found. */
static bool solve_in(cflr_model model, int threads, uint64_t room) {
    world w;
    cflr_error error = {0};
    world_begin(&w, threads);
    world_chain(&w, VERTICES);
    w.context->memory_limit = cflr_context_memory(w.context) + room;
    cflr_status st = world_try(&w, model, &error);
    const char *name = cflr_model_name(model);
    cr_assert(st == CFLR_OK || st == CFLR_LIMIT, "%s: %s", name, error.message);
    cr_assert_not_null(w.result, "%s, %d threads, %" PRIu64 " bytes: no result", name, threads,
                       room);
    cr_assert_eq(cflr_result_complete(w.result), st == CFLR_OK);
    uint64_t pairs = pairs_of(w.result, "P");
    if (st == CFLR_OK) cr_assert_eq(pairs, whole);
    /* more than the graph's edges, and in proportion to the room */
    if (st != CFLR_OK) {
        cr_assert(pairs > VERTICES && pairs > room / 512 && pairs < whole,
                  "%s, %d threads, %" PRIu64 " bytes: %" PRIu64 " pairs", name, threads, room,
                  pairs);
    }
    world_end(&w);
    return st == CFLR_OK;
}

Test(partial, keeps_what_fits) {
    for (size_t m = 0; m < TEST_MODELS; m++) {
        bool parallel = test_models[m] == CFLR_MODEL_PARALLEL;
        bool slow = test_models[m] == CFLR_MODEL_NAIVE || test_models[m] == CFLR_MODEL_VERTEX;
        for (int threads = 1; threads <= (parallel ? 3 : 1); threads++) {
            for (uint64_t room = 8 * STEP * (uint64_t)threads; room <= LAST;
                 room += slow ? LAST : STEPS * STEP) {
                if (solve_in(test_models[m], threads, room)) break;
            }
        }
    }
}

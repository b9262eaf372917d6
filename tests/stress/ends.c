/* SPDX-License-Identifier: Apache-2.0
 *
 * Several ends close one graph, each a thread with a context of its own, over a carrier that tears,
 * delays and reorders boxes (hall.h). The first end has the closure of one process then. Memory
 * that ends at one end, an allocation that fails there, and a cancellation: all ends return the
 * same status, and none waits for ever.
 */
#include <stdatomic.h>

#include "engine/closure/batch/batch.h"
#include "engine/spine/driver.h"
#include "tests/stress/hall.h"
#include "tests/stress/problem.h"
#include "tests/support/sanitized.h"

enum { MOST_ENDS = 7, NO_END = 99 };

static const char *const grammars[] = {alias, reach, steps, generations};
static int cancelled; /* closures */

/* How a problem is to be closed, and what is to go wrong at one of the ends. */
typedef struct setting {
    const char *rules;
    uint32_t vertices, edges;
    uint32_t ends, each; /* slices of an end */
    uint32_t grain, piece;
    int threads;
    uint64_t seed;
    uint32_t unlucky;  /* end; NO_END: none */
    uint64_t room;     /* its memory; 0: no limit */
    uint64_t fails_at; /* the number of its allocation that is refused; 0: none */
    bool cancelled;
} setting;

typedef struct visitor {
    const setting *how;
    hall *hall;
    uint32_t self;
    cflr_status st;
    cflr_error error;
    stress_world world;
    cflr_result *result;
    _Atomic uint64_t calls; /* of the allocator */
    _Atomic int64_t blocks;
    _Atomic bool armed;
} visitor;

/* ---- memory that is refused once ---- */

static bool refuses(visitor *v) {
    if (!v->armed) return false;
    return atomic_fetch_add(&v->calls, 1) + 1 == v->how->fails_at && v->self == v->how->unlucky;
}

static void *allocate(void *user, size_t size) {
    void *block = refuses(user) ? NULL : malloc(size);
    if (block) atomic_fetch_add(&((visitor *)user)->blocks, 1);
    return block;
}

static void *reallocate(void *user, void *block, size_t size) {
    if (!block) return allocate(user, size);
    return refuses(user) ? NULL : realloc(block, size);
}

static void release(void *user, void *block) {
    if (block) atomic_fetch_sub(&((visitor *)user)->blocks, 1);
    free(block);
}

/* ---- ends ---- */

static void *visit(void *user) {
    visitor *v = user;
    const setting *how = v->how;
    const cflr_allocator allocator = {v, allocate, reallocate, release};
    hall_end end;
    stress_world *w = &v->world;
    *w = begin_with(how->rules, how->vertices, how->edges, how->threads, &allocator);
    hall_enter(v->hall, &end, w->context, v->self, how->each);
    cflri_spine spine = {.place = &cflri_batch_place,
                         .slices = how->ends * how->each,
                         .grain = how->grain,
                         .piece = how->piece,
                         .carrier = &end.carrier};
    w->context->spine = &spine;
    if (v->self == how->unlucky) {
        if (how->room) w->context->memory_limit = cflr_context_memory(w->context) + how->room;
    }
    pthread_t thread;
    bool cancels = how->cancelled && v->self == how->unlucky;
    NEED(!cancels || pthread_create(&thread, NULL, cancel_soon, w->context) == 0, "no thread");
    v->armed = true;
    v->st = solve_by_model(w, CFLR_MODEL_BATCH, &v->result, &v->error);
    v->armed = false;
    if (cancels) pthread_join(thread, NULL);
    w->context->spine = NULL;
    return NULL;
}

/* Returns the result of the first end, which may be NULL, and the status of all. */
static cflr_status close_together(const setting *how, visitor visitors[MOST_ENDS]) {
    hall h;
    pthread_t thread[MOST_ENDS];
    hall_init(&h, how->ends, how->seed);
    for (uint32_t e = 0; e < how->ends; e++) {
        visitors[e] = (visitor){.how = how, .hall = &h, .self = e};
        NEED(pthread_create(&thread[e], NULL, visit, &visitors[e]) == 0, "no thread");
    }
    for (uint32_t e = 0; e < how->ends; e++) pthread_join(thread[e], NULL);
    for (uint32_t e = 1; e < how->ends; e++) {
        NEED(visitors[e].st == visitors[0].st, "end %u says %d, and the first one %d", e,
             (int)visitors[e].st, (int)visitors[0].st);
        NEED(!visitors[e].result, "a result at end %u", e);
        NEED(visitors[0].st == CFLR_OK ||
                 strcmp(visitors[e].error.message, visitors[0].error.message) == 0,
             "'%s', and '%s'", visitors[e].error.message, visitors[0].error.message);
    }
    NEED(h.n == 0, "words are still under way");
    hall_free(&h);
    return visitors[0].st;
}

static void leave(const setting *how, visitor visitors[MOST_ENDS]) {
    cflr_result_free(visitors[0].result);
    for (uint32_t e = 0; e < how->ends; e++) {
        end(&visitors[e].world);
        NEED(visitors[e].blocks == 0, "blocks leak at end %u", e);
    }
}

/* ---- what is tried ---- */

typedef struct alone {
    stress_world world;
    cflr_result *result;
} alone;

static alone close_alone(const setting *how) {
    alone a = {.world = begin(how->rules, how->vertices, how->edges, 1)};
    NEED(solve(&a.world, CFLR_MODEL_BATCH, &a.result) == CFLR_OK, "one process");
    return a;
}

static void leave_alone(alone *a) {
    cflr_result_free(a->result);
    end(&a->world);
}

static void all_ends(setting how) {
    alone a = close_alone(&how);
    visitor visitors[MOST_ENDS];
    static const uint32_t ends[] = {2, 3, 4, 7};
    for (uint32_t i = 0; i < 8; i++) {
        how.ends = ends[i % 4];
        how.each = 1 + i / 4;
        how.seed = i + 1;
        how.grain = i % 2 ? 64 : 1;
        how.piece = i % 3 ? 7 : 0;
        how.threads = 1 + (int)(i == 2);
        NEED(close_together(&how, visitors) == CFLR_OK, "%s", visitors[0].error.message);
        NEED(count(visitors[0].result) == count(a.result), "%u ends give another closure",
             how.ends);
        must_be_part(visitors[0].result, a.result);
        leave(&how, visitors);
    }
    leave_alone(&a);
}

/* Rows share sets when they are sent, and in the result: the first end never has the memory of all
 * pairs, and at last a fifth of that at most: it keeps the sets of all ends as they came. */
static void large_closure(setting how) {
    visitor visitors[MOST_ENDS];
    cflr_result_stats stats;
    NEED(close_together(&how, visitors) == CFLR_OK, "%s", visitors[0].error.message);
    cflr_result_get_stats(visitors[0].result, &stats);
    const cflr_context *context = visitors[0].world.context;
    unsigned long long pairs = stats.pairs, peak = context->memory_peak, now = context->memory;
    NEED(pairs > 5000000, "%llu pairs", pairs);
    NEED(peak < 4 * pairs && now < 4 * pairs / 5, "%llu pairs in %llu, then %llu bytes", pairs,
         peak, now);
    leave(&how, visitors);
}

static void short_of_memory(setting how) {
    alone a = close_alone(&how);
    visitor visitors[MOST_ENDS];
    int partial = 0;
    for (uint64_t room = 4096, whole = 0; room < UINT64_C(1) << 32 && !whole; room += room / 2) {
        how.room = room;
        how.seed = room;
        cflr_status st = close_together(&how, visitors);
        NEED(st == CFLR_OK || st == CFLR_LIMIT || st == CFLR_NO_MEMORY, "status %d", (int)st);
        whole = st == CFLR_OK;
        partial += st == CFLR_LIMIT && visitors[0].result;
        if (visitors[0].result) {
            NEED(cflr_result_complete(visitors[0].result) == (st == CFLR_OK), "complete?");
            must_be_part(visitors[0].result, a.result);
        }
        leave(&how, visitors);
    }
    NEED(partial > 3, "%d partial results", partial);
    leave_alone(&a);
}

static void allocation_fails(setting how) {
    visitor visitors[MOST_ENDS];
    int failed = 0, done = 0;
    for (uint64_t n = 1; !done; n += 1 + n / 8) {
        how.fails_at = how.seed = n;
        cflr_status st = close_together(&how, visitors);
        NEED(st == CFLR_OK || st == CFLR_NO_MEMORY, "status %d: %s", (int)st,
             visitors[0].error.message);
        failed += st == CFLR_NO_MEMORY;
        done = visitors[how.unlucky].calls < n;
        leave(&how, visitors);
    }
    NEED(failed > 20, "%d allocations failed", failed);
}

/* The first end has what all have found until then; nothing where that was before they began. */
static void cancelled_at_one(setting how) {
    visitor visitors[MOST_ENDS];
    how.vertices = 2000;
    how.edges = 4000;
    how.cancelled = true;
    cflr_status st = close_together(&how, visitors);
    NEED(st == CFLR_OK || st == CFLR_CANCELLED, "status %d", (int)st);
    const cflr_result *result = visitors[0].result;
    NEED(result ? cflr_result_complete(result) == (st == CFLR_OK) : st == CFLR_CANCELLED,
         "complete?");
    cancelled += result && st == CFLR_CANCELLED;
    leave(&how, visitors);
}

int main(void) {
    for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++) {
        setting how = {.rules = grammars[g], .vertices = 40, .edges = 100, .unlucky = NO_END};
        all_ends(how);
        how.vertices = 300;
        how.edges = 600;
        all_ends(how);
        how.ends = 3;
        how.each = how.grain = 1;
        how.threads = 1;
        how.piece = 50;
        how.unlucky = (uint32_t)g % how.ends; /* each end in its turn */
        short_of_memory(how);
        allocation_fails(how);
        cancelled_at_one(how);
    }
    NEED(cancelled, "no cancellation came in time");
    if (!TEST_SANITIZED) /* it looks at memory, not at threads */
        large_closure((setting){.rules = reach,
                                .vertices = 4000,
                                .edges = 16000,
                                .unlucky = NO_END,
                                .ends = 5,
                                .each = 1,
                                .grain = 512,
                                .threads = 1,
                                .seed = 1});
    puts("stress: ends hold");
    return 0;
}

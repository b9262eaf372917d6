/* SPDX-License-Identifier: Apache-2.0
 *
 * attempts.c: closes a problem with the memory that is there.
 *
 *     attempt     threads     slices     on the shelf
 *        1           8           1       nothing
 *        2           1           1       what attempt 1 has found
 *        3           1           2       what attempts 1 and 2 have found
 *        4           1           4       ...
 *
 * Where the caller wants parts, one slice goes as far as slices would exchange something, and the
 * parts go on from there. If a single one of them is asked for and memory or time end before, there
 * is no closure.
 *
 * The first attempt is in memory, as if there were no limit. Where memory ends, the rows so far go
 * to a shelf, all memory is freed, and the next attempt goes on from there with less: first with
 * one thread, since each has caches and a search of its own, then with twice as many slices. So
 * below the limit nothing of this costs anything, and above it little is found twice. When slices
 * do not help, the last attempt has one of them again: the result is what all have found, with the
 * consequences that fit. When the shelf fails, one more attempt is made without it.
 *
 * Vertices may be reordered (reduce.h) as long as there is one slice. The first attempt with more
 * of them then has other numbers, and begins from the beginning.
 *
 * Slices divide the sets of targets. Every slice has the edges, the nodes and the flows of all; the
 * memory for these is the least with which a graph can be closed.
 */
#include "engine/spine/attempts.h"

#include "base/alloc.h"
#include "base/context.h"

enum { MOST_SLICES = 16 };

typedef struct attempt {
    uint32_t threads, slices;
    bool to_tail;
} attempt;

/* False when there is no attempt with less. The slice that is asked for stays the same. */
static bool next_attempt(const cflri_attempts *how, attempt *a, uint32_t vertices) {
    if (a->threads > 1) {
        a->threads = 1;
        return true;
    }
    if (how->only) return false;
    a->slices *= 2;
    a->to_tail = false;
    return a->slices <= MOST_SLICES && (uint64_t)a->slices * CFLRI_SPLIT_GRAIN < 2ull * vertices;
}

/* No other process reads what is on the shelf; if anything is there, it was written alone, too. */
static bool is_alone(const cflri_attempts *how) {
    return how->parts == 1 && !how->at_once && (!how->shelf || how->shelf->reordered);
}

static cflr_status try_once(const cflri_place *place, cflri_attempts *how, attempt a, bool last,
                            const cflri_problem *problem, cflri_closure *closure, cflri_end *end,
                            cflr_error *error) {
    cflri_memory_carrier carrier = {0};
    cflri_problem own = *problem;
    own.threads = (int)a.threads;
    cflri_spine spine = {.place = place,
                         .slices = a.slices,
                         .grain = CFLRI_SPLIT_GRAIN,
                         .shelf = how->shelf,
                         .maker = how->maker,
                         .alone = is_alone(how),
                         .to_tail = a.to_tail,
                         .only = a.to_tail ? 0 : how->only,
                         .may_end = !last};
    cflr_status st = CFLR_OK;
    if (a.slices > 1) {
        st = cflri_memory_carrier_init(&carrier, problem->context, a.slices, error);
        spine.carrier = &carrier.carrier;
    }
    if (st == CFLR_OK) st = cflri_spine_solve(&spine, &own, closure, error);
    if (a.slices > 1) cflri_memory_carrier_free(&carrier);
    *end = spine.end;
    how->shelf = spine.shelf;
    return st;
}

static void tell(cflr_context *context, const char *why, attempt a) {
    cflri_log(context, CFLR_LOG_INFO, "%s: on with %u thread%s and %u slice%s", why, a.threads,
              a.threads == 1 ? "" : "s", a.slices, a.slices == 1 ? "" : "s");
}

cflr_status cflri_spine_attempt(const cflri_place *place, cflri_attempts *how,
                                const cflri_problem *problem, cflri_closure *closure,
                                cflr_error *error) {
    const attempt least = {1, 1, false};
    attempt a = {(uint32_t)problem->threads, 1, how->parts > 1};
    cflr_status st = CFLR_OK;
    cflri_end end = CFLRI_SHORT;
    bool last = !how->maker, few = false;
    if (how->at_once) st = how->maker->make(how->maker, &how->shelf, error);
    if (st != CFLR_OK) return st;
    while (end != CFLRI_WHOLE) {
        attempt next = a;
        if (!last && !next_attempt(how, &next, problem->n_vertices)) {
            next = least;
            few = true;
            last = how->only || (a.threads == 1 && a.slices == 1);
        }
        st = try_once(place, how, a, last, problem, closure, &end, error);
        if (end == CFLRI_WHOLE && a.to_tail && how->only) {
            cflri_closure_free(problem->context, closure);
        }
        if (end == CFLRI_WHOLE) break;
        cflri_return_pages(problem->context); /* blocks of this attempt lay between others */
        if (st != CFLR_OK) {
            cflri_log(problem->context, CFLR_LOG_WARNING, "nothing goes to the disk any more: %s",
                      error->message);
            how->shelf = NULL;
            a = least;
            last = true;
        } else if (end == CFLRI_AT_TAIL) {
            a = (attempt){a.threads, how->parts, false};
            last = false;
            tell(problem->context, "slices need not exchange anything any more", a);
        } else {
            a = next;
            last = few;
            tell(problem->context, "memory ended", a);
        }
    }
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.c: the one driver of all places and carriers.
 *
 *     for each stratum
 *         begin       every slice: the initial content of its rows
 *         loops       close every slice and carry boxes between them, until all are still
 *         products    carry all boxes first; close every slice, once
 *         finish      every slice
 *     collect         every slice; merge their relations; the first end gathers those of all ends
 *
 * All slices are still when every word that was sent has been taken, and every slice was closed
 * after it took its last word: then no slice has anything to send. The sums of the words sent and
 * taken show this, however long the carrier takes.
 *
 * The result is correct in any order. Every pair of a slice is derivable, since it follows from
 * pairs that slices have; and when all are still, the rows of all slices together are closed under
 * the equations (docs/explanation/spine.md).
 */
#include "engine/spine/driver.h"

#include "base/context.h"
#include "engine/spine/alike.h"
#include "engine/spine/gather.h"
#include "engine/spine/merge.h"

typedef struct driver {
    cflri_spine *spine;
    const cflri_place *place;
    cflri_spine_plan plan;
    uint32_t first, n; /* slices of this end */
    cflri_opened **slice;
    cflri_box hand;     /* the box that is carried; its memory is used again */
    uint64_t taken;     /* words */
    cflr_status failed; /* the same at all ends, once they have agreed */
    cflr_error *error;
} driver;

/* ---- carrying ---- */

static void send(driver *d, uint32_t to) {
    cflri_traffic *traffic = &d->spine->traffic;
    traffic->words += d->hand.n;
    traffic->boxes++;
    d->failed = d->spine->carrier->send(d->spine->carrier, to, &d->hand, d->error);
}

static void send_all(driver *d) {
    for (uint32_t i = 0; i < d->n; i++) {
        for (uint32_t to = 0; to < d->spine->slices; to++) {
            while (d->failed == CFLR_OK && d->place->give(d->slice[i], to, &d->hand)) send(d, to);
        }
    }
}

static void take_all(driver *d) {
    cflri_box_carrier *carrier = d->spine->carrier;
    for (uint32_t i = 0; i < d->n; i++) {
        while (carrier->receive(carrier, d->first + i, &d->hand)) {
            d->taken += d->hand.n;
            d->place->take(d->slice[i], &d->hand);
        }
    }
}

/* Adds up over all ends. False when one of them has failed. A cancellation at one of them is one at
 * all. */
static bool agree(driver *d, cflri_totals *totals) {
    cflr_context *context = d->plan.context;
    totals->cancelled = atomic_load_explicit(&context->cancelled, memory_order_relaxed);
    if (d->spine->carrier) {
        d->failed = cflri_carrier_agree(d->spine->carrier, totals, d->failed, d->error);
    }
    if (totals->cancelled) cflr_context_cancel(context);
    return d->failed == CFLR_OK;
}

/* Sends and takes all boxes that are ready. False when all slices are still: no word was under way
 * before, and none is now. */
static bool carry(driver *d) {
    if (d->spine->slices == 1) return false;
    send_all(d);
    cflri_totals totals = {.sent = d->spine->traffic.words, .taken = d->taken};
    if (!agree(d, &totals) || totals.sent == totals.taken) return false;
    take_all(d);
    d->spine->traffic.rounds++;
    return true;
}

/* ---- strata ---- */

static void close_all(driver *d) {
    for (uint32_t i = 0; i < d->n; i++) d->place->close(d->slice[i]);
}

static void work_stratum(driver *d, uint32_t stratum) {
    bool loops = d->plan.equations->stratum.at[stratum].loops;
    uint64_t before = d->spine->traffic.words;
    for (uint32_t i = 0; i < d->n; i++) d->place->begin(d->slice[i], stratum);
    while (carry(d) && !loops) continue;
    do {
        close_all(d);
    } while (carry(d) && loops);
    while (carry(d)) continue;
    for (uint32_t i = 0; i < d->n; i++) d->place->finish(d->slice[i]);
    if (!loops) d->spine->traffic.products += d->spine->traffic.words - before;
}

/* Does any slice, at any end, go on? */
static bool goes_on(driver *d) {
    cflri_totals totals = {0};
    for (uint32_t i = 0; i < d->n && d->failed == CFLR_OK; i++) {
        totals.going += d->place->ended(d->slice[i]) == CFLR_OK;
    }
    return agree(d, &totals) && totals.going;
}

/* If an end has failed before, it says so to the others here. */
static void work(driver *d) {
    bool going = goes_on(d);
    for (uint32_t s = 0; going && s < d->plan.equations->stratum.n; s++) {
        work_stratum(d, s);
        going = goes_on(d);
    }
}

/* ---- the result ---- */

/* CFLR_OK, or the reason for which a slice has ended. An error outweighs a partial result. */
static cflr_status worse(cflr_status a, cflr_status b) {
    bool partial = a == CFLR_LIMIT || a == CFLR_CANCELLED;
    return a == CFLR_OK || (partial && b != CFLR_OK && b != CFLR_LIMIT) ? b : a;
}

/* The slice is freed before its closure is, which has some of what the slice had. */
static cflr_status collect_slice(driver *d, uint32_t slice, cflri_closure *part) {
    cflr_status ended = d->place->collect(d->slice[slice], part);
    d->place->free(d->slice[slice]);
    d->slice[slice] = NULL;
    return ended;
}

static cflr_status collect_slices(driver *d, cflri_closure *part) {
    cflr_status ended = CFLR_OK;
    for (uint32_t i = 0; i < d->n; i++) ended = worse(ended, collect_slice(d, i, &part[i]));
    return ended;
}

/* Where memory ends while slices are merged, the first one is what fits. */
static cflr_status collect_own(driver *d, cflri_closure *closure) {
    cflr_context *context = d->plan.context;
    cflri_spine_plan_end_solving(&d->plan);
    if (d->n == 1) return collect_slice(d, 0, closure);
    cflri_closure *part = cflri_alloc_array_zero(context, d->n, sizeof *part);
    if (!part) return cflri_fail_memory(context, d->error);
    cflr_status ended = collect_slices(d, part);
    if (ended == CFLR_OK || ended == CFLR_LIMIT || ended == CFLR_CANCELLED) {
        cflr_status st = cflri_closures_merge(&d->plan, part, d->n, closure, d->error);
        if (st != CFLR_OK) ended = st;
        if (st == CFLR_LIMIT) *closure = part[0], part[0] = (cflri_closure){0};
    }
    for (uint32_t i = 0; i < d->n; i++) cflri_closure_free(context, &part[i]);
    cflri_free(context, part);
    return ended;
}

static cflr_status collect(driver *d, cflri_closure *closure) {
    cflr_status ended = collect_own(d, closure);
    return cflri_spine_has_ends(d->spine)
               ? cflri_gather(&d->plan, d->spine, ended, closure, d->error)
               : ended;
}

/* ---- all ---- */

static void tell_plan(const driver *d) {
    const cflri_equations *all = d->plan.equations;
    uint32_t loops = 0;
    for (size_t s = 0; s < all->stratum.n; s++) loops += all->stratum.at[s].loops;
    cflri_log(
        d->plan.context, CFLR_LOG_INFO,
        "plan of %zu equations in %zu strata, %u of them loops; %u vertices, %u of them guards",
        all->equation.n, all->stratum.n, loops, d->plan.reduced.problem.n_vertices,
        d->plan.n_guards);
}

static cflr_status open_all(driver *d) {
    cflr_status st = CFLR_OK;
    d->slice = cflri_alloc_array_zero(d->plan.context, d->n, sizeof(cflri_opened *));
    if (!d->slice) return cflri_fail_memory(d->plan.context, d->error);
    for (uint32_t i = 0; i < d->n && st == CFLR_OK; i++) {
        cflri_slice slice = cflri_split_slice(d->plan.split, d->first + i);
        st = d->place->open(&d->plan, slice, &d->slice[i], d->error);
    }
    return st;
}

static cflr_status prepare(driver *d, const cflri_problem *problem) {
    const cflri_spine *spine = d->spine;
    cflr_status st =
        cflri_spine_plan_init(&d->plan, problem, spine->slices, spine->grain, d->error);
    if (st != CFLR_OK) return st;
    tell_plan(d);
    return open_all(d);
}

cflr_status cflri_spine_solve(cflri_spine *spine, const cflri_problem *problem,
                              cflri_closure *closure, cflr_error *error) {
    const cflri_box_carrier *carrier = spine->carrier;
    driver d = {.spine = spine,
                .place = spine->place,
                .first = carrier ? carrier->first : 0,
                .n = carrier ? carrier->n : 1,
                .error = error};
    *closure = (cflri_closure){0};
    spine->traffic = (cflri_traffic){0};
    d.failed = cflri_spine_agree(spine, prepare(&d, problem), error);
    bool begun = d.failed == CFLR_OK;
    if (begun && cflri_spine_has_ends(spine)) {
        d.failed = cflri_spine_alike(spine->carrier, &d.plan, error);
    }
    if (begun) work(&d);
    cflr_status st = d.failed == CFLR_OK ? collect(&d, closure) : d.failed;
    for (uint32_t i = 0; d.slice && i < d.n; i++) {
        if (d.slice[i]) d.place->free(d.slice[i]);
    }
    cflri_free(problem->context, d.slice);
    cflri_box_free(problem->context, &d.hand);
    cflri_spine_plan_free(&d.plan);
    return st;
}

cflr_status cflri_spine_agree(cflri_spine *spine, cflr_status st, cflr_error *error) {
    cflri_totals totals = {0};
    return cflri_spine_has_ends(spine) ? cflri_carrier_agree(spine->carrier, &totals, st, error)
                                       : st;
}

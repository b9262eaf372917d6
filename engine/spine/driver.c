/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.c: the one driver of all places and carriers.
 *
 *     for each stratum in which slices exchange something
 *         begin       every slice: the initial content of its rows
 *         loops       close every slice and carry boxes between them, until all are still
 *         products    carry all boxes first; close every slice, once
 *         finish      every slice
 *     for each slice
 *         the other strata, one after the other; collect
 *     merge the relations of slices; the first end gathers those of all ends
 *
 * All slices are still when every word that was sent has been taken, and every slice was closed
 * after it took its last word: then no slice has anything to send. The sums of the words sent and
 * taken show this, however long the carrier takes.
 *
 * A slice is visited: it takes what has arrived, closes, and gives. Where there is a shelf, one of
 * several slices goes there after the visit, and comes back for the next one:
 *
 *     shelf    1 2      0 2      0 1      1 2
 *     memory   0        1        2        0                 three slices
 *
 * With a shelf, an attempt may end for lack of memory, or time. What was found lies on the shelf
 * then, and another attempt, of other slices, or another process goes on from there: every pair
 * that was found is derivable, and the closure of these pairs is the closure of the problem.
 *
 * The result is correct in any order. Every pair of a slice is derivable, since it follows from
 * pairs that slices have; and when all are still, the rows of all slices together are closed under
 * the equations (docs/explanation/spine.md).
 */
#include "engine/spine/driver.h"

#include <math.h>

#include "base/context.h"
#include "engine/spine/alike.h"
#include "engine/spine/gather.h"
#include "engine/spine/merge.h"

/* A slice of this end. */
typedef struct visited {
    cflri_opened *opened; /* NULL: it is on the shelf, or was not opened yet */
    cflri_boxes inbox;    /* boxes that have arrived for it */
    uint32_t done;        /* strata of which its rows are complete */
    bool stored;          /* this attempt has put it on the shelf */
    bool away;            /* it was not in memory, and has not begun its stratum since */
    cflr_status ended;    /* as place->ended tells */
} visited;

typedef struct driver {
    cflri_spine *spine;
    const cflri_place *place;
    cflri_spine_plan plan;
    uint32_t first, n; /* slices of this end */
    visited *slice;
    uint32_t stratum;    /* strata before it are finished */
    cflri_box hand;      /* the box that is carried; its memory is used again */
    uint64_t taken;      /* words */
    double save_at;      /* when the next checkpoint is due, as cflri_now tells */
    cflri_closure *part; /* of each slice */
    cflr_status collected;
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

static void send_all(driver *d, visited *v) {
    for (uint32_t to = 0; d->spine->slices > 1 && to < d->spine->slices; to++) {
        while (d->failed == CFLR_OK && d->place->give(v->opened, to, &d->hand)) send(d, to);
    }
}

/* Boxes wait here for the next visit of their slice. */
static void receive_all(driver *d) {
    cflri_box_carrier *carrier = d->spine->carrier;
    for (uint32_t i = 0; i < d->n; i++) {
        cflri_box box = {0};
        while (d->failed == CFLR_OK && carrier->receive(carrier, d->first + i, &box)) {
            d->taken += box.n;
            if (!cflri_vec_push(d->plan.context, &d->slice[i].inbox, box)) {
                d->failed = cflri_fail_memory(d->plan.context, d->error);
                cflri_box_free(d->plan.context, &box);
            }
            box = (cflri_box){0};
        }
    }
}

static void take_all(driver *d, visited *v) {
    while (v->inbox.n) {
        cflri_box *box = &v->inbox.at[--v->inbox.n];
        d->place->take(v->opened, box);
        cflri_box_free(d->plan.context, box);
    }
}

/* Adds up over all ends. False when one of them has failed. A cancellation at one of them is one at
 * all. */
static bool agree(driver *d, cflri_totals *totals) {
    cflr_context *context = d->plan.context;
    totals->cancelled = cflri_is_cancelled(context, CFLRI_BY_CALLER);
    if (d->spine->carrier) {
        d->failed = cflri_carrier_agree(d->spine->carrier, totals, d->failed, d->error);
    }
    if (totals->cancelled) cflr_context_cancel(context);
    return d->failed == CFLR_OK;
}

/* Receives all boxes that are there. False when all slices are still: no word was under way before,
 * and none is now. */
static bool carry(driver *d) {
    if (d->spine->slices == 1) return false;
    cflri_totals totals = {.sent = d->spine->traffic.words, .taken = d->taken};
    if (!agree(d, &totals) || totals.sent == totals.taken) return false;
    receive_all(d);
    d->spine->traffic.rounds++;
    return true;
}

/* ---- the shelf ---- */

static void note(driver *d, cflr_status st) {
    if (d->failed == CFLR_OK) d->failed = st;
}

/* Has the slice, if it has ended, still what it has found? */
static bool is_partial(cflr_status ended) {
    return ended == CFLR_OK || ended == CFLR_LIMIT || ended == CFLR_CANCELLED ||
           ended == CFLR_NO_MEMORY;
}

/* Did memory end, so that another attempt is to be made? Time and cancellation end all. */
static bool is_short(const driver *d, cflr_status st) {
    if (!d->spine->may_end || (st != CFLR_LIMIT && st != CFLR_NO_MEMORY)) return false;
    return cflri_interrupted(d->plan.context) == CFLR_OK;
}

static bool wants_more(const driver *d, const visited *v) {
    return is_short(d, v->ended);
}

static cflr_status store(driver *d, visited *v, cflr_error *error) {
    cflr_status st = d->place->store(v->opened, d->spine->shelf, v->done, error);
    v->stored = st == CFLR_OK;
    return st;
}

/* A slice that has not all its complete rows must not be stored. Returns false. */
static bool give_up(driver *d, visited *v, cflr_status st) {
    if (v->opened) d->place->free(v->opened);
    v->opened = NULL;
    v->ended = st;
    if (!wants_more(d, v)) d->failed = st;
    return false;
}

/* Where the rows of a slice come from that is not in memory. */
static cflri_rows_from origin_of(const driver *d, const visited *v) {
    const cflri_shelf *shelf = d->spine->shelf;
    if (v->stored) return CFLRI_FROM_STATE;
    return shelf && shelf->former.slices ? CFLRI_FROM_FORMER : CFLRI_FROM_NOTHING;
}

/* Brings a slice into memory, with the rows that are complete. */
static bool enter(driver *d, uint32_t i) {
    visited *v = &d->slice[i];
    if (d->failed != CFLR_OK || v->opened) return d->failed == CFLR_OK;
    cflri_slice slice = cflri_split_slice(d->plan.split, d->first + i);
    cflr_status st = d->place->open(&d->plan, slice, &v->opened, d->error);
    if (st != CFLR_OK) return give_up(d, v, st);
    v->away = true;
    if (origin_of(d, v) != CFLRI_FROM_NOTHING) {
        d->place->load(v->opened, d->spine->shelf, origin_of(d, v), v->done);
        st = d->place->ended(v->opened);
    }
    return st == CFLR_OK || give_up(d, v, st);
}

static void begin(driver *d, visited *v, uint32_t stratum) {
    cflri_rows_from origin = v->away ? origin_of(d, v) : CFLRI_FROM_NOTHING;
    d->place->begin(v->opened, d->spine->shelf, origin, stratum);
    v->away = false;
}

/* One of several slices goes to the shelf, where there is one. */
static void leave(driver *d, uint32_t i) {
    visited *v = &d->slice[i];
    v->ended = d->place->ended(v->opened);
    if (!is_partial(v->ended)) note(d, v->ended);
    if (!d->spine->shelf || d->n == 1 || v->ended != CFLR_OK || d->failed != CFLR_OK) return;
    d->failed = store(d, v, d->error);
    if (d->failed != CFLR_OK) return;
    d->place->free(v->opened);
    v->opened = NULL;
}

/* Stores all slices, and makes that a checkpoint. */
static cflr_status save(driver *d, cflr_error *error) {
    bool all = true;
    uint32_t stratum = d->stratum;
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < d->n && st == CFLR_OK; i++) {
        visited *v = &d->slice[i];
        if (v->opened) st = store(d, v, error);
        all &= v->stored;
        if (v->done < stratum) stratum = v->done;
    }
    return all && st == CFLR_OK ? d->spine->shelf->commit(d->spine->shelf, stratum, error) : st;
}

/* The closure does not need the checkpoint: where there is none, it goes on. */
static bool save_if_possible(driver *d) {
    cflr_error error;
    bool saved = save(d, &error) == CFLR_OK;
    if (!saved) cflri_log(d->plan.context, CFLR_LOG_WARNING, "no checkpoint: %s", error.message);
    return saved;
}

/* A checkpoint is made so seldom that it takes a tenth of the time at most. */
static void save_in_time(driver *d) {
    const double part = 10;
    cflri_shelf *shelf = d->spine->shelf;
    double now = cflri_now();
    if (!shelf || !shelf->commits || now < d->save_at) return;
    shelf->commits = save_if_possible(d);
    double end = cflri_now(), pause = (end - now) * part, every = shelf->save_every;
    d->save_at = !shelf->commits ? INFINITY : end + (every > 0 && pause > every ? pause : every);
    cflri_log(d->plan.context, CFLR_LOG_DEBUG, "checkpoint in stratum %u", d->stratum + 1);
}

/* ---- strata ---- */

static bool has_ended(const driver *d, uint32_t i) {
    return d->slice[i].ended != CFLR_OK;
}

static void begin_slice(driver *d, uint32_t i) {
    if (has_ended(d, i) || !enter(d, i)) return;
    begin(d, &d->slice[i], d->stratum);
    send_all(d, &d->slice[i]);
    leave(d, i);
}

/* A slice that was away has to begin again. */
static void close_slice(driver *d, uint32_t i, bool loops) {
    visited *v = &d->slice[i];
    if (has_ended(d, i) || !enter(d, i)) return;
    if (v->away) begin(d, v, d->stratum);
    take_all(d, v);
    while (d->failed == CFLR_OK && !d->place->close(v->opened, d->save_at)) save_in_time(d);
    send_all(d, v);
    if (!loops && d->place->ended(v->opened) == CFLR_OK) v->done = d->stratum + 1;
    leave(d, i);
}

/* A slice that is away has all its rows on the shelf. */
static void finish_slice(driver *d, uint32_t i) {
    visited *v = &d->slice[i];
    bool away = !v->opened;
    if (away && v->ended == CFLR_OK) v->done = d->stratum + 1;
    if (away && (!v->inbox.n || has_ended(d, i) || !enter(d, i))) return;
    take_all(d, v);
    d->place->finish(v->opened);
    if (d->place->ended(v->opened) == CFLR_OK) v->done = d->stratum + 1;
    leave(d, i);
}

static void work_stratum(driver *d) {
    bool loops = d->plan.equations->stratum.at[d->stratum].loops, first = true;
    uint64_t before = d->spine->traffic.words;
    for (uint32_t i = 0; i < d->n; i++) begin_slice(d, i);
    while (carry(d) && !loops) continue;
    do {
        for (uint32_t i = 0; i < d->n; i++) {
            if (first || d->slice[i].inbox.n) close_slice(d, i, loops);
        }
        first = false;
    } while (carry(d) && loops);
    while (carry(d)) continue;
    for (uint32_t i = 0; i < d->n; i++) finish_slice(d, i);
    d->stratum++;
    if (!loops) d->spine->traffic.products += d->spine->traffic.words - before;
}

/* Does any slice, at any end, go on? */
static bool goes_on(driver *d) {
    cflri_totals totals = {0};
    for (uint32_t i = 0; i < d->n && d->failed == CFLR_OK; i++) totals.going += !has_ended(d, i);
    return agree(d, &totals) && totals.going;
}

/* If an end has failed before, it says so to the others here. */
static void work(driver *d) {
    bool going = goes_on(d);
    while (going && d->stratum < d->plan.tail) {
        work_stratum(d);
        save_in_time(d);
        going = goes_on(d);
    }
}

/* ---- the result ---- */

/* CFLR_OK, or the reason for which a slice has ended. An error outweighs a partial result. */
static cflr_status worse(cflr_status a, cflr_status b) {
    bool partial = a == CFLR_LIMIT || a == CFLR_CANCELLED;
    return a == CFLR_OK || (partial && b != CFLR_OK && b != CFLR_LIMIT) ? b : a;
}

/* In the tail slices go through all strata one after the other: none has anything to send. */
static void work_tail(driver *d, visited *v) {
    for (uint32_t s = v->done; s < d->plan.equations->stratum.n && v->ended == CFLR_OK; s++) {
        begin(d, v, s);
        d->place->close(v->opened, INFINITY);
        d->place->finish(v->opened);
        v->ended = d->place->ended(v->opened);
        if (v->ended == CFLR_OK) v->done = s + 1;
    }
}

/* Keeps what another attempt, or another process, needs to go on. */
static void keep(driver *d) {
    cflri_spine *spine = d->spine;
    bool unfinished = spine->end != CFLRI_WHOLE;
    bool stopped = unfinished || cflri_interrupted(d->plan.context) != CFLR_OK;
    if (unfinished && !spine->shelf && d->failed == CFLR_OK) {
        d->failed = spine->maker->make(spine->maker, &spine->shelf, d->error);
        if (d->failed == CFLR_OK) {
            spine->shelf->reordered = d->plan.reduced.reordered;
            note(d, spine->shelf->begin(spine->shelf, d->n, d->error));
        }
    }
    if (!spine->shelf || !stopped || d->failed != CFLR_OK) return;
    if (unfinished) {
        d->failed = save(d, d->error);
    } else if (spine->shelf->commits) {
        save_if_possible(d);
    }
}

/* The slice is freed before its closure is, which has some of what the slice had. */
static void collect_slice(driver *d, uint32_t i) {
    visited *v = &d->slice[i];
    bool entered = enter(d, i);
    if (entered) work_tail(d, v);
    if (wants_more(d, v)) d->spine->end = CFLRI_SHORT;
    keep(d);
    if (!entered || d->spine->end != CFLRI_WHOLE || d->failed != CFLR_OK) return;
    if (d->n == 1) cflri_spine_plan_end_solving(&d->plan);
    d->collected = worse(d->collected, d->place->collect(v->opened, &d->part[i]));
    d->place->free(v->opened);
    v->opened = NULL;
}

static bool is_asked(const driver *d, uint32_t i) {
    return !d->spine->only || d->spine->only == d->first + i + 1;
}

static cflri_end end_of(const driver *d) {
    bool ended = false;
    for (uint32_t i = 0; i < d->n; i++) {
        if (wants_more(d, &d->slice[i])) return CFLRI_SHORT;
        ended |= has_ended(d, i);
    }
    return d->spine->to_tail && !ended && d->stratum >= d->plan.tail ? CFLRI_AT_TAIL : CFLRI_WHOLE;
}

static void collect_slices(driver *d) {
    d->spine->end = end_of(d);
    keep(d);
    for (uint32_t i = 0; i < d->n && d->failed == CFLR_OK; i++) {
        if (is_asked(d, i) && d->spine->end == CFLRI_WHOLE) collect_slice(d, i);
    }
}

/* Where memory ends while slices are merged, the first one is what fits. */
static cflr_status merge(driver *d, cflri_closure *closure) {
    uint32_t alone = d->spine->only ? d->spine->only - 1 - d->first : 0;
    if (d->n == 1 || d->spine->only) {
        *closure = d->part[alone];
        d->part[alone] = (cflri_closure){0};
        if (d->spine->only) cflri_closure_slice(&d->plan, alone, closure);
        return d->collected;
    }
    cflr_status ended = d->collected;
    cflri_spine_plan_end_solving(&d->plan);
    if (ended == CFLR_OK || ended == CFLR_LIMIT || ended == CFLR_CANCELLED) {
        cflr_status st = cflri_closures_merge(&d->plan, d->part, d->n, closure, d->error);
        if (st != CFLR_OK) ended = st;
        if (st == CFLR_LIMIT) *closure = d->part[0], d->part[0] = (cflri_closure){0};
    }
    return ended;
}

static cflr_status collect(driver *d, cflri_closure *closure) {
    if (cflri_is_cancelled(d->plan.context, CFLRI_BY_OTHER))
        return cflri_fail(d->error, CFLR_CANCELLED, NULL, "another device was faster");
    d->part = cflri_alloc_array_zero(d->plan.context, d->n, sizeof *d->part);
    if (!d->part) d->failed = cflri_fail_memory(d->plan.context, d->error);
    if (d->part) collect_slices(d);
    if (d->spine->end != CFLRI_WHOLE) return d->failed;
    cflr_status ended = d->failed == CFLR_OK ? merge(d, closure) : d->failed;
    if (!closure->relation && cflri_spine_has_ends(d->spine) && is_partial(ended)) {
        ended = cflri_closure_empty(d->plan.reduced.original, ended, closure, d->error);
    }
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
        "plan of %zu equations in %zu strata, %u of them loops; %u vertices%s, %u of them guards",
        all->equation.n, all->stratum.n, loops, d->plan.reduced.problem.n_vertices,
        d->plan.reduced.reordered ? " in depth-first order" : "", d->plan.n_guards);
}

/* The numbers of vertices depend on the attempt. Where they are others now, it begins from the
 * beginning. */
static void forget_other_numbers(driver *d) {
    cflri_shelf *shelf = d->spine->shelf;
    bool reordered = d->plan.reduced.reordered;
    if (shelf->reordered != reordered) shelf->former = (cflri_progress){0};
    shelf->reordered = reordered;
}

static cflr_status prepare(driver *d, const cflri_problem *problem) {
    const cflri_spine *spine = d->spine;
    cflri_shelf *shelf = spine->shelf;
    cflr_status st = CFLR_OK;
    bool alone = spine->alone && spine->slices == 1;
    CFLR_TRY(
        cflri_spine_plan_init(&d->plan, problem, spine->slices, spine->grain, alone, d->error));
    d->plan.last = !spine->may_end;
    tell_plan(d);
    d->slice = cflri_alloc_array_zero(d->plan.context, d->n, sizeof *d->slice);
    if (!d->slice) CFLR_TRY(cflri_fail_memory(d->plan.context, d->error));
    if (shelf) CFLR_TRY(shelf->begin(shelf, spine->slices, d->error));
    if (shelf) forget_other_numbers(d);
    if (shelf && shelf->former.slices) d->stratum = shelf->former.stratum;
    for (uint32_t i = 0; i < d->n; i++) d->slice[i].done = d->stratum;
    d->save_at = shelf && shelf->commits ? cflri_now() + shelf->save_every : INFINITY;
out:
    return st;
}

static void free_driver(driver *d) {
    cflr_context *context = d->plan.context;
    for (uint32_t i = 0; d->slice && i < d->n; i++) {
        if (d->slice[i].opened) d->place->free(d->slice[i].opened);
        cflri_boxes_free(context, &d->slice[i].inbox);
    }
    for (uint32_t i = 0; d->part && i < d->n; i++) cflri_closure_free(context, &d->part[i]);
    cflri_free(context, d->part);
    cflri_free(context, d->slice);
    cflri_box_free(context, &d->hand);
    cflri_spine_plan_free(&d->plan);
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
    spine->end = CFLRI_WHOLE;
    d.failed = cflri_spine_agree(spine, prepare(&d, problem), error);
    bool begun = d.failed == CFLR_OK;
    if (begun && cflri_spine_has_ends(spine)) {
        d.failed = cflri_spine_alike(spine->carrier, &d.plan, error);
    }
    if (begun) work(&d);
    cflr_status st = d.failed == CFLR_OK ? collect(&d, closure) : d.failed;
    if (is_short(&d, st) && !closure->relation) {
        spine->end = CFLRI_SHORT;
        st = CFLR_OK;
    }
    free_driver(&d);
    return st;
}

cflr_status cflri_spine_agree(cflri_spine *spine, cflr_status st, cflr_error *error) {
    cflri_totals totals = {0};
    return cflri_spine_has_ends(spine) ? cflri_carrier_agree(spine->carrier, &totals, st, error)
                                       : st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.c: the place where the threads of a processor close a slice, by moving sets rather than
 * edges.
 *
 * The grammar becomes equations between rows (grammar/equations/equations.h), which are grouped in
 * strata. A stratum is a loop (loop/loop.c), or it can be evaluated once (products/products.c).
 * Both use rules.c for the consequences of a single row.
 */
#include "engine/closure/batch/batch.h"

#include <assert.h>

#include "base/context.h"
#include "engine/closure/batch/check.h"
#include "engine/closure/batch/receive.h"
#include "engine/closure/batch/stored.h"
#include "engine/spine/attempts.h"

/* When memory ends in a loop, the consequences of the rows so far may still fit, since these rows
 * are fewer than all. When it ends again, the batch ends. */
static void go_on_with_less(cflri_batch *b) {
    if (b->end != CFLR_LIMIT || b->limited) return;
    b->limited = true;
    b->end = CFLR_OK;
    b->store->ending = false;
    b->error = NULL; /* it has the message of the first end */
}

struct cflri_opened {
    cflri_batch batch;
    cflri_exchange post;
    cflri_boxes inbox;
    struct cflri_loops *loops;       /* the current stratum, if it loops */
    struct cflri_products *products; /* the current stratum, if it does not */
};

static void free_opened(cflri_opened *o) {
    cflr_context *context = o->batch.context;
    cflri_boxes_free(context, &o->inbox);
    cflri_loop_end(o->loops);
    cflri_products_free(o->products);
    cflri_batch_free(&o->batch);
    cflri_exchange_free(&o->post);
    cflri_free(context, o);
}

static cflr_status open_slice(const cflri_spine_plan *plan, cflri_slice slice,
                              cflri_opened **opened, cflr_error *error) {
    cflri_opened *o = *opened = cflri_alloc_zero(plan->context, sizeof *o);
    if (!o) return cflri_fail_memory(plan->context, error);
    cflr_status st = cflri_batch_init(&o->batch, plan, slice, &o->post, error);
    if (st == CFLR_OK && o->batch.sliced) {
        st = cflri_exchange_init(&o->post, plan->context, plan->split.slices, o->batch.threads,
                                 error);
    }
    if (st == CFLR_OK) cflri_batch_worked(&o->batch, 0);
    return st;
}

static void load(cflri_opened *o, cflri_shelf *shelf, cflri_rows_from origin, uint32_t stratum) {
    cflri_batch *b = &o->batch;
    uint32_t strata = (uint32_t)b->equations->stratum.n;
    b->number = stratum < strata ? stratum : strata - (strata > 0);
    cflri_batch_load_rows(b, shelf, origin == CFLRI_FROM_FORMER, stratum, true);
}

/* Nodes of the stratum's rows have to be made behind all others. */
static void begin(cflri_opened *o, cflri_shelf *shelf, cflri_rows_from origin, uint32_t stratum) {
    cflri_batch *b = &o->batch;
    bool former = origin == CFLRI_FROM_FORMER;
    if (b->end != CFLR_OK) return;
    bool begun = cflri_batch_begin(b, stratum);
    b->taken_up = origin != CFLRI_FROM_NOTHING;
    b->unsent = former && b->sliced;
    if (!begun) {
        cflri_batch_refused(b);
    } else if (b->taken_up && !cflri_batch_load_rows(b, shelf, former, stratum, false)) {
        return;
    } else if (b->stratum.loops) {
        o->loops = cflri_loop_open(b);
    } else {
        o->products = cflri_products_open(b);
    }
}

static void take(cflri_opened *o, cflri_box *box) {
    cflri_batch *b = &o->batch;
    if (b->end == CFLR_OK && !cflri_vec_push(b->context, &o->inbox, *box)) cflri_batch_refused(b);
    if (b->end == CFLR_OK) *box = (cflri_box){0};
}

static bool close_slice(cflri_opened *o, double until) {
    cflri_batch *b = &o->batch;
    bool closed = true;
    if (b->end == CFLR_OK && o->loops) closed = cflri_loop_close(o->loops, &o->inbox, until);
    if (b->end == CFLR_OK && o->products) cflri_products_close(o->products, &o->inbox);
    cflri_boxes_free(b->context, &o->inbox);
    return closed || b->end != CFLR_OK;
}

static bool give(cflri_opened *o, uint32_t to, cflri_box *box) {
    for (uint32_t thread = 0; thread < o->batch.threads; thread++) {
        cflri_exchange_take(&o->post, to, thread, box);
        if (box->n) return true;
    }
    return false;
}

/* The runs that products receive after closing belong to finished rows, so they have no
 * consequences here. A loop has received all, unless the carrier has failed. */
static void finish(cflri_opened *o) {
    cflri_batch *b = &o->batch;
    if (b->end == CFLR_OK && !o->loops) cflri_batch_receive(b, NULL, &o->inbox, 0, 1);
    cflri_loop_end(o->loops);
    cflri_products_free(o->products);
    o->loops = NULL;
    o->products = NULL;
    cflri_boxes_free(b->context, &o->inbox);
    cflri_batch_finish(b);
    if (b->account) cflri_batch_note_peak(b);
    if (b->stratum.loops && b->plan->last) go_on_with_less(b);
    assert(b->end != CFLR_OK || cflri_batch_validate(b, stderr));
}

static cflr_status ended(const cflri_opened *o) {
    return o->batch.end;
}

static cflr_status store(cflri_opened *o, cflri_shelf *shelf, uint32_t stratum, cflr_error *error) {
    if (o->loops) cflri_loop_write_back(o->loops);
    return cflri_batch_store_rows(&o->batch, shelf, stratum, error);
}

static cflr_status collect(cflri_opened *o, cflri_closure *closure) {
    cflri_batch *b = &o->batch;
    if (b->limited && (b->end == CFLR_OK || b->end == CFLR_NO_MEMORY)) b->end = CFLR_LIMIT;
    cflri_batch_works_for_all(b);
    cflr_status st = cflri_batch_collect(b, closure);
    if (closure->relation) cflri_batch_report(b, closure);
    if (closure->relation) cflri_batch_report_accounts(b, closure);
    return st;
}

const cflri_place cflri_batch_place = {
    open_slice, free_opened, load, begin, take, close_slice, give, finish, ended, store, collect,
};

cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error) {
    cflri_attempts alone = {.parts = 1};
    cflri_attempts *attempts = problem->attempts ? problem->attempts : &alone;
    cflri_spine *spine = problem->context->spine;
    return spine ? cflri_spine_solve(spine, problem, closure, error)
                 : cflri_spine_attempt(&cflri_batch_place, attempts, problem, closure, error);
}

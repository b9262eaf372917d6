/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.c: the batch solver: sets move, not edges.
 *
 * The grammar is turned into equations between rows (grammar/equations/equations.h), which come in strata;
 * each stratum is a loop (loop/loop.c) or can be evaluated once (products/products.c). What both do
 * with one row is rules.c.
 */
#include "engine/closure/batch/batch.h"

#include "base/context.h"
#include "engine/closure/batch/state.h"

/* When memory ends in a loop, what follows from the rows so far may still fit: they are fewer than
 * they would be. Later ends are for good. */
static void go_on_with_less(cflri_batch *b) {
    if (b->end != CFLR_LIMIT || b->limited) return;
    b->limited = true;
    b->end = CFLR_OK;
    b->store->ending = false;
    b->error = NULL; /* it tells of the first end */
}

static void solve(cflri_batch *b) {
    if (!cflri_batch_worked(b, 0)) return;
    for (uint32_t s = 0; s < b->equations->stratum.n && b->end == CFLR_OK; s++) {
        if (!cflri_batch_begin(b, s)) {
            cflri_batch_refused(b);
        } else if (b->stratum.loops) {
            cflri_batch_loop(b);
        } else {
            cflri_batch_products(b);
        }
        cflri_batch_finish(b);
        if (b->stratum.loops) go_on_with_less(b);
    }
    if (b->limited && (b->end == CFLR_OK || b->end == CFLR_NO_MEMORY)) b->end = CFLR_LIMIT;
}

static void tell_plan(const cflri_batch *b) {
    const cflri_equations *all = b->equations;
    uint32_t loops = 0;
    for (size_t s = 0; s < all->stratum.n; s++) loops += all->stratum.at[s].loops;
    cflri_log(
        b->context, CFLR_LOG_INFO,
        "plan of %zu equations in %zu strata, %u of them loops; %u vertices, %u of them guards",
        all->equation.n, all->stratum.n, loops, b->problem->n_vertices, b->n_guards);
}

cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error) {
    cflri_batch b;
    cflri_reduced reduced;
    *closure = (cflri_closure){0};
    cflr_status st = cflri_reduce(problem, &reduced, error);
    if (st != CFLR_OK) return st;
    st = cflri_batch_init(&b, &reduced, error);
    if (st == CFLR_OK) {
        tell_plan(&b);
        solve(&b);
        cflri_batch_works_for_all(&b);
        st = cflri_batch_collect(&b, closure);
        if (closure->relation) cflri_batch_report(&b, closure);
    }
    cflri_batch_free(&b);
    cflri_reduced_free(&reduced);
    return st;
}

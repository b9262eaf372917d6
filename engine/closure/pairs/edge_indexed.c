/* SPDX-License-Identifier: Apache-2.0
 *
 * edge_indexed.c: the edge-centric worklist with a list for each label, on one thread.
 *
 *     load the graph; all its pairs are pending
 *     while some row has pending pairs:
 *         settle them and join them with settled pairs (worker.h); what is new is pending
 *
 * This is the worklist algorithm of Melski and Reps, edge-centric and with the index of Nodehi
 * Sabet (docs/explanation/models.md), the worklist kept by rows: what is queued is a row, not an edge,
 * and all its pending edges are worked off together. It is one partition that owns every vertex.
 * O(conclusions) time, where the conclusions are the pairs of joining pairs, each met once; it
 * gives up after problem->budget of them.
 */
#include "base/context.h"
#include "engine/closure/pairs/pairs.h"
#include "engine/closure/pairs/worker.h"

static cflri_end check(cflri_worker *worker) {
    cflri_worker_tell(worker);
    bool full = cflri_team_short_of_memory(worker->team);
    cflr_status st = cflri_tick(worker->part.context, "solve", worker->team->pairs, 0);
    if (st != CFLR_OK) return cflri_end_of(st);
    if (full) return CFLRI_END_FULL;
    return worker->work > worker->team->problem->budget ? CFLRI_END_BUDGET : CFLRI_END_NONE;
}

/* Works the queue off, or ends before (worker->end). */
static void work(cflri_worker *worker) {
    worker->check = check;
    if (worker->team->problem->budget < worker->check_at) {
        worker->check_at = worker->team->problem->budget + 1;
    }
    worker->end = check(worker);
    if (worker->end != CFLRI_END_NONE || !cflri_worker_load(worker)) return;
    for (bool idle = false; !idle && cflri_worker_step(worker, &idle);) worker->rounds++;
}

cflr_status cflri_solve_edge_indexed(const cflri_problem *problem, cflri_closure *closure,
                                     cflr_error *error) {
    cflr_context *context = problem->context;
    cflri_team team = {0};
    cflr_status st = CFLR_OK;
    *closure = (cflri_closure){0};
    cflri_worker *worker = cflri_alloc_zero(context, sizeof *worker);
    if (!worker) return cflri_fail_memory(context, error);
    CFLR_TRY(cflri_team_init(&team, problem, 1, error));
    cflri_worker_init(worker, &team, 0);
    work(worker);
    closure->gave_up = worker->end == CFLRI_END_BUDGET;
    if (!closure->gave_up) st = cflri_team_collect(&team, worker, 1, closure, error);
out:
    cflri_worker_free(worker);
    cflri_free(context, worker);
    cflri_team_free(&team);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * edge_indexed.c: the edge-centric worklist with a list for each label, on one thread.
 *
 *     load the graph; all its pairs are pending
 *     while some row has pending pairs:
 *         settle them and join them with settled pairs (worker.h); what is new is pending
 *
 * This is the worklist algorithm of Melski and Reps, edge-centric and with the index of Nodehi
 * Sabet (docs/explanation/models.md), the worklist kept by rows: what is queued is a row, not an
 * edge, and all its pending edges are processed together. It is one partition that owns every
 * vertex. O(conclusions) time, where the conclusions are the pairs of joining pairs, each met once;
 * it gives up after problem->budget of them.
 */
#include "engine/closure/pairs/pairs.h"
#include "engine/closure/pairs/worker.h"

cflr_status cflri_solve_edge_indexed(const cflri_problem *problem, cflri_closure *closure,
                                     cflr_error *error) {
    cflri_workers team;
    cflr_status st = CFLR_OK;
    *closure = (cflri_closure){0};
    CFLR_TRY(cflri_workers_init(&team, problem, 1, error));
    cflri_worker *worker = team.worker;
    bool idle = !cflri_worker_load(worker);
    while (!idle && cflri_worker_step(worker, &idle)) worker->rounds++;
    closure->gave_up = worker->gave_up;
    if (!closure->gave_up) st = cflri_workers_collect(&team, closure, error);
out:
    cflri_workers_free(&team);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * solvers.c: the table of solvers.
 */
#include "engine/solvers.h"

#include "engine/closure/batch/batch.h"
#include "engine/closure/bits/bits.h"
#include "engine/closure/demand/demand.h"
#include "engine/closure/pairs/pairs.h"
#include "engine/portfolio.h"

/* The batch model has two places, and may be in both at once. */
static cflr_status solve_batch(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error) {
    if (!problem->on) return cflri_solve_batch(problem, closure, error);
    return problem->on->beside ? cflri_solve_portfolio(problem, closure, error)
                               : cflri_solve_bits(problem, closure, error);
}

static const cflri_solver solvers[] = {
    {CFLR_MODEL_NAIVE, cflri_solve_naive},
    {CFLR_MODEL_VERTEX, cflri_solve_vertex},
    {CFLR_MODEL_VERTEX_INDEXED, cflri_solve_vertex_indexed},
    {CFLR_MODEL_EDGE, cflri_solve_edge},
    {CFLR_MODEL_EDGE_INDEXED, cflri_solve_edge_indexed},
    {CFLR_MODEL_PARALLEL, cflri_solve_parallel},
    {CFLR_MODEL_BATCH, solve_batch},
    {CFLR_MODEL_DEMAND, cflri_solve_demand},
};

const cflri_solver *cflri_solver_find(cflr_model model) {
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        if (solvers[i].model == model) return &solvers[i];
    }
    return NULL;
}

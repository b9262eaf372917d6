/* SPDX-License-Identifier: Apache-2.0
 *
 * models.c: the table of solvers.
 */
#include "engine/closure/models.h"

static const cflri_solver solvers[] = {
    {CFLR_MODEL_NAIVE, cflri_solve_naive},
    {CFLR_MODEL_EDGE_INDEXED, cflri_solve_edge_indexed},
};

const cflri_solver *cflri_solver_find(cflr_model model) {
    for (size_t i = 0; i < sizeof solvers / sizeof *solvers; i++) {
        if (solvers[i].model == model) return &solvers[i];
    }
    return NULL;
}

void cflri_closure_free(cflr_context *context, cflri_closure *closure) {
    for (uint32_t s = 0; closure->relation && s < closure->n_symbols; s++) {
        cflri_relation_free(context, &closure->relation[s]);
    }
    cflri_free(context, closure->relation);
    *closure = (cflri_closure){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * solvers.h: the table of solvers, by model.
 */
#ifndef CFLRI_SOLVERS_H
#define CFLRI_SOLVERS_H

#include "engine/closure/model.h"

typedef struct cflri_solver {
    cflr_model model;
    /* CFLR_OK, or CFLR_LIMIT / CFLR_CANCELLED with *closure filled as far as it came, or an error
     * with *closure empty. */
    cflr_status (*solve)(const cflri_problem *problem, cflri_closure *closure, cflr_error *error);
} cflri_solver;

/* NULL for AUTO and numbers outside the list. */
const cflri_solver *cflri_solver_find(cflr_model model);

#endif

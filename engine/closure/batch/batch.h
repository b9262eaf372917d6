/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.h: the batch solver: sets move, not edges (batch.c).
 */
#ifndef CFLRI_BATCH_H
#define CFLRI_BATCH_H

#include "engine/closure/model.h"

/* As cflri_solver.solve (engine/solvers.h). */
cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error);

#endif

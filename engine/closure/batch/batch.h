/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.h: the batch solver: sets move, not edges (batch.c). It is the place of the spine that the
 * processor is.
 */
#ifndef CFLRI_BATCH_H
#define CFLRI_BATCH_H

#include "engine/spine/place.h"

extern const cflri_place cflri_batch_place;

/* As cflri_solver.solve (engine/solvers.h): all in one slice. */
cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error);

#endif

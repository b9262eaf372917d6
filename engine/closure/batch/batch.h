/* SPDX-License-Identifier: Apache-2.0
 *
 * batch.h: the batch solver, which moves sets rather than edges (batch.c). It is the place of the
 * spine that runs on the processor.
 */
#ifndef CFLRI_BATCH_H
#define CFLRI_BATCH_H

#include "engine/spine/place.h"

extern const cflri_place cflri_batch_place;

/* Solves all in one slice, or in the slices of the context's spine; otherwise as cflri_solver.solve
 * (engine/solvers.h). */
cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error);

#endif

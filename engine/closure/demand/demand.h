/* SPDX-License-Identifier: Apache-2.0
 *
 * demand.h: the demand-driven solver: only what a question needs (demand.c).
 */
#ifndef CFLRI_DEMAND_H
#define CFLRI_DEMAND_H

#include "engine/closure/model.h"

/* As cflri_solver.solve (engine/solvers.h). */
cflr_status cflri_solve_demand(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * portfolio.h: the processor and a GPU close the same problem (portfolio.c).
 */
#ifndef CFLRI_PORTFOLIO_H
#define CFLRI_PORTFOLIO_H

#include "engine/closure/model.h"

/* As cflri_solver.solve, by the processor, or the GPU of problem->on if there is one that is
 * faster. */
cflr_status cflri_solve_portfolio(const cflri_problem *problem, cflri_closure *closure,
                                  cflr_error *error);

#endif

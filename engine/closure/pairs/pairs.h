/* SPDX-License-Identifier: Apache-2.0
 *
 * pairs.h: the solvers that find pairs one by one, to compare with: a file each, named after the
 * model. All keep the contract of cflri_solver.solve (engine/solvers.h).
 */
#ifndef CFLRI_PAIRS_H
#define CFLRI_PAIRS_H

#include "engine/closure/model.h"

cflr_status cflri_solve_naive(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error);
cflr_status cflri_solve_vertex(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error);
cflr_status cflri_solve_vertex_indexed(const cflri_problem *problem, cflri_closure *closure,
                                       cflr_error *error);
cflr_status cflri_solve_edge(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error);
cflr_status cflri_solve_edge_indexed(const cflri_problem *problem, cflri_closure *closure,
                                     cflr_error *error);
cflr_status cflri_solve_parallel(const cflri_problem *problem, cflri_closure *closure,
                                 cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * models.h: the solvers behind the table of models.c, one file each. All keep the contract of
 * cflri_solver.solve.
 */
#ifndef CFLRI_MODELS_H
#define CFLRI_MODELS_H

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

cflr_status cflri_solve_batch(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error);
cflr_status cflri_solve_demand(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error);

#endif

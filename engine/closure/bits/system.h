/* SPDX-License-Identifier: Apache-2.0
 *
 * system.h: makes rules between bit matrices (rules.h) of the equations of a plan.
 */
#ifndef CFLRI_BIT_SYSTEM_H
#define CFLRI_BIT_SYSTEM_H

#include "engine/closure/bits/rules.h"
#include "engine/spine/plan.h"

/* The plan must outlive the system, with its guards. Freed by the caller, after a failure too.
 * O(edges of equations * log of the edges of a vertex), and a bit for each vertex and matrix of one
 * stratum at a time. */
cflr_status cflri_bit_system_make(const cflri_spine_plan *plan, cflri_bit_system *system,
                                  cflr_error *error);
void cflri_bit_system_free(cflri_bit_system *system);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * matrices.h: which rows the matrices of a system have, their first bits and their masks.
 */
#ifndef CFLRI_BIT_MATRICES_H
#define CFLRI_BIT_MATRICES_H

#include "engine/closure/bits/rules.h"
#include "engine/spine/plan.h"

/* Makes the matrices of all families, and of homes that are turned. There is room for those that
 * are passing. */
cflr_status cflri_bit_matrices_make(const cflri_spine_plan *plan, cflri_bit_system *system,
                                    cflr_error *error);
/* Numbers the rows of all matrices. False where there are more rows than numbers. */
bool cflri_bit_matrices_number(cflri_bit_system *system);
void cflri_bit_matrices_free(cflri_bit_system *system);

#endif

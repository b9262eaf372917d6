/* SPDX-License-Identifier: Apache-2.0
 *
 * find_rows.h: the rows that matrices need (find_rows.c).
 */
#ifndef CFLRI_BIT_FIND_ROWS_H
#define CFLRI_BIT_FIND_ROWS_H

#include "engine/closure/bits/rules.h"
#include "engine/spine/plan.h"

/* Makes `vertex` and `n_rows` of the matrices of families. CFLR_UNSUPPORTED where they have more
 * rows than there are numbers. O(rows + edges of equations * log of the equations of one
 * vertex). */
cflr_status cflri_bit_find_rows(const cflri_spine_plan *plan, cflri_bit_system *system,
                                cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * strata.h: which rows recur, which are needed whole, and in what order all are found.
 */
#ifndef CFLRI_STRATA_H
#define CFLRI_STRATA_H

#include "grammar/equations/equations.h"

/* Equations of any order and number of times become those of equations.h, by strata. Families that
 * are needed whole and guarded become two; families that are not needed are left out. */
cflr_status cflri_equations_split(cflri_equations *equations, unsigned techniques,
                                  cflr_error *error);

#endif

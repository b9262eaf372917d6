/* SPDX-License-Identifier: Apache-2.0
 *
 * dispatch.h: which model closes a problem. The table of solvers is solvers.h.
 */
#ifndef CFLRI_DISPATCH_H
#define CFLRI_DISPATCH_H

#include "engine/solvers.h"

/* What was chosen; `reason` is a sentence for people. */
typedef struct cflri_choice {
    const cflri_solver *solver;
    uint64_t budget; /* for the problem; the batch model follows when it is used up */
    char reason[160];
} cflri_choice;

/* The model that is wanted, or for AUTO the one that is likely to be the fastest.
 * CFLR_UNAVAILABLE when the model cannot solve the problem. */
cflr_status cflri_dispatch(const cflri_problem *problem, cflr_model wanted, cflri_choice *choice,
                           cflr_error *error);

#endif

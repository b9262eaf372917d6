/* SPDX-License-Identifier: Apache-2.0
 *
 * attempts.h: closes a problem with the memory that is there (attempts.c).
 */
#ifndef CFLRI_ATTEMPTS_H
#define CFLRI_ATTEMPTS_H

#include "engine/spine/driver.h"

typedef struct cflri_attempts {
    uint32_t parts;           /* slices of the strata that exchange nothing, to begin with */
    uint32_t only;            /* 1 + the one of them that is asked for; 0: all */
    bool at_once;             /* the first attempt has a shelf already */
    cflri_shelf_maker *maker; /* NULL: one attempt is made, in memory */
    cflri_shelf *shelf;       /* of the maker; NULL: none yet */
} cflri_attempts;

/* As cflri_solver.solve, by the place, in one process. */
cflr_status cflri_spine_attempt(const cflri_place *place, cflri_attempts *how,
                                const cflri_problem *problem, cflri_closure *closure,
                                cflr_error *error);

#endif

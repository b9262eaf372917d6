/* SPDX-License-Identifier: Apache-2.0
 *
 * driver.h: closes a problem slice by slice.
 */
#ifndef CFLRI_DRIVER_H
#define CFLRI_DRIVER_H

#include "engine/spine/carrier.h"
#include "engine/spine/place.h"

/* The amount of data that was carried between slices. */
typedef struct cflri_traffic {
    uint64_t rounds; /* rounds in which a word was carried */
    uint64_t boxes, words;
    uint64_t products; /* words in strata that do not loop */
} cflri_traffic;

typedef struct cflri_spine {
    const cflri_place *place;
    uint32_t slices;
    uint32_t grain;             /* grain of the slices' borders */
    cflri_box_carrier *carrier; /* not NULL where there are several slices */
    cflri_traffic traffic;      /* of this end; written by the driver */
} cflri_spine;

/* As cflri_solver.solve, for the slices of this end. The pairs do not depend on the slices. */
cflr_status cflri_spine_solve(cflri_spine *spine, const cflri_problem *problem,
                              cflri_closure *closure, cflr_error *error);

#endif

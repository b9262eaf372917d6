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

/* The end of an attempt. Unless it is whole, the shelf has what was found, and there is no
 * closure. */
typedef enum cflri_end {
    CFLRI_WHOLE,  /* it has a closure, perhaps of a part of the pairs, or has failed */
    CFLRI_SHORT,  /* memory ended */
    CFLRI_AT_TAIL /* the strata are left that exchange nothing */
} cflri_end;

typedef struct cflri_spine {
    const cflri_place *place;
    uint32_t slices;
    uint32_t grain;             /* grain of the slices' borders */
    uint32_t piece;             /* words of results that an end sends at a time; 0: many */
    cflri_box_carrier *carrier; /* not NULL where there are several slices */
    /* NULL: all slices stay in memory. Otherwise the attempt begins with the former states, if
     * there are some, and of several slices one is in memory at a time. Not where several ends
     * close the problem. */
    cflri_shelf *shelf;
    cflri_shelf_maker *maker; /* makes the shelf when it is first needed */
    bool alone;               /* a single slice may be alone (plan.h) */
    bool may_end;             /* the attempt may end unfinished, since another one follows */
    bool to_tail;             /* it ends when the strata are left that exchange nothing */
    cflri_end end;            /* written by the driver */
    uint32_t only;            /* 1 + the one slice that is asked for; 0: all */
    cflri_traffic traffic;    /* of this end; written by the driver */
} cflri_spine;

/* Do several ends close the problem? */
static inline bool cflri_spine_has_ends(const cflri_spine *spine) {
    return spine && spine->carrier && spine->carrier->n < spine->slices;
}

/* As cflri_solver.solve, for the slices of this end. The pairs do not depend on the slices. The
 * first end gets the pairs of all, other ends none; the status is the same at all of them, and so
 * is the message of a failure. */
cflr_status cflri_spine_solve(cflri_spine *spine, const cflri_problem *problem,
                              cflri_closure *closure, cflr_error *error);

/* Do all ends go on? Every end calls it, with the reason for which it cannot, or CFLR_OK; if one
 * cannot, all return its status. Without several ends this is `st`. */
cflr_status cflri_spine_agree(cflri_spine *spine, cflr_status st, cflr_error *error);

#endif

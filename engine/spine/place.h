/* SPDX-License-Identifier: Apache-2.0
 *
 * place.h: where a slice is closed: by the threads of a processor (closure/batch), and whatever
 * else fills one cflri_place.
 *
 * A slice of targets has, of every row, the ids that lie in it. COPY, EDGE and PAIR unite rows
 * whole, and that commutes with cutting targets; so does DIAGONAL and INPUT. What looks at ids
 * makes pairs for other slices, and these are told in boxes:
 *
 *     equation                  told                                    to
 *     TURN, STEP, BETWEEN       ids that the row of (R,u) has           the slice that they lie in
 *     PAIR R(u) has S(v)        new ids v in rows of Q, as plan->told   every slice
 *
 * Runs of a box (exchange.h) say so, with ids as they stand in rows of the family: vertices, or
 * numbers of guards. n is the number of families:
 *
 *     label = family        the row at `vertex` has these ids, which lie in the slice
 *     label = n + family    the row at `vertex` has these ids in another slice, which tells it
 *
 * The driver (driver.c) goes through strata. For each: begin; give, take and close in rounds; give
 * and take once more; finish. When a slice has come to an end (memory, time, the caller), its
 * functions do nothing, and its rows stay as they are.
 */
#ifndef CFLRI_PLACE_H
#define CFLRI_PLACE_H

#include "engine/spine/exchange.h"
#include "engine/spine/plan.h"

/* A slice at a place. */
typedef struct cflri_opened cflri_opened;

typedef struct cflri_place {
    /* An empty slice. The plan lives longer. */
    cflr_status (*open)(const cflri_spine_plan *plan, cflri_slice slice, cflri_opened **opened,
                        cflr_error *error);
    void (*free)(cflri_opened *opened);

    /* A stratum begins: what its rows hold from the beginning, and what follows from those of
     * finished families, as far as other slices have to hear of it. */
    void (*begin)(cflri_opened *opened, uint32_t stratum);
    /* Words for the slice, which are taken out of the box. */
    void (*take)(cflri_opened *opened, cflri_box *box);
    /* Goes on until nothing follows from what the slice has and was told. */
    void (*close)(cflri_opened *opened);
    /* The next box for slice `to`, in place of what `box` had. False: there is none. */
    bool (*give)(cflri_opened *opened, uint32_t to, cflri_box *box);
    /* The stratum is over, for all slices. */
    void (*finish)(cflri_opened *opened);

    /* CFLR_OK, or why the slice has ended. */
    cflr_status (*ended)(const cflri_opened *opened);

    /* Between two strata: appends all that the slice knows to box[to][from], as words that
     * load gives to an empty slice. False when memory is refused. */
    bool (*store)(cflri_opened *opened, cflri_exchange *exchange, uint32_t to, uint32_t from);
    bool (*load)(cflri_opened *opened, const cflri_box *box);

    /* The relations of the slice; nothing else is asked for afterwards. As cflri_solver.solve. */
    cflr_status (*collect)(cflri_opened *opened, cflri_closure *closure);
} cflri_place;

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * place.h: a place closes a slice: the threads of a processor (closure/batch), or any other code
 * that fills a cflri_place.
 *
 * A slice of targets has, of every row, the ids that lie in it. COPY, EDGE and PAIR unite whole
 * rows, and that commutes with cutting targets, as do DIAGONAL and INPUT. Equations that look at
 * ids make pairs for other slices, and send these in boxes:
 *
 *     equation                  ids that are sent                       to
 *     TURN, STEP, BETWEEN       ids that the row of (R,u) has           the slice that they lie in
 *     PAIR R(u) has S(v)        new ids v in rows of Q, as plan->broadcast   every slice
 *
 * Runs of a box (exchange.h) have ids as rows of the family have them: vertices, or numbers of
 * guards. n is the number of families:
 *
 *     label = family        the row at `vertex` has these ids, which lie in the receiving slice
 *     label = n + family    the row at `vertex` has these ids, which lie in the sending slice
 *
 * The driver (driver.c) goes through strata. For each: begin; give, take and close in rounds; give
 * and take once more; finish. When a slice has ended (memory, time, the caller), its functions do
 * nothing, and its rows stay as they are.
 */
#ifndef CFLRI_PLACE_H
#define CFLRI_PLACE_H

#include "engine/spine/exchange.h"
#include "engine/spine/plan.h"
#include "engine/spine/shelf.h"

/* Where the rows of a slice come from. */
typedef enum cflri_rows_from {
    CFLRI_FROM_NOTHING,
    CFLRI_FROM_STATE, /* of the slice */
    CFLRI_FROM_FORMER /* states of all slices of the attempt before */
} cflri_rows_from;

/* A slice at a place. */
typedef struct cflri_opened cflri_opened;

typedef struct cflri_place {
    /* Makes an empty slice. The plan must outlive it. */
    cflr_status (*open)(const cflri_spine_plan *plan, cflri_slice slice, cflri_opened **opened,
                        cflr_error *error);
    void (*free)(cflri_opened *opened);

    /* Fills an empty slice with rows from the shelf: those of strata before this one. */
    void (*load)(cflri_opened *opened, cflri_shelf *shelf, cflri_rows_from origin,
                 uint32_t stratum);
    /* Begins a stratum. Computes the initial content of its rows, and the consequences of finished
     * families, as far as other slices have to receive them. A slice that was loaded takes up the
     * rows of the stratum that the shelf has; to others that is as if it had not been away. */
    void (*begin)(cflri_opened *opened, cflri_shelf *shelf, cflri_rows_from origin,
                  uint32_t stratum);
    /* Takes the words for the slice out of the box. */
    void (*take)(cflri_opened *opened, cflri_box *box);
    /* Continues until nothing follows from the pairs that the slice has and has received. False
     * when it stopped on the way, at `until` or later, as cflri_now tells: to be called again. */
    bool (*close)(cflri_opened *opened, double until);
    /* Returns the next box for slice `to`. The former words of `box` are forgotten. False when
     * there is none. */
    bool (*give)(cflri_opened *opened, uint32_t to, cflri_box *box);
    /* Ends the stratum, for all slices. */
    void (*finish)(cflri_opened *opened);

    /* CFLR_OK, or the reason for which the slice has ended. */
    cflr_status (*ended)(const cflri_opened *opened);

    /* Makes the rows of the slice its state on the shelf; strata before this one are finished. No
     * box may be left that give would return. Works also when the slice has ended. */
    cflr_status (*store)(cflri_opened *opened, cflri_shelf *shelf, uint32_t stratum,
                         cflr_error *error);

    /* Makes the relations of the slice, as cflri_solver.solve. No function but free is called
     * afterwards. */
    cflr_status (*collect)(cflri_opened *opened, cflri_closure *closure);
} cflri_place;

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.h: a carrier moves boxes between slices.
 *
 *     slice 0 -- box for 2 --> |         | -- box from 0 --> slice 2
 *     slice 1 -- box for 2 --> | carrier | -- box from 1 -->
 *                              |         | <-- sums, sums -->          all ends agree
 *
 * A closure has one carrier, with one end or several: an end is a process, and owns some of the
 * slices. Boxes arrive in any order and after any time, but each of them arrives once. Words of a
 * box are plain numbers, which mean the same at every end (place.h).
 */
#ifndef CFLRI_CARRIER_H
#define CFLRI_CARRIER_H

#include "engine/spine/exchange.h"

typedef struct cflri_box_carrier {
    uint32_t first, n; /* the slices of this end */
    /* Sends the words of a box to slice `to`, and empties the box. */
    cflr_status (*send)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                        cflr_error *error);
    /* Returns the next box that has arrived for a slice of this end. The former words of `box` are
     * forgotten. False: no box has arrived. */
    bool (*receive)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box);
    /* Replaces each sum by the total of all ends. Every end has to call it. */
    cflr_status (*agree)(struct cflri_box_carrier *carrier, uint64_t *sum, uint32_t n,
                         cflr_error *error);
} cflri_box_carrier;

/* A carrier within one process: it passes boxes on without copying a word. */
typedef struct cflri_memory_carrier {
    cflri_box_carrier carrier;
    cflr_context *context;
    cflri_boxes *waiting; /* one for each slice */
} cflri_memory_carrier;

cflr_status cflri_memory_carrier_init(cflri_memory_carrier *carrier, cflr_context *context,
                                      uint32_t slices, cflr_error *error);
void cflri_memory_carrier_free(cflri_memory_carrier *carrier);

#endif

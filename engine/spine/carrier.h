/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.h: what takes boxes from slices to slices.
 *
 *     slice 0 -- box for 2 --> |         | -- box from 0 --> slice 2
 *     slice 1 -- box for 2 --> | carrier | -- box from 1 -->
 *                              |         | <-- sums, sums -->          all ends agree
 *
 * A closure has one carrier, with one end or several: an end is a process, and has some of the
 * slices. Boxes arrive in any order and after any time, but each of them arrives once. Words of a
 * box are plain numbers, which mean the same at every end (place.h).
 */
#ifndef CFLRI_CARRIER_H
#define CFLRI_CARRIER_H

#include "engine/spine/exchange.h"

typedef struct cflri_box_carrier {
    uint32_t first, n; /* the slices that are at this end */
    /* Takes the words of a box for slice `to`; the box is empty afterwards. */
    cflr_status (*send)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                        cflr_error *error);
    /* The next box that has arrived for a slice of this end, in place of what `box` had, which is
     * forgotten. False: there is none now. */
    bool (*receive)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box);
    /* Each sum becomes that of all ends; every end comes here. */
    cflr_status (*agree)(struct cflri_box_carrier *carrier, uint64_t *sum, uint32_t n,
                         cflr_error *error);
} cflri_box_carrier;

/* A carrier within one process: boxes change hands, and no word is copied. */
typedef struct cflri_memory_carrier {
    cflri_box_carrier carrier;
    cflr_context *context;
    cflri_boxes *waiting; /* one a slice */
} cflri_memory_carrier;

cflr_status cflri_memory_carrier_init(cflri_memory_carrier *carrier, cflr_context *context,
                                      uint32_t slices, cflr_error *error);
void cflri_memory_carrier_free(cflri_memory_carrier *carrier);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * carrier.h: a carrier moves boxes between slices.
 *
 *     slice 0 -- box for 2 --> |         | -- box from 0 --> slice 2
 *     slice 1 -- box for 2 --> | carrier | -- box from 1 -->
 *                              |         | <-- sums, sums -->          all ends agree
 *
 * A closure has one carrier, with one end or several: an end is a process, and owns some of the
 * slices, the first end the first of them. Boxes arrive in any order and after any time, but each
 * of them arrives once, perhaps as several boxes, or joined to others for the same slice. Words of
 * a box are plain numbers, which mean the same at every end (place.h).
 *
 * Ends meet in `agree` and `settle`: every end calls them as often, and in the same order, as the
 * others do. So that no end waits for one that has left, an end that cannot go on says so in its
 * next `agree`, and then none goes on.
 */
#ifndef CFLRI_CARRIER_H
#define CFLRI_CARRIER_H

#include "engine/spine/exchange.h"

/* Numbers that ends add up. */
typedef struct cflri_totals {
    uint64_t sent, taken; /* words of boxes */
    uint64_t going;       /* slices, or ends, that go on */
    uint64_t cancelled;   /* ends whose caller has cancelled */
    uint64_t failed;      /* ends that cannot go on */
} cflri_totals;

typedef struct cflri_box_carrier {
    uint32_t first, n; /* the slices of this end */
    /* Sends the words of a box to slice `to`, and empties the box. */
    cflr_status (*send)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box,
                        cflr_error *error);
    /* Returns the next box that has arrived for a slice of this end. The former words of `box` are
     * forgotten. False: no box has arrived. */
    bool (*receive)(struct cflri_box_carrier *carrier, uint32_t to, cflri_box *box);
    /* Replaces each number by the total of all ends. If the carrier cannot go on at an end, it
     * returns the reason there, and counts it as a failed end. After a failure no box arrives any
     * more. */
    cflr_status (*agree)(struct cflri_box_carrier *carrier, cflri_totals *totals,
                         cflr_error *error);
    /* If *code is not 0 at some ends, each end gets the code and the bytes of the first of them.
     * Returns the number of that end; 0 if there is none. */
    uint32_t (*settle)(struct cflri_box_carrier *carrier, int *code, void *bytes, size_t size);
} cflri_box_carrier;

/* As carrier->agree. When an end has failed, all ends return its status and have its message. `st`:
 * the reason for which this end cannot go on, or CFLR_OK. */
cflr_status cflri_carrier_agree(cflri_box_carrier *carrier, cflri_totals *totals, cflr_status st,
                                cflr_error *error);
/* Returns the status of the first end with one that is not CFLR_OK, and has its message. */
cflr_status cflri_carrier_settle(cflri_box_carrier *carrier, cflr_status st, cflr_error *error);

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

/* SPDX-License-Identifier: Apache-2.0
 *
 * shelf.h: keeps the states of slices outside of memory, for a driver that has memory for one of
 * them at a time, or that is to begin again where it ended.
 *
 *     attempt 1, one slice      | state 0 |                             memory ends
 *                                    |  former
 *     attempt 2, three slices   | state 0 | state 1 | state 2 |         each read from all former
 *
 * A state is a sequence of blocks, which the place writes and reads (place.h). The states of an
 * attempt are read by this attempt, slice by slice, and as former states by the next one, whose
 * slices may be others.
 */
#ifndef CFLRI_SHELF_H
#define CFLRI_SHELF_H

#include "base/files/blocks.h"

/* The point that an attempt has reached. */
typedef struct cflri_progress {
    uint32_t slices;  /* number of states; 0: there are none */
    uint32_t stratum; /* strata before this one are finished; rows of this one may be there */
} cflri_progress;

typedef struct cflri_shelf {
    cflri_progress former; /* of the states of the last attempt */
    bool commits;          /* a later process can go on from the last commit */
    bool reordered;        /* vertices of the states are (reduce.h); written by the driver */
    double save_every;     /* seconds between commits, at least; 0: as often as possible */
    /* Begins an attempt with so many slices, none of which has a state. The states of the attempt
     * before are former ones, if it has kept one for each slice; the shelf forgets those before. */
    cflr_status (*begin)(struct cflri_shelf *shelf, uint32_t slices, cflr_error *error);
    /* Forgets the state of the slice, and returns the sink of a new one. */
    cflri_block_sink *(*write)(struct cflri_shelf *shelf, uint32_t slice);
    /* Returns the blocks of a state, until the next call. */
    const cflri_block_source *(*read)(struct cflri_shelf *shelf, bool former, uint32_t slice);
    /* The states of all slices are whole, and are those of the progress. If the shelf commits, they
     * lie on the disk when this returns. */
    cflr_status (*commit)(struct cflri_shelf *shelf, uint32_t stratum, cflr_error *error);
} cflri_shelf;

/* Makes a shelf when it is first needed, and keeps it. */
typedef struct cflri_shelf_maker {
    cflr_status (*make)(struct cflri_shelf_maker *maker, cflri_shelf **shelf, cflr_error *error);
} cflri_shelf_maker;

#endif

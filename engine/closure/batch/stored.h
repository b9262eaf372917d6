/* SPDX-License-Identifier: Apache-2.0
 *
 * stored.h: the state of a slice on a shelf (stored.c).
 */
#ifndef CFLRI_BATCH_STORED_H
#define CFLRI_BATCH_STORED_H

#include "engine/closure/batch/state.h"
#include "engine/spine/shelf.h"

/* Stores the rows of the slice, of which strata before this one are finished, as
 * cflri_place.store. */
cflr_status cflri_batch_store_rows(cflri_batch *batch, cflri_shelf *shelf, uint32_t stratum,
                                   cflr_error *error);

/* Fills an empty slice, or one of which only finished rows were filled. `finished`: with the rows
 * that were complete before the stratum; otherwise with those of the stratum, which has begun.
 * False when it is time to end; damage of the shelf ends the batch, too. */
bool cflri_batch_load_rows(cflri_batch *batch, cflri_shelf *shelf, bool former, uint32_t stratum,
                           bool finished);

#endif

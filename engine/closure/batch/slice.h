/* SPDX-License-Identifier: Apache-2.0
 *
 * slice.h: sends ids from a batch that owns one of several slices of targets (engine/spine/place.h)
 * to the others. No function is called where there is one slice.
 */
#ifndef CFLRI_BATCH_SLICE_H
#define CFLRI_BATCH_SLICE_H

#include "engine/closure/batch/state.h"

/* Makes sets of the ids of the slice, which sweeps have to keep. False when memory is refused. */
bool cflri_batch_make_slice(cflri_batch *batch);

/* Splits a set that was made of ids, for the row of the family at the vertex. Returns the part that
 * lies in the slice, and sends the rest to the slices that own it, each id once. CFLRI_NO_SET:
 * memory is refused. */
cflri_set_number cflri_batch_own(cflri_batch *batch, uint32_t family, uint32_t vertex,
                                 cflri_set_number set);

/* Reports new ids of a row to all other slices, for a family that all of them have to know
 * (plan->broadcast). False when it is time to end. */
bool cflri_batch_broadcast(cflri_batch *batch, uint32_t family, uint32_t vertex,
                           cflri_set_number more);

/* Reports so one thread's share of the rows of the current stratum. */
bool cflri_batch_broadcast_all(cflri_batch *batch, uint32_t self, uint32_t threads);

/* Adds a set to a node that no thread owns; *more becomes the ids that are new there. False when it
 * is time to end. */
bool cflri_batch_add_more(cflri_batch *batch, uint32_t family, uint32_t vertex,
                          cflri_set_number set, cflri_set_number *more);

#endif

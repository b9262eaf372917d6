/* SPDX-License-Identifier: Apache-2.0
 *
 * slice.h: a batch that has one of several slices of targets (engine/spine/place.h): what it tells
 * the others. Nothing here is called where there is one slice.
 */
#ifndef CFLRI_BATCH_SLICE_H
#define CFLRI_BATCH_SLICE_H

#include "engine/closure/batch/state.h"

/* The ids of the slice as sets, which sweeps have to keep. False when memory is refused. */
bool cflri_batch_make_slice(cflri_batch *batch);

/* Rows of the family at the vertex have a set that was made of ids: the part that lies in the
 * slice. The rest is told to the slices that it lies in, each id once. CFLRI_NO_SET: memory is
 * refused. */
cflri_set_number cflri_batch_own(cflri_batch *batch, uint32_t family, uint32_t vertex,
                                 cflri_set_number set);

/* The row of a family that all slices are to know (plan->told) has more: they are told. False when
 * it is time to end. */
bool cflri_batch_tell(cflri_batch *batch, uint32_t family, uint32_t vertex, cflri_set_number more);

/* Adds a set to a node that no thread has in its hands; *more becomes what it had not. False when
 * it is time to end. */
bool cflri_batch_add_more(cflri_batch *batch, uint32_t family, uint32_t vertex,
                          cflri_set_number set, cflri_set_number *more);

#endif

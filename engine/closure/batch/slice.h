/* SPDX-License-Identifier: Apache-2.0
 *
 * slice.h: a batch that has one of several slices of targets (engine/spine/place.h): what it tells
 * the others, and what they tell it. Nothing here is called where there is one slice.
 */
#ifndef CFLRI_BATCH_SLICE_H
#define CFLRI_BATCH_SLICE_H

#include "engine/closure/batch/rules.h"

/* The ids of the slice as sets, which sweeps have to keep. False when memory is refused. */
bool cflri_batch_make_slice(cflri_batch *batch);

/* Does an id in rows of the family lie in the slice? */
static inline bool cflri_batch_is_own(const cflri_batch *batch, bool guarded, uint32_t id) {
    return id >= batch->own_first[guarded] && id < batch->own_end[guarded];
}

/* Rows of the family at the vertex have a set that was made of ids: the part that lies in the
 * slice. The rest is told to the slices that it lies in, each id once. CFLRI_NO_SET: memory is
 * refused. */
cflri_set_number cflri_batch_own(cflri_batch *batch, uint32_t family, uint32_t vertex,
                                 cflri_set_number set);

/* The row of a family that all slices are to know (plan->told) has more: they are told. False when
 * it is time to end. */
bool cflri_batch_tell(cflri_batch *batch, uint32_t family, uint32_t vertex, cflri_set_number more);

/* A run that another slice told. False when it is time to end. */
bool cflri_batch_hear(cflri_batch *batch, cflri_sink *sink, const cflri_run *run);

/* One thread's share of all runs of boxes. */
bool cflri_batch_hear_all(cflri_batch *batch, cflri_sink *sink, const cflri_boxes *boxes,
                          uint32_t self, uint32_t threads);

/* All that the slice knows, and back: as cflri_place.store and load. */
bool cflri_batch_save(cflri_batch *batch, cflri_exchange *exchange, uint32_t to, uint32_t from);
bool cflri_batch_load(cflri_batch *batch, const cflri_box *box);

#endif

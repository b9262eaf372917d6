/* SPDX-License-Identifier: Apache-2.0
 *
 * receive.h: processes the runs that a slice of a batch receives (receive.c).
 */
#ifndef CFLRI_BATCH_RECEIVE_H
#define CFLRI_BATCH_RECEIVE_H

#include "engine/closure/batch/rules.h"
#include "engine/closure/batch/slice.h"

/* Processes one thread's share of the runs that other slices have sent. False when it is time to
 * end. */
bool cflri_batch_receive(cflri_batch *batch, cflri_sink *sink, const cflri_boxes *boxes,
                         uint32_t self, uint32_t threads);

/* Stores all that the slice knows, and loads it again, as cflri_place.store and load. */
bool cflri_batch_save(cflri_batch *batch, cflri_exchange *exchange, uint32_t to, uint32_t from);
bool cflri_batch_load(cflri_batch *batch, const cflri_box *box);

#endif

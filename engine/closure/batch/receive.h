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

#endif

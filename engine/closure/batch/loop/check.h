/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: validates and dumps a loop (base/fault.h).
 */
#ifndef CFLRI_LOOP_CHECK_H
#define CFLRI_LOOP_CHECK_H

#include "base/fault.h"
#include "engine/closure/batch/loop/loop.h"

/* Members are in the ring of their leader and have no row, pending sets or flows. Each entry of a
 * pending set and each flow is in one list. Every node that waits is known and, once there are
 * ranks, is in the queue under its rank; no other node is. The target of a flow has or waits with
 * the ids of the source; a bounded number of ids is looked at. To be called between waves.
 * O(nodes + flows). */
bool cflri_loops_validate(const cflri_loops *loops, FILE *to);
void cflri_loops_dump(const cflri_loops *loops, FILE *to);

#endif

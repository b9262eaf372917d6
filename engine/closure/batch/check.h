/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: validates and dumps the nodes of a batch (base/fault.h).
 */
#ifndef CFLRI_BATCH_CHECK_H
#define CFLRI_BATCH_CHECK_H

#include "base/fault.h"
#include "engine/closure/batch/state.h"

/* Places and families refer to each other. Every extra can be found by its family and vertex, and
 * occurs once; the list of its family contains it, unless it is a hub or a fan. Every value is a
 * set; those of rows, hubs and fans have ids of the slice only. Rows of later strata are empty. All
 * sets are valid (sets/check.h). To be called between strata, before solving ends.
 * O(nodes + sets). */
bool cflri_batch_validate(const cflri_batch *batch, FILE *to);
void cflri_batch_dump(const cflri_batch *batch, FILE *to);

#endif

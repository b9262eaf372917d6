/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.h: the closure that slices have together.
 */
#ifndef CFLRI_MERGE_H
#define CFLRI_MERGE_H

#include "engine/spine/plan.h"

/* Puts the closures of slices together, in their order; they stay as they are, but for relations
 * that only one slice has, which move. `closure` is empty when memory is refused. O(pairs). */
cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error);

#endif

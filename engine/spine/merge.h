/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.h: merges the closures of slices into one.
 */
#ifndef CFLRI_MERGE_H
#define CFLRI_MERGE_H

#include "engine/spine/plan.h"

/* Merges the closures of slices, in their order. They remain as they are, except that relations
 * which only one slice has are moved. `closure` is empty when memory is refused. O(pairs). */
cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.h: merges the closures of slices into one.
 */
#ifndef CFLRI_MERGE_H
#define CFLRI_MERGE_H

#include "engine/spine/plan.h"

/* Merges the closures of slices, in their order, into one, whose rows have sets of the parts. When
 * memory is refused, `closure` is empty, and the first part remains as it is. O(rows * slices) */
cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error);

/* Makes the closure of a slice one that is merged with those of other runs later. O(edges). */
void cflri_closure_slice(const cflri_spine_plan *plan, uint32_t self, cflri_closure *closure);

#endif

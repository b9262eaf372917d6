/* SPDX-License-Identifier: Apache-2.0
 *
 * merge.h: merges the closures of slices into one.
 */
#ifndef CFLRI_MERGE_H
#define CFLRI_MERGE_H

#include "engine/spine/plan.h"

/* Merges the closures of slices, in their order, into one whose rows share sets. They remain as
 * they are, except that relations which are the same in all of them are moved. When memory is
 * refused, `closure` is empty, and nothing is moved. O(rows * slices), and O(targets) for each row
 * whose pieces were not united before. */
cflr_status cflri_closures_merge(const cflri_spine_plan *plan, cflri_closure *part, uint32_t n,
                                 cflri_closure *closure, cflr_error *error);

#endif

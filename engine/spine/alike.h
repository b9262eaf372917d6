/* SPDX-License-Identifier: Apache-2.0
 *
 * alike.h: do all ends have the same problem?
 */
#ifndef CFLRI_ALIKE_H
#define CFLRI_ALIKE_H

#include "engine/spine/carrier.h"
#include "engine/spine/plan.h"

/* Every end calls it. CFLR_ARGUMENT at each end whose plan is not that of the first end. Words of a
 * box would have another meaning there. O(edges). */
cflr_status cflri_spine_alike(cflri_box_carrier *carrier, const cflri_spine_plan *plan,
                              cflr_error *error);

#endif

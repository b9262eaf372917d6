/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: validates and dumps a plan (base/fault.h).
 */
#ifndef CFLRI_SPINE_CHECK_H
#define CFLRI_SPINE_CHECK_H

#include "base/fault.h"
#include "engine/spine/plan.h"

/* Slices cover all ids, in order. Vertices and guards ascend. Equations stand by stratum and read
 * no later stratum. `broadcast` has the families that a PAIR goes by. O(vertices + equations). */
bool cflri_spine_plan_validate(const cflri_spine_plan *plan, FILE *to);
void cflri_spine_plan_dump(const cflri_spine_plan *plan, FILE *to);

#endif

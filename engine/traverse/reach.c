/* SPDX-License-Identifier: Apache-2.0
 *
 * reach.c: what reachability from many sources needs and gives (reach.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/primitives.h"
#include "engine/traverse/reach.h"

static void run(cflri_thread *m, void *task) {
    reach_run(m, task);
}

const cflri_primitive cflri_primitive_REACH = {
    .name = "reach",
    .which = CFLR_REACH,
    .needs = {.least_sources = 1, .most_sources = 64},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_IDEMPOTENT,
    .split = CFLRI_SPLIT_PLAIN,
    .goes_far = true,
    .task_size = sizeof(reach),
    .count = "reached",
    .column = {{"reached", CFLR_COLUMN_UINT64, CFLRI_PER_VERTEX, offsetof(reach, reached), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_VERTEX, offsetof(reach, fresh), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_VERTEX, offsetof(reach, coming), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(reach, list), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(reach, next_list), false}},
    .run = run,
};

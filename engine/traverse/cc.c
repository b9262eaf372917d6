/* SPDX-License-Identifier: Apache-2.0
 *
 * cc.c: what connected components need and give (cc.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/cc.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    cc_run(m, task);
}

const cflri_primitive cflri_primitive_CC = {
    .name = "cc",
    .which = CFLR_CC,
    .form = CFLRI_BOTH_WAYS,
    .safety = CFLRI_IDEMPOTENT,
    .relaxes = true,
    .split = CFLRI_SPLIT_PLAIN,
    .task_size = sizeof(cc),
    .count = "components",
    .column = {{"component", CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(cc, parent), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(cc, list), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_WORD, offsetof(cc, active), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_CELL, offsetof(cc, votes), false},
               {NULL, CFLR_COLUMN_UINT64, CFLRI_PER_CELL, offsetof(cc, most), false}},
    .run = run,
};

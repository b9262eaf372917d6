/* SPDX-License-Identifier: Apache-2.0
 *
 * mst.c: what a lightest spanning forest needs and gives (mst.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/mst.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    mst_run(m, task);
}

#define MST_COLUMN(type, per, field) \
    { NULL, CFLR_COLUMN_##type, CFLRI_PER_##per, offsetof(mst, field), false }

const cflri_primitive cflri_primitive_MST = {
    .name = "mst",
    .which = CFLR_MST,
    .any_weight = true,
    .numbers_edges = true,
    .needs = {.symmetric = true, .weights = true},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .task_size = sizeof(mst),
    .count = "edges",
    .number = "weight",
    .column = {{"edge", CFLR_COLUMN_UINT64, CFLRI_PER_EDGE_WORD, offsetof(mst, taken), false},
               MST_COLUMN(UINT64, VERTEX, lightest),
               MST_COLUMN(UINT32, VERTEX, parent),
               MST_COLUMN(UINT32, VERTEX, root_list),
               MST_COLUMN(UINT32, VERTEX, next_root_list),
               MST_COLUMN(UINT64, WORD, is_open),
               MST_COLUMN(UINT64, WORD, is_next),
               MST_COLUMN(UINT32, HALF_EDGES, edge),
               MST_COLUMN(UINT32, HALF_EDGES, one),
               MST_COLUMN(UINT32, HALF_EDGES, other),
               MST_COLUMN(UINT32, HALF_EDGES, next_edge),
               MST_COLUMN(UINT32, HALF_EDGES, next_one),
               MST_COLUMN(UINT32, HALF_EDGES, next_other),
               MST_COLUMN(UINT32, CELL, drawn),
               MST_COLUMN(UINT32, CELL, limit)},
    .run = run,
};

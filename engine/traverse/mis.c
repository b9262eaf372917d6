/* SPDX-License-Identifier: Apache-2.0
 *
 * mis.c: what a maximal independent set needs and gives (mis.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/mis.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    mis_run(m, task);
}

const cflri_primitive cflri_primitive_MIS = {
    .name = "mis",
    .which = CFLR_MIS,
    .needs = {.symmetric = true},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .task_size = sizeof(mis),
    .count = "size",
    .column = {{"member", CFLR_COLUMN_UINT8, CFLRI_PER_VERTEX, offsetof(mis, member), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(mis, state), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(mis, waiting), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(mis, member_list), false},
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(mis, out_list), false}},
    .run = run,
};

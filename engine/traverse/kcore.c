/* SPDX-License-Identifier: Apache-2.0
 *
 * kcore.c: what core numbers need and give (kcore.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/kcore.h"
#include "engine/traverse/primitives.h"

static void run(cflri_thread *m, void *task) {
    kcore_run(m, task);
}

#define KCORE_COLUMN(name, field) \
    { name, CFLR_COLUMN_UINT32, CFLRI_PER_VERTEX, offsetof(kcore, field), false }

const cflri_primitive cflri_primitive_KCORE = {
    .name = "kcore",
    .which = CFLR_KCORE,
    .needs = {.symmetric = true},
    .form = CFLRI_AS_IT_IS,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .counts_edges = true,
    .task_size = sizeof(kcore),
    .count = "degeneracy",
    .column = {KCORE_COLUMN("core", core),
               KCORE_COLUMN(NULL, degree),
               KCORE_COLUMN(NULL, list),
               KCORE_COLUMN(NULL, next_list),
               KCORE_COLUMN(NULL, left_list),
               KCORE_COLUMN(NULL, sifted_list),
               {NULL, CFLR_COLUMN_UINT32, CFLRI_PER_CELL, offsetof(kcore, fewest), false}},
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * tc.c: what counting triangles needs and gives (tc.h).
 */
#include "engine/traverse/operators.h"

#include "engine/traverse/primitives.h"
#include "engine/traverse/tc.h"

static void run(cflri_thread *m, void *task) {
    tc_run(m, task);
}

const cflri_primitive cflri_primitive_TC = {
    .name = "tc",
    .which = CFLR_TC,
    .needs = {.symmetric = true},
    .form = CFLRI_BY_DEGREE,
    .safety = CFLRI_ORDER_INSENSITIVE,
    .task_size = sizeof(tc),
    .count = "triangles",
    .run = run,
};

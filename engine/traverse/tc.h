/* SPDX-License-Identifier: Apache-2.0
 *
 * tc.h: how many triangles a graph has.
 *
 * The host puts each edge into the row of its end of lower degree (degree_order.c). A triangle then
 * has one vertex with two edges out, one with one and one with none, and is found once: as what the
 * rows of both ends of one of its edges share. O(m^1.5), since no row is longer than sqrt(2 m).
 */
#ifndef CFLRI_TC_H
#define CFLRI_TC_H

#include "engine/traverse/task.h"

typedef struct tc {
    cflri_primitive_task task;
} tc;

CFLRI_FUNCTOR void tc_found(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                            uint64_t edge, uint32_t shared) {
    (void)task, (void)from, (void)to, (void)edge;
    tally->sum[0] += shared;
}

CFLRI_DRIVER tc_run(CFLRI_TEAM *m, tc *t) {
    cflri_intersect(m, &t->task.out, t, tc_found);
    if (cflri_is_first(m)) {
        t->task.outcome->iterations = 1;
        t->task.outcome->count = m->total[0];
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * team.c: where the threads of a traversal meet.
 */
#include "engine/traverse/team.h"

/* The counters that are put back here were used in the step before this one, which all have
 * left. */
static void prepare_next(cflri_team *team, uint64_t step) {
    cflri_counters *next = &team->counters[(step + 1) % 3];
    atomic_store_explicit(&next->dealt, 0, memory_order_relaxed);
    atomic_store_explicit(&next->idle, 0, memory_order_relaxed);
    for (int k = 0; k < CFLRI_LISTS_OUT; k++)
        atomic_store_explicit(&next->tail[k], 0, memory_order_relaxed);
    team->stop[step % 2] = cflri_tick(team->context, "traverse", step, 0) != CFLR_OK;
}

void cflri_step_end(cflri_thread *m) {
    cflri_team *team = m->team;
    unsigned parity = m->step % 2;
    memcpy(team->slot[m->self].sum[parity], m->tally.sum, sizeof m->tally.sum);
    memset(m->tally.sum, 0, sizeof m->tally.sum);
    if (m->self == 0) prepare_next(team, m->step);
    cflri_crew_wait(m->crew);
    for (int k = 0; k < CFLRI_SUMS; k++) {
        m->total[k] = 0;
        for (uint32_t t = 0; t < m->crew->threads; t++) m->total[k] += team->slot[t].sum[parity][k];
    }
    m->stop = team->stop[parity];
    m->step++;
}

void cflri_add_up(cflri_thread *m, uint64_t begin, uint64_t end) {
    cflri_real_sums *real = m->team->real[(m->step - 1) % 2];
    memset(m->real_total, 0, sizeof m->real_total);
    for (uint64_t i = begin / CFLRI_VERTICES_A_SUM; i * CFLRI_VERTICES_A_SUM < end; i++) {
        for (int k = 0; k < CFLRI_REAL_SUMS; k++) m->real_total[k] += real[i][k];
    }
}

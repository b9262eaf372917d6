/* SPDX-License-Identifier: Apache-2.0
 *
 * mis.h: a maximal independent set: vertices without edges between them, and no other could join.
 *
 *     a vertex waits for neighbours of fewer edges (then of smaller drawn number):
 *     it waits for no neighbour, and is not left out  -> member
 *     a neighbour is a member                         -> left out
 *
 * A step makes members leave out their neighbours, and those that are left out tell theirs to wait
 * no longer for them. Every edge is looked at twice. Members are the same for every number of
 * threads (precedence.h). Vertices of few edges first, since each leaves out few others: the set is
 * larger so.
 *
 * O(n + m). Sources: as precedence.h; M. Burtscher, S. Devale, S. Azimi, J. Jaiganesh, E. Powers,
 * "A high-quality and fast maximal independent set implementation for GPUs", TOPC 2018.
 */
#ifndef CFLRI_MIS_H
#define CFLRI_MIS_H

#include "engine/traverse/precedence.h"

enum { MIS_OPEN, MIS_IN, MIS_OUT };

typedef struct mis {
    cflri_primitive_task task;
    uint8_t *member;
    uint32_t *state;   /* one of these */
    uint32_t *waiting; /* for how many */
    uint32_t *member_list, *out_list;
} mis;

CFLRI_FUNCTOR bool mis_precedes(const mis *s, uint32_t a, uint32_t b) {
    uint64_t da = cflri_degree(&s->task.out, a), db = cflri_degree(&s->task.out, b);
    return da != db ? da < db : cflri_drawn(a) < cflri_drawn(b);
}

CFLRI_FUNCTOR void mis_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    mis *s = (mis *)task;
    (void)tally;
    s->state[v] = MIS_OPEN;
    s->waiting[v] = 0;
}

CFLRI_FUNCTOR bool mis_wait(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                            cflri_row_edge edge) {
    mis *s = (mis *)task;
    (void)tally, (void)edge;
    if (from != to && mis_precedes(s, to, from)) cflri_more(&s->waiting[from], 1);
    return false;
}

CFLRI_FUNCTOR bool mis_is_first(cflri_step_tally *tally, void *task, uint32_t v) {
    mis *s = (mis *)task;
    (void)tally;
    if (s->waiting[v]) return false;
    s->state[v] = MIS_IN;
    return true;
}

CFLRI_FUNCTOR bool mis_leave_out(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                 cflri_row_edge edge) {
    mis *s = (mis *)task;
    (void)tally, (void)edge;
    return from != to && cflri_look(&s->state[to]) == MIS_OPEN &&
           cflri_swap_if(&s->state[to], MIS_OPEN, MIS_OUT) == MIS_OPEN;
}

/* The last one that `to` waits for makes it a member. */
CFLRI_FUNCTOR bool mis_let_go(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                              cflri_row_edge edge) {
    mis *s = (mis *)task;
    (void)tally, (void)edge;
    if (from == to || cflri_look(&s->state[to]) != MIS_OPEN || !mis_precedes(s, from, to))
        return false;
    if (cflri_less(&s->waiting[to], 1) != 1) return false;
    cflri_put(&s->state[to], MIS_IN);
    return true;
}

CFLRI_FUNCTOR void mis_end(cflri_step_tally *tally, void *task, uint32_t v) {
    mis *s = (mis *)task;
    s->member[v] = s->state[v] == MIS_IN;
    tally->sum[0] += s->member[v];
}

CFLRI_DRIVER mis_run(CFLRI_TEAM *m, mis *s) {
    uint64_t n = s->task.out.n, steps = 0;
    cflri_list members = {s->member_list, 0}, out = {s->out_list, 0};
    cflri_each(m, n, s, mis_begin);
    cflri_advance_all(m, &s->task.out, (cflri_list *)NULL, s, mis_wait);
    cflri_filter_all(m, n, &members, s, mis_is_first);
    while (members.n && !m->stop) {
        out.n = 0;
        cflri_advance(m, &s->task.out, members, &out, s, mis_leave_out);
        members.n = 0;
        cflri_advance(m, &s->task.out, out, &members, s, mis_let_go);
        steps++;
    }
    cflri_each(m, n, s, mis_end);
    if (cflri_is_first(m)) {
        s->task.outcome->iterations = steps;
        s->task.outcome->count = m->total[0];
    }
}

#endif

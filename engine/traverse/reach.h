/* SPDX-License-Identifier: Apache-2.0
 *
 * reach.h: which of up to 64 sources reach each vertex, all of them searched at once.
 *
 * A vertex has a bit for each source. What is new at a vertex in one step goes to its targets in
 * the next, for all sources with one look at an edge. A vertex is looked along again only when a
 * source reaches it later than others.
 *
 * O(n + m) for each step in which a vertex gets something new: as many as the sources differ in
 * distance, at most.
 *
 * Source: M. Then and others, "The more the merrier: efficient multi-source graph traversal", VLDB
 * 2014.
 */
#ifndef CFLRI_REACH_H
#define CFLRI_REACH_H

#include "engine/traverse/task.h"

typedef struct reach {
    cflri_primitive_task task;
    uint64_t *reached;
    uint64_t *fresh, *coming; /* new in this step, for the next */
    uint32_t *list, *next_list;
} reach;

CFLRI_FUNCTOR void reach_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    reach *r = (reach *)task;
    (void)tally;
    r->reached[v] = r->fresh[v] = r->coming[v] = 0;
}

CFLRI_FUNCTOR bool reach_look(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                              cflri_row_edge edge) {
    reach *r = (reach *)task;
    uint64_t more = r->fresh[from] & ~r->reached[to];
    (void)tally, (void)edge;
    if (!(more & ~cflri_look_wide(&r->coming[to]))) return false;
    return cflri_join_wide(&r->coming[to], more) == 0;
}

/* Where other GPUs have rows, too: what they have found for it. */
CFLRI_FUNCTOR uint64_t reach_send(void *task, uint32_t v) {
    return ((reach *)task)->coming[v];
}

CFLRI_FUNCTOR bool reach_receive(cflri_step_tally *tally, void *task, uint32_t v, uint64_t coming) {
    (void)tally;
    return cflri_join_wide(&((reach *)task)->coming[v], coming) == 0;
}

CFLRI_FUNCTOR void reach_arrive(cflri_step_tally *tally, void *task, uint32_t v) {
    reach *r = (reach *)task;
    (void)tally;
    r->fresh[v] = r->coming[v];
    r->reached[v] |= r->coming[v];
    r->coming[v] = 0;
}

CFLRI_FUNCTOR void reach_count(cflri_step_tally *tally, void *task, uint32_t v) {
    tally->sum[0] += ((reach *)task)->reached[v] != 0;
}

/* A vertex that is a source twice is in the list once. */
CFLRI_DRIVER reach_put_sources(CFLRI_TEAM *m, reach *r, cflri_list *front) {
    for (uint32_t i = 0; i < r->task.n_sources && cflri_is_first(m); i++) {
        uint32_t v = r->task.source[i];
        if (r->coming[v] == 0) front->at[m->tally.sum[0]++] = v;
        r->coming[v] |= UINT64_C(1) << i;
    }
    cflri_step_end(m);
    front->n = m->total[0];
}

CFLRI_DRIVER reach_run(CFLRI_TEAM *m, reach *r) {
    uint64_t n = r->task.out.n, steps = 0;
    cflri_list front = {r->list, 0}, next = {r->next_list, 0};
    cflri_each(m, n, r, reach_begin);
    reach_put_sources(m, r, &front);
    while (front.n && !m->stop) {
        cflri_each_of(m, front, r, reach_arrive);
        next.n = 0;
        cflri_advance(m, &r->task.out, front, &next, r, reach_look);
        cflri_exchange(m, &next, r, reach_send, reach_receive);
        cflri_list swap = front;
        front = next;
        next = swap;
        steps++;
    }
    cflri_each(m, r->task.n_named, r, reach_count);
    if (cflri_is_first(m)) {
        r->task.outcome->iterations = steps;
        r->task.outcome->count = m->total[0];
    }
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * kcore.h: core numbers: the largest k so that the vertex is in a subgraph where each has k edges
 * at least.
 *
 * Peeling: a vertex of k edges or fewer goes, with them, and its core number is k; that may leave
 * others with k or fewer. When none is left, k grows to the fewest edges that one of the others
 * has. Edges from a vertex to itself do not count.
 *
 * O(n k + m): each edge is looked at when an end goes, the others once for each k that occurs.
 *
 * Source: H. Kabir, K. Madduri, "Parallel k-core decomposition on multicore platforms", IPDPSW
 * 2017.
 */
#ifndef CFLRI_KCORE_H
#define CFLRI_KCORE_H

#include "engine/traverse/task.h"

typedef struct kcore {
    cflri_primitive_task task;
    uint32_t *core;
    uint32_t *degree; /* edges to those that are left */
    uint32_t *list, *next_list, *left_list, *sifted_list;
    uint32_t *fewest; /* edges of one that is left, of three siftings in turn */
    uint32_t k, sifting;
} kcore;

CFLRI_FUNCTOR void kcore_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    kcore *c = (kcore *)task;
    (void)tally;
    c->degree[v] = (uint32_t)cflri_degree(&c->task.out, v);
    c->core[v] = CFLRI_NONE;
    c->left_list[v] = v;
}

CFLRI_FUNCTOR bool kcore_forget_loop(cflri_step_tally *tally, void *task, uint32_t from,
                                     uint32_t to, cflri_row_edge edge) {
    (void)tally, (void)edge;
    if (from == to) cflri_less(&((kcore *)task)->degree[from], 1);
    return false;
}

CFLRI_FUNCTOR cflri_turn kcore_sift(cflri_step_tally *tally, void *task, uint32_t v) {
    kcore *c = (kcore *)task;
    uint32_t degree = c->degree[v];
    (void)tally;
    if (c->core[v] != CFLRI_NONE) return CFLRI_DROP;
    if (degree > c->k) {
        if (degree < cflri_look(&c->fewest[c->sifting]))
            cflri_least(&c->fewest[c->sifting], degree);
        return CFLRI_SECOND;
    }
    c->core[v] = c->k;
    return CFLRI_FIRST;
}

/* The one that takes the last edge too many. */
CFLRI_FUNCTOR bool kcore_take_edge(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                   cflri_row_edge edge) {
    kcore *c = (kcore *)task;
    (void)tally, (void)edge;
    if (from == to || cflri_look(&c->degree[to]) <= c->k) return false;
    if (cflri_less(&c->degree[to], 1) != c->k + 1) return false;
    cflri_put(&c->core[to], c->k);
    return true;
}

/* ---- the driver ---- */

typedef struct kcore_state {
    cflri_list peeled, next, left, sifted;
    uint64_t steps;
} kcore_state;

CFLRI_DRIVER kcore_sift_left(CFLRI_TEAM *m, kcore *c, kcore_state *s) {
    if (cflri_is_first(m)) c->fewest[(c->sifting + 1) % 3] = CFLRI_NONE;
    s->sifted.n = s->peeled.n = 0;
    cflri_split(m, s->left, &s->peeled, &s->sifted, c, kcore_sift);
    cflri_list swap = s->left;
    s->left = s->sifted;
    s->sifted = swap;
    if (s->peeled.n == 0) c->k = c->fewest[c->sifting];
    c->sifting = (c->sifting + 1) % 3;
}

CFLRI_DRIVER kcore_peel(CFLRI_TEAM *m, kcore *c, kcore_state *s) {
    while (s->peeled.n && !m->stop) {
        s->next.n = 0;
        cflri_advance(m, &c->task.out, s->peeled, &s->next, c, kcore_take_edge);
        cflri_list swap = s->peeled;
        s->peeled = s->next;
        s->next = swap;
        s->steps++;
    }
}

CFLRI_DRIVER kcore_run(CFLRI_TEAM *m, kcore *c) {
    uint64_t n = c->task.out.n;
    uint32_t last = 0;
    kcore_state s = {{c->list, 0}, {c->next_list, 0}, {c->left_list, n}, {c->sifted_list, 0}, 0};
    c->k = c->sifting = 0;
    if (cflri_is_first(m)) c->fewest[0] = CFLRI_NONE;
    cflri_each(m, n, c, kcore_begin);
    cflri_advance_all(m, &c->task.out, (cflri_list *)NULL, c, kcore_forget_loop);
    while (s.left.n && !m->stop) {
        kcore_sift_left(m, c, &s);
        if (s.peeled.n) last = c->k;
        kcore_peel(m, c, &s);
    }
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = s.steps;
        c->task.outcome->count = last;
    }
}

#endif

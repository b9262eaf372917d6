/* SPDX-License-Identifier: Apache-2.0
 *
 * mst.h: a lightest spanning forest: a tree for each component, of edges that weigh least together.
 *
 *     every component's lightest edge to another one belongs to it      a --1-- b --3-- c --2-- d     a-b, c-d
 *     then components are joined along these, and again                       \___3___/               b-c
 *
 * Each round looks twice at the edges that are left, a list with the components of both ends in place of these. First: those
 * inside a component go, others offer themselves to both. Then: those that are the lightest for either are taken, and join
 * the two. Of edges that weigh the same the one of smaller number is lighter, so that edges taken in one round make no circle,
 * and the forest is the same for every number of threads.
 *
 * Components at least halve in number: O(m log n), in practice about two times all edges. An edge's offer is one number
 * of 64 bits, its weight in front of its number, so that there may be 2^32 edges.
 *
 * Sources: O. Boruvka, 1926; A. Fallin, A. Gonzalez, J. Seo, M. Burtscher, "A high-performance MST implementation for
 * GPUs", SC 2023.
 */
#ifndef CFLRI_MST_H
#define CFLRI_MST_H

#include "engine/traverse/task.h"

typedef struct mst {
    cflri_task task;
    cflri_word *taken;  /* a bit an edge */
    uint64_t *lightest; /* by component: what was offered */
    uint32_t *parent;
    uint32_t *root_list, *next_root_list;
    uint32_t *edge, *one, *other;
    uint32_t *next_edge, *next_one, *next_other;
} mst;

enum { MST_TAKEN }; /* sums */

CFLRI_FUNCTOR uint32_t mst_root(uint32_t *parent, uint32_t v) {
    uint32_t above;
    while ((above = cflri_look(&parent[v])) != v) v = above;
    return v;
}

/* Weights in order when read as unsigned. */
CFLRI_FUNCTOR uint32_t mst_order(const mst *t, uint32_t edge) {
    uint32_t bits = t->task.out.weight[edge];
    bool turn_all = t->task.real_weights && bits >> 31;
    return bits ^ (turn_all ? UINT32_MAX : UINT32_C(1) << 31);
}

CFLRI_FUNCTOR uint64_t mst_offer(const mst *t, uint32_t edge) {
    return (uint64_t)mst_order(t, edge) << 32 | edge;
}

CFLRI_FUNCTOR void mst_begin(cflri_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    t->parent[v] = v;
    t->root_list[v] = v;
    t->lightest[v] = UINT64_MAX;
}

CFLRI_FUNCTOR bool mst_is_forward(cflri_tally *tally, void *task, uint32_t from, uint32_t to,
                                  uint64_t edge) {
    (void)tally, (void)task, (void)edge;
    return from < to;
}

CFLRI_FUNCTOR void mst_suggest(mst *t, uint32_t root, uint64_t offer) {
    if (offer < cflri_look_wide(&t->lightest[root])) cflri_least_wide(&t->lightest[root], offer);
}

CFLRI_FUNCTOR bool mst_leads_out(cflri_tally *tally, void *task, uint32_t *one, uint32_t *other,
                                 uint32_t edge) {
    mst *t = (mst *)task;
    uint64_t offer = mst_offer(t, edge);
    (void)tally;
    *one = t->parent[*one];
    *other = t->parent[*other];
    if (*one == *other) return false;
    mst_suggest(t, *one, offer);
    mst_suggest(t, *other, offer);
    return true;
}

/* The larger root points to the smaller. */
CFLRI_FUNCTOR void mst_join(uint32_t *parent, uint32_t a, uint32_t b) {
    for (;;) {
        a = mst_root(parent, a);
        b = mst_root(parent, b);
        if (a == b) return;
        uint32_t high = a > b ? a : b, low = a > b ? b : a;
        if (cflri_swap_if(&parent[high], high, low) == high) return;
    }
}

CFLRI_FUNCTOR bool mst_take(cflri_tally *tally, void *task, uint32_t *one, uint32_t *other,
                            uint32_t edge) {
    mst *t = (mst *)task;
    uint64_t offer = mst_offer(t, edge);
    if (t->lightest[*one] != offer && t->lightest[*other] != offer) return false;
    cflri_join_word(&t->taken[edge / CFLRI_WORD_BITS], cflri_bit(edge));
    mst_join(t->parent, *one, *other);
    tally->sum[MST_TAKEN]++;
    return false;
}

/* Roots point to themselves, so that flat trees stay flat while others are made so. */
CFLRI_FUNCTOR bool mst_flatten(cflri_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    t->lightest[v] = UINT64_MAX;
    uint32_t root = mst_root(t->parent, v);
    cflri_put(&t->parent[v], root);
    return root == v;
}

CFLRI_DRIVER mst_round(CFLRI_TEAM *m, mst *t, cflri_edge_frontier *edges, cflri_edge_frontier *rest,
                       cflri_list *roots, cflri_list *next, uint64_t *taken) {
    rest->n = 0;
    cflri_filter_edges(m, *edges, rest, t, mst_leads_out);
    cflri_edge_frontier swap = *edges;
    *edges = *rest;
    *rest = swap;
    cflri_filter_edges(m, *edges, (cflri_edge_frontier *)NULL, t, mst_take);
    *taken += m->total[MST_TAKEN];
    next->n = 0;
    cflri_filter(m, *roots, next, t, mst_flatten);
    cflri_list swap_roots = *roots;
    *roots = *next;
    *next = swap_roots;
}

CFLRI_DRIVER mst_run(CFLRI_TEAM *m, mst *t) {
    uint64_t n = t->task.out.n, steps = 0, taken = 0;
    const cflri_list none = {NULL, 0};
    cflri_edge_frontier edges = {t->edge, t->one, t->other, 0};
    cflri_edge_frontier rest = {t->next_edge, t->next_one, t->next_other, 0};
    cflri_list roots = {t->root_list, n}, next = {t->next_root_list, 0};
    cflri_each(m, n, t, mst_begin);
    cflri_bits_of(m, none, t->task.out.m, t->taken);
    cflri_advance_to_edges(m, &t->task.out, &edges, t, mst_is_forward);
    while (edges.n && !m->stop) {
        mst_round(m, t, &edges, &rest, &roots, &next, &taken);
        steps++;
    }
    if (cflri_is_first(m)) {
        t->task.outcome->iterations = steps;
        t->task.outcome->count = taken;
    }
}

#endif

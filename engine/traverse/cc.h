/* SPDX-License-Identifier: Apache-2.0
 *
 * cc.h: connected components; directions of edges do not matter.
 *
 *     parent  0 <- 3 <- 7     5 <- 6        every vertex points to a smaller one of its component, or to itself
 *     edge 7 - 6: follow both to their roots, 0 and 5; the larger root then points to the smaller
 *
 * Joined are first the first two edges of each vertex only. In most graphs that makes nearly all of one large component; a
 * sample of vertices tells which. Then only vertices outside it look at their other edges: an edge between it and
 * another is looked at from the other's end. The root of a component is its smallest vertex, however it came about.
 *
 * O(n + m) in practice. A root is moved by compare and swap, and only downwards, so that no order of the threads matters.
 *
 * Sources: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity computation via subgraph sampling",
 * IPDPS 2018; J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018.
 */
#ifndef CFLRI_CC_H
#define CFLRI_CC_H

#include "engine/traverse/task.h"

typedef struct cc {
    cflri_task task;
    uint32_t *parent;
    uint32_t *list;  /* of those outside the large component */
    uint32_t *votes; /* by bucket: how many of the sample */
    uint64_t *most;  /* votes and complement of the root of the large component, in one number */
    uint32_t large, edge;
} cc;

enum { CC_FIRST_EDGES = 2, CC_SAMPLE = CFLRI_CELLS };

enum { CC_ROOTS }; /* sums */

CFLRI_FUNCTOR void cc_join(uint32_t *parent, uint32_t v, uint32_t w) {
    uint32_t a = cflri_look(&parent[v]), b = cflri_look(&parent[w]);
    while (a != b) {
        uint32_t high = a > b ? a : b, low = a > b ? b : a;
        uint32_t above = cflri_look(&parent[high]);
        if (above == low) return;
        if (above == high && cflri_swap_if(&parent[high], high, low) == high) return;
        a = cflri_look(&parent[cflri_look(&parent[high])]);
        b = cflri_look(&parent[low]);
    }
}

CFLRI_FUNCTOR void cc_begin(cflri_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((cc *)task)->parent[v] = v;
}

CFLRI_FUNCTOR void cc_join_one(cflri_tally *tally, void *task, uint32_t v) {
    cc *c = (cc *)task;
    uint64_t edge = c->task.out.start[v] + c->edge;
    (void)tally;
    if (edge < c->task.out.start[v + 1]) cc_join(c->parent, v, c->task.out.target[edge]);
}

CFLRI_FUNCTOR bool cc_join_edge(cflri_tally *tally, void *task, uint32_t from, uint32_t to,
                                uint64_t edge) {
    (void)tally, (void)edge;
    cc_join(((cc *)task)->parent, from, to);
    return false;
}

/* Every vertex then points to its root. */
CFLRI_FUNCTOR void cc_flatten(cflri_tally *tally, void *task, uint32_t v) {
    uint32_t *parent = ((cc *)task)->parent, root = cflri_look(&parent[v]), above;
    while ((above = cflri_look(&parent[root])) != root) root = above;
    cflri_put(&parent[v], root);
    tally->sum[CC_ROOTS] += root == v;
}

/* ---- the large component ---- */

CFLRI_FUNCTOR uint32_t cc_sample(const cc *c, uint32_t i) {
    return c->parent[(uint64_t)i * c->task.out.n / CC_SAMPLE];
}

CFLRI_FUNCTOR uint32_t cc_bucket(uint32_t root) {
    return (root * UINT32_C(2654435761)) >> 22;
}

CFLRI_FUNCTOR void cc_no_votes(cflri_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    (void)tally;
    c->votes[i] = 0;
    if (i == 0) *c->most = 0;
}

CFLRI_FUNCTOR void cc_vote(cflri_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    (void)tally;
    cflri_more(&c->votes[cc_bucket(cc_sample(c, i))], 1);
}

CFLRI_FUNCTOR void cc_count(cflri_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    uint32_t root = cc_sample(c, i);
    (void)tally;
    cflri_most_wide(c->most, (uint64_t)c->votes[cc_bucket(root)] << 32 | (uint32_t)~root);
}

CFLRI_FUNCTOR bool cc_is_outside(cflri_tally *tally, void *task, uint32_t v) {
    cc *c = (cc *)task;
    (void)tally;
    return c->parent[v] != c->large;
}

CFLRI_DRIVER cc_find_large(CFLRI_TEAM *m, cc *c) {
    cflri_each(m, CC_SAMPLE, c, cc_no_votes);
    cflri_each(m, CC_SAMPLE, c, cc_vote);
    cflri_each(m, CC_SAMPLE, c, cc_count);
    c->large = ~(uint32_t)*c->most;
}

/* ---- the driver ---- */

CFLRI_DRIVER cc_run(CFLRI_TEAM *m, cc *c) {
    uint64_t n = c->task.out.n;
    cflri_list outside = {c->list, 0};
    cflri_each(m, n, c, cc_begin);
    for (c->edge = 0; c->edge < CC_FIRST_EDGES; c->edge++) {
        cflri_each(m, n, c, cc_join_one);
        cflri_each(m, n, c, cc_flatten);
    }
    cc_find_large(m, c);
    cflri_filter_all(m, n, &outside, c, cc_is_outside);
    cflri_advance(m, &c->task.out, outside, (cflri_list *)NULL, c, cc_join_edge);
    if (c->task.in.start != c->task.out.start)
        cflri_advance(m, &c->task.in, outside, (cflri_list *)NULL, c, cc_join_edge);
    cflri_each(m, n, c, cc_flatten);
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = CC_FIRST_EDGES + 1;
        c->task.outcome->count = m->total[CC_ROOTS];
    }
}

#endif

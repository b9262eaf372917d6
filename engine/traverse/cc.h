/* SPDX-License-Identifier: Apache-2.0
 *
 * cc.h: connected components; directions of edges do not matter.
 *
 * The two ends of an edge are in one set (union_find.h). First that is so of two edges of each
 * vertex:
 *
 *     begin   a vertex points to its smallest neighbour, if that is smaller than itself: a forest,
 *             without any union
 *     join    along its second edge; its pointer skips what it can skip at once, so that paths
 *             stay short
 *
 * In most graphs that makes nearly all of one large component; a sample of vertices tells which.
 * Then only vertices outside it look at their other edges: an edge between it and another is looked
 * at from the other's end. The root of a component is its smallest vertex, however it came about.
 *
 * O(n + m) in practice.
 *
 * Source: M. Sutton, T. Ben-Nun, A. Barak, "Optimizing parallel graph connectivity computation via
 * subgraph sampling", IPDPS 2018.
 */
#ifndef CFLRI_CC_H
#define CFLRI_CC_H

#include "engine/traverse/task.h"
#include "engine/traverse/union_find.h"

typedef struct cc {
    cflri_primitive_task task;
    uint32_t *parent;
    uint32_t *list;            /* of those outside the large component */
    cflri_shared_word *active; /* to be visited, where the order is left to how rows come */
    uint32_t *votes;           /* by bucket: how many of the sample */
    uint64_t *most; /* votes and complement of the root of the large component, in one number */
    uint32_t large;
} cc;

enum { CC_SAMPLE = CFLRI_CELLS };

enum { CC_ROOTS }; /* sums */

/* Targets ascend: the first edge joins a vertex to the smallest one, if that is smaller. */
CFLRI_FUNCTOR void cc_begin(cflri_step_tally *tally, void *task, uint32_t v, uint32_t first,
                            uint32_t second) {
    (void)tally, (void)second;
    ((cc *)task)->parent[v] = first < v ? first : v;
}

/* Most are in one set already, and point to the same vertex. */
CFLRI_FUNCTOR void cc_join(cc *c, uint32_t v, uint32_t w) {
    if (cflri_glance(&c->parent[v]) != cflri_glance(&c->parent[w])) cflri_unite(c->parent, v, w);
}

/* Those that have one edge only may have begun as a long chain: they look along it again, which
 * makes it shorter. */
CFLRI_FUNCTOR void cc_join_second(cflri_step_tally *tally, void *task, uint32_t v, uint32_t first,
                                  uint32_t second) {
    cc *c = (cc *)task;
    (void)tally;
    if (first == CFLRI_NONE) return;
    cflri_skip_two(c->parent, v);
    cc_join(c, v, second != CFLRI_NONE ? second : first);
}

CFLRI_FUNCTOR bool cc_join_edge(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                cflri_row_edge edge) {
    (void)tally, (void)edge;
    cc_join((cc *)task, from, to);
    return false;
}

/* Every vertex then points to its root. */
CFLRI_FUNCTOR void cc_flatten(cflri_step_tally *tally, void *task, uint32_t v) {
    tally->sum[CC_ROOTS] += cflri_flatten(((cc *)task)->parent, v) == v;
}

/* ---- where other GPUs have rows, too ----
 *
 * Each makes components of its own rows, and then unites what the pointers of the others say. */

CFLRI_FUNCTOR uint64_t cc_send(void *task, uint32_t v) {
    return ((cc *)task)->parent[v];
}

CFLRI_FUNCTOR void cc_receive(cflri_step_tally *tally, void *task, uint32_t v, uint64_t parent) {
    (void)tally;
    cc_join((cc *)task, v, (uint32_t)parent);
}

CFLRI_DRIVER cc_flatten_all(CFLRI_TEAM *m, cc *c) {
    cflri_each(m, c->task.out.n, c, cc_flatten);
    if (!cflri_has_peers(m)) return;
    cflri_exchange_all(m, c->task.out.n, c, cc_send, cc_receive);
    cflri_each(m, c->task.out.n, c, cc_flatten);
}

/* ---- the large component ---- */

CFLRI_FUNCTOR uint32_t cc_sample(const cc *c, uint32_t i) {
    return c->parent[(uint64_t)i * c->task.out.n / CC_SAMPLE];
}

CFLRI_FUNCTOR uint32_t cc_bucket(uint32_t root) {
    return (root * UINT32_C(2654435761)) >> 22;
}

CFLRI_FUNCTOR void cc_no_votes(cflri_step_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    (void)tally;
    c->votes[i] = 0;
    if (i == 0) *c->most = 0;
}

CFLRI_FUNCTOR void cc_vote(cflri_step_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    (void)tally;
    cflri_more(&c->votes[cc_bucket(cc_sample(c, i))], 1);
}

CFLRI_FUNCTOR void cc_count(cflri_step_tally *tally, void *task, uint32_t i) {
    cc *c = (cc *)task;
    uint32_t root = cc_sample(c, i);
    (void)tally;
    cflri_most_wide(c->most, (uint64_t)c->votes[cc_bucket(root)] << 32 | (uint32_t)~root);
}

CFLRI_FUNCTOR bool cc_is_outside(cflri_step_tally *tally, void *task, uint32_t v) {
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

CFLRI_FUNCTOR bool cc_is_symmetric(const cc *c) {
    return c->task.in.start == c->task.out.start;
}

CFLRI_DRIVER cc_join_outside(CFLRI_TEAM *m, cc *c, cflri_list outside) {
    cflri_advance(m, &c->task.out, outside, (cflri_list *)NULL, c, cc_join_edge);
    if (!cc_is_symmetric(c))
        cflri_advance(m, &c->task.in, outside, (cflri_list *)NULL, c, cc_join_edge);
    cc_flatten_all(m, c);
}

CFLRI_FUNCTOR void cc_alone(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    ((cc *)task)->parent[v] = v;
}

/* Where rows are delivered, those that are looked at for two edges come whole: all edges at
 * once. */
CFLRI_DRIVER cc_join_all(CFLRI_TEAM *m, cc *c) {
    cflri_each(m, c->task.out.n, c, cc_alone);
    cflri_advance_all(m, &c->task.out, (cflri_list *)NULL, c, cc_join_edge);
    cflri_each(m, c->task.out.n, c, cc_flatten);
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = 1;
        c->task.outcome->count = m->total[CC_ROOTS];
    }
}

/* ---- without an order: smallest labels, step by step ---- */

CFLRI_FUNCTOR void cc_leave(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_drop_bit(((cc *)task)->active, v);
}

CFLRI_FUNCTOR bool cc_improve(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                              cflri_row_edge edge) {
    cc *c = (cc *)task;
    uint32_t label = cflri_look(&c->parent[from]);
    (void)tally, (void)edge;
    if (label >= cflri_glance(&c->parent[to])) return false;
    if (cflri_least(&c->parent[to], label) > label) cflri_add_bit(c->active, to);
    return false;
}

CFLRI_FUNCTOR bool cc_all(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally, (void)task, (void)v;
    return true;
}

CFLRI_FUNCTOR void cc_count_roots(cflri_step_tally *tally, void *task, uint32_t v) {
    tally->sum[CC_ROOTS] += ((cc *)task)->parent[v] == v;
}

/* What papers on transfers call components. Edges lead both ways. */
CFLRI_DRIVER cc_relax(CFLRI_TEAM *m, cc *c) {
    uint64_t n = c->task.out.n;
    cflri_each(m, n, c, cc_alone);
    cflri_bits_where(m, n, c->active, c, cc_all);
    uint64_t steps = cflri_relax(m, &c->task.out, c->active, c->list, c, cc_leave, cc_improve);
    cflri_each(m, n, c, cc_count_roots);
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = steps;
        c->task.outcome->count = m->total[CC_ROOTS];
    }
}

CFLRI_DRIVER cc_run(CFLRI_TEAM *m, cc *c) {
    uint64_t n = c->task.out.n, components = 1;
    cflri_list outside = {c->list, 0};
    if (cflri_relaxes(m) && cc_is_symmetric(c)) {
        cc_relax(m, c);
        return;
    }
    if (cflri_is_staged(m)) {
        cc_join_all(m, c);
        return;
    }
    cflri_each_head(m, &c->task.out, c, cc_begin);
    cflri_each_head(m, &c->task.out, c, cc_join_second);
    cc_flatten_all(m, c);
    cc_find_large(m, c);
    cflri_filter_all(m, n, &outside, c, cc_is_outside);
    if (outside.n) {
        cc_join_outside(m, c, outside);
        components = m->total[CC_ROOTS];
    }
    if (cflri_is_first(m)) {
        c->task.outcome->iterations = 1;
        c->task.outcome->count = components;
    }
}

#endif

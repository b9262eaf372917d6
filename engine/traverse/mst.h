/* SPDX-License-Identifier: Apache-2.0
 *
 * mst.h: a lightest spanning forest: a tree for each component, of edges that weigh least together.
 *
 *     every component's lightest edge to another one       a --1-- b --3-- c --2-- d     a-b, c-d
 *     belongs to it; then components are joined along            \___3___/              b-c
 *     these, and again
 *
 * In the first round vertices are the components: each looks for the lightest edge of its row, and
 * takes it. Then light edges that are between two components go into a list, with the components of
 * both ends in place of these. Each further round looks twice at the list. First: those that are
 * the lightest for either are taken, and join the two. Then: those that are inside a component now
 * go, others offer themselves to both. When the list is empty the other edges have their turn in
 * the same way; most of them are inside a component by then.
 *
 * Of edges that weigh the same, the one of smaller number (from its smaller end) is lighter, so
 * that edges taken in one round make no circle, and the forest is the same for every number of
 * threads. Targets ascend, so that of those that weigh the same in one row the first is the
 * lightest, from whichever end it is seen.
 *
 * Components at least halve in number: O(m log n), in practice about two times all edges. An edge's
 * offer is one number of 64 bits, its weight in front of its number, so that there may be 2^32
 * edges.
 *
 * A GPU whose memory has no room for the rows has none for lists of their edges either. There,
 * rounds go by vertices: those that still have an edge to another component are open.
 *
 *     rows of open vertices                every edge to another component offers itself to both
 *     rows that the lightest edges are in  these are taken, and join the two
 *
 * An edge is looked at from its smaller end only. Where vertices have many edges, few of them are
 * open after two rounds.
 *
 * Sources: O. Boruvka, 1926; A. Fallin, A. Gonzalez, J. Seo, M. Burtscher, "A high-performance MST
 * implementation for GPUs", SC 2023 (the first round, light edges first).
 */
#ifndef CFLRI_MST_H
#define CFLRI_MST_H

#include "engine/traverse/task.h"
#include "engine/traverse/union_find.h"

typedef struct mst {
    cflri_primitive_task task;
    cflri_shared_word *taken; /* a bit an edge */
    uint64_t *lightest;       /* by component: what was offered */
    uint32_t *parent;
    uint32_t *root_list, *next_root_list;
    cflri_shared_word *is_open, *is_next; /* a bit a vertex, of rounds by vertices */
    /* NULL where rows are not at hand: */
    uint32_t *edge, *one, *other;
    uint32_t *next_edge, *next_one, *next_other;
    uint32_t *drawn, *limit; /* weights, and the one of `rank` */
    uint32_t rank, light;    /* edges that weigh no more than `light` come first */
} mst;

/* Light is what the lightest so many edges a vertex weigh, after a sample. */
enum { MST_LIGHT = 4, MST_DRAWN = CFLRI_CELLS };

/* Weights in order when read as unsigned. */
CFLRI_FUNCTOR uint32_t mst_order_of(const mst *t, uint32_t bits) {
    bool turn_all = t->task.real_weights && bits >> 31;
    return bits ^ (turn_all ? UINT32_MAX : UINT32_C(1) << 31);
}

CFLRI_FUNCTOR uint32_t mst_order(const mst *t, uint32_t edge) {
    return mst_order_of(t, t->task.out.weight[edge]);
}

CFLRI_FUNCTOR uint64_t mst_offer(const mst *t, uint32_t edge) {
    return (uint64_t)mst_order(t, edge) << 32 | edge;
}

CFLRI_FUNCTOR void mst_begin(cflri_step_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    t->parent[v] = v;
    t->root_list[v] = v;
    t->lightest[v] = UINT64_MAX;
}

/* ---- the first round ---- */

CFLRI_FUNCTOR uint64_t mst_of_edge(void *task, uint32_t v, uint32_t to, cflri_row_edge edge) {
    return v == to ? UINT64_MAX : mst_offer((mst *)task, (uint32_t)edge.number);
}

CFLRI_FUNCTOR uint64_t mst_lighter(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The number of an edge out of v from its smaller end. */
CFLRI_FUNCTOR uint32_t mst_forward(const mst *t, uint32_t v, uint32_t edge) {
    const cflri_rows *rows = &t->task.out;
    uint32_t to = rows->target[edge];
    uint64_t low = rows->start[to], high = rows->start[to + 1];
    if (v < to) return edge;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (rows->target[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    while (rows->weight[low] != rows->weight[edge]) low++;
    return (uint32_t)low;
}

/* Both ends may take it. */
CFLRI_FUNCTOR void mst_take_lightest(cflri_step_tally *tally, void *task, uint32_t v,
                                     uint64_t offer) {
    mst *t = (mst *)task;
    (void)tally;
    if (offer == UINT64_MAX) return;
    if (cflri_add_bit(t->taken, mst_forward(t, v, (uint32_t)offer))) return;
    cflri_unite(t->parent, v, t->task.out.target[(uint32_t)offer]);
}

/* ---- further rounds ---- */

CFLRI_FUNCTOR void mst_suggest(mst *t, uint32_t root, uint64_t offer) {
    if (offer < cflri_look_wide(&t->lightest[root])) cflri_least_wide(&t->lightest[root], offer);
}

CFLRI_FUNCTOR bool mst_leads_out(cflri_step_tally *tally, void *task, uint32_t *one,
                                 uint32_t *other, uint32_t edge) {
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

/* Of all edges: once each. */
CFLRI_FUNCTOR bool mst_is_light(cflri_step_tally *tally, void *task, uint32_t *one, uint32_t *other,
                                uint32_t edge) {
    const mst *t = (const mst *)task;
    return *one < *other && mst_order(t, edge) <= t->light &&
           mst_leads_out(tally, task, one, other, edge);
}

CFLRI_FUNCTOR bool mst_is_heavy(cflri_step_tally *tally, void *task, uint32_t *one, uint32_t *other,
                                uint32_t edge) {
    const mst *t = (const mst *)task;
    return *one < *other && mst_order(t, edge) > t->light &&
           mst_leads_out(tally, task, one, other, edge);
}

CFLRI_FUNCTOR bool mst_take(cflri_step_tally *tally, void *task, uint32_t *one, uint32_t *other,
                            uint32_t edge) {
    mst *t = (mst *)task;
    uint64_t offer = mst_offer(t, edge);
    (void)tally;
    if (t->lightest[*one] != offer && t->lightest[*other] != offer) return false;
    cflri_join_word(&t->taken[edge / CFLRI_WORD_BITS], cflri_bit(edge));
    cflri_unite(t->parent, *one, *other);
    return false;
}

/* Afterwards every vertex of the list points to its root. */
CFLRI_FUNCTOR bool mst_flatten(cflri_step_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    t->lightest[v] = UINT64_MAX;
    return cflri_flatten(t->parent, v) == v;
}

CFLRI_FUNCTOR void mst_flatten_one(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally;
    cflri_flatten(((mst *)task)->parent, v);
}

/* ---- which edges are light ---- */

CFLRI_FUNCTOR void mst_draw(cflri_step_tally *tally, void *task, uint32_t i) {
    mst *t = (mst *)task;
    (void)tally;
    t->drawn[i] = mst_order(t, (uint32_t)(i * t->task.out.m / MST_DRAWN));
}

CFLRI_FUNCTOR void mst_rank(cflri_step_tally *tally, void *task, uint32_t i) {
    mst *t = (mst *)task;
    uint32_t rank = 0;
    (void)tally;
    for (uint32_t k = 0; k < MST_DRAWN; k++)
        rank += t->drawn[k] < t->drawn[i] || (t->drawn[k] == t->drawn[i] && k < i);
    if (rank == t->rank) *t->limit = t->drawn[i];
}

CFLRI_DRIVER mst_choose_light(CFLRI_TEAM *m, mst *t) {
    uint64_t n = t->task.out.n, edges = t->task.out.m;
    t->light = UINT32_MAX;
    if (edges < 2 * MST_LIGHT * n) return;
    t->rank = (uint32_t)(MST_DRAWN * MST_LIGHT * n / edges);
    cflri_each(m, MST_DRAWN, t, mst_draw);
    cflri_each(m, MST_DRAWN, t, mst_rank);
    t->light = *t->limit;
}

/* ---- the driver ---- */

typedef struct mst_state {
    cflri_edge_frontier edges, rest;
    cflri_list roots, next;
    uint64_t steps;
} mst_state;

CFLRI_DRIVER mst_flatten_roots(CFLRI_TEAM *m, mst *t, mst_state *s) {
    s->next.n = 0;
    cflri_filter(m, s->roots, &s->next, t, mst_flatten);
    cflri_list swap = s->roots;
    s->roots = s->next;
    s->next = swap;
    s->steps++;
}

/* Until all edges of the list are inside components. */
CFLRI_DRIVER mst_rounds(CFLRI_TEAM *m, mst *t, mst_state *s) {
    while (s->edges.n && !m->stop) {
        cflri_filter_edges(m, s->edges, (cflri_edge_frontier *)NULL, t, mst_take);
        mst_flatten_roots(m, t, s);
        s->rest.n = 0;
        cflri_filter_edges(m, s->edges, &s->rest, t, mst_leads_out);
        cflri_edge_frontier swap = s->edges;
        s->edges = s->rest;
        s->rest = swap;
    }
    s->edges.n = 0;
}

/* ---- rounds by vertices ----
 *
 * `root_list` has the component of every vertex, `next_root_list` is room for a list. */

CFLRI_FUNCTOR uint64_t mst_offer_of(const mst *t, cflri_row_edge edge) {
    return (uint64_t)mst_order_of(t, edge.weight) << 32 | (uint32_t)edge.number;
}

CFLRI_FUNCTOR bool mst_any(cflri_step_tally *tally, void *task, uint32_t v) {
    (void)tally, (void)task, (void)v;
    return true;
}

CFLRI_FUNCTOR bool mst_offers_itself(cflri_step_tally *tally, void *task, uint32_t from,
                                     uint32_t to, cflri_row_edge edge) {
    mst *t = (mst *)task;
    uint32_t one = t->root_list[from], other = t->root_list[to];
    uint64_t offer = mst_offer_of(t, edge);
    (void)tally;
    if (from >= to || one == other) return false;
    mst_suggest(t, one, offer);
    mst_suggest(t, other, offer);
    cflri_add_bit(t->is_next, from);
    return false;
}

/* The vertex whose row edge `number` is in. */
CFLRI_FUNCTOR uint32_t mst_owner(const cflri_rows *rows, uint64_t number) {
    uint32_t low = 0, high = rows->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (rows->start[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

CFLRI_FUNCTOR void mst_open_owner(cflri_step_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    if (t->lightest[v] == UINT64_MAX) return;
    cflri_add_bit(t->is_open, mst_owner(&t->task.out, (uint32_t)t->lightest[v]));
}

CFLRI_FUNCTOR bool mst_is_taken(cflri_step_tally *tally, void *task, uint32_t from, uint32_t to,
                                cflri_row_edge edge) {
    mst *t = (mst *)task;
    uint32_t one = t->root_list[from], other = t->root_list[to];
    uint64_t offer = mst_offer_of(t, edge);
    (void)tally;
    if (from >= to || one == other) return false;
    if (t->lightest[one] != offer && t->lightest[other] != offer) return false;
    cflri_add_bit(t->taken, (uint32_t)edge.number);
    cflri_unite(t->parent, one, other);
    return false;
}

CFLRI_FUNCTOR void mst_settle(cflri_step_tally *tally, void *task, uint32_t v) {
    mst *t = (mst *)task;
    (void)tally;
    t->root_list[v] = cflri_flatten(t->parent, v);
    t->lightest[v] = UINT64_MAX;
}

CFLRI_DRIVER mst_by_vertices(CFLRI_TEAM *m, mst *t) {
    const cflri_list none = {NULL, 0};
    uint32_t n = t->task.out.n;
    uint64_t steps = 0;
    cflri_each(m, n, t, mst_begin);
    cflri_bits_of(m, none, t->task.out.m, t->taken);
    cflri_bits_where(m, n, t->is_open, t, mst_any);
    for (;; steps++) {
        cflri_list open = {t->next_root_list, 0};
        cflri_list_of(m, t->is_open, n, &open);
        if (open.n == 0 || m->stop) break;
        cflri_bits_of(m, none, n, t->is_next);
        cflri_advance(m, &t->task.out, open, (cflri_list *)NULL, t, mst_offers_itself);
        cflri_bits_of(m, none, n, t->is_open);
        cflri_each(m, n, t, mst_open_owner);
        open.n = 0;
        cflri_list_of(m, t->is_open, n, &open);
        cflri_advance(m, &t->task.out, open, (cflri_list *)NULL, t, mst_is_taken);
        cflri_each(m, n, t, mst_settle);
        cflri_shared_word *swap = t->is_open;
        t->is_open = t->is_next;
        t->is_next = swap;
    }
    if (cflri_is_first(m)) t->task.outcome->iterations = steps;
}

CFLRI_DRIVER mst_by_edges(CFLRI_TEAM *m, mst *t) {
    const cflri_rows *rows = &t->task.out;
    const cflri_list none = {NULL, 0};
    mst_state s = {{t->edge, t->one, t->other, 0},
                   {t->next_edge, t->next_one, t->next_other, 0},
                   {t->root_list, rows->n},
                   {t->next_root_list, 0},
                   0};
    cflri_each(m, rows->n, t, mst_begin);
    cflri_bits_of(m, none, rows->m, t->taken);
    mst_choose_light(m, t);
    cflri_gather_of(m, rows, s.roots, t, UINT64_MAX, mst_of_edge, mst_lighter, mst_take_lightest);
    mst_flatten_roots(m, t, &s);
    cflri_advance_to_edges(m, rows, &s.edges, t, mst_is_light);
    mst_rounds(m, t, &s);
    if (t->light != UINT32_MAX) {
        cflri_each(m, rows->n, t, mst_flatten_one);
        cflri_advance_to_edges(m, rows, &s.edges, t, mst_is_heavy);
        mst_rounds(m, t, &s);
    }
    if (cflri_is_first(m)) t->task.outcome->iterations = s.steps;
}

CFLRI_DRIVER mst_run(CFLRI_TEAM *m, mst *t) {
    if (t->edge)
        mst_by_edges(m, t);
    else
        mst_by_vertices(m, t);
}

#endif

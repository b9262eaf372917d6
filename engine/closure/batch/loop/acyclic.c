/* SPDX-License-Identifier: Apache-2.0
 *
 * acyclic.c: processes the nodes that no cycle leads to, each once all nodes that lead to it are.
 *
 * One node leads to another if the row of the one may make that of the other grow, by any equation:
 * by COPY and EDGE, along flows, and by the equations that look at ids. Same generation along a
 * tree, for example, has no cycle, although its rows depend on each other:
 *
 *     SG >= ~e . SG . e        SG(1) --> SG(2) --> SG(4)         edges e: 1 -> 2, 1 -> 3, 2 -> 4
 *                                   \--> SG(3)
 *
 * A node that is processed in this order has taken in all sets that will come to it, so it is
 * processed once, and what it makes of its row is made once. In waves, each node would be
 * processed in as many waves as there are generations.
 *
 * Each node has the number of nodes that lead to it and are not processed yet (Kahn 1962). Edges
 * are not stored: equations and ports tell them, once to count and once more when the node is
 * processed. Nodes and flows that are made meanwhile are left out, and so are edges that depend on
 * pairs that are still unknown. The order is only a matter of speed: nodes that have to wait again,
 * and those behind a cycle, are left to the waves (loop.c).
 *
 *     entering    1  0  2  1  ...       ready: nodes with 0, in the stack of a thread or in the bag
 *
 * Threads hand nodes that are ready to each other. They meet when memory has to be swept, or when
 * it is time to stop, and go on where they were. O(nodes + edges), beside the processing.
 */
#include "base/context.h"
#include "engine/closure/batch/loop/loop.h"

/* Follows the edges of one node. */
typedef struct follower {
    cflri_sink sink;
    cflri_loop *l;
    uint32_t from;
    bool (*each)(cflri_loop *l, uint32_t to);
} follower;

/* ---- edges ---- */

static bool follow(const follower *f, uint32_t to) {
    return to >= f->l->all->acyclic.n || to == f->from || f->each(f->l, to);
}

static bool row(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number none) {
    const follower *f = (follower *)sink;
    uint32_t node = cflri_batch_find(f->l->b, family, vertex);
    (void)none;
    return node == CFLRI_NO_NODE || follow(f, cflri_batch_here(f->l->b, node));
}

static bool follow_flows(const follower *f) {
    uint32_t old = f->l->all->acyclic.old_flows, at = cflri_loop_flows(f->l, f->from);
    for (; at; at = cflri_loop_flow_at(f->l, at)->next) {
        if (at < old && !follow(f, cflri_loop_flow_at(f->l, at)->to)) return false;
    }
    return true;
}

static bool follow_all(cflri_loop *l, uint32_t from, bool (*each)(cflri_loop *l, uint32_t to)) {
    follower f = {.sink = {.row = row}, .l = l, .from = from, .each = each};
    uint32_t node = cflri_batch_there(l->b, from), family = cflri_batch_family(l->b, node);
    if (!follow_flows(&f)) return false;
    return !cflri_is_row(l->b, family) ||
           cflri_rules_follow(l->b, &f.sink, family, cflri_batch_vertex(l->b, node));
}

/* ---- beginning ---- */

/* Number of edges by an equation of the stratum. */
static uint64_t edges_by(const cflri_batch *b, const cflri_equation *e) {
    bool by_input = e->kind == CFLRI_EDGE || e->kind == CFLRI_BETWEEN;
    const cflri_relation *input = by_input ? b->problem->input[e->by] : NULL;
    if (by_input) return input ? input->n_pairs : 0;
    return b->problem->n_vertices;
}

/* Waves are in the order of containment, and nodes on a cycle of it become one before they are
 * processed. So this order is better only where most edges are by ids, and no flow is to come. */
static bool is_worth_it(const cflri_batch *b) {
    uint64_t whole = 0, by_ids = 0;
    if (!(b->context->techniques & CFLR_TECHNIQUE_ORDER)) return false;
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind == CFLRI_DIAGONAL || e->kind == CFLRI_INPUT) continue;
        if (e->kind == CFLRI_PAIR || e->kind == CFLRI_TURN) return false;
        if (cflri_batch_finished(b, e->right)) continue;
        *(cflri_batch_unites(e->kind) ? &whole : &by_ids) += edges_by(b, e);
    }
    return by_ids > whole;
}

static bool count(cflri_loop *l, uint32_t to) {
    atomic_fetch_add_explicit(&l->all->acyclic.entering[to], 1, memory_order_relaxed);
    return true;
}

static bool push_ready(cflri_loop *l, uint32_t node) {
    return cflri_vec_push(l->b->context, &l->ready, node) || cflri_batch_refused(l->b);
}

/* Done by one thread. Without memory there is no node. */
static void make_room(cflri_loops *all) {
    cflri_acyclic *a = &all->acyclic;
    a->old_flows = all->flow.drawn;
    a->n = cflri_loops_n(all);
    a->entering = cflri_alloc_array_zero(all->b->context, (size_t)a->n + 1, sizeof *a->entering);
    if (!a->entering) a->n = 0;
    cflri_bag_init(&a->bag, all->b->context, all->n);
}

/* Nodes and flows that a thread makes from now on get numbers above those that are there
 * already. */
static void begin(cflri_loop *l) {
    cflri_loops *all = l->all;
    l->b->extra_draw = l->flow_draw = (cflri_draw){0};
    cflri_crew_wait(all->crew);
    if (!l->self) make_room(all);
    cflri_crew_wait(all->crew);
    cflri_loop_keep_memory(l);
    cflri_share own = cflri_share_of(all->acyclic.n, l->self, all->n);
    bool goes_on = true;
    for (uint32_t i = (uint32_t)own.begin; goes_on && i < own.end; i++) {
        goes_on = follow_all(l, i, count) && cflri_batch_worked(l->b, 1);
    }
    cflri_crew_wait(all->crew);
    for (uint32_t i = (uint32_t)own.end; goes_on && i-- > own.begin;) {
        goes_on = all->acyclic.entering[i] || push_ready(l, i);
    }
}

/* ---- processing ---- */

/* The thread that counts the last edge down sees all that came along the others. */
static bool count_down(cflri_loop *l, uint32_t to) {
    _Atomic uint32_t *entering = &l->all->acyclic.entering[to];
    bool last = atomic_fetch_sub_explicit(entering, 1, memory_order_acq_rel) == 1;
    return !last || push_ready(l, to);
}

/* Asks together for the steps of all that has grown. */
static bool ask(cflri_loop *l, const cflri_growth *growth, uint32_t n) {
    cflri_batch *b = l->b;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t node = cflri_batch_there(b, growth[i].node), family = cflri_batch_family(b, node);
        cflri_set_number more = cflri_sets_minus(b->sets, growth[i].whole, growth[i].before);
        if (more == CFLRI_NO_SET) return cflri_batch_refused(b);
        if (!cflri_is_row(b, family)) continue;
        if (!cflri_rules_ask(b, family, cflri_batch_vertex(b, node), more, &l->steps)) return false;
    }
    cflri_batch_step_together(b, &l->steps);
    return true;
}

/* Processes nodes that are ready, none of which leads to another. */
static bool process(cflri_loop *l, const uint32_t *node, uint32_t n) {
    cflri_growth growth[CFLRI_STEPS_TOGETHER];
    uint32_t grown = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!cflri_loop_waits(l, node[i]).some) continue;
        if (!cflri_loop_take_in(l, node[i], &growth[grown])) return false;
        grown += growth[grown].whole != growth[grown].before;
    }
    if (!ask(l, growth, grown)) return false;
    for (uint32_t i = 0; i < grown; i++) {
        if (!cflri_loop_deliver(l, &growth[i])) return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!follow_all(l, node[i], count_down)) return false;
    }
    return true;
}

static bool is_paused(const cflri_loop *l) {
    return atomic_load_explicit(&l->all->pause, memory_order_relaxed);
}

static bool process_ready(cflri_loop *l) {
    uint32_t node[CFLRI_STEPS_TOGETHER], n;
    while (l->ready.n && !is_paused(l)) {
        if (!cflri_bag_share(&l->all->acyclic.bag, &l->ready)) return cflri_batch_refused(l->b);
        for (n = 0; n < CFLRI_STEPS_TOGETHER && l->ready.n;) node[n++] = l->ready.at[--l->ready.n];
        if (!process(l, node, n)) return false;
    }
    return !is_paused(l);
}

/* Until no thread has a node that is ready, or all have to meet. */
static void process_all(cflri_loop *l) {
    cflri_bag *bag = &l->all->acyclic.bag;
    bool goes_on = l->b->end == CFLR_OK && process_ready(l);
    while (goes_on) {
        if (!cflri_bag_take(bag, &l->ready)) cflri_batch_refused(l->b);
        if (!l->ready.n) break;
        goes_on = process_ready(l);
    }
    if (!goes_on || l->b->end != CFLR_OK) cflri_bag_end(bag);
}

/* True: nodes are ready, and there is time to process them. Every thread computes the same. */
static bool meet(cflri_loop *l) {
    cflri_loops *all = l->all;
    bool left = false, ended = false;
    l->paused = l->ready.n;
    l->ended = l->b->end != CFLR_OK;
    if (!l->self) all->stopped = cflri_now() >= all->until;
    cflri_crew_wait(all->crew);
    for (uint32_t i = 0; i < all->n; i++) {
        left |= all->loop[i].paused;
        ended |= all->loop[i].ended;
    }
    left |= all->acyclic.bag.item.n;
    bool goes_on = left && !ended && !all->stopped;
    if (!left && !l->self) all->acyclic.over = true;
    cflri_loop_keep_memory(l);
    if (!l->self) atomic_store_explicit(&all->pause, false, memory_order_relaxed);
    if (!l->self) cflri_bag_begin(&all->acyclic.bag);
    cflri_crew_wait(all->crew);
    return goes_on;
}

void cflri_loop_acyclic(cflri_loop *l) {
    cflri_loops *all = l->all;
    bool begun = all->acyclic.begun;
    if (all->acyclic.over || !is_worth_it(l->b)) return;
    cflri_crew_wait(all->crew);
    if (!l->self) all->acyclic.begun = true;
    if (!begun) begin(l);
    do {
        process_all(l);
    } while (meet(l));
}

void cflri_loop_acyclic_free(cflri_loops *all) {
    cflri_free(all->b->context, (void *)all->acyclic.entering);
    cflri_bag_free(&all->acyclic.bag);
}

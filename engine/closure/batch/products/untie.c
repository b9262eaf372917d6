/* SPDX-License-Identifier: Apache-2.0
 *
 * untie.c: cycles that wait for themselves.
 *
 * When all threads of a search have nothing to do, every node that is left is on hold (search.c):
 * on a cycle through nodes of several threads, or because it contains such a cycle. The components
 * that wait for another one are listed at its nodes. That is a graph, and its strongly connected
 * components are those of the containment graph:
 *
 *     {R(1) R(4)} --> {R(8)} --> {R(2)}         R(8) waits for R(4), R(2) for R(8), R(1) for R(8)
 *          ^------------'
 *                                               {R(1) R(4) R(8)} --> {R(2)}
 *
 * Each becomes one component on hold, with one ring and one leader, which waits for nodes of other
 * components only. So components that wait for no node can continue, and all others after them.
 *
 * Threads work together, phase by phase. O(nodes on hold + entries of the components that wait).
 */
#include "base/context.h"
#include "engine/closure/batch/products/products.h"

typedef cflri_knot_part part;

enum { HANDFUL = 1 << 10 }; /* nodes that a thread takes at once */

/* During untying, `waits_for` of a leader is its number, plus 1. */
static uint32_t number_of(const part *p, uint32_t leader) {
    return cflri_held_at(p->s, leader)->waits_for - 1;
}

/* ---- the graph ---- */

/* Every component that waits is in some list. It is listed once: by the thread that resets its
 * `waits_for`. */
static bool list_leaders_of(part *p, uint32_t here) {
    cflri_search *s = p->s;
    for (uint32_t e = cflri_held_at(s, here)->first; e; e = cflri_holding_at(s, e)->next) {
        uint32_t leader = cflri_holding_at(s, e)->leader;
        if (!atomic_exchange(&cflri_held_at(s, leader)->waits_for, 0)) continue;
        if (!cflri_vec_push(s->b->context, &p->leader, leader)) return cflri_batch_refused(p->s->b);
    }
    return true;
}

static void list_leaders(part *p) {
    for (size_t here, end; cflri_chunks_next(&p->knot->listing, &here, &end);) {
        for (; here < end; here++) {
            const _Atomic uint32_t *found = cflri_found_at(p->s, (uint32_t)here);
            if (atomic_load_explicit(found, memory_order_relaxed) != CFLRI_ON_HOLD) continue;
            if (!list_leaders_of(p, (uint32_t)here)) return;
        }
    }
}

static void number_leaders(part *p) {
    for (uint32_t i = 0; i < p->self; i++) {
        p->leader_at += (uint32_t)p->knot->part[i].leader.n;
    }
    for (uint32_t i = 0; i < p->leader.n; i++) {
        cflri_held_at(p->s, p->leader.at[i])->waits_for = p->leader_at + i + 1;
    }
}

static bool list_waiting_for(part *p, uint32_t leader) {
    cflri_search *s = p->s;
    uint32_t here = leader;
    if (!cflri_vec_push(s->b->context, &p->start, p->target.n)) return cflri_batch_refused(p->s->b);
    do {
        for (uint32_t e = cflri_held_at(s, here)->first; e; e = cflri_holding_at(s, e)->next) {
            uint32_t number = number_of(p, cflri_holding_at(s, e)->leader);
            if (!cflri_vec_push(s->b->context, &p->target, number))
                return cflri_batch_refused(p->s->b);
        }
        here = cflri_held_at(s, here)->next;
    } while (here != leader);
    return true;
}

static void list_waiting(part *p) {
    for (size_t i = 0; i < p->leader.n; i++) {
        if (!list_waiting_for(p, p->leader.at[i])) return;
    }
}

/* Done by one thread. */
static void make_room(part *p) {
    cflr_context *context = p->s->b->context;
    uint64_t leaders = 0, targets = 0;
    if (p->self) return;
    for (uint32_t i = 0; i < p->threads; i++) {
        p->knot->part[i].target_at = targets;
        leaders += p->knot->part[i].leader.n;
        targets += p->knot->part[i].target.n;
    }
    p->knot->leader = cflri_alloc_array(context, leaders + 1, sizeof(uint32_t));
    p->knot->waits_for = cflri_alloc_array_zero(context, leaders + 1, sizeof(uint32_t));
    if (!cflri_order_begin(&p->knot->order, context, (uint32_t)leaders, targets, p->threads) ||
        !p->knot->leader || !p->knot->waits_for) {
        cflri_batch_refused(p->s->b);
    }
}

static void write_graph(part *p) {
    cflri_order *order = &p->knot->order;
    for (size_t i = 0; i < p->leader.n; i++) {
        p->knot->leader[p->leader_at + i] = p->leader.at[i];
        order->begin[p->leader_at + i] = p->target_at + p->start.at[i];
    }
    for (size_t i = 0; i < p->target.n; i++) order->target[p->target_at + i] = p->target.at[i];
}

/* cflri_order_find waits for all threads. All of them get here or none, since no thread sets
 * `ending` in write_graph, nor in here before all have begun. */
static void find_order(part *p) {
    cflri_share own = {p->leader_at, p->leader_at + p->leader.n};
    if (!cflri_order_find(&p->knot->order, p->crew, own, p->self, true))
        cflri_batch_refused(p->s->b);
}

/* ---- merging ---- */

static uint32_t leader_of(const cflri_knot *knot, uint32_t component) {
    return knot->leader[knot->order.member[knot->order.first[component]]];
}

/* Replaces the leaders that wait for a node by the leaders of their components, without the node's
 * own component. */
static void rename_waiting(const part *p, uint32_t here, uint32_t own) {
    cflri_search *s = p->s;
    uint32_t kept = 0, next;
    for (uint32_t e = cflri_held_at(s, here)->first; e; e = next) {
        cflri_holding *held = cflri_holding_at(s, e);
        uint32_t component = p->knot->order.component[number_of(p, held->leader)];
        next = held->next;
        if (component == own) {
            cflri_holding_free(s, e);
            continue;
        }
        *held = (cflri_holding){.leader = leader_of(p->knot, component), .next = kept};
        atomic_fetch_add_explicit(&p->knot->waits_for[component], 1, memory_order_relaxed);
        kept = e;
    }
    cflri_held_at(s, here)->first = kept;
}

static void rename_all(part *p) {
    for (uint32_t i = 0; i < p->leader.n; i++) {
        uint32_t leader = p->leader.at[i], here = leader;
        do {
            rename_waiting(p, here, p->knot->order.component[p->leader_at + i]);
            here = cflri_held_at(p->s, here)->next;
        } while (here != leader);
    }
}

/* Two rings become one when a node of each swaps its `next` with the other. */
static void merge_rings(part *p) {
    const cflri_order *order = &p->knot->order;
    cflri_share own = cflri_share_of(order->n_components, p->self, p->threads);
    for (uint32_t c = (uint32_t)own.begin; c < own.end; c++) {
        cflri_held *first = cflri_held_at(p->s, leader_of(p->knot, c));
        for (uint32_t i = order->first[c] + 1; i < order->first[c + 1]; i++) {
            cflri_held *other = cflri_held_at(p->s, p->knot->leader[order->member[i]]);
            uint32_t next = first->next;
            first->next = other->next;
            other->next = next;
        }
    }
}

static void let_go(part *p) {
    for (uint32_t i = 0; i < p->leader.n; i++) {
        uint32_t leader = p->leader.at[i], component = p->knot->order.component[p->leader_at + i];
        uint32_t waits_for = p->knot->waits_for[component];
        cflri_held_at(p->s, leader)->waits_for = waits_for;
        if (waits_for || leader != leader_of(p->knot, component)) continue;
        if (!cflri_vec_push(p->s->b->context, &p->s->ready, leader)) {
            cflri_batch_refused(p->s->b);
            return;
        }
    }
}

/* ---- all ---- */

void cflri_search_untie(cflri_search *s, cflri_crew *crew, uint32_t self) {
    static void (*const phases[])(part *) = {
        list_leaders, number_leaders, list_waiting, make_room, write_graph,
        find_order,   rename_all,     merge_rings,  let_go,
    };
    cflr_context *context = s->b->context;
    cflri_knot *knot = &s->all->knot;
    part *p = &knot->part[self];
    *p = (part){.s = s, .knot = knot, .crew = crew, .self = self, .threads = crew->threads};
    if (!self) knot->listing = (cflri_chunks){.n = s->all->held.room, .handful = HANDFUL};
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        cflri_crew_wait(crew);
        bool ending = atomic_load_explicit(&s->b->store->ending, memory_order_relaxed);
        if (!ending) phases[i](p);
    }
    cflri_crew_wait(crew);
    cflri_vec_free(context, &p->leader);
    cflri_vec_free(context, &p->start);
    cflri_vec_free(context, &p->target);
    if (self) return;
    cflri_free(context, knot->leader);
    cflri_free(context, (void *)knot->waits_for);
    cflri_order_free(&knot->order);
    knot->leader = NULL;
    knot->waits_for = NULL;
}

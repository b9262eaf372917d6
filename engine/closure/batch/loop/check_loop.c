/* SPDX-License-Identifier: Apache-2.0
 *
 * check_loop.c: validates and dumps a loop.
 */
#include <stdlib.h>

#include "engine/closure/batch/loop/check.h"
#include "engine/sets/check.h"

enum { LOOKED_AT = 1 << 18 /* so many ids are followed along flows */ };

typedef struct checking {
    cflri_faults faults;
    const cflri_loops *all;
    const cflri_loop *l;           /* any thread's */
    uint32_t n;                    /* nodes that the loop may have met */
    uint8_t *known, *queued, *met; /* by node */
    uint8_t *waiting, *flow;       /* by entry: in a list */
    uint64_t ids;                  /* that were followed */
} checking;

static uint32_t n_looped(const cflri_loops *all) {
    uint32_t n = cflri_batch_n_here(all->b), room = all->node.room;
    return n < room ? n : room;
}

/* The entry is one that was drawn, and no list has had it. */
static bool take_entry(uint8_t *taken, const cflri_segments *segments, uint32_t entry) {
    if (entry >= segments->drawn || taken[entry]) return false;
    taken[entry] = 1;
    return true;
}

/* ---- leaders and members ---- */

static void check_ring(checking *c, uint32_t leader) {
    uint32_t member = leader;
    do {
        if (member >= c->n || cflri_loop_leader(c->l, member) != leader || c->met[member]) {
            cflri_fault(&c->faults, "the ring of node %u comes to node %u", leader, member);
            return;
        }
        c->met[member] = 1;
        member = cflri_loop_next(c->l, member);
    } while (member != leader);
}

static void check_member(checking *c, uint32_t node) {
    uint32_t leader = cflri_loop_leader(c->l, node);
    if (leader >= c->n || cflri_loop_leader(c->l, leader) != leader) {
        cflri_fault(&c->faults, "node %u is led by node %u, which does not lead", node, leader);
    }
    if (!c->met[node]) cflri_fault(&c->faults, "node %u is in no ring", node);
    if (leader != node && (cflri_loop_value(c->l, node) || cflri_loop_waits(c->l, node).some ||
                           cflri_loop_flows(c->l, node))) {
        cflri_fault(&c->faults, "node %u is led by node %u, and has something itself", node,
                    leader);
    }
}

/* ---- waiting ---- */

static void check_set(checking *c, uint32_t node, cflri_set_number set) {
    if (!cflri_sets_known(c->all->b->store->sets, set)) {
        cflri_fault(&c->faults, "node %u has, or waits with, set %u, which is not there", node,
                    set);
    }
}

static void check_waits(checking *c, uint32_t node) {
    cflri_waits waits = cflri_loop_waits(c->l, node);
    check_set(c, node, cflri_loop_value(c->l, node));
    check_set(c, node, waits.last);
    for (uint32_t e = waits.first; e; e = cflri_loop_waiting_at(c->l, e)->next) {
        if (!take_entry(c->waiting, &c->all->waiting, e)) {
            cflri_fault(&c->faults, "node %u waits with entry %u, which another list has", node, e);
            return;
        }
        check_set(c, node, cflri_loop_waiting_at(c->l, e)->set);
    }
    if ((waits.some || cflri_loop_flows(c->l, node)) && !c->known[node]) {
        cflri_fault(&c->faults, "node %u waits, or has flows, and is not known", node);
    }
    if (c->all->ordered && waits.some != c->queued[node]) {
        cflri_fault(&c->faults, "node %u %s, and is %s", node, waits.some ? "waits" : "has all",
                    waits.some ? "not queued" : "queued");
    }
}

static void check_spare(checking *c, const cflri_loop *l) {
    for (uint32_t e = l->spare; e; e = cflri_loop_waiting_at(l, e)->next) {
        if (take_entry(c->waiting, &c->all->waiting, e)) continue;
        cflri_fault(&c->faults, "entry %u is to be used again, and another list has it", e);
        return;
    }
}

static void check_known(checking *c, const cflri_loop *l) {
    for (size_t i = 0; i < l->known.n; i++) {
        uint32_t node = l->known.at[i];
        if (node >= c->n || c->known[node] || !cflri_looped_rank(cflri_loop_at(l, node))) {
            cflri_fault(&c->faults, "node %u is known twice, or not at all", node);
        } else {
            c->known[node] = 1;
        }
    }
}

/* ---- the queue ---- */

static void check_rank(checking *c, uint32_t rank) {
    uint32_t next;
    for (uint32_t at = c->all->queue.first[rank]; at; at = next) {
        uint32_t node = at - 1;
        if (node >= c->n || c->queued[node] ||
            cflri_looped_rank(cflri_loop_at(c->l, node)) != rank) {
            cflri_fault(&c->faults, "node %u is queued with rank %u", node, rank);
            return;
        }
        c->queued[node] = 1;
        next = cflri_loop_at(c->l, node)->link;
    }
}

static void check_queue(checking *c) {
    const cflri_queue *queue = &c->all->queue;
    for (uint32_t rank = 0; rank < queue->n_groups * CFLRI_QUEUE_GROUP; rank++) {
        uint32_t group = rank / CFLRI_QUEUE_GROUP;
        check_rank(c, rank);
        if (queue->first[rank] && cflri_queue_next(queue, group, group + 1) != group) {
            cflri_fault(&c->faults, "rank %u has nodes, and its group is not marked", rank);
        }
    }
}

/* ---- flows ---- */

/* Has the node the id, or does it wait with it? */
static bool has_id(const checking *c, uint32_t node, uint32_t id) {
    const cflri_sets *sets = c->all->b->sets;
    cflri_waits waits = cflri_loop_waits(c->l, node);
    cflri_row value = cflri_sets_row(sets, cflri_loop_value(c->l, node));
    cflri_row last = cflri_sets_row(sets, waits.some ? waits.last : CFLRI_EMPTY_SET);
    bool has = cflri_sets_have(sets, &value, id) || cflri_sets_have(sets, &last, id);
    for (uint32_t e = waits.first; e && !has; e = cflri_loop_waiting_at(c->l, e)->next) {
        cflri_row other = cflri_sets_row(sets, cflri_loop_waiting_at(c->l, e)->set);
        has = cflri_sets_have(sets, &other, id);
    }
    return has;
}

/* A filter may keep what flows from being there. */
static void follow(checking *c, uint32_t from, uint32_t to) {
    cflri_row row = cflri_sets_row(c->all->b->sets, cflri_loop_value(c->l, from));
    cflri_row_walk walk = cflri_sets_begin(c->all->b->sets, &row);
    uint32_t family, id;
    if (cflri_loop_value(c->l, from) == cflri_loop_value(c->l, to)) return;
    if (cflri_loop_mask(c->l, to, &family)) return;
    while (c->ids < LOOKED_AT && cflri_row_next(&walk, &id)) {
        c->ids++;
        if (has_id(c, to, id)) continue;
        cflri_fault(&c->faults, "id %u of node %u does not flow to node %u", id, from, to);
        return;
    }
}

static void check_flows(checking *c, uint32_t node) {
    for (uint32_t f = cflri_loop_flows(c->l, node); f; f = cflri_loop_flow_at(c->l, f)->next) {
        if (!take_entry(c->flow, &c->all->flow, f) || cflri_loop_flow_at(c->l, f)->to >= c->n) {
            cflri_fault(&c->faults, "node %u has flow %u, which another list has", node, f);
            return;
        }
        if (!c->faults.n) follow(c, node, cflri_loop_leader(c->l, cflri_loop_flow_at(c->l, f)->to));
    }
}

/* ---- all ---- */

bool cflri_loops_validate(const cflri_loops *all, FILE *to) {
    uint32_t n = n_looped(all);
    checking c = {.faults = {.to = to},
                  .all = all,
                  .l = &all->loop[0],
                  .n = n,
                  .known = cflri_fault_room(n, 1),
                  .queued = cflri_fault_room(n, 1),
                  .met = cflri_fault_room(n, 1),
                  .waiting = cflri_fault_room(all->waiting.drawn, 1),
                  .flow = cflri_fault_room(all->flow.drawn, 1)};
    for (uint32_t i = 0; i < all->b->threads; i++) check_known(&c, &all->loop[i]);
    for (uint32_t i = 0; i < n; i++) {
        if (cflri_loop_leader(c.l, i) == i) check_ring(&c, i);
    }
    if (all->ordered) check_queue(&c);
    for (uint32_t i = 0; i < n; i++) check_member(&c, i);
    for (uint32_t i = 0; i < n; i++) check_waits(&c, i);
    for (uint32_t i = 0; i < all->b->threads; i++) check_spare(&c, &all->loop[i]);
    for (uint32_t i = 0; i < n; i++) check_flows(&c, i);
    free(c.known);
    free(c.queued);
    free(c.met);
    free(c.waiting);
    free(c.flow);
    return !c.faults.n;
}

void cflri_loops_dump(const cflri_loops *all, FILE *to) {
    const cflri_loop *l = &all->loop[0];
    for (uint32_t i = 0; i < n_looped(all); i++) {
        cflri_waits waits = cflri_loop_waits(l, i);
        fprintf(to, "node %u: led by %u, rank %u, set %u", i, cflri_loop_leader(l, i),
                cflri_looped_rank(cflri_loop_at(l, i)), cflri_loop_value(l, i));
        if (waits.some) fprintf(to, ", waits with %u", waits.last);
        for (uint32_t e = waits.first; e; e = cflri_loop_waiting_at(l, e)->next) {
            fprintf(to, " %u", cflri_loop_waiting_at(l, e)->set);
        }
        uint32_t f = cflri_loop_flows(l, i);
        if (f) fprintf(to, ", flows to");
        for (; f; f = cflri_loop_flow_at(l, f)->next) {
            fprintf(to, " %u", cflri_loop_flow_at(l, f)->to);
        }
        fputc('\n', to);
    }
}

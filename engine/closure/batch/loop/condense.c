/* SPDX-License-Identifier: Apache-2.0
 *
 * condense.c: the order of the nodes of a loop, and the merging of nodes.
 *
 * The graph has an edge wherever one node flows into another: COPY and EDGE give edges from the
 * beginning, and flows give more as they are found. Nodes on a cycle contain each other, so they
 * end with equal rows, whatever else is found:
 *
 *     A(4) --> E(7) --> A(9) --> A(2)          {A(4) E(7) A(9)} --> A(2)
 *       ^                 |
 *       '------ M(9,4) ---'
 *
 * So each strongly connected component of the graph becomes one node. (A filtered row may have less
 * than the rows that it contains, so it stays a component of its own: edges that lead to it do not
 * count.) The components have a topological order (order.c), and the place of a component in it is
 * its rank. Members still have their own edges and look at ids by themselves.
 *
 * Members had different rows before. Each of them catches up: the ids that the common row has and
 * its own had not are processed for that member.
 *
 * Only nodes that a row can reach by what is known now are in the graph: nodes that have a value or
 * wait, and what they flow into. The others stay *aside*. They may be most: PAIR links flows from
 * rows that are still empty. What flows out of them is kept for later.
 *
 * The cost is O(static edges of reached nodes + flows). The loop condenses when the number of new
 * flows reaches the number of nodes and edges of the last time, so all calls together cost at most
 * twice the last one. Nodes aside and their flows count half, since they are not put in order.
 *
 * Threads work together, phase by phase, with a barrier after each phase. When a thread has to end,
 * the remaining phases do nothing:
 *
 *     each     lists the leaders that begin or are reached, with the nodes that they flow into, and
 *              then the leaders aside
 *     one      frees the flows, of which the lists have each once
 *     each     writes the graph
 *     each     finds components and most of their order (order.c)
 *     each     takes a share of the components: merges members, keeps each flow once, catches up;
 *              keeps the flows of the leaders aside
 *
 * This is online cycle elimination, as solvers of inclusion constraints have it (Faehndrich et al.,
 * PLDI 1998; Hardekopf and Lin, PLDI 2007), on rows of any grammar.
 */
#include <assert.h>

#include "base/context.h"
#include "engine/closure/batch/loop/check.h"
#include "engine/closure/batch/order.h"

enum { HANDFUL = 256 };

/* A member of a merged component, and the row that it had before. */
typedef struct behind {
    uint32_t member;
    cflri_set_number before;
} behind;

/* The part that all threads share. Nodes of the graph have numbers of their own: ascending by
 * thread, then by place in the thread's list. */
typedef struct cflri_condensing {
    cflri_order order; /* of the graph */
    uint32_t *node;    /* the node of the loop, for each node of the graph */
    /* For each node, the number of its targets by flows, which come before those by equations. */
    uint32_t *flows;
    uint32_t *leader;                                  /* of each component */
    cflri_chunks merging, keeping, settling, queueing; /* distribute components */
} cflri_condensing;

/* The part that one thread owns. */
typedef struct cflri_condenser {
    cflri_sink sink;
    cflri_loop *l;
    cflri_condensing *all;
    cflri_numbers known;                  /* nodes that it knew before */
    cflri_chunks marking, listing, aside; /* distribute `known` */
    /* loop->known begins with nodes of the graph, and then has nodes aside. For each: the number of
     * its flows, the number of its targets, and the targets, which are nodes of the loop. */
    cflri_numbers target, target_aside;
    size_t listed, listed_aside; /* where in loop->known the nodes of the graph, and aside, end */
    uint64_t work;      /* number of nodes and edges that it has read; half of those aside */
    uint32_t node_at;   /* number of its first node in the graph */
    uint64_t target_at; /* where its targets begin in order.target */
    CFLRI_VEC(behind) behind;
    cflri_chunks catching; /* distributes `behind` */
    cflri_once once;
} condenser;

/* ---- marks ---- */

/* While the graph is written, ranks of leaders are marks: a node has a value or waits; it was
 * reached from one that does; or it is unranked. */
enum { BEGINS = 1, REACHED = 2 };

/* Offers the thread's known nodes for distribution. */
static void put_up(condenser *c) {
    cflri_loop *l = c->l;
    c->known = l->known;
    l->known = (cflri_numbers){0};
    c->marking = c->listing = c->aside = (cflri_chunks){.n = c->known.n, .handful = HANDFUL};
}

static void mark_node(const cflri_loop *l, uint32_t node) {
    cflri_looped *at = cflri_loop_at(l, node);
    if (cflri_looped_rank(at) == CFLRI_MEMBER) return;
    bool begins = cflri_loop_value(l, node) || cflri_loop_waits(l, node).some;
    atomic_store_explicit(&at->rank, begins ? BEGINS : CFLRI_UNRANKED, memory_order_relaxed);
}

static void mark_known(condenser *c) {
    for (uint32_t i = 0; i < c->l->all->n; i++) {
        condenser *whose = c->l->all->loop[(c->l->self + i) % c->l->all->n].condenser;
        for (size_t at, end; cflri_chunks_next(&whose->marking, &at, &end);) {
            for (; at < end; at++) mark_node(c->l, whose->known.at[at]);
        }
    }
}

/* ---- the graph ---- */

static bool add_target(condenser *c, uint32_t leader) {
    return cflri_vec_push(c->l->b->context, &c->target, leader) || cflri_batch_refused(c->l->b);
}

/* Makes room for a set of n leaders. */
static bool begin_once(condenser *c, size_t n, size_t most) {
    return cflri_once_begin(&c->once, c->l->b->context, n < most ? n : most) ||
           cflri_batch_refused(c->l->b);
}

/* Lists the leaders that a node flows into, each once. */
static bool list_flows(condenser *c, uint32_t leader) {
    cflri_loop *l = c->l;
    size_t first = c->target.n, kept = first;
    for (uint32_t f = cflri_loop_flows(l, leader); f; f = cflri_loop_flow_at(l, f)->next) {
        if (!add_target(c, cflri_loop_leader(l, cflri_loop_flow_at(l, f)->to))) return false;
    }
    c->work += c->target.n - first;
    if (c->target.n - first < 2) return true;
    if (!begin_once(c, c->target.n - first, cflri_batch_n_here(l->b))) return false;
    for (size_t i = first; i < c->target.n; i++) {
        uint32_t to = c->target.at[i];
        if (cflri_once_add(&c->once, to)) c->target.at[kept++] = to;
    }
    c->target.n = kept;
    return true;
}

/* By COPY and EDGE a row flows whole into the row of the family at the vertex. */
static bool row(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number none) {
    condenser *c = (condenser *)sink;
    uint32_t node;
    (void)none;
    return cflri_loop_node(c->l, family, vertex, &node, NULL) && add_target(c, node);
}

static bool list_member(condenser *c, uint32_t member) {
    cflri_batch *b = c->l->b;
    uint32_t node = cflri_batch_there(b, member), family = cflri_batch_family(b, node);
    if (!cflri_is_row(b, family)) return true;
    return cflri_rules_whole(b, &c->sink, family, cflri_batch_vertex(b, node), CFLRI_EMPTY_SET);
}

static bool list_equations(condenser *c, uint32_t leader) {
    uint32_t member = leader;
    do {
        if (!list_member(c, member)) return false;
        member = cflri_loop_next(c->l, member);
    } while (member != leader);
    return true;
}

/* Lists a node with its flows and, if it is in the graph, its targets by equations. */
static bool list_node(condenser *c, uint32_t leader, bool in_graph) {
    size_t head = c->target.n;
    if (!add_target(c, 0) || !add_target(c, 0) || !list_flows(c, leader)) return false;
    size_t flows = c->target.n - head - 2;
    if (in_graph && !list_equations(c, leader)) return false;
    size_t all = c->target.n - head - 2;
    c->target.at[head] = (uint32_t)flows;
    c->target.at[head + 1] = (uint32_t)all;
    c->work += 1 + all - flows;
    return cflri_batch_worked(c->l->b, c->target.n - head);
}

static bool push_known(cflri_loop *l, uint32_t node) {
    return cflri_vec_push(l->b->context, &l->known, node) || cflri_batch_refused(l->b);
}

/* Targets that are reached for the first time are appended to the same list. */
static bool reach(condenser *c, size_t at) {
    uint32_t before;
    for (; at < c->target.n; at++) {
        uint32_t node = c->target.at[at];
        if (!cflri_loop_claim(c->l, node, REACHED, &before)) continue;
        if (!push_known(c->l, node)) return false;
    }
    return true;
}

static bool list_reached(condenser *c) {
    cflri_loop *l = c->l;
    for (; c->listed < l->known.n; c->listed++) {
        size_t head = c->target.n;
        if (!list_node(c, l->known.at[c->listed], true) || !reach(c, head + 2)) return false;
    }
    return true;
}

/* Nodes are distributed anew, since one thread may have most of them. */
static void list_graph(condenser *c) {
    cflri_loop *l = c->l;
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *whose = l->all->loop[(l->self + i) % l->all->n].condenser;
        for (size_t at, end; cflri_chunks_next(&whose->listing, &at, &end);) {
            for (; at < end; at++) {
                uint32_t node = whose->known.at[at];
                if (cflri_looped_rank(cflri_loop_at(l, node)) != BEGINS) continue;
                if (!push_known(l, node)) return;
            }
            if (!list_reached(c)) return;
        }
    }
}

static void list_node_aside(condenser *c, uint32_t node) {
    if (cflri_looped_rank(cflri_loop_at(c->l, node)) != CFLRI_UNRANKED) return;
    if (push_known(c->l, node)) list_node(c, node, false);
}

/* The flows of nodes aside. */
static void list_aside(condenser *c) {
    cflri_loop *l = c->l;
    cflri_numbers graph = c->target;
    uint64_t work = c->work;
    c->target = (cflri_numbers){0};
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *whose = l->all->loop[(l->self + i) % l->all->n].condenser;
        for (size_t at, end; cflri_chunks_next(&whose->aside, &at, &end);) {
            for (; at < end; at++) list_node_aside(c, whose->known.at[at]);
        }
    }
    c->target_aside = c->target;
    c->target = graph;
    c->listed_aside = l->known.n;
    c->work -= (c->work - work) / 2;
}

/* ---- components ---- */

static bool make_room(cflri_condensing *all, const cflri_loop *l) {
    cflr_context *context = l->b->context;
    uint64_t nodes = 0, targets = 0;
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *each = l->all->loop[i].condenser;
        each->node_at = (uint32_t)nodes;
        each->target_at = targets;
        nodes += each->listed;
        targets += each->target.n - 2 * each->listed;
    }
    all->node = cflri_alloc_array(context, nodes + 1, sizeof *all->node);
    all->flows = cflri_alloc_array(context, nodes + 1, sizeof *all->flows);
    return cflri_order_begin(&all->order, context, (uint32_t)nodes, targets, l->all->n) &&
           all->node && all->flows;
}

static uint64_t bytes_of(const condenser *c) {
    const cflri_condensing *all = c->all;
    uint64_t bytes = cflri_order_bytes(&all->order) + cflri_block_bytes(all->node) +
                     cflri_block_bytes(all->flows) + cflri_block_bytes(all->leader);
    for (uint32_t i = 0; i < c->l->all->n; i++) {
        const condenser *each = c->l->all->loop[i].condenser;
        bytes += cflri_block_bytes(each->known.at) + cflri_block_bytes(each->target.at) +
                 cflri_block_bytes(each->target_aside.at) + cflri_block_bytes(each->behind.at) +
                 cflri_block_bytes(each->once.slot);
    }
    return bytes;
}

static void look(const condenser *c) {
    if (c->l->b->account) cflri_loops_account(c->l->all, bytes_of(c));
}

/* All nodes and flows are listed, so the flows are freed until each is kept once. */
static void drop_listed(const condenser *c) {
    cflri_loops *loops = c->l->all;
    for (uint32_t i = 0; i < loops->n; i++) {
        condenser *each = loops->loop[i].condenser;
        cflri_vec_free(each->l->b->context, &each->known);
    }
    cflri_segments_free(&loops->flow);
    cflri_segments_init(&loops->flow, c->l->b->context, sizeof(cflri_flow));
    for (uint32_t i = 0; i < c->l->b->threads; i++) {
        loops->loop[i].flow_draw = (cflri_draw){0};
        loops->loop[i].flows = 0;
    }
}

/* Done by one thread. */
static void begin_graph(condenser *c) {
    if (c->l->self) return;
    look(c);
    drop_listed(c);
    if (!make_room(c->all, c->l)) cflri_batch_refused(c->l->b);
}

/* Until components are known, the rank of a node of the graph is its number there, plus 1. */
static void write_nodes(condenser *c) {
    cflri_loop *l = c->l;
    const uint32_t *target = c->target.at;
    uint64_t at = c->target_at;
    for (uint32_t i = 0; i < c->listed; i++) {
        uint32_t node = l->known.at[i], number = c->node_at + i;
        uint32_t family;
        c->all->node[number] = node;
        c->all->order.alone[number] = cflri_loop_mask(l, node, &family) != 0;
        c->all->order.begin[number] = at;
        c->all->flows[number] = target[0];
        at += target[1];
        target += 2 + target[1];
        atomic_store_explicit(&cflri_loop_at(l, node)->rank, number + 1, memory_order_relaxed);
    }
}

static void write_targets(condenser *c) {
    const uint32_t *target = c->target.at;
    uint32_t *to = c->all->order.target + c->target_at;
    for (size_t i = 0; i < c->listed; i++) {
        uint32_t n = target[1];
        for (target += 2; n; n--) {
            *to++ = cflri_looped_rank(cflri_loop_at(c->l, *target++)) - 1;
        }
    }
    cflri_vec_free(c->l->b->context, &c->target);
}

/* cflri_order_find waits for all threads. Either all of them get here or none, since no thread sets
 * `ending` in write_targets, nor in here before all have begun. */
static void find_order(condenser *c) {
    cflri_loop *l = c->l;
    bool merges = l->b->context->techniques & CFLR_TECHNIQUE_CONDENSE;
    cflri_share own = {c->node_at, c->node_at + c->listed};
    if (!cflri_order_find(&c->all->order, l->all->crew, own, l->self, merges))
        cflri_batch_refused(c->l->b);
}

/* Done by one thread: allocates what components need, and prepares their distribution. */
static void begin_merging(condenser *c) {
    cflri_condensing *all = c->all;
    cflri_loops *loops = c->l->all;
    uint32_t n = all->order.n_components;
    if (c->l->self) return;
    look(c);
    all->leader = cflri_alloc_array(c->l->b->context, (size_t)n + 1, sizeof *all->leader);
    if (n < all->order.n && !cflri_segments_reach(&loops->ring, cflri_batch_n_here(c->l->b)))
        cflri_batch_refused(c->l->b);
    if (!all->leader || !cflri_queue_begin(&loops->queue, c->l->b->context, n + 2, loops->n > 1)) {
        cflri_batch_refused(c->l->b);
    }
    all->merging = all->keeping = all->settling = all->queueing =
        (cflri_chunks){.n = n, .handful = HANDFUL};
}

/* ---- merging ---- */

/* Components are distributed from the last one on: the largest are mostly in the second half
 * (order.c), and threads that have finished should not have to wait for a large one. */
static bool next_components(const condenser *c, cflri_chunks *deal, uint32_t *at, uint32_t *end) {
    size_t from, to;
    if (!cflri_chunks_next(deal, &from, &to)) return false;
    *at = c->all->order.n_components - (uint32_t)to;
    *end = c->all->order.n_components - (uint32_t)from;
    return true;
}

static uint32_t size_of(const condenser *c, uint32_t component) {
    return c->all->order.first[component + 1] - c->all->order.first[component];
}

/* Notes that the members of the leader may have a smaller row than the component will have. */
static bool note_behind(condenser *c, uint32_t leader) {
    cflri_loop *l = c->l;
    uint32_t member = leader;
    do {
        behind made = {member, cflri_loop_value(l, leader)};
        if (!cflri_vec_push(l->b->context, &c->behind, made)) return cflri_batch_refused(c->l->b);
        member = cflri_loop_next(l, member);
    } while (member != leader);
    return true;
}

/* Makes `leader` the leader of `other` and of its members. The value and the pending sets of
 * `other` become pending at `leader`. */
static bool merge(condenser *c, uint32_t leader, uint32_t other) {
    cflri_loop *l = c->l;
    uint32_t member = other;
    if (!cflri_loop_move(l, other, leader)) return false;
    do {
        cflri_looped *at = cflri_loop_at(l, member);
        atomic_store_explicit(&at->rank, CFLRI_MEMBER, memory_order_relaxed);
        at->link = leader;
        member = cflri_loop_next(l, member);
    } while (member != other);
    uint32_t next = cflri_loop_next(l, leader);
    *cflri_segment_at(&l->all->ring, uint32_t, leader) = cflri_loop_next(l, other) + 1;
    *cflri_segment_at(&l->all->ring, uint32_t, other) = next + 1;
    return true;
}

static bool merge_component(condenser *c, uint32_t component) {
    const uint32_t *member = c->all->order.member + c->all->order.first[component];
    uint32_t leader = c->all->node[member[0]], size = size_of(c, component);
    c->all->leader[component] = leader;
    atomic_store_explicit(&cflri_loop_at(c->l, leader)->rank, component + 1, memory_order_relaxed);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t node = c->all->node[member[i]];
        if (size > 1 && !note_behind(c, node)) return false;
        if (i && !merge(c, leader, node)) return false;
    }
    return true;
}

static void merge_all(condenser *c) {
    for (uint32_t at, end; next_components(c, &c->all->merging, &at, &end);) {
        for (; at < end; at++) {
            if (!merge_component(c, at)) return;
        }
    }
    c->catching = (cflri_chunks){.n = c->behind.n, .handful = HANDFUL};
}

/* ---- flows ---- */

/* Keeps a flow, in front of the flows of its leader. */
static bool keep_flow(condenser *c, uint32_t to, uint32_t *first) {
    cflri_loop *l = c->l;
    uint32_t number;
    if (!cflri_draw_number(&l->all->flow, &l->flow_draw, UINT32_MAX, &number))
        return cflri_batch_refused(l->b);
    *cflri_segment_at(&l->all->flow, cflri_flow, number) = (cflri_flow){to, *first};
    *first = number;
    l->flows++;
    return true;
}

/* Moves the flows of one member to its leader: flows to other leaders, each once. */
static bool keep_member(condenser *c, uint32_t component, uint32_t member, uint32_t *first) {
    const uint32_t *target = c->all->order.target + c->all->order.begin[member];
    for (uint32_t i = 0; i < c->all->flows[member]; i++) {
        uint32_t to = c->all->order.component[target[i]];
        if (to == component || !cflri_once_add(&c->once, to)) continue;
        if (!keep_flow(c, c->all->leader[to], first)) return false;
    }
    return true;
}

static bool keep_component(condenser *c, uint32_t component) {
    cflri_loop *l = c->l;
    const uint32_t *member = c->all->order.member + c->all->order.first[component];
    uint32_t first = 0, size = size_of(c, component);
    uint64_t n = 0;
    for (uint32_t i = 0; i < size; i++) n += c->all->flows[member[i]];
    if (!n) return true;
    if (!begin_once(c, n, c->all->order.n_components)) return false;
    for (uint32_t i = 0; i < size; i++) {
        if (!keep_member(c, component, member[i], &first)) return false;
        atomic_store_explicit(&cflri_loop_at(l, c->all->node[member[i]])->flows, 0,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&cflri_loop_at(l, c->all->leader[component])->flows, first,
                          memory_order_relaxed);
    return true;
}

/* All flows are copied; afterwards the flows of one node are adjacent. */
static void keep_flows(condenser *c) {
    for (uint32_t at, end; next_components(c, &c->all->keeping, &at, &end);) {
        for (; at < end; at++) {
            if (!keep_component(c, at)) return;
        }
    }
}

/* Keeps the flows of a node aside. */
static bool keep_node(condenser *c, uint32_t node, const uint32_t *target, uint32_t n) {
    uint32_t first = 0;
    if (n && !begin_once(c, n, cflri_batch_n_here(c->l->b))) return false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t to = cflri_loop_leader(c->l, target[i]);
        if (to == node || !cflri_once_add(&c->once, to)) continue;
        if (!keep_flow(c, to, &first)) return false;
    }
    atomic_store_explicit(&cflri_loop_at(c->l, node)->flows, first, memory_order_relaxed);
    return true;
}

static void keep_aside(condenser *c) {
    const uint32_t *target = c->target_aside.at;
    for (size_t i = c->listed; i < c->listed_aside; i++, target += 2 + target[1]) {
        if (!keep_node(c, c->l->known.at[i], target + 2, target[0])) return;
    }
    cflri_vec_free(c->l->b->context, &c->target_aside);
}

/* Done by one thread. */
static void count_flows(condenser *c) {
    cflri_loops *loops = c->l->all;
    if (c->l->self) return;
    look(c);
    loops->condense_at = 0;
    for (uint32_t i = 0; i < loops->n; i++) {
        loops->condense_at += loops->loop[i].condenser->work + loops->loop[i].flows;
    }
}

/* ---- common rows ---- */

/* A merged node gets its common row at once, since its members had different ones. */
static bool settle(condenser *c, uint32_t leader) {
    cflri_loop *l = c->l;
    cflri_set_number whole = cflri_loop_take(l, leader);
    if (whole == CFLRI_NO_SET) return cflri_batch_refused(c->l->b);
    cflri_loop_put(l, leader, whole);
    return cflri_loop_flow(l, leader, whole);
}

static void settle_all(condenser *c) {
    for (uint32_t at, end; next_components(c, &c->all->settling, &at, &end);) {
        for (; at < end; at++) {
            if (size_of(c, at) > 1 && !settle(c, c->all->leader[at])) return;
        }
    }
}

/* Processes a member that may have had less than the common row. Rows of leaders do not change
 * meanwhile. */
static bool catch_up(cflri_loop *l, behind member) {
    cflri_set_number whole = cflri_loop_value(l, cflri_loop_leader(l, member.member));
    return whole == member.before || cflri_loop_grown(l, member.member, whole, member.before);
}

/* All members are distributed, since one thread may have found most of them. */
static void catch_up_all(condenser *c) {
    cflri_loop *l = c->l;
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *whose = l->all->loop[(l->self + i) % l->all->n].condenser;
        for (size_t at, end; cflri_chunks_next(&whose->catching, &at, &end);) {
            for (; at < end; at++) {
                if (!catch_up(l, whose->behind.at[at])) return;
            }
        }
    }
}

static void queue_waiting(cflri_loop *l, uint32_t node) {
    if (cflri_loop_leader(l, node) == node && cflri_loop_waits(l, node).some) {
        cflri_loop_queue(l, node);
    }
}

/* Queues waiting components, and nodes that have begun to wait since the graph was written. */
static void queue_anew(condenser *c) {
    cflri_loop *l = c->l;
    for (uint32_t at, end; next_components(c, &c->all->queueing, &at, &end);) {
        for (; at < end; at++) queue_waiting(l, c->all->leader[at]);
    }
    for (size_t i = c->listed; i < l->known.n; i++) {
        queue_waiting(l, l->known.at[i]);
    }
}

/* ---- all ---- */

static void begin(cflri_condensing *all, cflri_loops *loops) {
    loops->condensing = all;
    loops->ordered = false;
    cflri_queue_free(&loops->queue, loops->b->context);
}

static void free_shared(cflri_condensing *all, cflr_context *context) {
    cflri_free(context, all->node);
    cflri_free(context, all->flows);
    cflri_free(context, all->leader);
    cflri_order_free(&all->order);
}

static void free_own(condenser *c, cflr_context *context) {
    cflri_vec_free(context, &c->known);
    cflri_vec_free(context, &c->target);
    cflri_vec_free(context, &c->target_aside);
    cflri_vec_free(context, &c->behind);
    cflri_once_free(&c->once, context);
}

void cflri_loop_condense(cflri_loop *l) {
    static void (*const phases[])(condenser *) = {
        put_up,        mark_known, list_graph,    list_aside, begin_graph, write_nodes,
        write_targets, find_order, begin_merging, merge_all,  keep_flows,  keep_aside,
        count_flows,   settle_all, catch_up_all,  queue_anew,
    };
    cflr_context *context = l->b->context;
    cflri_condensing all = {0};
    condenser c = {.sink = {.row = row}, .l = l};
    l->condenser = &c;
    if (!l->self) begin(&all, l->all);
    cflri_crew_wait(l->all->crew);
    c.all = l->all->condensing;
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
        bool ending = atomic_load_explicit(&l->b->store->ending, memory_order_relaxed);
        if (!ending) phases[i](&c);
        cflri_crew_wait(l->all->crew);
    }
    free_own(&c, context);
    if (l->self) return;
    free_shared(&all, context);
    l->all->ordered = true; /* the other threads see it with the next step */
    assert(l->b->store->ending || cflri_loops_validate(l->all, stderr));
}

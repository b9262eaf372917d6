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
 * The cost is O(static edges of known nodes + flows). The loop condenses when the number of new
 * flows reaches the number of nodes and edges of the last time, so all calls together cost at most
 * twice the last one.
 *
 * Threads work together, phase by phase, with a barrier after each phase. When a thread has to end,
 * the remaining phases do nothing:
 *
 *     each     writes the leaders that it knows or meets, with the nodes that they flow into
 *     one      frees the flows
 *     each     finds components and most of their order (order.c)
 *     each     takes a share of the components: merges members, keeps each flow once, catches up
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
    /* For each node, the place in order.target where its flows end and the targets by equations
     * begin. */
    uint64_t *fixed;
    uint32_t *leader;                                  /* of each component */
    cflri_chunks merging, keeping, settling, queueing; /* distribute components */
} cflri_condensing;

/* The part that one thread owns. */
typedef struct cflri_condenser {
    cflri_sink sink;
    cflri_loop *l;
    cflri_condensing *all;
    cflri_numbers known; /* leaders that it knew before */
    /* For each of loop->known, where its flows and where its targets by equations begin in
     * `target`. */
    CFLRI_VEC(uint64_t) begin;
    cflri_numbers target; /* nodes of the loop */
    uint32_t node_at;     /* number of its first node in the graph */
    size_t listed;        /* number of nodes of loop->known that are in the graph */
    uint64_t target_at;   /* where its targets begin in order.target */
    CFLRI_VEC(behind) behind;
    cflri_chunks catching; /* distributes `behind` */
    cflri_once once;
} condenser;

/* ---- the graph ---- */

static bool flows_into(condenser *c, uint32_t leader) {
    return cflri_loop_know(c->l, leader) &&
           (cflri_vec_push(c->l->b->context, &c->target, leader) || cflri_batch_refused(c->l->b));
}

/* By COPY and EDGE a row flows whole into the row of the family at the vertex. */
static bool row(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number none) {
    condenser *c = (condenser *)sink;
    uint32_t node;
    (void)none;
    return cflri_loop_node(c->l, family, vertex, &node, NULL) && flows_into(c, node);
}

static bool write_member(condenser *c, uint32_t member) {
    cflri_batch *b = c->l->b;
    uint32_t node = cflri_batch_there(b, member), family = cflri_batch_family(b, node);
    if (!cflri_is_row(b, family)) return true;
    return cflri_rules_whole(b, &c->sink, family, cflri_batch_vertex(b, node), CFLRI_EMPTY_SET);
}

static bool write_node(condenser *c, uint32_t leader) {
    cflri_loop *l = c->l;
    uint32_t member = leader;
    size_t before = c->target.n;
    if (!cflri_vec_push(l->b->context, &c->begin, before)) return cflri_batch_refused(c->l->b);
    for (uint32_t f = cflri_loop_flows(l, leader); f; f = cflri_loop_flow_at(l, f)->next) {
        if (!flows_into(c, cflri_loop_leader(l, cflri_loop_flow_at(l, f)->to))) return false;
    }
    if (!cflri_vec_push(l->b->context, &c->begin, c->target.n)) return cflri_batch_refused(c->l->b);
    do {
        if (!write_member(c, member)) return false;
        member = cflri_loop_next(l, member);
    } while (member != leader);
    return cflri_batch_worked(l->b, 1 + c->target.n - before);
}

/* Nodes that are met on the way are known from then on and are appended to the same list. */
static bool write_known(condenser *c) {
    cflri_loop *l = c->l;
    while (c->begin.n / 2 < l->known.n) {
        if (!write_node(c, l->known.at[c->begin.n / 2])) return false;
    }
    return true;
}

/* Nodes are distributed anew, since one thread may have most of them. */
static void write_graph(condenser *c) {
    cflri_loop *l = c->l;
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *whose = l->all->loop[(l->self + i) % l->all->n].condenser;
        for (size_t at, end; cflri_chunks_next(&whose->l->deal, &at, &end);) {
            if (!cflri_vec_reserve(l->b->context, &l->known, end - at)) {
                cflri_batch_refused(c->l->b);
                return;
            }
            for (; at < end; at++) {
                uint32_t node = whose->known.at[at];
                if (!cflri_loop_at(l, node)->leader) l->known.at[l->known.n++] = node;
            }
            if (!write_known(c)) return;
        }
    }
}

/* Offers the thread's known leaders for distribution. */
static void put_up(condenser *c) {
    cflri_loop *l = c->l;
    c->known = l->known;
    l->known = (cflri_numbers){0};
    l->deal = (cflri_chunks){.n = c->known.n, .handful = HANDFUL};
}

/* ---- components ---- */

static bool make_room(cflri_condensing *all, const cflri_loop *l) {
    cflr_context *context = l->b->context;
    uint64_t nodes = 0, targets = 0;
    for (uint32_t i = 0; i < l->all->n; i++) {
        condenser *each = l->all->loop[i].condenser;
        each->node_at = (uint32_t)nodes;
        each->target_at = targets;
        nodes += each->l->known.n;
        targets += each->target.n;
    }
    all->node = cflri_alloc_array(context, nodes + 1, sizeof *all->node);
    all->fixed = cflri_alloc_array(context, nodes + 1, sizeof *all->fixed);
    return cflri_order_begin(&all->order, context, (uint32_t)nodes, targets, l->all->n) &&
           all->node && all->fixed;
}

static uint64_t bytes_of(const condenser *c) {
    const cflri_condensing *all = c->all;
    uint64_t bytes = cflri_order_bytes(&all->order) + cflri_block_bytes(all->node) +
                     cflri_block_bytes(all->fixed) + cflri_block_bytes(all->leader);
    for (uint32_t i = 0; i < c->l->all->n; i++) {
        const condenser *each = c->l->all->loop[i].condenser;
        bytes += cflri_block_bytes(each->known.at) + cflri_block_bytes(each->begin.at) +
                 cflri_block_bytes(each->target.at) + cflri_block_bytes(each->behind.at) +
                 cflri_block_bytes(each->once.slot);
    }
    return bytes;
}

static void look(const condenser *c) {
    if (c->l->b->account) cflri_loops_account(c->l->all, bytes_of(c));
}

/* All flows are listed, so they are freed until each is kept once. */
static void drop_flows(const condenser *c) {
    cflri_loops *loops = c->l->all;
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
    drop_flows(c);
    if (!make_room(c->all, c->l)) cflri_batch_refused(c->l->b);
}

/* While the graph is written, the rank of a node is its number in the graph, plus 1. */
static void write_nodes(condenser *c) {
    cflri_loop *l = c->l;
    c->listed = l->known.n;
    for (uint32_t i = 0; i < c->listed; i++) {
        uint32_t node = l->known.at[i], number = c->node_at + i;
        uint32_t family;
        c->all->node[number] = node;
        c->all->order.alone[number] = cflri_loop_mask(l, node, &family) != 0;
        c->all->order.begin[number] = c->target_at + c->begin.at[2 * i];
        c->all->fixed[number] = c->target_at + c->begin.at[2 * i + 1];
        atomic_store_explicit(&cflri_loop_at(l, node)->rank, number + 1, memory_order_relaxed);
    }
}

static void write_targets(condenser *c) {
    for (size_t i = 0; i < c->target.n; i++) {
        const cflri_looped *to = cflri_loop_at(c->l, c->target.at[i]);
        c->all->order.target[c->target_at + i] =
            atomic_load_explicit(&to->rank, memory_order_relaxed) - 1;
    }
    cflri_vec_free(c->l->b->context, &c->begin);
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
        cflri_loop_at(l, member)->leader = leader + 1;
        member = cflri_loop_next(l, member);
    } while (member != other);
    uint32_t next = cflri_loop_next(l, leader);
    cflri_loop_at(l, leader)->next = cflri_loop_next(l, other) + 1;
    cflri_loop_at(l, other)->next = next + 1;
    return true;
}

static bool merge_component(condenser *c, uint32_t component) {
    const uint32_t *member = c->all->order.member + c->all->order.first[component];
    uint32_t leader = c->all->node[member[0]], size = size_of(c, component);
    c->all->leader[component] = leader;
    for (uint32_t i = 0; i < size; i++) {
        uint32_t node = c->all->node[member[i]];
        atomic_store_explicit(&cflri_loop_at(c->l, node)->rank, component + 1,
                              memory_order_relaxed);
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
    for (uint64_t t = c->all->order.begin[member]; t < c->all->fixed[member]; t++) {
        uint32_t to = c->all->order.component[c->all->order.target[t]];
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
    for (uint32_t i = 0; i < size; i++)
        n += c->all->fixed[member[i]] - c->all->order.begin[member[i]];
    if (!n) return true;
    if (!cflri_once_begin(&c->once, l->b->context, n)) return cflri_batch_refused(c->l->b);
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

/* Done by one thread. */
static void count_flows(condenser *c) {
    cflri_loops *loops = c->l->all;
    if (c->l->self) return;
    look(c);
    loops->condense_at = c->all->order.n + c->all->order.begin[c->all->order.n];
    for (uint32_t i = 0; i < loops->n; i++) loops->condense_at += loops->loop[i].flows;
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
    if (!cflri_loop_at(l, node)->leader && cflri_loop_waits(l, node).some) {
        cflri_loop_queue(l, node);
    }
}

/* Queues waiting components, and waiting nodes that were met after the graph was written. */
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
}

static void free_shared(cflri_condensing *all, cflr_context *context) {
    cflri_free(context, all->node);
    cflri_free(context, all->fixed);
    cflri_free(context, all->leader);
    cflri_order_free(&all->order);
}

static void free_own(condenser *c, cflr_context *context) {
    cflri_vec_free(context, &c->known);
    cflri_vec_free(context, &c->begin);
    cflri_vec_free(context, &c->target);
    cflri_vec_free(context, &c->behind);
    cflri_once_free(&c->once, context);
}

void cflri_loop_condense(cflri_loop *l) {
    static void (*const phases[])(condenser *) = {
        put_up,    write_graph, begin_graph, write_nodes, write_targets, find_order, begin_merging,
        merge_all, keep_flows,  count_flows, settle_all,  catch_up_all,  queue_anew,
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

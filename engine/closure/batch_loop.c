/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_loop.c: rows that recur, by semi-naive evaluation on whole sets.
 *
 *     a node waits with sets that its row is to have as well
 *     while one waits:  new = value U all that waits       if that is more than the value:
 *         the rows that contain it wait with `new`         COPY, EDGE; PAIR, along flows
 *         new \ value goes where ids are looked at         TURN, STEP, BETWEEN, GUARDS, Q of PAIR
 *
 * PAIR makes the graph of what contains what as it goes: a new pair Q(u,v) is a flow S(v) -> R(u). When
 * Q(u) gets many v at once, a hub stands between, which is found again by the next u that gets the
 * same set:
 *
 *     S(5) --.                .--> R(1)
 *     S(6) ---> hub {5 6 9} ------> R(2)
 *     S(9) --'                '--> R(3)
 *
 * Order of work: by waves. Nodes are ranked so that what flows comes before what it flows into
 * (batch_condense.c); a wave works off waiting nodes by rank, and what waits behind the front is left to
 * the next wave. So a node takes all that one wave brings at once: on alias grammars ten to twenty waves
 * close everything. When flows have become many more, a wave begins with condensing: nodes that contain
 * each other become one.
 *
 * Sets that no row has any more are swept from time to time.
 */
#include "engine/closure/batch_loop.h"

#include "base/context.h"

enum {
    DIRECT = 2, /* so many new pairs of Q at once need no hub */
    FOLD = 4,   /* so many sets are united one by one */
    SWEEP_FIRST = 64 << 20,
};

#define NONE CFLRI_NONE

static bool refused(cflri_loop *l) {
    return cflri_batch_refused(l->b);
}

/* ---- queue ---- */

bool cflri_loop_queue(cflri_loop *l, uint32_t node) {
    uint32_t rank = l->node.at[node].rank;
    cflri_queued made = {(uint64_t)(l->wave + (rank <= l->front)) << 32 | rank, node};
    if (!cflri_vec_push(l->b->context, &l->heap, made)) return refused(l);
    size_t at = l->heap.n - 1;
    for (; at && l->heap.at[(at - 1) / 2].key > made.key; at = (at - 1) / 2) {
        l->heap.at[at] = l->heap.at[(at - 1) / 2];
    }
    l->heap.at[at] = made;
    return true;
}

static cflri_queued pop_heap(cflri_loop *l) {
    cflri_queued top = l->heap.at[0], last = l->heap.at[--l->heap.n];
    size_t at = 0, n = l->heap.n;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && l->heap.at[child + 1].key < l->heap.at[child].key) child++;
        if (l->heap.at[child].key >= last.key) break;
        l->heap.at[at] = l->heap.at[child];
    }
    l->heap.at[at] = last;
    return top;
}

/* ---- nodes and what they wait with ---- */

bool cflri_loop_node(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t *node) {
    uint32_t there = cflri_batch_node(l->b, family, vertex);
    if (there == CFLRI_NO_NODE) return refused(l);
    uint32_t here = cflri_batch_here(l->b, there);
    while (l->node.n <= here) {
        uint32_t n = (uint32_t)l->node.n;
        cflri_looped made = {.waits = NONE, .flows = NONE, .leader = n, .next = n};
        if (!cflri_vec_push(l->b->context, &l->node, made)) return refused(l);
    }
    *node = cflri_loop_leader(l, here);
    return true;
}

bool cflri_loop_know(cflri_loop *l, uint32_t node) {
    if (l->node.at[node].rank) return true;
    l->node.at[node].rank = 1;
    return cflri_vec_push(l->b->context, &l->known, node) || refused(l);
}

bool cflri_loop_wait(cflri_loop *l, uint32_t node, cflri_set_number set) {
    cflri_looped *at = &l->node.at[node];
    uint32_t first = at->waits, entry = l->spare;
    bool known = !set || at->value == set || (first != NONE && l->waiting.at[first].set == set);
    l->b->derivations++;
    cflri_batch_offered(l->b, !known);
    if (known) return true;
    if (entry != NONE) {
        l->spare = l->waiting.at[entry].next;
    } else {
        entry = (uint32_t)l->waiting.n;
        if (entry == NONE || !cflri_vec_push(l->b->context, &l->waiting, (cflri_waiting){0})) {
            return refused(l);
        }
    }
    l->waiting.at[entry] = (cflri_waiting){set, first};
    at->waits = entry;
    if (first != NONE) return true;
    return cflri_loop_know(l, node) && (!l->ordered || cflri_loop_queue(l, node));
}

static bool give(cflri_batch *b, void *to, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    (void)b;
    cflri_loop *l = to;
    uint32_t node;
    return cflri_loop_node(l, family, vertex, &node) && cflri_loop_wait(l, node, more);
}

/* The value and all that waits. */
cflri_set_number cflri_loop_take(cflri_loop *l, uint32_t node) {
    cflri_batch *b = l->b;
    cflri_set_number set = l->node.at[node].value;
    l->sets.n = 0;
    for (uint32_t entry = l->node.at[node].waits; entry != NONE;) {
        uint32_t next = l->waiting.at[entry].next;
        if (!cflri_vec_push(b->context, &l->sets, l->waiting.at[entry].set)) return CFLRI_NO_SET;
        l->waiting.at[entry].next = l->spare;
        l->spare = entry;
        entry = next;
        l->node.at[node].waits = next;
    }
    if (l->sets.n > FOLD) {
        if (!cflri_vec_push(b->context, &l->sets, set)) return CFLRI_NO_SET;
        return cflri_sets_union_all(&b->sets, l->sets.at, l->sets.n);
    }
    for (size_t i = 0; i < l->sets.n && set != CFLRI_NO_SET; i++) {
        set = cflri_sets_union(&b->sets, set, l->sets.at[i]);
    }
    return set;
}

/* ---- flows ---- */

static bool link_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    cflri_flow made = {to, l->node.at[from].flows};
    if (l->flow.n == NONE || !cflri_vec_push(l->b->context, &l->flow, made)) return refused(l);
    l->node.at[from].flows = (uint32_t)l->flow.n - 1;
    return cflri_loop_know(l, from);
}

static bool add_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    if (from == to) return true;
    return link_flow(l, from, to) && cflri_loop_wait(l, to, l->node.at[from].value);
}

/* R(to) has S(vertex) from now on. */
static bool flow_from(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t to) {
    cflri_batch *b = l->b;
    uint32_t from;
    if (cflri_batch_finished(b, family)) {
        from = cflri_batch_find(b, family, vertex);
        return from == CFLRI_NO_NODE || cflri_loop_wait(l, to, b->value.at[from]);
    }
    return cflri_loop_node(l, family, vertex, &from) && add_flow(l, from, to);
}

static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub);

/* The value of a hub that was there before this stratum. */
static bool is_old_hub(const cflri_loop *l, uint32_t family, cflri_set_number set,
                       cflri_set_number *value) {
    uint32_t node = cflri_batch_find(l->b, cflri_batch_hub(l->b, family), set);
    if (node == CFLRI_NO_NODE || !cflri_batch_is_old(l->b, node)) return false;
    *value = l->b->value.at[node];
    return true;
}

/* A node flows into a hub from now on; its value is one of those that the hub has. */
static bool hub_has(cflri_loop *l, uint32_t hub, uint32_t from, cflri_set_list *values) {
    uint32_t rank = l->node.at[from].rank;
    if (l->node.at[hub].rank < rank) l->node.at[hub].rank = rank;
    return link_flow(l, from, hub) &&
           (cflri_vec_push(l->b->context, values, l->node.at[from].value) || refused(l));
}

/* A part of the hub's set: one vertex, or what has a hub of its own. */
static bool hub_has_part(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number part,
                         cflri_set_list *values) {
    cflri_batch *b = l->b;
    cflri_row row = cflri_sets_row(&b->sets, part);
    cflri_set_number value = CFLRI_EMPTY_SET;
    uint32_t from;
    if (row.n > 1 && !is_old_hub(l, family, part, &value)) {
        return hub_of(l, family, part, &from) && hub_has(l, hub, from, values);
    }
    if (row.n == 1 && !cflri_batch_finished(b, family)) {
        return cflri_loop_node(l, family, row.few[0], &from) && hub_has(l, hub, from, values);
    }
    if (row.n == 1) {
        from = cflri_batch_find(b, family, row.few[0]);
        if (from != CFLRI_NO_NODE) value = b->value.at[from];
    }
    return cflri_vec_push(b->context, values, value) || refused(l);
}

/* The hub over S at the ids of a set has what these have. It is worked off behind them. */
static bool fill_hub(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number set) {
    cflri_batch *b = l->b;
    cflri_set_list parts = {0}, values = {0};
    bool filled = cflri_loop_know(l, hub) && (cflri_batch_split(b, set, &parts) || refused(l));
    for (size_t i = 0; filled && i < parts.n; i++) {
        filled = hub_has_part(l, hub, family, parts.at[i], &values);
    }
    if (filled) {
        cflri_set_number value = cflri_sets_union_all(&b->sets, values.at, values.n);
        filled = value != CFLRI_NO_SET || refused(l);
        if (filled) l->node.at[hub].value = value;
    }
    size_t n = parts.n;
    cflri_vec_free(b->context, &parts);
    cflri_vec_free(b->context, &values);
    return filled && cflri_batch_worked(b, n);
}

/* The hub over S at the ids of a set of several; one without a rank is new. Its depth is that of the tree
 * of ids. */
static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub) {
    return cflri_loop_node(l, cflri_batch_hub(l->b, family), set, hub) &&
           (l->node.at[*hub].rank || fill_hub(l, *hub, family, set));
}

/* R(to) has S(v) for each v of the set from now on. */
static bool flow_from_all(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t to) {
    cflri_set_number value;
    uint32_t hub;
    if (is_old_hub(l, family, set, &value)) return cflri_loop_wait(l, to, value);
    return hub_of(l, family, set, &hub) && add_flow(l, hub, to);
}

/* R(u) has S(v) for the new pairs (u,v) of Q; turned, R(v) has S(u). */
static bool do_pairs(cflri_loop *l, const cflri_equation *e, uint32_t vertex,
                     cflri_set_number more) {
    uint32_t node, id;
    cflri_batch_works_on(l->b, e);
    cflri_row row = cflri_sets_row(&l->b->sets, more);
    cflri_row_walk walk = cflri_row_begin(&row);
    if (!e->by_back && row.n > DIRECT) {
        return cflri_loop_node(l, e->left, vertex, &node) && flow_from_all(l, e->right, more, node);
    }
    while (cflri_row_next(&walk, &id)) {
        uint32_t to = e->by_back ? id : vertex, from = e->by_back ? vertex : id;
        if (!cflri_loop_node(l, e->left, to, &node) || !flow_from(l, e->right, from, node)) {
            return false;
        }
    }
    return true;
}

/* ---- one node ---- */

typedef struct moving {
    cflri_loop *l;
    cflri_set_number set;
} moving;

static bool do_edge(cflri_batch *b, void *what, const cflri_equation *e, cflri_port_range ports) {
    const moving *m = what;
    cflri_batch_works_on(b, e);
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!give(b, m->l, e->left, ports.at[p].vertex, m->set)) return false;
    }
    return true;
}

/* The row moves on whole by COPY and EDGE; what is new in it is looked at. */
static bool pass_on(cflri_loop *l, uint32_t family, uint32_t vertex, cflri_set_number whole,
                    cflri_set_number before) {
    cflri_batch *b = l->b;
    const cflri_readers *r = &b->readers[family];
    moving m = {l, whole};
    cflri_port_meeting edges = {r->edge.at, r->edge.n, false, vertex, do_edge, &m};
    for (size_t i = 0; i < r->copy.n; i++) {
        const cflri_equation *e = cflri_batch_equation(b, r->copy.at[i]);
        cflri_batch_works_on(b, e);
        if (!give(b, l, e->left, vertex, whole)) return false;
    }
    if (!cflri_batch_meet(b, &edges)) return false;
    if (!(r->turn.n | r->guards.n | r->step.n | r->between.n | r->pair_by.n)) return true;
    cflri_set_number more = cflri_sets_minus(&b->sets, whole, before);
    if (more == CFLRI_NO_SET) return refused(l);
    for (size_t i = 0; i < r->pair_by.n; i++) {
        if (!do_pairs(l, cflri_batch_equation(b, r->pair_by.at[i]), vertex, more)) return false;
    }
    return cflri_batch_derive(b, family, vertex, more, give, l);
}

bool cflri_loop_grown(cflri_loop *l, uint32_t member, cflri_set_number whole,
                      cflri_set_number before) {
    cflri_batch *b = l->b;
    uint32_t node = cflri_batch_there(b, member), family = cflri_batch_family(b, node);
    if (cflri_is_hub(b, family)) return true;
    uint64_t more = cflri_sets_count(&b->sets, whole) - cflri_sets_count(&b->sets, before);
    b->pairs += more * b->copies[family];
    b->rows += before ? 0 : b->copies[family];
    return pass_on(l, family, cflri_batch_vertex(b, node), whole, before) &&
           cflri_batch_worked(b, 4);
}

bool cflri_loop_flow(cflri_loop *l, uint32_t node, cflri_set_number whole) {
    for (uint32_t f = l->node.at[node].flows; f != NONE; f = l->flow.at[f].next) {
        if (!cflri_loop_wait(l, l->flow.at[f].to, whole)) return false;
    }
    return true;
}

static bool work_off(cflri_loop *l, uint32_t node) {
    cflri_batch_works_for_all(l->b);
    cflri_set_number before = l->node.at[node].value, whole = cflri_loop_take(l, node);
    if (whole == CFLRI_NO_SET) return refused(l);
    if (whole == before) return true;
    l->node.at[node].value = whole;
    if (!cflri_loop_flow(l, node, whole)) return false;
    uint32_t member = node;
    do {
        if (!cflri_loop_grown(l, member, whole, before)) return false;
        member = l->node.at[member].next;
    } while (member != node);
    return true;
}

/* ---- all ---- */

/* Rows of finished families, as if they had just been found. */
static bool deliver(cflri_loop *l) {
    cflri_batch *b = l->b;
    for (size_t i = 0; i < b->reader.n; i++) {
        uint32_t family = b->reader.at[i], vertex;
        cflri_set_number value;
        if (!cflri_batch_finished(b, family)) continue;
        cflri_node_walk walk = cflri_batch_nodes(b, family);
        while (cflri_batch_next(&walk, &vertex, &value)) {
            if (!pass_on(l, family, vertex, value, CFLRI_EMPTY_SET)) return false;
            if (!cflri_batch_worked(b, 8)) return false;
        }
    }
    return true;
}

/* Sets that no row has or waits with are freed. Without memory for it, that is put off. */
static void sweep(cflri_loop *l) {
    cflri_batch *b = l->b;
    if (!cflri_sets_begin_sweep(&b->sets)) return;
    for (size_t i = 0; i < b->value.n; i++) cflri_sets_keep(&b->sets, b->value.at[i]);
    for (size_t i = 0; i < b->extra.n; i++) {
        if (cflri_is_hub(b, b->extra.at[i].family)) {
            cflri_sets_keep(&b->sets, b->extra.at[i].vertex);
        }
    }
    for (size_t i = 0; i < l->node.n; i++) {
        cflri_sets_keep(&b->sets, l->node.at[i].value);
        for (uint32_t e = l->node.at[i].waits; e != NONE; e = l->waiting.at[e].next) {
            cflri_sets_keep(&b->sets, l->waiting.at[e].set);
        }
    }
    cflri_cache_clear(&b->steps);
    cflri_sets_sweep(&b->sets);
}

/* Between two nodes, what is due from time to time. */
static bool look_after(cflri_loop *l, uint32_t wave) {
    cflri_batch *b = l->b;
    if (wave != l->wave && l->flow.n > l->condense_at) {
        l->wave = wave;
        l->front = 0;
        cflri_batch_works_for_all(l->b);
        if (!cflri_loop_condense(l)) return false;
    }
    if (b->sets.bytes > l->sweep_at) {
        sweep(l);
        l->sweep_at = 2 * b->sets.bytes < SWEEP_FIRST ? SWEEP_FIRST : 2 * b->sets.bytes;
    }
    return true;
}

static bool run(cflri_loop *l) {
    while (l->heap.n) {
        uint32_t wave = (uint32_t)(l->heap.at[0].key >> 32);
        if (!look_after(l, wave)) return false;
        if (!l->heap.n) break;
        cflri_queued next = pop_heap(l);
        l->wave = (uint32_t)(next.key >> 32);
        l->front = (uint32_t)next.key;
        if (!work_off(l, next.node) || !cflri_batch_worked(l->b, 8)) return false;
        l->b->rounds++;
    }
    return true;
}

/* Every member has its leader's row. */
static void write_back(cflri_loop *l) {
    for (uint32_t i = 0; i < l->node.n; i++) {
        uint32_t leader = cflri_loop_leader(l, i);
        l->b->value.at[cflri_batch_there(l->b, i)] = l->node.at[leader].value;
    }
}

bool cflri_batch_loop(cflri_batch *b) {
    cflri_loop l = {.b = b, .spare = NONE, .sweep_at = SWEEP_FIRST};
    bool done = cflri_batch_seeds(b, give, &l) && deliver(&l) && cflri_loop_condense(&l) && run(&l);
    write_back(&l);
    cflri_vec_free(b->context, &l.node);
    cflri_vec_free(b->context, &l.waiting);
    cflri_vec_free(b->context, &l.flow);
    cflri_vec_free(b->context, &l.heap);
    cflri_vec_free(b->context, &l.known);
    cflri_vec_free(b->context, &l.sets);
    return done;
}

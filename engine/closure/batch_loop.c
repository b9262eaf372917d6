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
 * Order of work: by waves. Nodes are ranked so that along static edges what flows comes before what it
 * flows into (reverse postorder); a wave works off waiting nodes by rank, and what waits behind the
 * front is left to the next wave. So a node takes all that one wave brings at once: on alias grammars
 * ten to twenty waves close everything.
 *
 * Sets that no row has any more are swept from time to time.
 */
#include "base/context.h"
#include "engine/closure/batch.h"

enum {
    DIRECT = 2, /* so many new pairs of Q at once need no hub */
    FOLD = 4,   /* so many sets are united one by one */
    SWEEP_FIRST = 64 << 20,
};

#define NONE UINT32_MAX

typedef struct waiting {
    cflri_set_number set;
    uint32_t next;
} waiting;

typedef struct flow {
    uint32_t to;
    uint32_t next;
} flow;

typedef struct queued {
    uint64_t key; /* wave, rank */
    uint32_t node;
} queued;

typedef struct loop {
    cflri_batch *b;
    /* by node */
    CFLRI_VEC(uint32_t) waits; /* first of what waits; NONE: it is not queued */
    CFLRI_VEC(uint32_t) flows; /* first of its flows */
    CFLRI_VEC(uint32_t) rank;  /* 0: not ranked */
    CFLRI_VEC(waiting) waiting;
    uint32_t spare; /* entry of `waiting` */
    CFLRI_VEC(flow) flow;
    CFLRI_VEC(queued) heap;
    uint32_t wave, front; /* that is worked on, and the rank it is at */
    bool ranked;
    cflri_numbers started; /* nodes that wait before there are ranks */
    cflri_numbers sets;    /* scratch */
    uint64_t sweep_at;
} loop;

static bool refused(loop *l) {
    return cflri_batch_refused(l->b);
}

/* ---- queue ---- */

static bool push_heap(loop *l, uint32_t node) {
    uint32_t rank = l->rank.at[node];
    queued made = {(uint64_t)(l->wave + (rank <= l->front)) << 32 | rank, node};
    if (!cflri_vec_push(l->b->context, &l->heap, made)) return refused(l);
    size_t at = l->heap.n - 1;
    for (; at && l->heap.at[(at - 1) / 2].key > made.key; at = (at - 1) / 2) {
        l->heap.at[at] = l->heap.at[(at - 1) / 2];
    }
    l->heap.at[at] = made;
    return true;
}

static queued pop_heap(loop *l) {
    queued top = l->heap.at[0], last = l->heap.at[--l->heap.n];
    size_t at = 0, n = l->heap.n;
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && l->heap.at[child + 1].key < l->heap.at[child].key) child++;
        if (l->heap.at[child].key >= last.key) break;
        l->heap.at[at] = l->heap.at[child];
    }
    l->heap.at[at] = last;
    return top;
}

/* What is kept of a node that has just been made. */
static bool note_node(loop *l, uint32_t node) {
    cflr_context *context = l->b->context;
    while (l->waits.n <= node) {
        if (!cflri_vec_push(context, &l->waits, NONE) ||
            !cflri_vec_push(context, &l->flows, NONE) || !cflri_vec_push(context, &l->rank, 0)) {
            return refused(l);
        }
    }
    return true;
}

static bool node_of(loop *l, uint32_t family, uint32_t vertex, uint32_t *node) {
    *node = cflri_batch_node(l->b, family, vertex);
    if (*node == CFLRI_NO_NODE) return refused(l);
    return note_node(l, *node);
}

/* The node's row is to have the set. */
static bool wait(loop *l, uint32_t node, cflri_set_number set) {
    cflr_context *context = l->b->context;
    l->b->derivations++;
    if (!set || l->b->value.at[node] == set) return true;
    uint32_t first = l->waits.at[node], entry = l->spare;
    if (first != NONE && l->waiting.at[first].set == set) return true;
    if (entry != NONE) {
        l->spare = l->waiting.at[entry].next;
    } else {
        entry = (uint32_t)l->waiting.n;
        if (entry == NONE || !cflri_vec_push(context, &l->waiting, (waiting){0})) return refused(l);
    }
    l->waiting.at[entry] = (waiting){set, first};
    l->waits.at[node] = entry;
    if (first != NONE) return true;
    if (l->ranked) return push_heap(l, node);
    return cflri_vec_push(context, &l->started, node) || refused(l);
}

static bool give(cflri_batch *b, void *to, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    (void)b;
    loop *l = to;
    uint32_t node;
    return node_of(l, family, vertex, &node) && wait(l, node, more);
}

/* ---- flows ---- */

/* The value and all that waits. */
static cflri_set_number take_waiting(loop *l, uint32_t node) {
    cflri_batch *b = l->b;
    cflri_set_number set = b->value.at[node];
    l->sets.n = 0;
    for (uint32_t entry = l->waits.at[node]; entry != NONE;) {
        uint32_t next = l->waiting.at[entry].next;
        if (!cflri_vec_push(b->context, &l->sets, l->waiting.at[entry].set)) return CFLRI_NO_SET;
        l->waiting.at[entry].next = l->spare;
        l->spare = entry;
        entry = next;
        l->waits.at[node] = next;
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

static bool add_flow(loop *l, uint32_t from, uint32_t to) {
    flow made = {to, l->flows.at[from]};
    if (l->flow.n == NONE || !cflri_vec_push(l->b->context, &l->flow, made)) return refused(l);
    l->flows.at[from] = (uint32_t)l->flow.n - 1;
    return wait(l, to, l->b->value.at[from]);
}

/* R(to) has S(vertex) from now on. */
static bool flow_from(loop *l, uint32_t family, uint32_t vertex, uint32_t to) {
    cflri_batch *b = l->b;
    uint32_t from;
    if (cflri_batch_finished(b, family)) {
        from = cflri_batch_find(b, family, vertex);
        return from == CFLRI_NO_NODE || wait(l, to, b->value.at[from]);
    }
    return node_of(l, family, vertex, &from) && add_flow(l, from, to);
}

/* The hub over S at the ids of a set. It is worked off in a wave behind all that flows into it. */
static bool hub_of(loop *l, uint32_t family, cflri_set_number set, uint32_t *hub) {
    cflri_batch *b = l->b;
    *hub = cflri_batch_find(b, cflri_batch_hub(b, family), set);
    if (*hub != CFLRI_NO_NODE) return note_node(l, *hub);
    if (!node_of(l, cflri_batch_hub(b, family), set, hub)) return false;
    cflri_row row = cflri_sets_row(&b->sets, set);
    cflri_row_walk walk = cflri_row_begin(&row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        uint32_t from = cflri_batch_find(b, family, id);
        uint32_t rank = from == CFLRI_NO_NODE || from >= l->rank.n ? 0 : l->rank.at[from];
        if (l->rank.at[*hub] < rank) l->rank.at[*hub] = rank;
        if (!flow_from(l, family, id, *hub)) return false;
    }
    b->value.at[*hub] = take_waiting(l, *hub);
    if (b->value.at[*hub] == CFLRI_NO_SET) return refused(l);
    return cflri_batch_worked(b, row.n);
}

/* R(u) has S(v) for the new pairs (u,v) of Q; turned, R(v) has S(u). */
static bool do_pairs(loop *l, const cflri_equation *e, uint32_t vertex, cflri_set_number more) {
    cflri_batch *b = l->b;
    uint32_t node, id;
    cflri_row row = cflri_sets_row(&b->sets, more);
    cflri_row_walk walk = cflri_row_begin(&row);
    if (!e->by_back && row.n > DIRECT) {
        uint32_t hub;
        return hub_of(l, e->right, more, &hub) && node_of(l, e->left, vertex, &node) &&
               add_flow(l, hub, node);
    }
    while (cflri_row_next(&walk, &id)) {
        uint32_t to = e->by_back ? id : vertex, from = e->by_back ? vertex : id;
        if (!node_of(l, e->left, to, &node) || !flow_from(l, e->right, from, node)) return false;
    }
    return true;
}

/* ---- one node ---- */

typedef struct moving {
    loop *l;
    cflri_set_number set;
} moving;

static bool do_edge(cflri_batch *b, void *what, const cflri_equation *e, cflri_port_range ports) {
    const moving *m = what;
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!give(b, m->l, e->left, ports.at[p].vertex, m->set)) return false;
    }
    return true;
}

/* The row moves on whole by COPY and EDGE; what is new in it is looked at. */
static bool pass_on(loop *l, uint32_t family, uint32_t vertex, cflri_set_number whole,
                    cflri_set_number before) {
    cflri_batch *b = l->b;
    const cflri_readers *r = &b->readers[family];
    moving m = {l, whole};
    cflri_port_meeting edges = {r->edge.at, r->edge.n, false, vertex, do_edge, &m};
    for (size_t i = 0; i < r->copy.n; i++) {
        uint32_t left = cflri_batch_equation(b, r->copy.at[i])->left;
        if (!give(b, l, left, vertex, whole)) return false;
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

static bool work_off(loop *l, uint32_t node) {
    cflri_batch *b = l->b;
    cflri_set_number before = b->value.at[node], whole = take_waiting(l, node);
    uint32_t family = cflri_batch_family(b, node), vertex = cflri_batch_vertex(b, node);
    if (whole == CFLRI_NO_SET) return refused(l);
    if (whole == before) return true;
    b->value.at[node] = whole;
    uint64_t more = cflri_sets_count(&b->sets, whole) - cflri_sets_count(&b->sets, before);
    for (uint32_t f = l->flows.at[node]; f != NONE; f = l->flow.at[f].next) {
        if (!wait(l, l->flow.at[f].to, whole)) return false;
    }
    if (cflri_is_hub(b, family)) return true;
    b->pairs += more * b->copies[family];
    b->rows += before ? 0 : b->copies[family];
    return pass_on(l, family, vertex, whole, before);
}

/* ---- ranks ---- */

/* A node on the path of the search, and those it flows into: from `first` on in the stack of targets. */
typedef struct visit {
    uint32_t node;
    size_t first;
} visit;

typedef struct ranking {
    loop *l;
    CFLRI_VEC(visit) path;
    cflri_numbers target;
    uint32_t n_left; /* nodes that were left for good */
} ranking;

enum { SEEN = 1 };

static bool rank_target(ranking *r, uint32_t family, uint32_t vertex) {
    uint32_t node;
    if (!node_of(r->l, family, vertex, &node)) return false;
    if (r->l->rank.at[node]) return true;
    return cflri_vec_push(r->l->b->context, &r->target, node) || refused(r->l);
}

static bool rank_edge(cflri_batch *b, void *what, const cflri_equation *e, cflri_port_range ports) {
    (void)b;
    for (uint32_t p = 0; p < ports.n; p++) {
        if (!rank_target(what, e->left, ports.at[p].vertex)) return false;
    }
    return true;
}

static bool enter(ranking *r, uint32_t node) {
    loop *l = r->l;
    cflri_batch *b = l->b;
    visit made = {node, r->target.n};
    uint32_t family = cflri_batch_family(b, node), vertex = cflri_batch_vertex(b, node);
    l->rank.at[node] = SEEN;
    if (!cflri_vec_push(b->context, &r->path, made)) return refused(l);
    if (cflri_is_hub(b, family)) return true;
    const cflri_readers *readers = &b->readers[family];
    cflri_port_meeting edges = {readers->edge.at, readers->edge.n, false, vertex, rank_edge, r};
    for (size_t i = 0; i < readers->copy.n; i++) {
        if (!rank_target(r, cflri_batch_equation(b, readers->copy.at[i])->left, vertex))
            return false;
    }
    return cflri_batch_meet(b, &edges) && cflri_batch_worked(b, r->target.n - made.first);
}

/* In the order in which nodes are left, which is the reverse of that in which they are to be worked off. */
static bool search(ranking *r, uint32_t start) {
    loop *l = r->l;
    if (l->rank.at[start]) return true;
    if (!enter(r, start)) return false;
    while (r->path.n) {
        visit *top = &r->path.at[r->path.n - 1];
        if (top->first < r->target.n) {
            uint32_t next = r->target.at[--r->target.n];
            if (!l->rank.at[next] && !enter(r, next)) return false;
            continue;
        }
        l->rank.at[top->node] = SEEN + ++r->n_left;
        r->path.n--;
    }
    return true;
}

/* Ranks what the nodes flow into that wait now; the last to be left comes first. */
static bool rank_all(loop *l) {
    ranking r = {.l = l};
    bool done = true;
    for (size_t i = l->started.n; done && i-- > 0;) done = search(&r, l->started.at[i]);
    for (size_t i = 0; done && i < l->rank.n; i++) {
        if (l->rank.at[i]) l->rank.at[i] = r.n_left + SEEN + 1 - l->rank.at[i] + 1;
    }
    cflri_vec_free(l->b->context, &r.path);
    cflri_vec_free(l->b->context, &r.target);
    l->ranked = true;
    for (size_t i = 0; done && i < l->started.n; i++) done = push_heap(l, l->started.at[i]);
    return done;
}

/* ---- all ---- */

/* Rows of finished families, as if they had just been found. */
static bool deliver(loop *l) {
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
static void sweep(loop *l) {
    cflri_batch *b = l->b;
    if (!cflri_sets_begin_sweep(&b->sets)) return;
    for (size_t i = 0; i < b->value.n; i++) cflri_sets_keep(&b->sets, b->value.at[i]);
    for (size_t i = 0; i < b->extra.n; i++) {
        if (cflri_is_hub(b, b->extra.at[i].family)) {
            cflri_sets_keep(&b->sets, b->extra.at[i].vertex);
        }
    }
    for (size_t i = 0; i < l->heap.n; i++) {
        for (uint32_t e = l->waits.at[l->heap.at[i].node]; e != NONE; e = l->waiting.at[e].next) {
            cflri_sets_keep(&b->sets, l->waiting.at[e].set);
        }
    }
    cflri_cache_clear(&b->steps);
    cflri_sets_sweep(&b->sets);
}

static bool run(loop *l) {
    cflri_batch *b = l->b;
    while (l->heap.n) {
        queued next = pop_heap(l);
        l->wave = (uint32_t)(next.key >> 32);
        l->front = (uint32_t)next.key;
        if (!work_off(l, next.node) || !cflri_batch_worked(b, 8)) return false;
        b->rounds++;
        if (b->sets.bytes < l->sweep_at) continue;
        sweep(l);
        l->sweep_at = 2 * b->sets.bytes < SWEEP_FIRST ? SWEEP_FIRST : 2 * b->sets.bytes;
    }
    return true;
}

bool cflri_batch_loop(cflri_batch *b) {
    loop l = {.b = b, .spare = NONE, .sweep_at = SWEEP_FIRST};
    bool done = (!b->value.n || note_node(&l, (uint32_t)b->value.n - 1)) &&
                cflri_batch_seeds(b, give, &l) && deliver(&l) && rank_all(&l) && run(&l);
    cflri_vec_free(b->context, &l.waits);
    cflri_vec_free(b->context, &l.flows);
    cflri_vec_free(b->context, &l.rank);
    cflri_vec_free(b->context, &l.waiting);
    cflri_vec_free(b->context, &l.flow);
    cflri_vec_free(b->context, &l.heap);
    cflri_vec_free(b->context, &l.started);
    cflri_vec_free(b->context, &l.sets);
    return done;
}

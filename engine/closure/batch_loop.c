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
 * Order of work: by waves. Nodes are ranked so that what flows comes before what it flows into, one path after the
 * other (batch_condense.c); a wave works off waiting nodes by rank, and what waits behind the front is left to
 * the next wave. So a node takes all that one wave brings at once: on alias grammars ten to sixty waves
 * close everything. When flows have become many more, a wave begins with condensing: nodes that contain
 * each other become one.
 *
 * Threads go through a wave side by side, each with a region of the ranks, in parts, then those of others:
 *
 *     rank   0 ............................ n
 *     thread 0  [ok][ok][at >][  ] | 1  [ok][at >][  ][  ]
 *
 * Who finds no part any more takes half of what another thread has at hand. They do not wait for each other before the
 * wave is over. What is brought to a part that has been worked off waits
 * for the next wave: some nodes are worked off twice, a few in a hundred, since paths mostly stay within a part. In
 * return each thread finds in its caches what it just wrote. A node is in the hands of the thread that has its rank.
 *
 * Why nothing is lost between threads: who links a flow then reads the value of where it comes from; who
 * changes a value then reads the flows. In the one order that such reads and writes have, one of both sees the
 * other's. So it is with a hub, which is found by others before it is filled.
 *
 * Sets that no row has any more are swept from time to time.
 */
#include "engine/closure/batch_loop.h"

#include "base/context.h"

enum {
    DIRECT = 2,            /* so many new pairs of Q at once need no hub */
    FOLD = 5,              /* so many sets are united two by two */
    SWEEP_FIRST = 4 << 20, /* bytes of sets */
    HANDFUL = 32,          /* groups of ranks are dealt out by so many, or more */
    HANDFULS = 64,         /* of a region */
};

static bool refused(cflri_loop *l) {
    return cflri_batch_refused(l->b);
}

/* ---- lists of nodes ---- */

static bool is_shared(const cflri_loop *l) {
    return l->all->n > 1;
}

/* Puts an entry, whose link is `next`, in front of a list. Once it is there, others go through it. */
static void push(const cflri_loop *l, _Atomic uint32_t *list, uint32_t entry, uint32_t *next) {
    uint32_t first = *next = atomic_load_explicit(list, memory_order_relaxed);
    if (!is_shared(l)) {
        atomic_store_explicit(list, entry, memory_order_relaxed);
        return;
    }
    while (!atomic_compare_exchange_weak(list, &first, entry)) *next = first;
}

void cflri_loop_put(cflri_loop *l, uint32_t node, cflri_set_number value) {
    _Atomic cflri_set_number *at = &cflri_loop_at(l, node)->value;
    if (is_shared(l)) {
        atomic_store(at, value);
    } else {
        atomic_store_explicit(at, value, memory_order_relaxed);
    }
}

/* ---- nodes and what they wait with ---- */

bool cflri_loop_node(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t *node, bool *made) {
    uint32_t there = cflri_batch_node(l->b, family, vertex, made);
    if (there == CFLRI_NO_NODE) return refused(l);
    uint32_t here = cflri_batch_here(l->b, there);
    if (!cflri_segments_reach(&l->all->node, here + 1)) return refused(l);
    *node = cflri_loop_leader(l, here);
    return true;
}

static uint32_t rank_of(const cflri_looped *at) {
    return atomic_load_explicit(&at->rank, memory_order_relaxed);
}

void cflri_loop_queue(cflri_loop *l, uint32_t node) {
    cflri_looped *at = cflri_loop_at(l, node);
    cflri_queue_put(&l->all->queue, rank_of(at), node, &at->queued);
}

/* Groups of ranks from `at` on, before `end`. */
typedef struct groups {
    uint32_t at, end;
} groups;

static groups groups_of(uint64_t word) {
    return (groups){(uint32_t)(word >> 32), (uint32_t)word};
}

static uint64_t groups_word(groups g) {
    return cflri_pair(g.at, g.end);
}

/* While a node may be queued its rank stays as it is, until all are ordered anew: it says which thread has the node in
 * its hands. A new one comes right behind what is worked off. */
static uint32_t first_rank(const cflri_loop *l) {
    groups left = groups_of(atomic_load_explicit(&l->hand, memory_order_relaxed));
    uint32_t group = left.at < left.end ? left.at : cflri_loop_region(l, l->self);
    uint32_t rank = l->rank < l->rank_end ? l->rank : group * CFLRI_QUEUE_GROUP;
    return rank ? rank : 1;
}

bool cflri_loop_meet(cflri_loop *l, uint32_t node) {
    _Atomic uint32_t *rank = &cflri_loop_at(l, node)->rank;
    uint32_t unknown = 0, first = first_rank(l);
    if (is_shared(l)) {
        bool met = atomic_compare_exchange_strong(rank, &unknown, first);
        if (!met) return true; /* another thread has */
    } else {
        atomic_store_explicit(rank, first, memory_order_relaxed);
    }
    return cflri_vec_push(l->b->context, &l->known, node) || refused(l);
}

static cflri_waiting *waiting_at(const cflri_loop *l, uint32_t entry) {
    return cflri_segment_at(&l->all->waiting, cflri_waiting, entry);
}

/* It may be used again. */
static void spare_waiting(cflri_loop *l, uint32_t entry) {
    waiting_at(l, entry)->next = l->spare;
    l->spare = entry;
}

static bool draw_waiting(cflri_loop *l, uint32_t *entry) {
    *entry = l->spare;
    if (!*entry) {
        return cflri_draw_number(&l->all->waiting, &l->waiting_draw, UINT32_MAX, entry) ||
               refused(l);
    }
    l->spare = waiting_at(l, *entry)->next;
    return true;
}

/* What a node waits with changes from `*word` to `now`, unless it has changed meanwhile, as *word tells then. */
static bool change_waits(const cflri_loop *l, cflri_looped *at, uint64_t *word, cflri_waits now) {
    if (is_shared(l)) {
        return atomic_compare_exchange_weak(&at->waits, word, cflri_waits_word(now));
    }
    atomic_store_explicit(&at->waits, cflri_waits_word(now), memory_order_relaxed);
    return true;
}

/* A set that the node has, or was the last that was brought to it, is nothing new: rows only grow. */
static bool is_known(const cflri_looped *at, uint64_t word, cflri_set_number set) {
    return !set || atomic_load_explicit(&at->value, memory_order_relaxed) == set ||
           cflri_waits_of(word).last == set;
}

/* The node, whose `waits` were `word`, waits with the set, too. False when memory is refused; *begun tells whether it
 * waits only now. */
static bool add_set(cflri_loop *l, cflri_looped *at, uint64_t word, cflri_set_number set,
                    bool *begun) {
    uint32_t entry = 0;
    cflri_waits before;
    do {
        before = cflri_waits_of(word);
        if (before.some && !entry && !draw_waiting(l, &entry)) return false;
        if (before.some) *waiting_at(l, entry) = (cflri_waiting){before.last, before.first};
    } while (!change_waits(l, at, &word, (cflri_waits){set, true, before.some ? entry : 0}));
    if (entry && !before.some) spare_waiting(l, entry);
    *begun = !before.some;
    return true;
}

bool cflri_loop_wait(cflri_loop *l, uint32_t node, cflri_set_number set) {
    cflri_looped *at = cflri_loop_at(l, node);
    uint64_t word = atomic_load_explicit(&at->waits, memory_order_relaxed);
    bool known = is_known(at, word, set), begun;
    l->b->derivations++;
    cflri_batch_offered(l->b, !known);
    if (known) return true;
    if (!add_set(l, at, word, set, &begun)) return false;
    if (!begun) return true;
    if (!cflri_loop_know(l, node)) return false;
    if (l->all->ordered) cflri_loop_queue(l, node);
    return true;
}

static bool give(cflri_batch *b, void *to, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    (void)b;
    cflri_loop *l = to;
    uint32_t node = 0;
    return cflri_loop_node(l, family, vertex, &node, NULL) && cflri_loop_wait(l, node, more);
}

/* What the node waits with, which it does no more. */
static cflri_waits take_waits(const cflri_loop *l, uint32_t node) {
    _Atomic uint64_t *waits = &cflri_loop_at(l, node)->waits;
    const uint64_t last = UINT64_MAX << 32;
    if (is_shared(l)) return cflri_waits_of(atomic_fetch_and(waits, last));
    uint64_t word = atomic_load_explicit(waits, memory_order_relaxed);
    atomic_store_explicit(waits, word & last, memory_order_relaxed);
    return cflri_waits_of(word);
}

/* Lists the value and all that waits. */
static bool list_sets(cflri_loop *l, uint32_t node) {
    cflr_context *context = l->b->context;
    cflri_waits waits = take_waits(l, node);
    l->sets.n = 0;
    if (!cflri_vec_push(context, &l->sets, cflri_loop_value(l, node))) return false;
    if (waits.some && !cflri_vec_push(context, &l->sets, waits.last)) return false;
    for (uint32_t entry = waits.first; entry;) {
        cflri_waiting *taken = waiting_at(l, entry);
        uint32_t next = taken->next;
        if (!cflri_vec_push(context, &l->sets, taken->set)) return false;
        spare_waiting(l, entry);
        entry = next;
    }
    return true;
}

/* Sets of a stratum that does not loop need not be found again. The value stands first: the union is that
 * very set when nothing is new, even where an equal one has another number. */
static cflri_set_number unite(cflri_loop *l) {
    cflri_sets *sets = l->b->sets;
    cflri_set_number all = l->sets.at[0];
    if (!l->b->stratum.loops) return cflri_sets_union_loose(sets, l->sets.at, l->sets.n);
    if (l->sets.n > FOLD) return cflri_sets_union_all(sets, l->sets.at, l->sets.n);
    for (size_t i = 1; i < l->sets.n && all != CFLRI_NO_SET; i++) {
        all = cflri_sets_union(sets, all, l->sets.at[i]);
    }
    return all;
}

cflri_set_number cflri_loop_take(cflri_loop *l, uint32_t node) {
    uint32_t family, mask = cflri_loop_mask(l, node, &family);
    if (!list_sets(l, node)) return CFLRI_NO_SET;
    cflri_set_number value = l->sets.at[0], all = unite(l);
    if (!mask || all == CFLRI_NO_SET || all == value) return all;
    return cflri_batch_filter(l->b, family, mask, all);
}

bool cflri_loop_move(cflri_loop *l, uint32_t from, uint32_t to) {
    if (!list_sets(l, from)) return refused(l);
    for (size_t i = 0; i < l->sets.n; i++) {
        if (!cflri_loop_wait(l, to, l->sets.at[i])) return false;
    }
    cflri_loop_put(l, from, CFLRI_EMPTY_SET);
    return true;
}

/* ---- flows ---- */

static bool link_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    uint32_t flow;
    if (!cflri_draw_number(l->all->flow, &l->flow_draw, UINT32_MAX, &flow)) return refused(l);
    cflri_flow *made = cflri_segment_at(l->all->flow, cflri_flow, flow);
    made->to = to;
    push(l, &cflri_loop_at(l, from)->flows, flow, &made->next);
    l->flows++;
    return cflri_loop_know(l, from);
}

static bool add_flow(cflri_loop *l, uint32_t from, uint32_t to) {
    if (from == to) return true;
    return link_flow(l, from, to) && cflri_loop_wait(l, to, cflri_loop_value(l, from));
}

/* R(to) has S(vertex) from now on. */
static bool flow_from(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t to) {
    cflri_batch *b = l->b;
    uint32_t from;
    if (cflri_batch_finished(b, family)) {
        from = cflri_batch_find(b, family, vertex);
        return from == CFLRI_NO_NODE || cflri_loop_wait(l, to, cflri_batch_value(b, from));
    }
    return cflri_loop_node(l, family, vertex, &from, NULL) && add_flow(l, from, to);
}

static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub);

/* The value of a hub that was there before this stratum. */
static bool is_old_hub(const cflri_loop *l, uint32_t family, cflri_set_number set,
                       cflri_set_number *value) {
    uint32_t node = cflri_batch_find(l->b, cflri_batch_hub(l->b, family), set);
    if (node == CFLRI_NO_NODE || !cflri_batch_is_old(l->b, node)) return false;
    *value = cflri_batch_value(l->b, node);
    return true;
}

/* Others may find a hub from the moment it is made. Until it is filled it waits with the empty set: so whoever
 * brings it more is not the first, and it is not queued, and nobody else works it off. */
static const cflri_waits held = {CFLRI_EMPTY_SET, true, 0};

static bool hold_hub(cflri_loop *l, uint32_t hub) {
    atomic_store(&cflri_loop_at(l, hub)->waits, cflri_waits_word(held));
    return cflri_loop_know(l, hub);
}

/* It is filled: if it was brought more meanwhile, it is queued. */
static void let_hub_go(cflri_loop *l, uint32_t hub) {
    uint64_t word = cflri_waits_word(held);
    bool alone = atomic_compare_exchange_strong(&cflri_loop_at(l, hub)->waits, &word, 0);
    if (!alone && l->all->ordered) cflri_loop_queue(l, hub);
}

/* A node flows into a hub from now on, which is worked off behind it; its value is one of those that the hub has. */
static bool hub_has(cflri_loop *l, uint32_t hub, uint32_t from, cflri_set_list *values) {
    uint32_t rank = rank_of(cflri_loop_at(l, from));
    cflri_looped *own = cflri_loop_at(l, hub);
    if (rank_of(own) < rank) atomic_store_explicit(&own->rank, rank, memory_order_relaxed);
    return link_flow(l, from, hub) &&
           (cflri_vec_push(l->b->context, values, cflri_loop_value(l, from)) || refused(l));
}

/* A part of the hub's set: one vertex, or what has a hub of its own. */
static bool hub_has_part(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number part,
                         cflri_set_list *values) {
    cflri_batch *b = l->b;
    cflri_row row = cflri_sets_row(b->sets, part);
    cflri_set_number value = CFLRI_EMPTY_SET;
    uint32_t from;
    if (row.n > 1 && !is_old_hub(l, family, part, &value)) {
        return hub_of(l, family, part, &from) && hub_has(l, hub, from, values);
    }
    if (row.n == 1 && !cflri_batch_finished(b, family)) {
        return cflri_loop_node(l, family, row.few[0], &from, NULL) && hub_has(l, hub, from, values);
    }
    if (row.n == 1) {
        from = cflri_batch_find(b, family, row.few[0]);
        if (from != CFLRI_NO_NODE) value = cflri_batch_value(b, from);
    }
    return cflri_vec_push(b->context, values, value) || refused(l);
}

/* The hub over S at the ids of a set has what these have. */
static bool fill_hub(cflri_loop *l, uint32_t hub, uint32_t family, cflri_set_number set) {
    cflri_batch *b = l->b;
    cflri_set_list parts = {0}, values = {0};
    bool filled = hold_hub(l, hub) && (cflri_batch_split(b, set, &parts) || refused(l));
    for (size_t i = 0; filled && i < parts.n; i++) {
        filled = hub_has_part(l, hub, family, parts.at[i], &values);
    }
    if (filled) {
        cflri_set_number value = cflri_sets_union_all(b->sets, values.at, values.n);
        filled = value != CFLRI_NO_SET || refused(l);
        if (filled) cflri_loop_put(l, hub, value);
        filled = filled && cflri_loop_flow(l, hub, value);
        if (filled) let_hub_go(l, hub);
    }
    size_t n = parts.n;
    cflri_vec_free(b->context, &parts);
    cflri_vec_free(b->context, &values);
    return filled && cflri_batch_worked(b, n);
}

/* The hub over S at the ids of a set of several. Its depth is that of the tree of ids. */
static bool hub_of(cflri_loop *l, uint32_t family, cflri_set_number set, uint32_t *hub) {
    bool made;
    return cflri_loop_node(l, cflri_batch_hub(l->b, family), set, hub, &made) &&
           (!made || fill_hub(l, *hub, family, set));
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
    cflri_row row = cflri_sets_row(l->b->sets, more);
    cflri_row_walk walk = cflri_row_begin(&row);
    if (!e->by_back && row.n > DIRECT) {
        return cflri_loop_node(l, e->left, vertex, &node, NULL) &&
               flow_from_all(l, e->right, more, node);
    }
    while (cflri_row_next(&walk, &id)) {
        uint32_t to = e->by_back ? id : vertex, from = e->by_back ? vertex : id;
        if (!cflri_loop_node(l, e->left, to, &node, NULL) || !flow_from(l, e->right, from, node)) {
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
    cflri_set_number more = cflri_sets_minus(b->sets, whole, before);
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
    uint64_t more = cflri_sets_count(b->sets, whole) - cflri_sets_count(b->sets, before);
    b->pairs += more * b->copies[family];
    b->rows += before ? 0 : b->copies[family];
    return pass_on(l, family, cflri_batch_vertex(b, node), whole, before) &&
           cflri_batch_worked(b, 4);
}

bool cflri_loop_flow(cflri_loop *l, uint32_t node, cflri_set_number whole) {
    for (uint32_t f = cflri_loop_flows(l, node); f; f = cflri_loop_flow_at(l, f)->next) {
        if (!cflri_loop_wait(l, cflri_loop_flow_at(l, f)->to, whole)) return false;
    }
    return true;
}

static bool work_off(cflri_loop *l, uint32_t node) {
    cflri_batch_works_for_all(l->b);
    cflri_set_number before = cflri_loop_value(l, node), whole = cflri_loop_take(l, node);
    if (whole == CFLRI_NO_SET) return refused(l);
    if (whole == before) return true;
    cflri_loop_put(l, node, whole);
    if (!cflri_loop_flow(l, node, whole)) return false;
    uint32_t member = node;
    do {
        if (!cflri_loop_grown(l, member, whole, before)) return false;
        member = cflri_loop_next(l, member);
    } while (member != node);
    return true;
}

/* ---- sweeping ---- */

/* Nodes here that may have been met in this stratum. */
static uint32_t n_looped(const cflri_loop *l) {
    uint32_t n = cflri_batch_n_here(l->b), room = l->all->node.room;
    return n < room ? n : room;
}

/* What the row of a node is, and a hub is over. */
static void keep_node(const cflri_loop *l, uint32_t node) {
    cflri_batch *b = l->b;
    cflri_set_store *sets = &b->store->sets;
    uint32_t family = cflri_batch_family(b, node);
    if (family == CFLRI_NO_NODE) return;
    cflri_sets_keep(sets, cflri_batch_value(b, node));
    if (cflri_is_hub(b, family)) cflri_sets_keep(sets, cflri_batch_vertex(b, node));
}

/* What the row of a node here is, and waits with. A last set that it does not wait with may lose its number. */
static void keep_looped(const cflri_loop *l, uint32_t here) {
    cflri_set_store *sets = &l->b->store->sets;
    cflri_waits waits = cflri_loop_waits(l, here);
    if (!waits.some) {
        atomic_store_explicit(&cflri_loop_at(l, here)->waits, 0, memory_order_relaxed);
    } else {
        cflri_sets_keep(sets, waits.last);
    }
    cflri_sets_keep(sets, cflri_loop_value(l, here));
    for (uint32_t e = waits.first; e; e = waiting_at(l, e)->next) {
        cflri_sets_keep(sets, waiting_at(l, e)->set);
    }
}

static void keep_share(const cflri_loop *l) {
    if (!l->self) cflri_batch_keep_masks(l->b);
    uint32_t nodes = l->b->n_placed + l->b->store->extra.drawn;
    cflri_share own = cflri_share_of(nodes, l->self, l->all->n);
    cflri_share looped = cflri_share_of(n_looped(l), l->self, l->all->n);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) keep_node(l, i);
    for (uint32_t i = (uint32_t)looped.begin; i < looped.end; i++) keep_looped(l, i);
}

/* Rows that nobody has may take as much as those that somebody has, and as half of all memory in use: what frees
 * them goes through all nodes. Where memory is short, they may take half of what is left. */
static uint64_t next_sweep(const cflri_loop *l, uint64_t bytes) {
    cflr_context *context = l->b->context;
    uint64_t part = cflr_context_memory(context) / 2, left = cflri_memory_left(context) / 2;
    uint64_t more = bytes > part ? bytes : part;
    uint64_t least = bytes / 4 > SWEEP_FIRST / 4 ? bytes / 4 : SWEEP_FIRST / 4;
    if (more > left) more = left;
    return bytes + (more > least ? more : least);
}

/* Sets that no row has or waits with are freed, by all threads together. Without memory for it, that is
 * put off. */
static void sweep(cflri_loop *l) {
    cflri_batch_store *store = l->b->store;
    cflri_crew_wait(l->all->crew);
    if (!l->self) l->all->sweeps = cflri_sets_begin_sweep(&store->sets);
    cflri_crew_wait(l->all->crew);
    if (l->all->sweeps) {
        keep_share(l);
        cflri_cache_clear(&l->b->steps);
        cflri_crew_wait(l->all->crew);
        cflri_sets_sweep(l->b->sets);
        cflri_crew_wait(l->all->crew);
    }
    if (!l->self) {
        if (l->all->sweeps) cflri_sets_end_sweep(&store->sets);
        l->all->swept = cflri_set_store_totals(&store->sets).bytes;
        l->all->sweep_at = next_sweep(l, l->all->swept);
    }
    cflri_crew_wait(l->all->crew);
}

/* Is it worth a sweep at the end? What comes then takes memory, too. */
static bool leaves_much(const cflri_loop *l) {
    cflri_batch_store *store = l->b->store;
    uint64_t bytes = cflri_set_store_totals(&store->sets).bytes;
    bool ending = atomic_load_explicit(&store->ending, memory_order_relaxed);
    return !ending && bytes > SWEEP_FIRST && bytes - bytes / 4 > l->all->swept;
}

/* ---- waves ---- */

/* What all threads tell. Every thread comes to the same: what is looked at after a barrier is told anew behind the next
 * one. */
typedef struct state {
    uint64_t flows;
    bool paused, ended;      /* told before the first barrier of two */
    bool waits, ended_since; /* before the second */
} state;

static state state_of_all(const cflri_loop *l) {
    state all = {0};
    for (uint32_t i = 0; i < l->all->n; i++) {
        const cflri_loop *other = &l->all->loop[i];
        all.flows += other->linked;
        all.paused |= other->paused;
        all.waits |= other->waits;
        all.ended |= other->ended;
        all.ended_since |= other->ended_since;
    }
    return all;
}

static bool must_sweep(const cflri_loop *l) {
    return cflri_set_store_totals(&l->b->store->sets).bytes > l->all->sweep_at;
}

/* The own region is dealt out from its begin. */
static void begin_wave(cflri_loop *l) {
    uint32_t begin = cflri_loop_region(l, l->self), end = cflri_loop_region(l, l->self + 1);
    size_t handful = (end - begin) / HANDFULS;
    l->deal = (cflri_chunks){.n = end - begin, .handful = handful > HANDFUL ? handful : HANDFUL};
    atomic_store_explicit(&l->hand, 0, memory_order_relaxed);
    l->waits = cflri_queue_next(&l->all->queue, begin, end) < end;
}

/* A thread may make its share of what sets may take until the next sweep, or a little more. */
static void share_memory(cflri_loop *l) {
    uint64_t bytes = cflri_set_store_totals(&l->b->store->sets).bytes, at = l->all->sweep_at;
    uint64_t share = bytes < at ? (at - bytes) / l->all->n : 0, least = SWEEP_FIRST / 4;
    l->pause_at = cflri_sets_made(l->b->sets) + (share > least ? share : least);
}

/* What is due between two waves, or two parts of one. False: nothing waits any more, or a thread has ended. */
static bool go_on(cflri_loop *l) {
    l->linked = l->flows;
    l->ended = l->b->end != CFLR_OK;
    cflri_crew_wait(l->all->crew);
    state all = state_of_all(l);
    bool condenses = !all.paused && all.flows > l->all->condense_at, sweeps = must_sweep(l);
    if (all.ended) return false;
    if (condenses) {
        cflri_batch_works_for_all(l->b);
        cflri_loop_condense(l);
    }
    if (sweeps) sweep(l);
    if (!all.paused) begin_wave(l);
    share_memory(l);
    if (!l->self) atomic_store_explicit(&l->all->pause, false, memory_order_relaxed);
    l->ended_since = l->b->end != CFLR_OK;
    cflri_crew_wait(l->all->crew);
    state now = state_of_all(l);
    return !now.ended_since && (all.paused || now.waits);
}

static void take_groups(cflri_loop *l, groups g) {
    atomic_store_explicit(&l->hand, groups_word(g), memory_order_relaxed);
}

/* What a thread has at hand changes to `now`, unless it has changed meanwhile. */
static bool change_hand(cflri_loop *whose, uint64_t word, groups now) {
    if (is_shared(whose)) {
        return atomic_compare_exchange_strong(&whose->hand, &word, groups_word(now));
    }
    take_groups(whose, now);
    return true;
}

/* A part of the own region, or of another. */
static bool next_part(cflri_loop *l) {
    for (uint32_t i = 0; i < l->all->n; i++) {
        uint32_t whose = (l->self + i) % l->all->n, begin = cflri_loop_region(l, whose);
        size_t at, end;
        if (!cflri_chunks_next(&l->all->loop[whose].deal, &at, &end)) continue;
        take_groups(l, (groups){begin + (uint32_t)at, begin + (uint32_t)end});
        return true;
    }
    return false;
}

/* Half of what another thread has at hand: what it would come to last. Nodes that take long stand close together. */
static bool next_half(cflri_loop *l) {
    for (uint32_t i = 1; i < l->all->n; i++) {
        cflri_loop *whose = &l->all->loop[(l->self + i) % l->all->n];
        uint64_t word = atomic_load_explicit(&whose->hand, memory_order_relaxed);
        groups left = groups_of(word);
        if (left.at + 1 >= left.end) continue;
        uint32_t middle = left.at + (left.end - left.at) / 2;
        if (!change_hand(whose, word, (groups){left.at, middle})) continue;
        take_groups(l, (groups){middle, left.end});
        return true;
    }
    return false;
}

/* Goes through the next group of ranks at hand where something waits. False when there is none. */
static bool next_group(cflri_loop *l) {
    uint64_t word;
    groups left;
    do {
        word = atomic_load_explicit(&l->hand, memory_order_relaxed);
        left = groups_of(word);
        left.at = cflri_queue_next(&l->all->queue, left.at, left.end);
        if (left.at >= left.end) return false;
    } while (!change_hand(l, word, (groups){left.at + 1, left.end}));
    cflri_queue_open(&l->all->queue, left.at);
    l->rank = left.at * CFLRI_QUEUE_GROUP;
    l->rank_end = l->rank + CFLRI_QUEUE_GROUP;
    return true;
}

static bool next_node(cflri_loop *l, uint32_t *node) {
    while (!l->taken) {
        if (l->rank < l->rank_end) {
            l->taken = cflri_queue_take(&l->all->queue, l->rank++);
        } else if (!next_group(l) && !next_part(l) && !next_half(l)) {
            take_groups(l, (groups){0, 0});
            return false;
        }
    }
    *node = l->taken - 1;
    l->taken = cflri_loop_at(l, *node)->queued;
    return true;
}

static bool work_node(cflri_loop *l, uint32_t node) {
    if (!work_off(l, node) || !cflri_batch_worked(l->b, 8)) return false;
    l->b->rounds++;
    if (cflri_sets_made(l->b->sets) > l->pause_at) {
        atomic_store_explicit(&l->all->pause, true, memory_order_relaxed);
    }
    return true;
}

/* What is left of a wave, until there is something to do for all. */
static void work_wave(cflri_loop *l) {
    uint32_t node;
    l->paused = true;
    while (!atomic_load_explicit(&l->all->pause, memory_order_relaxed)) {
        l->paused = next_node(l, &node);
        if (!l->paused || !work_node(l, node)) return;
    }
}

static void run(cflri_loop *l) {
    while (go_on(l)) work_wave(l);
}

/* ---- all ---- */

/* Rows of finished families, as if they had just been found; a thread's share of them. */
static bool deliver(cflri_loop *l) {
    cflri_batch *b = l->b;
    uint64_t rows = 0;
    for (size_t i = 0; i < b->reader.n; i++) {
        uint32_t family = b->reader.at[i], vertex;
        cflri_set_number value;
        if (!cflri_batch_finished(b, family)) continue;
        cflri_node_walk walk = cflri_batch_nodes(b, family);
        while (cflri_batch_next(&walk, &vertex, &value)) {
            if (!cflri_is_dealt(&rows, l->self, l->all->n)) continue;
            if (!pass_on(l, family, vertex, value, CFLRI_EMPTY_SET)) return false;
            if (!cflri_batch_worked(b, 8)) return false;
        }
    }
    return true;
}

/* Every member has its leader's row. */
static void write_back(const cflri_loop *l) {
    cflri_share own = cflri_share_of(n_looped(l), l->self, l->all->n);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) {
        uint32_t node = cflri_batch_there(l->b, i);
        if (cflri_batch_family(l->b, node) == CFLRI_NO_NODE) continue;
        cflri_batch_put(l->b, node, cflri_loop_value(l, cflri_loop_leader(l, i)));
    }
}

static void work(void *what, cflri_crew *crew, uint32_t self) {
    cflri_loops *all = what;
    cflri_loop *l = &all->loop[self];
    if (!self) {
        all->crew = crew;
        all->n = crew->threads;
    }
    cflri_crew_wait(crew);
    if (cflri_batch_seeds(l->b, self, all->n, give, l)) deliver(l);
    cflri_crew_wait(crew);
    cflri_loop_condense(l);
    run(l);
    cflri_crew_wait(crew);
    if (leaves_much(l)) sweep(l);
    write_back(l);
}

static void free_loop(cflri_loop *l) {
    cflr_context *context = l->b->context;
    cflri_vec_free(context, &l->known);
    cflri_vec_free(context, &l->sets);
}

static bool begin(cflri_loops *all, cflri_batch *b, cflri_views *views) {
    all->loop = cflri_alloc_array_zero(b->context, b->threads, sizeof *all->loop);
    if (!all->loop || !cflri_segments_reach(&all->node, b->span.n_placed)) {
        return cflri_batch_refused(b);
    }
    if (!cflri_batch_make_masks(b) || !cflri_views_begin(b, views)) return false;
    for (uint32_t i = 0; i < b->threads; i++) {
        all->loop[i] = (cflri_loop){.b = views->of[i], .all = all, .self = i};
    }
    return true;
}

bool cflri_batch_loop(cflri_batch *b) {
    cflri_loops all = {.n = b->threads, .sweep_at = SWEEP_FIRST};
    cflri_views views = {0};
    cflri_segments_init(&all.node, b->context, sizeof(cflri_looped));
    cflri_segments_init(&all.waiting, b->context, sizeof(cflri_waiting));
    all.flow = &all.flows[0];
    cflri_segments_init(all.flow, b->context, sizeof(cflri_flow));
    if (begin(&all, b, &views)) {
        cflri_crew_run(b->threads, work, &all);
        for (uint32_t i = 0; i < b->threads; i++) free_loop(&all.loop[i]);
    }
    cflri_views_end(b, &views);
    cflri_batch_free_masks(b);
    cflri_queue_free(&all.queue, b->context);
    cflri_segments_free(&all.node);
    cflri_segments_free(&all.waiting);
    cflri_segments_free(&all.flows[0]);
    cflri_segments_free(&all.flows[1]);
    cflri_free(b->context, all.loop);
    return b->end == CFLR_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * search.c: the rows of a stratum of products, contained rows first.
 *
 * The containment graph is never stored. A search needs only its current path: it finds each
 * strongly connected component after the components that it contains (Tarjan 1972), and the row of
 * a component is one union of finished sets, which the search has collected on its way.
 *
 *     path:     R(1) -> hub -> S(6)            from the root to the current node
 *     target:   R(4)  | S(9) |                 nodes still to visit
 *     open:     R(1)  | hub  | S(6)            nodes whose component is not closed yet
 *     sum:      {1}   |      | {6} {2 3}       finished sets that they contain
 *     waits:    R(8)  |      |                 nodes that other threads own
 *
 * Several threads search, each from its own roots. The thread that finds a node first owns it.
 * Another thread that meets the node before it is closed does not wait: it continues with its other
 * targets, and finally puts the node that contains it on hold:
 *
 *     R(8), found by another thread:  held { R(1) }       R(1): waits for 1, sets { {1} {2 3} }
 *     R(8) is closed:  R(1) waits for none, sets { {1} {2 3} {4 8} },
 *                      and the thread that closed R(8) continues with R(1)
 *
 * A component of several nodes is held in the same way: its leader waits on behalf of all. The sets
 * that the search has collected for it are kept, and each node that it waits for adds its set when
 * it is closed. When the component is no longer on hold, its row is one union.
 *
 * A cycle through nodes of several threads waits for itself, and all that contains it waits, too.
 * When no thread has anything to do any more, these cycles are untied (untie.c): each becomes one
 * component, which waits for other components only.
 *
 * Each node is visited once: O(edges of the graph + sizes of the sets that are united).
 */
#include <assert.h>

#include "base/context.h"
#include "engine/closure/batch/products/products.h"
#include "engine/closure/question.h"

enum {
    BLOCK = 1 << 10, /* discovery numbers that a thread draws at once */
    HANDFUL = 256,   /* largest number of nodes to begin at that a thread takes at once */
    HANDFULS = 64,   /* least number of times that a thread takes nodes, on average */
};

static bool is_shared(const cflri_search *s) {
    return s->b->store->sets->shards.shared;
}

/* ---- nodes ---- */

/* Draws discovery numbers. */
static bool draw_block(cflri_search *s) {
    uint32_t block = atomic_fetch_add_explicit(&s->all->drawn, 1, memory_order_relaxed);
    if (block >= CFLRI_WAITED_FOR / BLOCK || !cflri_segments_reach(&s->all->owner, block + 1)) {
        return cflri_batch_refused(s->b);
    }
    *cflri_segment_at(&s->all->owner, uint16_t, block) = (uint16_t)s->b->sets->self;
    s->number = block * BLOCK + !block;
    s->end = (block + 1) * BLOCK;
    return true;
}

/* The discovery of a node that is neither on hold nor closed. */
static uint32_t number_of(uint32_t found) {
    return found & ~CFLRI_WAITED_FOR;
}

/* Has this thread found the node, which is not closed? */
static bool is_own(const cflri_search *s, uint32_t found) {
    uint32_t block = number_of(found) / BLOCK;
    return found != CFLRI_ON_HOLD &&
           *cflri_segment_at(&s->all->owner, uint16_t, block) == s->b->sets->self;
}

/* Finds the node, unless *found shows that it was found before. False when memory is refused. */
static bool find(cflri_search *s, uint32_t here, uint32_t *found) {
    *found = 0;
    if (s->number == s->end && !draw_block(s)) return false;
    if (!is_shared(s)) {
        atomic_store_explicit(cflri_found_at(s, here), s->number, memory_order_relaxed);
    } else if (!atomic_compare_exchange_strong(cflri_found_at(s, here), found, s->number)) {
        return true;
    }
    s->number++;
    s->left++;
    return true;
}

/* Reads the discovery of a node, which may have been made meanwhile. */
static uint32_t look(cflri_search *s, uint32_t here, bool *known) {
    uint32_t n = here + 1;
    *known = cflri_segments_reach(&s->all->found, n) &&
             (!is_shared(s) || cflri_segments_reach(&s->all->held, n));
    if (!*known) return cflri_batch_refused(s->b);
    return atomic_load_explicit(cflri_found_at(s, here), memory_order_acquire);
}

/* ---- holding ---- */

static bool draw_holding(cflri_search *s, uint32_t *entry) {
    *entry = s->spare;
    if (!*entry) {
        return cflri_draw_number(&s->all->holding, &s->holding, UINT32_MAX, entry) ||
               cflri_batch_refused(s->b);
    }
    s->spare = cflri_holding_at(s, *entry)->next;
    return true;
}

static bool let_go(cflri_search *s, uint32_t here) {
    uint32_t before = atomic_fetch_sub(&cflri_held_at(s, here)->waits_for, 1);
    return before > 1 || cflri_vec_push(s->b->context, &s->ready, here) ||
           cflri_batch_refused(s->b);
}

static cflri_set_number value_of(const cflri_search *s, uint32_t here) {
    return cflri_batch_value(s->b, cflri_batch_there(s->b, here));
}

/* Gives the component another finished set, in an entry that is in no list. */
static void bring(const cflri_search *s, uint32_t here, uint32_t entry, cflri_set_number set) {
    _Atomic uint32_t *list = &cflri_held_at(s, here)->sets;
    cflri_holding *made = cflri_holding_at(s, entry);
    *made = (cflri_holding){.set = set, .next = atomic_load(list)};
    while (!atomic_compare_exchange_weak(list, &made->next, entry)) continue;
}

/* A node that the component contains is closed: the component gets its set. */
static bool have(cflri_search *s, uint32_t here, uint32_t entry, cflri_set_number set) {
    bring(s, here, entry, set);
    return let_go(s, here);
}

/* Makes the component wait for a node, unless the node is closed. */
static bool wait_for(cflri_search *s, uint32_t here, uint32_t other) {
    uint32_t entry, found = atomic_fetch_or(cflri_found_at(s, other), CFLRI_WAITED_FOR);
    if (!draw_holding(s, &entry)) return false;
    if (found == CFLRI_CLOSED) return have(s, here, entry, value_of(s, other));
    cflri_holding *made = cflri_holding_at(s, entry);
    _Atomic uint32_t *list = &cflri_held_at(s, other)->first;
    uint32_t first = atomic_load(list);
    do {
        if (first == CFLRI_CLOSED) return have(s, here, entry, value_of(s, other));
        *made = (cflri_holding){.leader = here, .next = first};
    } while (!atomic_compare_exchange_weak(list, &first, entry));
    return true;
}

/* Keeps the sets that the search has collected for the component. As yet no other thread adds a set
 * to it. */
static bool keep_sets(cflri_search *s, const cflri_visit *top) {
    uint32_t kept = 0, entry;
    for (size_t i = top->sum; i < s->sum.n; i++) {
        if (!draw_holding(s, &entry)) return false;
        *cflri_holding_at(s, entry) = (cflri_holding){.set = s->sum.at[i], .next = kept};
        kept = entry;
    }
    atomic_store_explicit(&cflri_held_at(s, top->node)->sets, kept, memory_order_relaxed);
    return true;
}

/* Makes the nodes on `open`, from there on, one component, which the first node leads. */
static void join_ring(const cflri_search *s, size_t open) {
    for (size_t i = open; i < s->open.n; i++) {
        uint32_t next = s->open.at[i + 1 < s->open.n ? i + 1 : open];
        cflri_held_at(s, s->open.at[i])->next = next;
        atomic_store_explicit(cflri_found_at(s, s->open.at[i]), CFLRI_ON_HOLD,
                              memory_order_release);
    }
}

/* Puts the component on `open` on hold, since it contains nodes that other threads own. It
 * continues as soon as all of them are closed. */
static bool hold(cflri_search *s, const cflri_visit *top) {
    size_t n = s->waits.n - top->waits;
    if (!keep_sets(s, top)) return false;
    atomic_store_explicit(&cflri_held_at(s, top->node)->waits_for, (uint32_t)n + 1,
                          memory_order_relaxed);
    join_ring(s, top->open);
    for (size_t i = top->waits; i < s->waits.n; i++) {
        if (!wait_for(s, top->node, s->waits.at[i])) return false;
    }
    s->open.n = top->open;
    s->sum.n = top->sum;
    s->waits.n = top->waits;
    if (!let_go(s, top->node)) return false;
    return !s->path.n || cflri_vec_push(s->b->context, &s->waits, top->node) ||
           cflri_batch_refused(s->b);
}

/* The node is closed: no component waits for it any more. */
static bool release(cflri_search *s, uint32_t here, cflri_set_number value) {
    for (uint32_t entry = atomic_exchange(&cflri_held_at(s, here)->first, CFLRI_CLOSED); entry;) {
        cflri_holding held = *cflri_holding_at(s, entry);
        if (!have(s, held.leader, entry, value)) return false;
        entry = held.next;
    }
    return true;
}

/* From now on other threads may read the row. */
static bool close_node(cflri_search *s, uint32_t here, cflri_set_number value) {
    _Atomic uint32_t *found = cflri_found_at(s, here);
    if (!is_shared(s)) {
        atomic_store_explicit(found, CFLRI_CLOSED, memory_order_relaxed);
        return true;
    }
    return !(atomic_exchange(found, CFLRI_CLOSED) & CFLRI_WAITED_FOR) || release(s, here, value);
}

/* ---- rows ---- */

static bool settle(cflri_search *s, uint32_t here, cflri_set_number value) {
    cflri_batch *b = s->b;
    uint32_t node = cflri_batch_there(b, here), family = cflri_batch_family(b, node);
    uint64_t count = cflri_sets_count(b->sets, value);
    s->left--;
    cflri_batch_put(b, node, value);
    if (count && !cflri_is_by_set(b, family)) {
        b->pairs += count * b->copies[family];
        b->rows += b->copies[family];
    }
    return close_node(s, here, value);
}

/* Returns the union of sets. When memory has ended, a thread that is alone still gets a row that
 * equals a finished one, which takes no memory; other rows stay empty. CFLRI_NO_SET: it is time to
 * end. */
static cflri_set_number unite(cflri_search *s, cflri_set_number *sets, size_t n) {
    cflri_batch *b = s->b;
    if (b->end == CFLR_OK) {
        cflri_set_number value = cflri_sets_union_loose(b->sets, sets, n);
        if (value != CFLRI_NO_SET) return value;
        cflri_batch_refused(s->b);
        if (is_shared(s)) return CFLRI_NO_SET;
    }
    for (size_t i = 1; i < n; i++) {
        if (sets[i] != sets[0]) return CFLRI_EMPTY_SET;
    }
    return n ? sets[0] : CFLRI_EMPTY_SET;
}

/* When memory has ended, but not time, a single thread continues with rows that take no memory. */
static bool worked(cflri_search *s, uint64_t work) {
    if (s->b->end == CFLR_OK && cflri_batch_worked(s->b, work)) return true;
    return !is_shared(s) && s->b->end == CFLR_LIMIT && cflri_interrupted(s->b->context) == CFLR_OK;
}

/* ---- the search ---- */

/* Puts the node at the end of the path on `open`, and adds the sets and nodes that it contains. */
static bool open_node(cflri_search *s, uint32_t here) {
    cflri_batch *b = s->b;
    uint32_t node = cflri_batch_there(b, here), family = cflri_batch_family(b, node);
    size_t targets = s->target.n;
    if (!cflri_vec_push(b->context, &s->open, here)) return cflri_batch_refused(s->b);
    cflri_batch_works_for_all(b);
    return cflri_search_add_set(s, cflri_batch_value(b, node)) &&
           cflri_search_contained(s, family, cflri_batch_vertex(b, node)) &&
           worked(s, 4 + s->target.n - targets);
}

static bool lengthen(cflri_search *s, uint32_t here, uint32_t low) {
    cflri_visit made = {here, low, s->target.n, s->open.n, s->sum.n, s->waits.n};
    return cflri_vec_push(s->b->context, &s->path, made) || cflri_batch_refused(s->b);
}

/* Enters a node that was just found. */
static bool enter(cflri_search *s, uint32_t here) {
    return lengthen(s, here, s->number - 1) && open_node(s, here);
}

/* The node at the top reaches no earlier node on `open`, so all nodes from it on have its row. */
static bool close_component(cflri_search *s, const cflri_visit *top) {
    size_t n = s->sum.n - top->sum;
    cflri_set_number value = unite(s, s->sum.at + top->sum, n);
    bool settled = value != CFLRI_NO_SET;
    for (size_t i = top->open; settled && i < s->open.n; i++) {
        settled = settle(s, s->open.at[i], value);
    }
    s->open.n = top->open;
    s->sum.n = top->sum;
    s->b->derivations += n;
    s->b->rounds++;
    return settled && cflri_search_add_set(s, value) && worked(s, n);
}

static bool leave(cflri_search *s) {
    cflri_visit top = s->path.at[--s->path.n];
    uint32_t found = atomic_load_explicit(cflri_found_at(s, top.node), memory_order_relaxed);
    cflri_batch_works_for_all(s->b);
    if (top.low == number_of(found)) {
        return s->waits.n > top.waits ? hold(s, &top) : close_component(s, &top);
    }
    cflri_visit *above = &s->path.at[s->path.n - 1];
    if (top.low < above->low) above->low = top.low;
    return true;
}

/* Visits one of the nodes that the end of the path contains. */
static bool look_at(cflri_search *s, uint32_t here) {
    cflri_visit *top = &s->path.at[s->path.n - 1];
    bool known;
    uint32_t found = look(s, here, &known);
    if (!known) return false;
    if (!found) {
        if (!find(s, here, &found)) return false;
        if (!found) return enter(s, here);
    }
    if (found == CFLRI_CLOSED) return cflri_search_add_set(s, value_of(s, here));
    if (!is_own(s, found)) {
        return cflri_vec_push(s->b->context, &s->waits, here) || cflri_batch_refused(s->b);
    }
    if (number_of(found) < top->low) top->low = number_of(found);
    return true;
}

/* Computes the rows of a node that was just found, and of all nodes that it contains and no other
 * thread owns. */
static bool search(cflri_search *s, uint32_t start) {
    s->sum.n = 0;
    if (!enter(s, start)) return false;
    while (s->path.n) {
        size_t own = s->path.at[s->path.n - 1].target;
        bool goes_on = s->target.n == own ? leave(s) : look_at(s, s->target.at[--s->target.n]);
        if (!goes_on) return false;
    }
    return true;
}

/* Is the row of the node needed, whether or not another row contains it? */
static bool is_needed(const cflri_search *s, uint32_t node) {
    uint32_t family = cflri_batch_family(s->b, node);
    if (!s->all->question) return cflri_is_worked(s->b, family);
    if (!cflri_is_row(s->b, family)) return false;
    uint32_t vertex = cflri_reduced_vertex(s->b->reduced, cflri_batch_vertex(s->b, node));
    return cflri_question_names(s->all->question, vertex);
}

static bool search_root(cflri_search *s, uint32_t here) {
    bool known;
    if (!is_needed(s, cflri_batch_there(s->b, here))) return true;
    uint32_t found = look(s, here, &known);
    if (!known || (!found && !find(s, here, &found))) return false;
    return found || search(s, here);
}

/* ---- several threads ---- */

/* Collects the sets that were kept and brought for a node of a component. */
static bool collect_sets(cflri_search *s, uint32_t here) {
    uint32_t next;
    for (uint32_t e = cflri_held_at(s, here)->sets; e; e = next) {
        cflri_holding kept = *cflri_holding_at(s, e);
        next = kept.next;
        cflri_holding_free(s, e);
        if (!cflri_search_add_set(s, kept.set)) return false;
    }
    return true;
}

/* Continues with a component that is no longer on hold: all nodes that it contains are closed, or
 * are its own. */
static bool go_on(cflri_search *s, uint32_t leader) {
    uint32_t here = leader;
    s->sum.n = 0;
    cflri_batch_works_for_all(s->b);
    if (!lengthen(s, leader, 0)) return false;
    do {
        if (!cflri_vec_push(s->b->context, &s->open, here)) return cflri_batch_refused(s->b);
        if (!collect_sets(s, here)) return false;
        here = cflri_held_at(s, here)->next;
    } while (here != leader);
    cflri_visit top = s->path.at[--s->path.n];
    return close_component(s, &top);
}

static bool work_ready(cflri_search *s) {
    while (s->ready.n) {
        if (!cflri_bag_share(&s->all->ready, &s->ready)) return cflri_batch_refused(s->b);
        if (!go_on(s, s->ready.at[--s->ready.n])) return false;
    }
    return true;
}

/* Processes components until no thread has anything to do. */
static bool work_shared(cflri_search *s) {
    do {
        if (!work_ready(s)) return false;
        if (!cflri_bag_take(&s->all->ready, &s->ready)) return cflri_batch_refused(s->b);
    } while (s->ready.n);
    return true;
}

static bool work(cflri_search *s) {
    for (size_t at, end; cflri_chunks_next(&s->all->root, &at, &end);) {
        for (; at < end; at++) {
            if (!search_root(s, (uint32_t)at) || !work_ready(s)) return false;
        }
    }
    return work_shared(s);
}

/* ---- statistics ---- */

static uint64_t stacks_of(const cflri_search *s) {
    return cflri_block_bytes(s->path.at) + cflri_block_bytes(s->target.at) +
           cflri_block_bytes(s->open.at) + cflri_block_bytes(s->sum.at) +
           cflri_block_bytes(s->waits.at) + cflri_block_bytes(s->split.at) +
           cflri_block_bytes(s->ready.at);
}

static uint64_t lefts_of(const cflri_products *all) {
    const cflri_lefts *lefts = &all->lefts;
    uint64_t bytes = cflri_block_bytes(all->base) + cflri_block_bytes(all->copied) +
                     cflri_block_bytes(lefts->start) + cflri_block_bytes(lefts->equation) +
                     cflri_block_bytes(lefts->turned);
    for (size_t f = 0; f < all->b->equations->family.n; f++) {
        bytes += cflri_block_bytes(lefts->turned[f]);
    }
    return bytes;
}

static void account(const cflri_products *all, const cflri_views *views, uint64_t stacks) {
    const cflri_account own = {
        .bytes = {[CFLR_OWNER_SEARCH] =
                      cflri_segments_bytes(&all->found) + cflri_segments_bytes(&all->owner) +
                      cflri_segments_bytes(&all->held) + cflri_segments_bytes(&all->holding) +
                      cflri_block_bytes(all->ready.item.at) + lefts_of(all) + stacks,
                  [CFLR_OWNER_ANSWERS] = cflri_views_bytes(all->b, views)}};
    cflri_batch_account(all->b, &own);
}

/* ---- all threads ---- */

static void free_search(cflri_search *s) {
    cflr_context *context = s->b->context;
    cflri_vec_free(context, &s->path);
    cflri_vec_free(context, &s->target);
    cflri_vec_free(context, &s->open);
    cflri_vec_free(context, &s->sum);
    cflri_vec_free(context, &s->waits);
    cflri_vec_free(context, &s->split);
    cflri_vec_free(context, &s->ready);
}

typedef struct searching {
    cflri_products *all;
    cflri_views views;
    _Atomic uint64_t stacks; /* bytes of the stacks of all threads; only for statistics */
} searching;

/* Done by all threads together. */
static void account_all(searching *w, const cflri_search *s, cflri_crew *crew, uint32_t self) {
    if (!s->b->account) return;
    atomic_fetch_add(&w->stacks, stacks_of(s));
    cflri_crew_wait(crew);
    if (!self) account(w->all, &w->views, w->stacks);
    cflri_crew_wait(crew);
}

/* Done by one thread, when the nodes to begin at have been made. */
static void deal_out(cflri_search *s, const cflri_crew *crew) {
    uint32_t n = cflri_batch_n_here(s->b);
    size_t handful = n / ((size_t)crew->threads * HANDFULS) + 1;
    s->all->root = (cflri_chunks){.n = n, .handful = handful < HANDFUL ? handful : HANDFUL};
    cflri_bag_init(&s->all->ready, s->b->context, crew->threads);
}

/* Nodes that are made during the search get numbers behind the nodes to begin at. So each thread
 * drops its rest of the numbers drawn before, which may already have been passed. */
static void work_together(void *what, cflri_crew *crew, uint32_t self) {
    searching *w = what;
    cflri_search s = {.sink = cflri_search_sink(), .b = w->views.of[self], .all = w->all};
    cflri_bag *ready = &w->all->ready;
    bool goes_on = cflri_products_begin(s.b, s.all, self, crew->threads);
    s.b->extra_draw = (cflri_draw){0};
    cflri_crew_wait(crew);
    if (!self) deal_out(&s, crew);
    cflri_crew_wait(crew);
    goes_on = goes_on && work(&s);
    if (!goes_on) cflri_bag_end(ready);
    cflri_crew_wait(crew);
    cflri_search_untie(&s, crew, self);
    if (!self) cflri_bag_begin(ready);
    cflri_crew_wait(crew);
    goes_on = goes_on && work_shared(&s);
    if (!goes_on) cflri_bag_end(ready);
    atomic_fetch_add(&w->all->left, s.left);
    account_all(w, &s, crew, self);
    free_search(&s);
}

/* Nodes that are not closed have to be found again. */
static void forget(cflri_products *all) {
    for (uint32_t i = 0; i < all->found.room; i++) {
        _Atomic uint32_t *found = cflri_segment_at(&all->found, _Atomic uint32_t, i);
        if (atomic_load_explicit(found, memory_order_relaxed) != CFLRI_CLOSED) {
            atomic_store_explicit(found, 0, memory_order_relaxed);
        }
    }
    all->drawn = 0;
}

/* Returns how many nodes, from the first on, are closed. */
static uint32_t search_together(cflri_batch *b, cflri_products *all) {
    searching w = {.all = all, .views = {0}};
    all->knot.part = cflri_alloc_array_zero(b->context, b->threads, sizeof *all->knot.part);
    if (!all->knot.part) {
        cflri_batch_refused(b);
    } else if (cflri_views_begin(b, &w.views)) {
        cflri_crew_run(b->threads, work_together, &w);
    }
    cflri_views_end(b, &w.views);
    cflri_bag_free(&all->ready);
    cflri_free(b->context, all->knot.part);
    assert(all->left == 0 || b->end != CFLR_OK);
    if (b->end == CFLR_OK) return (uint32_t)all->root.n;
    forget(all);
    return 0;
}

/* The search makes more nodes on its way, mostly hubs. */
static bool search_from(cflri_search *s, uint32_t first) {
    for (uint32_t i = first; i < cflri_batch_n_here(s->b); i++) {
        if (!search_root(s, i)) return false;
    }
    return s->b->end == CFLR_OK;
}

bool cflri_products_search(cflri_batch *b, cflri_products *all) {
    cflri_segments_init(&all->found, b->context, sizeof(_Atomic uint32_t));
    cflri_segments_init(&all->owner, b->context, sizeof(uint16_t));
    cflri_segments_init(&all->held, b->context, sizeof(cflri_held));
    cflri_segments_init(&all->holding, b->context, sizeof(cflri_holding));
    cflri_search s = {.sink = cflri_search_sink(), .b = b, .all = all};
    bool shared = b->threads > 1;
    uint32_t closed = shared ? search_together(b, all) : 0;
    bool done = (shared || cflri_products_begin(b, all, 0, 1)) && search_from(&s, closed);
    if (b->account) account(all, &(cflri_views){0}, stacks_of(&s));
    free_search(&s);
    cflri_segments_free(&all->found);
    cflri_segments_free(&all->owner);
    cflri_segments_free(&all->held);
    cflri_segments_free(&all->holding);
    return done;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * loop.c: rows that depend on themselves, by semi-naive evaluation on whole sets.
 *
 *     each node has a value and pending sets
 *     while a node waits:  new = value U all pending sets    if new is more than the value:
 *         `new` becomes pending at rows that contain it      COPY, EDGE; PAIR, along flows
 *         new \ value goes to equations that look at ids     TURN, STEP, BETWEEN, GUARDS, Q of PAIR
 *
 * PAIR builds the containment graph on the way: a new pair Q(u,v) is a flow S(v) -> R(u). When Q(u)
 * gets many v at once, a hub is put between, and the next u that gets the same set finds it again:
 *
 *     S(5) --.                .--> R(1)
 *     S(6) ---> hub {5 6 9} ------> R(2)
 *     S(9) --'                '--> R(3)
 *
 * Where pairs are turned, Q(u,v) is a flow S(u) -> R(v). Then a fan stands for all v of a set, and
 * other u with the same set flow to the same fan:
 *
 *     S(1) --.                .--> R(5)
 *     S(2) ---> fan {5 6 9} ------> R(6)
 *     S(3) --'                '--> R(9)
 *
 * Hubs and fans of large sets consist of those of the parts of the set's tree, which sets share.
 *
 * Nodes are processed in waves. Ranks follow a topological order, one path after the other
 * (condense.c). A wave processes waiting nodes by rank. A node that begins to wait behind the front
 * is left to the next wave, so a node takes in at once all sets that one wave brings to it. On
 * alias grammars ten to sixty waves complete the closure. When there are many new flows, a wave
 * begins with condensing: nodes that contain each other become one.
 *
 * Threads go through a wave concurrently. Each thread processes its own region of the ranks, in
 * parts, and then parts of other regions:
 *
 *     rank   0 ............................ n
 *     thread 0  [ok][ok][at >][  ] | 1  [ok][at >][  ][  ]
 *
 * When no part is left, a thread takes half of the groups that another thread still has to process.
 * Threads do not wait for each other before the wave is over. A set that is brought to a part that
 * is already done waits for the next wave: a few nodes in a hundred are processed twice, since
 * paths mostly stay within a part. In return, each thread finds in its caches the rows that it has
 * just written. The thread that processes a rank owns its nodes.
 *
 * Why threads lose nothing: a thread that links a flow then reads the value of the flow's source; a
 * thread that changes a value then reads the flows. In the total order of these reads and writes,
 * at least one of the two threads sees what the other wrote. The same holds for a hub or a fan,
 * which other threads can find before it is filled.
 *
 * Sets that no row has any more are swept from time to time.
 */
#include "engine/closure/batch/loop/loop.h"

#include <assert.h>

#include "base/context.h"
#include "engine/closure/batch/loop/check.h"
#include "engine/closure/batch/receive.h"

enum {
    SWEEP_FIRST = 4 << 20, /* bytes of sets */
    HANDFUL = 32,          /* least number of groups of ranks in a part */
    HANDFULS = 64,         /* number of parts of a large region */
};

/* ---- one node ---- */

bool cflri_loop_take_in(cflri_loop *l, uint32_t node, cflri_growth *growth) {
    cflri_set_number before = cflri_loop_value(l, node), whole = cflri_loop_take(l, node);
    *growth = (cflri_growth){node, before, whole};
    if (whole == CFLRI_NO_SET) return cflri_batch_refused(l->b);
    if (whole != before) cflri_loop_put(l, node, whole);
    return true;
}

bool cflri_loop_deliver(cflri_loop *l, const cflri_growth *growth) {
    if (!cflri_loop_flow(l, growth->node, growth->whole)) return false;
    uint32_t member = growth->node;
    do {
        if (!cflri_loop_grown(l, member, growth->whole, growth->before)) return false;
        member = cflri_loop_next(l, member);
    } while (member != growth->node);
    l->b->rounds++;
    if (cflri_sets_made(l->b->sets) > l->pause_at) {
        atomic_store_explicit(&l->all->pause, true, memory_order_relaxed);
    }
    return cflri_batch_worked(l->b, 8);
}

static bool work_off(cflri_loop *l, uint32_t node) {
    cflri_growth growth;
    cflri_batch_works_for_all(l->b);
    if (!cflri_loop_take_in(l, node, &growth)) return false;
    return growth.whole == growth.before ? cflri_batch_worked(l->b, 8)
                                         : cflri_loop_deliver(l, &growth);
}

/* ---- sweeping ---- */

/* Keeps the value of a node, and the set of a hub or fan. */
static void keep_node(const cflri_loop *l, uint32_t node) {
    cflri_batch *b = l->b;
    cflri_set_store *sets = b->store->sets;
    uint32_t family = cflri_batch_family(b, node);
    if (family == CFLRI_NO_NODE) return;
    cflri_sets_keep(sets, cflri_batch_value(b, node));
    if (cflri_is_by_set(b, family)) cflri_sets_keep(sets, cflri_batch_vertex(b, node));
}

/* Keeps the value and the pending sets of a node of the stratum. A last set that is not pending is
 * forgotten, since its number may become free. */
static void keep_looped(const cflri_loop *l, uint32_t here) {
    cflri_set_store *sets = l->b->store->sets;
    cflri_waits waits = cflri_loop_waits(l, here);
    if (!waits.some) {
        atomic_store_explicit(&cflri_loop_at(l, here)->waits, 0, memory_order_relaxed);
    } else {
        cflri_sets_keep(sets, waits.last);
    }
    cflri_sets_keep(sets, cflri_loop_value(l, here));
    for (uint32_t e = waits.first; e; e = cflri_loop_waiting_at(l, e)->next) {
        cflri_sets_keep(sets, cflri_loop_waiting_at(l, e)->set);
    }
}

static void keep_share(const cflri_loop *l) {
    if (!l->self) cflri_batch_keep_masks(l->b);
    uint32_t placed = cflri_batch_n_begun(l->b), extras = l->b->store->extra.drawn;
    cflri_share own = cflri_share_of((uint64_t)placed + extras, l->self, l->all->n);
    cflri_share looped = cflri_share_of(cflri_loops_n(l->all), l->self, l->all->n);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) {
        keep_node(l, i < placed ? i : l->b->n_placed + (i - placed));
    }
    for (uint32_t i = (uint32_t)looped.begin; i < looped.end; i++) keep_looped(l, i);
}

/* The number of bytes of sets from which to sweep again. Unused sets may take as much memory as
 * used ones, and as a quarter of all memory in use, because a sweep goes through all nodes. Where
 * memory is short, they may take half of the rest. */
static uint64_t next_sweep(const cflri_loop *l, uint64_t bytes) {
    cflr_context *context = l->b->context;
    uint64_t part = cflr_context_memory(context) / 4, left = cflri_memory_left(context) / 2;
    uint64_t more = bytes > part ? bytes : part;
    uint64_t least = bytes / 4 > SWEEP_FIRST / 4 ? bytes / 4 : SWEEP_FIRST / 4;
    if (more > left) more = left;
    return bytes + (more > least ? more : least);
}

/* All threads together free the sets that are neither the value nor a pending set of any node.
 * Without memory for it, the sweep is put off. */
static void sweep(cflri_loop *l) {
    cflri_batch_store *store = l->b->store;
    cflri_crew_wait(l->all->crew);
    if (!l->self) l->all->sweeps = cflri_sets_begin_sweep(store->sets);
    cflri_crew_wait(l->all->crew);
    if (l->all->sweeps) {
        keep_share(l);
        cflri_cache_clear(&l->b->steps);
        cflri_crew_wait(l->all->crew);
        cflri_sets_sweep(l->b->sets);
        cflri_crew_wait(l->all->crew);
    }
    if (!l->self) {
        if (l->all->sweeps) cflri_sets_end_sweep(store->sets);
        l->all->swept = cflri_set_store_totals(store->sets).bytes;
        l->all->sweep_at = next_sweep(l, l->all->swept);
    }
    cflri_crew_wait(l->all->crew);
}

/* Is a sweep worth it at the end? The strata that follow need memory, too. */
static bool leaves_much(const cflri_loop *l) {
    cflri_batch_store *store = l->b->store;
    uint64_t bytes = cflri_set_store_totals(store->sets).bytes;
    bool ending = atomic_load_explicit(&store->ending, memory_order_relaxed);
    return !ending && bytes > SWEEP_FIRST && bytes - bytes / 4 > l->all->swept;
}

/* ---- statistics ---- */

void cflri_loops_account(const cflri_loops *all, uint64_t condensing) {
    cflri_account own = {
        .bytes = {[CFLR_OWNER_LOOPED] =
                      cflri_segments_bytes(&all->node) + cflri_segments_bytes(&all->ring),
                  [CFLR_OWNER_FLOWS] = cflri_segments_bytes(&all->flow),
                  [CFLR_OWNER_WAITING] = cflri_segments_bytes(&all->waiting),
                  [CFLR_OWNER_QUEUE] = cflri_block_bytes((void *)all->queue.first) +
                                       cflri_block_bytes((void *)all->queue.some),
                  [CFLR_OWNER_CONDENSING] = condensing,
                  [CFLR_OWNER_ANSWERS] = cflri_views_bytes(all->b, &all->views)}};
    for (uint32_t i = 0; all->loop && i < all->b->threads; i++) {
        own.bytes[CFLR_OWNER_QUEUE] +=
            cflri_block_bytes(all->loop[i].known.at) + cflri_block_bytes(all->loop[i].ready.at);
        own.bytes[CFLR_OWNER_SCRATCH] += cflri_block_bytes(all->loop[i].sets.at);
        own.flows += all->loop[i].flows;
    }
    cflri_batch_account(all->b, &own);
}

/* Done by all threads together. */
static void look(const cflri_loop *l) {
    if (!l->b->account) return;
    if (!l->self) cflri_loops_account(l->all, 0);
    cflri_crew_wait(l->all->crew);
}

/* ---- waves ---- */

/* The union of the reports of all threads. Every thread computes the same: a field that is read
 * behind one barrier is written again only behind the next one. */
typedef struct state {
    uint64_t flows;
    bool paused, ended;      /* reported before the first of two barriers */
    bool waits, ended_since; /* reported before the second */
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
    return cflri_set_store_totals(l->b->store->sets).bytes > l->all->sweep_at;
}

/* Prepares the parts of the thread's own region. */
static void begin_wave(cflri_loop *l) {
    uint32_t begin = cflri_loop_region(l, l->self), end = cflri_loop_region(l, l->self + 1);
    size_t handful = (end - begin) / HANDFULS;
    l->deal = (cflri_chunks){.n = end - begin, .handful = handful > HANDFUL ? handful : HANDFUL};
    atomic_store_explicit(&l->hand, 0, memory_order_relaxed);
    l->waits = cflri_queue_next(&l->all->queue, begin, end) < end;
}

/* Sets the thread's share of the bytes that sets may take until the next sweep, or slightly
 * more. */
static void share_memory(cflri_loop *l) {
    uint64_t bytes = cflri_set_store_totals(l->b->store->sets).bytes, at = l->all->sweep_at;
    uint64_t share = bytes < at ? (at - bytes) / l->all->n : 0, least = SWEEP_FIRST / 4;
    l->pause_at = cflri_sets_made(l->b->sets) + (share > least ? share : least);
}

void cflri_loop_keep_memory(cflri_loop *l) {
    if (must_sweep(l)) sweep(l);
    share_memory(l);
}

/* Does all that is due between two waves, or two parts of one. False: no node waits any more, a
 * thread has ended, or it is time to stop. */
static bool go_on(cflri_loop *l) {
    l->linked = l->flows;
    l->ended = l->b->end != CFLR_OK;
    if (!l->self) l->all->stopped = l->all->worked && cflri_now() >= l->all->until;
    cflri_crew_wait(l->all->crew);
    look(l);
    state all = state_of_all(l);
    bool condenses = !all.paused && all.flows > l->all->condense_at, sweeps = must_sweep(l);
    if (all.ended || l->all->stopped) return false;
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

static void take_groups(cflri_loop *l, cflri_groups g) {
    atomic_store_explicit(&l->hand, cflri_groups_word(g), memory_order_relaxed);
}

/* Changes the groups that a thread has to process from `word` to `now`. False: another thread
 * changed them meanwhile. */
static bool change_hand(cflri_loop *whose, uint64_t word, cflri_groups now) {
    if (cflri_loop_is_shared(whose)) {
        return atomic_compare_exchange_strong(&whose->hand, &word, cflri_groups_word(now));
    }
    take_groups(whose, now);
    return true;
}

/* Takes a part of the thread's own region, or else of another. */
static bool next_part(cflri_loop *l) {
    for (uint32_t i = 0; i < l->all->n; i++) {
        uint32_t whose = (l->self + i) % l->all->n, begin = cflri_loop_region(l, whose);
        size_t at, end;
        if (!cflri_chunks_next(&l->all->loop[whose].deal, &at, &end)) continue;
        take_groups(l, (cflri_groups){begin + (uint32_t)at, begin + (uint32_t)end});
        return true;
    }
    return false;
}

/* Takes half of the groups that another thread still has to process: the groups that it would come
 * to last. This helps because nodes that take long are close together. */
static bool next_half(cflri_loop *l) {
    for (uint32_t i = 1; i < l->all->n; i++) {
        cflri_loop *whose = &l->all->loop[(l->self + i) % l->all->n];
        uint64_t word = atomic_load_explicit(&whose->hand, memory_order_relaxed);
        cflri_groups left = cflri_groups_of(word);
        if (left.at + 1 >= left.end) continue;
        uint32_t middle = left.at + (left.end - left.at) / 2;
        if (!change_hand(whose, word, (cflri_groups){left.at, middle})) continue;
        take_groups(l, (cflri_groups){middle, left.end});
        return true;
    }
    return false;
}

/* Opens the next of the thread's groups of ranks in which a node may wait. False when there is
 * none. */
static bool next_group(cflri_loop *l) {
    uint64_t word;
    cflri_groups left;
    do {
        word = atomic_load_explicit(&l->hand, memory_order_relaxed);
        left = cflri_groups_of(word);
        left.at = cflri_queue_next(&l->all->queue, left.at, left.end);
        if (left.at >= left.end) return false;
    } while (!change_hand(l, word, (cflri_groups){left.at + 1, left.end}));
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
            take_groups(l, (cflri_groups){0, 0});
            return false;
        }
    }
    *node = l->taken - 1;
    l->taken = cflri_loop_at(l, *node)->link;
    return true;
}

/* Processes the rest of a wave, until all threads have something to do together. */
static void work_wave(cflri_loop *l) {
    uint32_t node;
    l->paused = true;
    while (!atomic_load_explicit(&l->all->pause, memory_order_relaxed)) {
        l->paused = next_node(l, &node);
        if (!l->paused || !work_off(l, node)) return;
    }
}

static void run(cflri_loop *l) {
    while (go_on(l)) {
        work_wave(l);
        if (!l->self) l->all->worked = true;
    }
}

/* ---- all ---- */

/* Delivers a thread's share of the nodes of `of`: the rows of a finished family, or the ids of its
 * rows that other slices own. *rows counts the nodes that the thread has passed. */
static bool deliver_nodes(cflri_loop *l, uint32_t family, uint32_t of, uint64_t *rows) {
    cflri_batch *b = l->b;
    cflri_node_walk walk = cflri_batch_nodes(b, of);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        if (!cflri_is_dealt(rows, l->self, l->all->n)) continue;
        bool delivered =
            of == family ? cflri_rules_grown(b, &l->sink, family, vertex, value, CFLRI_EMPTY_SET)
                         : cflri_rules_pairs(b, &l->sink, family, vertex, value);
        if (!delivered || !cflri_batch_worked(b, 8)) return false;
    }
    return true;
}

/* Delivers rows that are there from the beginning as if they had just been found, and the pairs of
 * other slices by which PAIR goes. */
static bool deliver(cflri_loop *l) {
    cflri_batch *b = l->b;
    uint64_t rows = 0;
    for (size_t i = 0; i < b->reader.n; i++) {
        uint32_t family = b->reader.at[i];
        bool pairs = b->sliced && b->readers[family].pair_by.n;
        if (!cflri_batch_finished(b, family) && !b->taken_up) continue;
        if (!deliver_nodes(l, family, family, &rows)) return false;
        if (pairs && !deliver_nodes(l, family, cflri_batch_received(b, family), &rows))
            return false;
    }
    return true;
}

/* Makes loaded rows the values of their nodes. */
static bool take_up(cflri_loop *l) {
    cflri_batch *b = l->b;
    cflri_share own = cflri_share_of(l->all->loaded, l->self, l->all->n);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) {
        uint32_t node = cflri_batch_there(b, i);
        cflri_set_number value = cflri_batch_value(b, node);
        if (!value || !cflri_is_row(b, cflri_batch_family(b, node))) continue;
        cflri_loop_put(l, i, value);
        if (!cflri_loop_know(l, i)) return false;
    }
    return true;
}

/* A thread that ends still passes the barrier. */
static void start(cflri_loop *l) {
    bool taken = take_up(l);
    cflri_crew_wait(l->all->crew);
    if (!taken) return;
    if (l->b->unsent && !cflri_batch_broadcast_all(l->b, l->self, l->all->n)) return;
    if (cflri_rules_seeds(l->b, &l->sink, l->self, l->all->n)) deliver(l);
}

/* Do nodes wait before they are ordered, and is there time for waves? Every thread computes the
 * same. */
static bool needs_waves(cflri_loop *l) {
    l->waits = false;
    for (size_t i = 0; !l->waits && i < l->known.n; i++) {
        l->waits = cflri_loop_waits(l, l->known.at[i]).some;
    }
    l->ended = l->b->end != CFLR_OK;
    cflri_crew_wait(l->all->crew);
    state all = state_of_all(l);
    return all.waits && !all.ended && !l->all->stopped;
}

/* The first time, nodes are ordered before waves begin. */
static void go(cflri_loop *l) {
    cflri_batch_receive(l->b, &l->sink, l->all->inbox, l->self, l->all->n);
    bool ordered = l->all->ordered;
    cflri_crew_wait(l->all->crew);
    if (!ordered) cflri_loop_acyclic(l);
    if (ordered || needs_waves(l)) {
        if (!ordered) cflri_loop_condense(l);
        run(l);
    }
    cflri_crew_wait(l->all->crew);
}

/* Gives every member its leader's row. */
static void write_back(const cflri_loop *l) {
    cflri_share own = cflri_share_of(cflri_loops_n(l->all), l->self, l->all->n);
    for (uint32_t i = (uint32_t)own.begin; i < own.end; i++) {
        uint32_t node = cflri_batch_there(l->b, i);
        if (!cflri_is_worked(l->b, cflri_batch_family(l->b, node))) continue;
        cflri_batch_put(l->b, node, cflri_loop_value(l, cflri_loop_leader(l, i)));
    }
}

static void stop(cflri_loop *l) {
    if (leaves_much(l)) sweep(l);
}

/* Moves all numbers of one list to another. */
static bool move_numbers(cflr_context *context, cflri_numbers *from, cflri_numbers *to) {
    if (!cflri_vec_reserve(context, to, from->n)) return false;
    while (from->n) to->at[to->n++] = from->at[--from->n];
    return true;
}

/* The system may start fewer threads than the last time. The first thread takes over the nodes and
 * flows of the missing ones. */
static void begin_steps(cflri_loops *all, cflri_crew *crew) {
    cflr_context *context = all->b->context;
    cflri_loop *first = &all->loop[0];
    all->crew = crew;
    all->n = crew->threads;
    all->acyclic.bag.threads = all->n;
    for (uint32_t i = all->n; i < all->b->threads; i++) {
        cflri_loop *gone = &all->loop[i];
        if (!move_numbers(context, &gone->known, &first->known) ||
            !move_numbers(context, &gone->ready, &first->ready)) {
            cflri_batch_refused(all->b);
            return;
        }
        first->flows += gone->flows;
        gone->flows = 0;
    }
}

enum { START = 1, GO = 2, STOP = 4, WRITE = 8 };

static void work(void *what, cflri_crew *crew, uint32_t self) {
    cflri_loops *all = what;
    cflri_loop *l = &all->loop[self];
    if (!self) begin_steps(all, crew);
    cflri_crew_wait(crew);
    if (all->steps & START) start(l);
    if (all->steps & GO) go(l);
    if (all->steps & STOP) stop(l);
    if (all->steps & WRITE) write_back(l);
}

static void work_steps(cflri_loops *all, unsigned steps) {
    all->steps = steps;
    cflri_crew_run(all->b->threads, work, all);
}

static void free_loop(cflri_loop *l) {
    cflr_context *context = l->b->context;
    cflri_vec_free(context, &l->known);
    cflri_vec_free(context, &l->ready);
    cflri_vec_free(context, &l->steps);
    cflri_vec_free(context, &l->sets);
}

static bool begin(cflri_loops *all, cflri_batch *b) {
    all->loop = cflri_alloc_array_zero(b->context, b->threads, sizeof *all->loop);
    if (!all->loop || !cflri_segments_reach(&all->node, b->span.n_placed)) {
        return cflri_batch_refused(b);
    }
    if (b->taken_up) all->loaded = cflri_batch_n_here(b);
    if (!cflri_segments_reach(&all->node, all->loaded)) return cflri_batch_refused(b);
    if (!cflri_batch_make_masks(b) || !cflri_views_begin(b, &all->views)) return false;
    for (uint32_t i = 0; i < b->threads; i++) {
        all->loop[i] =
            (cflri_loop){.sink = cflri_loop_sink(), .b = all->views.of[i], .all = all, .self = i};
    }
    return true;
}

cflri_loops *cflri_loop_open(cflri_batch *b) {
    cflri_loops *all = cflri_alloc_zero(b->context, sizeof *all);
    if (!all) {
        cflri_batch_refused(b);
        return NULL;
    }
    *all = (cflri_loops){.b = b, .n = b->threads, .sweep_at = SWEEP_FIRST};
    cflri_segments_init(&all->node, b->context, sizeof(cflri_looped));
    cflri_segments_init(&all->ring, b->context, sizeof(uint32_t));
    cflri_segments_init(&all->waiting, b->context, sizeof(cflri_waiting));
    cflri_segments_init(&all->flow, b->context, sizeof(cflri_flow));
    all->ready = begin(all, b);
    if (all->ready) work_steps(all, START);
    cflri_views_note_ends(b, &all->views);
    return all;
}

bool cflri_loop_close(cflri_loops *all, const cflri_boxes *inbox, double until) {
    all->inbox = inbox;
    all->until = until;
    all->stopped = all->worked = false;
    if (all->ready) work_steps(all, GO);
    cflri_views_note_ends(all->b, &all->views);
    return !all->stopped;
}

void cflri_loop_write_back(cflri_loops *all) {
    if (all->ready) work_steps(all, WRITE);
}

void cflri_loop_end(cflri_loops *all) {
    if (!all) return;
    cflri_batch *b = all->b;
    if (all->ready) work_steps(all, STOP | WRITE);
    assert(!all->ready || b->store->ending || cflri_loops_validate(all, stderr));
    if (b->account) cflri_loops_account(all, 0);
    for (uint32_t i = 0; all->ready && i < b->threads; i++) free_loop(&all->loop[i]);
    cflri_views_end(b, &all->views);
    cflri_batch_free_masks(b);
    cflri_loop_acyclic_free(all);
    cflri_queue_free(&all->queue, b->context);
    cflri_segments_free(&all->node);
    cflri_segments_free(&all->ring);
    cflri_segments_free(&all->waiting);
    cflri_segments_free(&all->flow);
    cflri_free(b->context, all->loop);
    cflri_free(b->context, all);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * waits.c: the nodes of a loop and their pending sets.
 *
 * Other threads bring sets to a node while one thread owns it. So the pending sets are one word,
 * which changes by a compare-and-swap (loop.h). A set that equals the value, or the last set that
 * was brought, is dropped at once: most sets are.
 */
#include "base/context.h"
#include "engine/closure/batch/loop/loop.h"

enum { FOLD = 5 /* up to this many sets are united two at a time */ };

void cflri_loop_put(cflri_loop *l, uint32_t node, cflri_set_number value) {
    _Atomic cflri_set_number *at = &cflri_loop_at(l, node)->value;
    if (cflri_loop_is_shared(l)) {
        atomic_store(at, value);
    } else {
        atomic_store_explicit(at, value, memory_order_relaxed);
    }
}

/* ---- nodes and their pending sets ---- */

bool cflri_loop_node(cflri_loop *l, uint32_t family, uint32_t vertex, uint32_t *node, bool *made) {
    uint32_t there = cflri_batch_node(l->b, family, vertex, made);
    if (there == CFLRI_NO_NODE) return cflri_batch_refused(l->b);
    uint32_t here = cflri_batch_here(l->b, there);
    if (!cflri_segments_reach(&l->all->node, here + 1)) return cflri_batch_refused(l->b);
    *node = cflri_loop_leader(l, here);
    return true;
}

void cflri_loop_queue(cflri_loop *l, uint32_t node) {
    cflri_looped *at = cflri_loop_at(l, node);
    cflri_queue_put(&l->all->queue, cflri_looped_rank(at), node, &at->link);
}

/* The first rank of a node. A new node comes right behind the rank that its thread processes. While
 * a node may be queued its rank stays the same, until all nodes are ordered again, because the rank
 * decides which thread owns the node. */
static uint32_t first_rank(const cflri_loop *l) {
    cflri_groups left = cflri_groups_of(atomic_load_explicit(&l->hand, memory_order_relaxed));
    uint32_t group = left.at < left.end ? left.at : cflri_loop_region(l, l->self);
    uint32_t rank = l->rank < l->rank_end ? l->rank : group * CFLRI_QUEUE_GROUP;
    return rank ? rank : 1;
}

bool cflri_loop_claim(cflri_loop *l, uint32_t node, uint32_t rank, uint32_t *before) {
    _Atomic uint32_t *at = &cflri_loop_at(l, node)->rank;
    *before = atomic_load_explicit(at, memory_order_relaxed);
    while (*before == CFLRI_UNKNOWN || (*before == CFLRI_UNRANKED && rank != CFLRI_UNRANKED)) {
        if (!cflri_loop_is_shared(l)) {
            atomic_store_explicit(at, rank, memory_order_relaxed);
            return true;
        }
        if (atomic_compare_exchange_weak(at, before, rank)) return true;
    }
    return false;
}

bool cflri_loop_note(cflri_loop *l, uint32_t node, bool ranked) {
    uint32_t rank = ranked ? first_rank(l) : CFLRI_UNRANKED, before;
    if (!cflri_loop_claim(l, node, rank, &before) || before != CFLRI_UNKNOWN) return true;
    return cflri_vec_push(l->b->context, &l->known, node) || cflri_batch_refused(l->b);
}

/* Makes the entry available for reuse. */
static void spare_waiting(cflri_loop *l, uint32_t entry) {
    cflri_loop_waiting_at(l, entry)->next = l->spare;
    l->spare = entry;
}

static bool draw_waiting(cflri_loop *l, uint32_t *entry) {
    *entry = l->spare;
    if (!*entry) {
        return cflri_draw_number(&l->all->waiting, &l->waiting_draw, UINT32_MAX, entry) ||
               cflri_batch_refused(l->b);
    }
    l->spare = cflri_loop_waiting_at(l, *entry)->next;
    return true;
}

/* Changes the pending sets of a node from *word to `now`. False: another thread changed them
 * meanwhile, and *word then shows them. */
static bool change_waits(const cflri_loop *l, cflri_looped *at, uint64_t *word, cflri_waits now) {
    if (cflri_loop_is_shared(l)) {
        return atomic_compare_exchange_weak(&at->waits, word, cflri_waits_word(now));
    }
    atomic_store_explicit(&at->waits, cflri_waits_word(now), memory_order_relaxed);
    return true;
}

/* A set is not new when it equals the value of the node or the last set that was brought to it:
 * rows only grow. */
static bool is_known(const cflri_looped *at, uint64_t word, cflri_set_number set) {
    return !set || atomic_load_explicit(&at->value, memory_order_relaxed) == set ||
           cflri_waits_of(word).last == set;
}

/* Adds the set to the pending sets of the node, whose `waits` were `word`. *begun shows whether the
 * node had none before. False when memory is refused. */
static bool add_set(cflri_loop *l, cflri_looped *at, uint64_t word, cflri_set_number set,
                    bool *begun) {
    uint32_t entry = 0;
    cflri_waits before;
    do {
        before = cflri_waits_of(word);
        if (before.some && !entry && !draw_waiting(l, &entry)) return false;
        if (before.some)
            *cflri_loop_waiting_at(l, entry) = (cflri_waiting){before.last, before.first};
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
    if (!cflri_loop_rank(l, node)) return false;
    if (l->all->ordered) cflri_loop_queue(l, node);
    return true;
}

bool cflri_loop_bring(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set) {
    cflri_loop *l = (cflri_loop *)sink;
    uint32_t node = 0;
    return cflri_loop_node(l, family, vertex, &node, NULL) && cflri_loop_wait(l, node, set);
}

/* Takes the pending sets of the node. */
static cflri_waits take_waits(const cflri_loop *l, uint32_t node) {
    _Atomic uint64_t *waits = &cflri_loop_at(l, node)->waits;
    const uint64_t last = UINT64_MAX << 32;
    if (cflri_loop_is_shared(l)) return cflri_waits_of(atomic_fetch_and(waits, last));
    uint64_t word = atomic_load_explicit(waits, memory_order_relaxed);
    atomic_store_explicit(waits, word & last, memory_order_relaxed);
    return cflri_waits_of(word);
}

/* Lists the value and all pending sets. */
static bool list_sets(cflri_loop *l, uint32_t node) {
    cflr_context *context = l->b->context;
    cflri_waits waits = take_waits(l, node);
    l->sets.n = 0;
    if (!cflri_vec_push(context, &l->sets, cflri_loop_value(l, node))) return false;
    if (waits.some && !cflri_vec_push(context, &l->sets, waits.last)) return false;
    for (uint32_t entry = waits.first; entry;) {
        cflri_waiting *taken = cflri_loop_waiting_at(l, entry);
        uint32_t next = taken->next;
        if (!cflri_vec_push(context, &l->sets, taken->set)) return false;
        spare_waiting(l, entry);
        entry = next;
    }
    return true;
}

/* Sets of a stratum that does not loop need not be found again. The value comes first: when nothing
 * is new, the union is that very set, even where an equal set has another number. */
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
    if (!list_sets(l, from)) return cflri_batch_refused(l->b);
    for (size_t i = 0; i < l->sets.n; i++) {
        if (!cflri_loop_wait(l, to, l->sets.at[i])) return false;
    }
    cflri_loop_put(l, from, CFLRI_EMPTY_SET);
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * nodes.c: finds and makes nodes.
 *
 * A family with rows at most vertices has a place for each vertex. The nodes of other families are
 * extras: numbered in the order in which they are made, found by hashing, and linked for each
 * family whose nodes have to be visited. Several threads may make extras at once. Each thread draws
 * numbers of its own, so some numbers remain unused.
 */
#include "base/context.h"
#include "engine/closure/batch/state.h"

static cflri_extra *extra_at(const cflri_batch *b, uint32_t extra) {
    return cflri_segment_at(&b->store->extra, cflri_extra, extra);
}

static cflri_shard_search look(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    uint64_t key = cflri_pair(family, vertex) * UINT64_C(0x9E3779B97F4A7C15);
    return cflri_shards_look(&b->store->extras, key ^ key >> 32);
}

/* Returns the extra, or 0. */
static uint32_t find_extra(const cflri_batch *b, cflri_shard_search *search, uint32_t family,
                           uint32_t vertex) {
    uint32_t number;
    while ((number = cflri_shards_next(search))) {
        const cflri_extra *extra = extra_at(b, number);
        if (extra->family == family && extra->vertex == vertex) break;
    }
    return number;
}

static bool draw_extra(cflri_batch *b, uint32_t *number) {
    cflri_draw *draw = &b->extra_draw;
    bool fresh = draw->next == draw->end;
    if (!cflri_draw_number(&b->store->extra, draw, UINT32_MAX - b->n_placed, number)) return false;
    for (uint32_t i = *number; fresh && i < draw->end; i++) extra_at(b, i)->family = CFLRI_NO_NODE;
    return true;
}

/* The head of the list of a family; hubs and fans have none. */
static _Atomic uint32_t *list_of(const cflri_batch *b, uint32_t family) {
    uint32_t by_set = cflri_is_row(b, family) ? 0 : 2 * (uint32_t)b->equations->family.n;
    return &b->store->first_extra[family - by_set];
}

static void list_extra(cflri_batch *b, uint32_t number) {
    cflri_extra *extra = extra_at(b, number);
    _Atomic uint32_t *first = list_of(b, extra->family);
    extra->next = atomic_load_explicit(first, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(first, &extra->next, number, memory_order_release,
                                                  memory_order_relaxed)) {
    }
}

/* Called inside the shard. 0: memory is refused. */
static uint32_t make_extra(cflri_batch *b, const cflri_shard_search *search, uint32_t family,
                           uint32_t vertex) {
    uint32_t number;
    if (!cflri_shards_reserve(&b->store->extras, search) || !draw_extra(b, &number)) return 0;
    cflri_extra *extra = extra_at(b, number);
    extra->family = family;
    extra->vertex = vertex;
    if (!cflri_is_by_set(b, family)) list_extra(b, number);
    cflri_shards_add(&b->store->extras, search, number);
    return number;
}

/* Searches again inside the shard, since another thread may have made the extra after the first
 * search. 0: memory is refused. */
static uint32_t find_or_make(cflri_batch *b, uint32_t family, uint32_t vertex, bool *made) {
    cflri_shard_search search = look(b, family, vertex);
    uint32_t extra = find_extra(b, &search, family, vertex);
    if (extra) return extra;
    cflri_shards_enter(&b->store->extras, &search);
    extra = find_extra(b, &search, family, vertex);
    *made = !extra;
    if (!extra) extra = make_extra(b, &search, family, vertex);
    cflri_shards_leave(&b->store->extras, &search);
    return extra;
}

static uint32_t placed(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    return b->place[family] * b->problem->n_vertices + vertex;
}

uint32_t cflri_batch_find(const cflri_batch *b, uint32_t family, uint32_t vertex) {
    if (cflri_batch_has_place(b, family)) return placed(b, family, vertex);
    cflri_shard_search search = look(b, family, vertex);
    uint32_t extra = find_extra(b, &search, family, vertex);
    return extra ? b->n_placed + extra : CFLRI_NO_NODE;
}

uint32_t cflri_batch_node(cflri_batch *b, uint32_t family, uint32_t vertex, bool *made) {
    bool is_made = false, has_place = cflri_batch_has_place(b, family);
    uint32_t extra = has_place ? 0 : find_or_make(b, family, vertex, &is_made);
    if (made) *made = is_made;
    if (has_place) return placed(b, family, vertex);
    return extra ? b->n_placed + extra : CFLRI_NO_NODE;
}

bool cflri_batch_add(cflri_batch *b, uint32_t node, cflri_set_number set, cflri_set_number *before,
                     cflri_set_number *now) {
    if (node < b->n_placed && !cflri_segments_reach(&b->store->value, node + 1)) {
        return cflri_batch_refused(b);
    }
    _Atomic cflri_set_number *at = cflri_batch_value_at(b, node);
    *before = atomic_load(at);
    do {
        *now = cflri_sets_union(b->sets, *before, set);
        if (*now == CFLRI_NO_SET) return cflri_batch_refused(b);
    } while (!atomic_compare_exchange_weak(at, before, *now));
    return true;
}

cflri_node_walk cflri_batch_nodes(const cflri_batch *b, uint32_t family) {
    cflri_node_walk walk = {.batch = b, .family = family, .extra = *list_of(b, family)};
    if (!cflri_batch_has_place(b, family)) return walk;
    uint32_t end = placed(b, family, b->problem->n_vertices), begun = cflri_batch_n_begun(b);
    walk.node = placed(b, family, 0);
    walk.end = end < begun ? end : begun;
    return walk;
}

bool cflri_batch_next(cflri_node_walk *walk, uint32_t *vertex, cflri_set_number *value) {
    const cflri_batch *b = walk->batch;
    while (walk->node < walk->end) {
        *value = cflri_batch_value(b, walk->node++);
        if (!*value) continue;
        *vertex = cflri_batch_vertex(b, walk->node - 1);
        return true;
    }
    while (walk->extra) {
        const cflri_extra *extra = extra_at(b, walk->extra);
        *vertex = extra->vertex;
        *value = cflri_batch_value(b, b->n_placed + walk->extra);
        walk->extra = extra->next;
        if (*value) return true;
    }
    return false;
}

bool cflri_batch_split(cflri_batch *b, cflri_set_number set, cflri_set_list *parts) {
    if (b->context->techniques & CFLR_TECHNIQUE_SPLIT) {
        return cflri_sets_split(b->sets, set, parts);
    }
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_sets_begin(b->sets, &row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        cflri_set_number single = cflri_sets_single(b->sets, id);
        if (single == CFLRI_NO_SET || !cflri_vec_push(b->context, parts, single)) return false;
    }
    return true;
}

cflri_set_number cflri_batch_set_of(cflri_batch *b, bool guarded, const uint32_t *vertex,
                                    uint32_t n) {
    if (!guarded) return cflri_sets_of(b->sets, vertex, n);
    for (uint32_t i = 0; i < n; i++) cflri_batch_sum(b, true, vertex[i]);
    return cflri_sets_take(b->sets);
}

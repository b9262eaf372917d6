/* SPDX-License-Identifier: Apache-2.0
 *
 * stored_sets.c: the sets of a store, as those of relations.
 *
 * A closure has far more pairs than its sets have lists and tree nodes, since many rows have one
 * set, and different sets have subtrees in common. So a result keeps the store of sets, and a row
 * is unpacked when it is read.
 *
 *     row of a relation --> number of a set --> list or tree of ids --> vertices of the graph
 *
 * Where the sets are about fewer vertices than the graph has, `vertex` has their numbers in the
 * graph. These ascend as the ids do, unless the solver has reordered them (spine/numbering.h). Then
 * a row that is read is put in order: many vertices by a bit for each vertex of the graph, few by
 * sorting.
 */
#include "engine/sets/stored_sets.h"

#include <string.h>

#include "base/context.h"
#include "base/ids.h"

static const cflri_row *row_of(const cflri_target_sets *sets, uint32_t set) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    return cflri_segment_at(&stored->store.row, cflri_row, set);
}

static uint32_t count(const cflri_target_sets *sets, uint32_t set) {
    return row_of(sets, set)->n;
}

/* Bits of so many vertices are looked through in the time that sorting takes for one. */
enum { BITS_OF_SORTING = 1024 };

/* Puts the ids in order; there is room behind them. */
static void put_in_order(const cflri_stored_sets *stored, uint32_t *ids, uint32_t n) {
    uint32_t words = stored->sets.room, *bits = ids + n, at = 0;
    if (n < stored->n_vertices / BITS_OF_SORTING) {
        cflri_ids_sort_once(ids, n);
        return;
    }
    memset(bits, 0, words * sizeof *bits);
    for (uint32_t i = 0; i < n; i++) bits[ids[i] / 32] |= 1u << ids[i] % 32;
    for (uint32_t w = 0; w < words; w++) {
        for (uint32_t left = bits[w]; left; left &= left - 1)
            ids[at++] = w * 32 + (uint32_t)__builtin_ctz(left);
    }
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    (void)error;
    cflri_row_write(row, &stored->store.trees, ids);
    for (uint32_t i = 0; stored->vertex && i < row->n; i++) ids[i] = stored->vertex[ids[i]];
    if (stored->id) put_in_order(stored, ids, row->n);
    return CFLR_OK;
}

/* The id of a vertex, or else the first of a later one where vertices ascend, and n_ids where they
 * do not. */
static uint32_t id_of(const cflri_stored_sets *stored, uint32_t vertex) {
    if (!stored->vertex) return vertex;
    if (!stored->id) return (uint32_t)cflri_ids_seek(stored->vertex, stored->n_ids, vertex);
    return vertex < stored->n_vertices ? stored->id[vertex] : stored->n_ids;
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t vertex, uint64_t *before,
                 cflri_failure *failure) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    uint32_t n = stored->n_ids, id = id_of(stored, vertex);
    (void)failure;
    if (before) *before = cflri_row_rank(row, &stored->store.trees, id);
    bool known = !stored->vertex || (id < n && stored->vertex[id] == vertex);
    return known && cflri_row_has(row, &stored->store.trees, id);
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b, cflri_failure *failure) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    (void)failure;
    return cflri_row_meets(row_of(sets, a), row_of(sets, b), &stored->store.trees);
}

static void free_stored(cflr_context *context, cflri_target_sets *sets) {
    cflri_stored_sets *stored = (cflri_stored_sets *)sets;
    cflri_set_store_free(&stored->store);
    cflri_free(context, stored->vertex);
    cflri_free(context, stored->id);
    cflri_free(context, stored);
}

cflri_stored_sets *cflri_stored_sets_new(cflr_context *context) {
    cflri_stored_sets *made = cflri_alloc_zero(context, sizeof *made);
    if (made) {
        made->sets = (cflri_target_sets){
            .count = count, .write = write, .find = find, .meet = meet, .free = free_stored};
    }
    return made;
}

static bool find_ids(cflri_stored_sets *stored, uint32_t n_vertices) {
    stored->id = cflri_alloc_array(stored->store.context, n_vertices + (size_t)1, sizeof(uint32_t));
    if (!stored->id) return false;
    for (uint32_t v = 0; v < n_vertices; v++) stored->id[v] = stored->n_ids;
    for (uint32_t i = 0; i < stored->n_ids; i++) stored->id[stored->vertex[i]] = i;
    stored->n_vertices = n_vertices;
    stored->sets.reordered = true;
    stored->sets.room = n_vertices / 32 + 1;
    return true;
}

bool cflri_stored_sets_end(cflri_stored_sets *stored, const uint32_t *vertex, uint32_t n_ids,
                           uint32_t n_vertices) {
    cflr_context *context = stored->store.context;
    stored->sets.n = stored->store.row.drawn;
    cflri_set_store_end(&stored->store);
    if (!vertex) return true;
    stored->n_ids = n_ids;
    stored->vertex = cflri_alloc_array(context, n_ids + (size_t)1, sizeof *vertex);
    if (!stored->vertex) return false;
    memcpy(stored->vertex, vertex, n_ids * sizeof *vertex);
    return !n_vertices || find_ids(stored, n_vertices);
}

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
 * vertex_ids.h tells which vertices the ids stand for.
 */
#include "engine/sets/stored_sets.h"

#include "base/context.h"

static const cflri_row *row_of(const cflri_target_sets *sets, uint32_t set) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    return cflri_segment_at(&stored->store.row, cflri_row, set);
}

static uint32_t count(const cflri_target_sets *sets, uint32_t set) {
    return row_of(sets, set)->n;
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    (void)error;
    cflri_row_write(row, &stored->store.trees, ids);
    cflri_vertex_ids_write_in_order(&stored->ids, ids, row->n);
    return CFLR_OK;
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t vertex, uint64_t *before,
                 cflri_failure *failure) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    uint32_t id = cflri_vertex_ids_id_of(&stored->ids, vertex);
    (void)failure;
    if (before) *before = cflri_row_rank(row, &stored->store.trees, id);
    return cflri_vertex_ids_is(&stored->ids, id, vertex) &&
           cflri_row_has(row, &stored->store.trees, id);
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b, cflri_failure *failure) {
    const cflri_stored_sets *stored = (const cflri_stored_sets *)sets;
    (void)failure;
    return cflri_row_meets(row_of(sets, a), row_of(sets, b), &stored->store.trees);
}

static void free_stored(cflr_context *context, cflri_target_sets *sets) {
    cflri_stored_sets *stored = (cflri_stored_sets *)sets;
    cflri_set_store_free(&stored->store);
    cflri_vertex_ids_free(&stored->ids, context);
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

bool cflri_stored_sets_end(cflri_stored_sets *stored, const uint32_t *vertex, uint32_t n_ids,
                           uint32_t n_vertices) {
    cflr_context *context = stored->store.context;
    stored->sets.n = stored->store.row.drawn;
    cflri_set_store_end(&stored->store);
    bool made = cflri_vertex_ids_init(&stored->ids, context, vertex, n_ids, n_vertices);
    stored->sets.reordered = cflri_vertex_ids_reordered(&stored->ids);
    stored->sets.room = cflri_vertex_ids_room(&stored->ids);
    return made;
}

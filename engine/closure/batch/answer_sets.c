/* SPDX-License-Identifier: Apache-2.0
 *
 * answer_sets.c: the sets of a batch, as the sets of the relations that it makes.
 *
 * A closure has far more pairs than its sets have lists and tree nodes, since many rows have one
 * set, and different sets have subtrees in common. So the result keeps the store of sets, and a row
 * is unpacked when it is read.
 *
 *     row of a relation --> number of a set --> list or tree of ids --> vertices of the graph
 *
 * Ids of the sets are vertices of the reduced problem; `vertex` has their numbers in the graph,
 * which ascend likewise.
 */
#include <string.h>

#include "base/context.h"
#include "base/ids.h"
#include "engine/closure/batch/state.h"

typedef struct answer_sets {
    cflri_target_sets sets;
    cflri_batch_store *store;
    uint32_t *vertex; /* NULL: ids are vertices of the graph */
    uint32_t n_vertices;
} answer_sets;

static const cflri_row *row_of(const cflri_target_sets *sets, uint32_t set) {
    const answer_sets *a = (const answer_sets *)sets;
    return cflri_segment_at(&a->store->sets.row, cflri_row, set);
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    const answer_sets *a = (const answer_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    (void)error;
    cflri_row_write(row, ids);
    for (uint32_t i = 0; a->vertex && i < row->n; i++) ids[i] = a->vertex[ids[i]];
    return CFLR_OK;
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t id, uint64_t *before) {
    const answer_sets *a = (const answer_sets *)sets;
    const cflri_row *row = row_of(sets, set);
    uint32_t known = id;
    if (a->vertex) known = (uint32_t)cflri_ids_seek(a->vertex, a->n_vertices, id);
    *before = cflri_row_rank(row, known);
    return (!a->vertex || (known < a->n_vertices && a->vertex[known] == id)) &&
           cflri_row_has(row, known);
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b) {
    return cflri_row_meets(row_of(sets, a), row_of(sets, b));
}

static void free_sets(cflr_context *context, cflri_target_sets *sets) {
    answer_sets *a = (answer_sets *)sets;
    cflri_batch_store_free(context, a->store);
    cflri_free(context, a->vertex);
    cflri_free(context, a);
}

static bool copy_vertices(const cflri_reduced *reduced, cflr_context *context, answer_sets *a) {
    if (!reduced->vertex) return true;
    a->n_vertices = reduced->problem.n_vertices;
    a->vertex = cflri_alloc_array(context, a->n_vertices + (size_t)1, sizeof *a->vertex);
    if (a->vertex) memcpy(a->vertex, reduced->vertex, a->n_vertices * sizeof *a->vertex);
    return a->vertex;
}

cflri_target_sets *cflri_batch_sets(cflri_batch *b) {
    answer_sets *a = cflri_alloc_zero(b->context, sizeof *a);
    if (!a || !copy_vertices(b->reduced, b->context, a)) {
        cflri_free(b->context, a);
        return NULL;
    }
    a->store = b->store;
    a->sets = (cflri_target_sets){.n = b->store->sets.row.drawn,
                                  .write = write,
                                  .find = find,
                                  .meet = meet,
                                  .free = free_sets};
    b->handed_over = true;
    return &a->sets;
}

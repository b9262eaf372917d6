/* SPDX-License-Identifier: Apache-2.0
 *
 * partition.c: rows, lists and the queue of a share of the vertices.
 */
#include "engine/closure/pairs/partition.h"

#include <assert.h>
#include <string.h>

void cflri_partition_init(cflri_partition *part, const cflri_plan *plan, uint32_t n_vertices,
                          cflri_directory *const of[CFLRI_SIDES]) {
    *part = (cflri_partition){.context = plan->context, .plan = plan, .split = {.parts = 1}};
    for (int side = 0; side < CFLRI_SIDES; side++) {
        cflri_indexed_init(&part->at[side], plan->context, of[side], n_vertices,
                           sizeof(cflri_hashed_row));
    }
}

void cflri_partition_end_solving(cflri_partition *part) {
    cflri_pool_free(&part->at[CFLRI_FROM_ROWS].store.sets);
    cflri_indexed_free(&part->at[CFLRI_FROM_LISTS]);
    cflri_vec_free(part->context, &part->queue);
    part->queue_head = 0;
}

void cflri_partition_free(cflri_partition *part) {
    if (!part->context) return;
    cflri_partition_end_solving(part);
    cflri_indexed_free(&part->at[CFLRI_FROM_ROWS]);
    *part = (cflri_partition){0};
}

cflri_hashed_row *cflri_partition_make_row(cflri_partition *part, uint32_t label, uint32_t vertex) {
    assert(cflri_partition_owns(part, vertex));
    cflri_hashed_row *row = cflri_indexed_make(&part->at[CFLRI_FROM_ROWS], label, vertex);
    if (row && !row->count && part->plan->nullable[label]) {
        row->few[0] = vertex;
        row->count = row->settled = 1;
    }
    return row;
}

cflri_hashed_row *cflri_partition_fixed_row(cflri_partition *part, uint32_t label, uint32_t vertex,
                                            const uint32_t *items, uint32_t n) {
    assert(part->plan->fixed[label]);
    cflri_hashed_row *row = cflri_indexed_make(&part->at[CFLRI_FROM_ROWS], label, vertex);
    if (!row) return NULL;
    row->capacity = 0;
    row->count = n;
    if (n <= CFLRI_HASHED_ROW_INSIDE) {
        memcpy(row->few, items, n * sizeof *items);
    } else {
        row->shape = CFLRI_HASHED_ROW_PLAIN;
        row->many.items = (uint32_t *)(uintptr_t)items; /* never written to */
    }
    return row;
}

bool cflri_partition_add(cflri_partition *part, cflri_hashed_row *row, const uint32_t *targets,
                         uint32_t n) {
    uint32_t before = row->count;
    bool whole = cflri_hashed_row_merge(&part->at[CFLRI_FROM_ROWS].store, row, targets, n);
    if (row->count == before) return whole;
    part->pairs += row->count - before;
    if (!part->plan->busy[row->label]) return whole;
    return cflri_partition_enqueue(part, row) && whole;
}

bool cflri_partition_append(cflri_partition *part, uint32_t label, uint32_t target,
                            uint32_t source) {
    assert(cflri_partition_owns(part, target));
    cflri_indexed *lists = &part->at[CFLRI_FROM_LISTS];
    cflri_hashed_row *list = cflri_indexed_make(lists, label, target);
    if (!list || !cflri_hashed_row_append(&lists->store, list, source)) return false;
    list->settled++;
    return true;
}

/* Rows wait between head and n; the part before head is moved away when it is half of all. */
bool cflri_partition_enqueue(cflri_partition *part, cflri_hashed_row *row) {
    if (row->queued) return true;
    if (part->queue_head > part->queue.n / 2 && part->queue.n == part->queue.capacity) {
        part->queue.n -= part->queue_head;
        memmove(part->queue.at, part->queue.at + part->queue_head,
                part->queue.n * sizeof *part->queue.at);
        part->queue_head = 0;
    }
    row->queued = cflri_vec_push(part->context, &part->queue, row);
    return row->queued;
}

cflri_hashed_row *cflri_partition_dequeue(cflri_partition *part) {
    if (part->queue_head == part->queue.n) return NULL;
    return part->queue.at[part->queue_head++];
}

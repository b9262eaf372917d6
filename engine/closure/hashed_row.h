/* SPDX-License-Identifier: Apache-2.0
 *
 * hashed_row.h: the targets of one (label, vertex), for solvers that add single pairs: a list in
 * order of arrival, and a set that shows whether an id is there before it is added.
 *
 *     items:   7  3  9  12 | 5  1             settled: joined already | pending: not yet
 *                          ^settled     ^count
 *     set:     none up to 16 items (they are compared one by one);
 *              slots  | . | 9 | . | 3 | 12 | ...   open addressing, at most 3/4 full, then
 *              bits   one for every vertex, once they take less memory than slots
 *
 * The label and the source of an edge are known from its row, so a slot holds 4 bytes instead of a
 * packed edge of 12, and the set of one row is contiguous: all conclusions of a join that share
 * their source fall into a few cache lines. Adding is O(1) amortised. A row costs 4 to 6 bytes an
 * item for the list and 5 to 11 for the slots, or a bit a vertex.
 */
#ifndef CFLRI_HASHED_ROW_H
#define CFLRI_HASHED_ROW_H

#include "base/pool.h"

typedef enum cflri_hashed_row_shape {
    CFLRI_HASHED_ROW_FEW,   /* items inside the struct */
    CFLRI_HASHED_ROW_PLAIN, /* items outside, no set */
    CFLRI_HASHED_ROW_SLOTS,
    CFLRI_HASHED_ROW_BITS,
} cflri_hashed_row_shape;

enum { CFLRI_HASHED_ROW_INSIDE = 4, CFLRI_HASHED_ROW_COMPARED = 16 };

typedef struct cflri_hashed_row {
    uint32_t label;
    uint32_t vertex;
    uint32_t count;
    uint32_t settled;
    uint32_t capacity; /* 0: fixed, complete from the start; `settled` is what was joined */
    uint8_t shape;
    uint8_t items_class;
    uint8_t set_class; /* of slots: 2^set_class of them; of bits: the pool's class */
    bool queued;
    union {
        uint32_t few[CFLRI_HASHED_ROW_INSIDE];
        struct {
            uint32_t *items;
            union {
                uint32_t *slots;
                uint64_t *bits;
            };
        } many;
    };
} cflri_hashed_row;

/* The memory of rows. Sets are apart from items so that they can be dropped first. */
typedef struct cflri_hashed_row_store {
    cflri_pool items;
    cflri_pool sets;
    uint32_t n_vertices;
} cflri_hashed_row_store;

void cflri_hashed_row_store_init(cflri_hashed_row_store *store, cflr_context *context,
                                 uint32_t n_vertices);
void cflri_hashed_row_store_free(cflri_hashed_row_store *store);

static inline cflri_hashed_row cflri_hashed_row_empty(uint32_t label, uint32_t vertex) {
    return (cflri_hashed_row){
        .label = label, .vertex = vertex, .capacity = CFLRI_HASHED_ROW_INSIDE};
}

/* A fixed row never changes; its items may belong to a relation. */
static inline bool cflri_hashed_row_fixed(const cflri_hashed_row *row) {
    return row->capacity == 0;
}

static inline const uint32_t *cflri_hashed_row_items(const cflri_hashed_row *row) {
    return row->shape == CFLRI_HASHED_ROW_FEW ? row->few : row->many.items;
}

/* Does `ids` point to items of the row? */
static inline bool cflri_hashed_row_has_at(const cflri_hashed_row *row, const uint32_t *ids) {
    uintptr_t items = (uintptr_t)cflri_hashed_row_items(row), at = (uintptr_t)ids;
    return at >= items && at < items + row->capacity * sizeof *ids;
}

/* Adds the new ones of the n distinct ids at `from`, which must not be the row's own items. False
 * when memory is refused; some of them may then have been added. */
bool cflri_hashed_row_merge(cflri_hashed_row_store *store, cflri_hashed_row *row,
                            const uint32_t *from, uint32_t n);

/* Adds an id that is not in the row, without a set; so the two ways of adding must not be mixed for
 * one row. False when memory is refused. */
bool cflri_hashed_row_append(cflri_hashed_row_store *store, cflri_hashed_row *row, uint32_t id);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * hashed_row.c: adds ids to a row.
 *
 * `merge` runs one tight loop for the form that the row has now. A loop stops when the row must
 * change first (its list or its slots are full). Then the row changes, and the loop for the new
 * form continues from there.
 */
#include "engine/closure/hashed_row.h"

#include <assert.h>
#include <string.h>

#define EMPTY UINT32_MAX /* no vertex has this number */

enum { FIRST_SLOTS_LOG2 = 6 };

void cflri_hashed_row_store_init(cflri_hashed_row_store *store, cflr_context *context,
                                 uint32_t n_vertices) {
    store->n_vertices = n_vertices;
    cflri_pool_init(&store->items, context);
    cflri_pool_init(&store->sets, context);
}

void cflri_hashed_row_store_free(cflri_hashed_row_store *store) {
    cflri_pool_free(&store->items);
    cflri_pool_free(&store->sets);
}

static uint32_t *items_of(cflri_hashed_row *row) {
    return row->shape == CFLRI_HASHED_ROW_FEW ? row->few : row->many.items;
}

/* ---- slots and bits ---- */

/* The upper bits of a multiplication by 2^32 / golden ratio. */
static inline uint32_t home(uint32_t id, uint32_t log2) {
    return (id * UINT32_C(2654435769)) >> (32 - log2);
}

static void slots_add(uint32_t *slots, uint32_t log2, uint32_t id) {
    uint32_t mask = ((uint32_t)1 << log2) - 1, at = home(id, log2);
    while (slots[at] != EMPTY) at = (at + 1) & mask;
    slots[at] = id;
}

static uint32_t slots_pool_class(uint32_t log2) {
    return cflri_pool_class(sizeof(uint32_t) << log2);
}

static void drop_set(cflri_hashed_row_store *store, cflri_hashed_row *row) {
    if (row->shape == CFLRI_HASHED_ROW_SLOTS) {
        cflri_pool_put(&store->sets, row->many.slots, slots_pool_class(row->set_class));
    }
}

static bool make_slots(cflri_hashed_row_store *store, cflri_hashed_row *row, uint32_t log2) {
    uint32_t *slots = cflri_pool_take(&store->sets, slots_pool_class(log2));
    if (!slots) return false;
    memset(slots, 0xff, sizeof *slots << log2);
    for (uint32_t i = 0; i < row->count; i++) slots_add(slots, log2, row->many.items[i]);
    drop_set(store, row);
    row->many.slots = slots;
    row->set_class = (uint8_t)log2;
    row->shape = CFLRI_HASHED_ROW_SLOTS;
    return true;
}

static size_t bits_bytes(const cflri_hashed_row_store *store) {
    return ((size_t)store->n_vertices + 63) / 64 * sizeof(uint64_t);
}

static bool make_bits(cflri_hashed_row_store *store, cflri_hashed_row *row) {
    uint32_t class = cflri_pool_class(bits_bytes(store));
    uint64_t *bits = cflri_pool_take(&store->sets, class);
    if (!bits) return false;
    memset(bits, 0, bits_bytes(store));
    for (uint32_t i = 0; i < row->count; i++) {
        uint32_t id = row->many.items[i];
        bits[id / 64] |= (uint64_t)1 << (id % 64);
    }
    drop_set(store, row);
    row->many.bits = bits;
    row->set_class = (uint8_t) class;
    row->shape = CFLRI_HASHED_ROW_BITS;
    return true;
}

/* ---- changing shape ---- */

/* Moves the items from inside to outside, or to the next larger block. */
static bool grow_items(cflri_hashed_row_store *store, cflri_hashed_row *row) {
    bool inside = row->shape == CFLRI_HASHED_ROW_FEW;
    uint32_t class = inside ? CFLRI_POOL_GROWING : cflri_pool_larger(row->items_class);
    uint32_t *items = cflri_pool_take(&store->items, class);
    if (!items) return false;
    memcpy(items, items_of(row), row->count * sizeof *items);
    if (!inside) cflri_pool_put(&store->items, row->many.items, row->items_class);
    row->many.items = items;
    if (inside) {
        row->many.slots = NULL;
        row->shape = CFLRI_HASHED_ROW_PLAIN;
    }
    row->items_class = (uint8_t) class;
    row->capacity = (uint32_t)(cflri_pool_bytes(class) / sizeof *items);
    return true;
}

static bool full_set(const cflri_hashed_row *row) {
    if (row->shape == CFLRI_HASHED_ROW_PLAIN) return row->count >= CFLRI_HASHED_ROW_COMPARED;
    if (row->shape != CFLRI_HASHED_ROW_SLOTS) return false;
    return row->count >= (uint32_t)3 << (row->set_class - 2);
}

static bool grow_set(cflri_hashed_row_store *store, cflri_hashed_row *row) {
    uint32_t log2 = row->shape == CFLRI_HASHED_ROW_SLOTS ? row->set_class + 1u : FIRST_SLOTS_LOG2;
    if (sizeof(uint32_t) << log2 >= bits_bytes(store)) return make_bits(store, row);
    return make_slots(store, row, log2);
}

/* Makes room for one more item in the list and in the set. */
static bool make_room(cflri_hashed_row_store *store, cflri_hashed_row *row) {
    if (row->count == row->capacity && !grow_items(store, row)) return false;
    return !full_set(row) || grow_set(store, row);
}

/* ---- the loops: each returns how many ids it has processed ---- */

static uint32_t merge_compared(cflri_hashed_row *row, const uint32_t *from, uint32_t n) {
    uint32_t *items = items_of(row);
    uint32_t room =
        row->capacity < CFLRI_HASHED_ROW_COMPARED ? row->capacity : CFLRI_HASHED_ROW_COMPARED;
    uint32_t count = row->count, i = 0;
    for (; i < n; i++) {
        uint32_t id = from[i], same = 0;
        for (uint32_t k = 0; k < count; k++) same |= items[k] == id;
        if (same) continue;
        if (count >= room) break;
        items[count++] = id;
    }
    row->count = count;
    return i;
}

static uint32_t merge_slots(cflri_hashed_row *row, const uint32_t *from, uint32_t n) {
    uint32_t *slots = row->many.slots, *items = row->many.items;
    uint32_t log2 = row->set_class, mask = ((uint32_t)1 << log2) - 1;
    uint32_t most = (uint32_t)3 << (log2 - 2);
    uint32_t room = row->capacity < most ? row->capacity : most;
    uint32_t count = row->count, i = 0;
    for (; i < n; i++) {
        uint32_t id = from[i], at = home(id, log2);
        while (slots[at] != id && slots[at] != EMPTY) at = (at + 1) & mask;
        if (slots[at] == id) continue;
        if (count >= room) break;
        slots[at] = id;
        items[count++] = id;
    }
    row->count = count;
    return i;
}

static uint32_t merge_bits(cflri_hashed_row *row, const uint32_t *from, uint32_t n) {
    uint64_t *bits = row->many.bits;
    uint32_t *items = row->many.items;
    uint32_t room = row->capacity, count = row->count, i = 0;
    for (; i < n; i++) {
        uint32_t id = from[i];
        uint64_t word = bits[id / 64], bit = (uint64_t)1 << (id % 64);
        if (word & bit) continue;
        if (count >= room) break;
        bits[id / 64] = word | bit;
        items[count++] = id;
    }
    row->count = count;
    return i;
}

bool cflri_hashed_row_merge(cflri_hashed_row_store *store, cflri_hashed_row *row,
                            const uint32_t *from, uint32_t n) {
    assert(!cflri_hashed_row_fixed(row));
    for (;;) {
        uint32_t done;
        if (row->shape == CFLRI_HASHED_ROW_BITS) {
            done = merge_bits(row, from, n);
        } else if (row->shape == CFLRI_HASHED_ROW_SLOTS) {
            done = merge_slots(row, from, n);
        } else {
            done = merge_compared(row, from, n);
        }
        if (done == n) return true;
        if (!make_room(store, row)) return false;
        from += done;
        n -= done;
    }
}

bool cflri_hashed_row_append(cflri_hashed_row_store *store, cflri_hashed_row *row, uint32_t id) {
    if (row->count == row->capacity && !grow_items(store, row)) return false;
    items_of(row)[row->count++] = id;
    return true;
}

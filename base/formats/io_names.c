/* SPDX-License-Identifier: Apache-2.0
 *
 * io_names.c: numbering the names of vertices while a file is read.
 *
 *     names:  [ "main" | "p" | "q" | ... ]          fields of the text that is read
 *     slot:   [ hash,2 | 0 | hash,1 | 0 ... ]       open addressing, linear probing
 *
 * Half of the hash is kept in the slot, so that probing and growing touch the names themselves only
 * when the halves agree. Expected O(length) a name; up to 2^32 - 2 names, as many as vertices.
 */
#include <assert.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/formats/io_edges.h"

enum { FIRST_CAPACITY = 256 };

static uint32_t half_hash(cflri_field name) {
    return (uint32_t)(XXH3_64bits(name.at, name.size) >> 32);
}

/* Where a search for this half begins. */
static size_t home(const cflri_name_table *table, uint32_t half) {
    return half & (table->capacity - 1);
}

/* Doubles the slots when half of them are in use. */
static bool make_room(cflr_context *context, cflri_name_table *table) {
    if (table->names.n * 2 < table->capacity) return true;
    cflri_name_table wider = {.capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY};
    wider.slot = cflri_alloc_array_zero(context, wider.capacity, sizeof *wider.slot);
    if (!wider.slot) return false;
    for (size_t i = 0; i < table->capacity; i++) {
        if (!table->slot[i]) continue;
        size_t to = home(&wider, (uint32_t)(table->slot[i] >> 32));
        while (wider.slot[to]) to = (to + 1) & (wider.capacity - 1);
        wider.slot[to] = table->slot[i];
    }
    cflri_free(context, table->slot);
    table->slot = wider.slot;
    table->capacity = wider.capacity;
    return true;
}

bool cflri_name_find(cflr_context *context, cflri_name_table *table, cflri_field name,
                     uint32_t *number, bool *is_new) {
    if (!make_room(context, table)) return false;
    uint32_t half = half_hash(name);
    size_t at = home(table, half);
    *is_new = false;
    for (; table->slot[at]; at = (at + 1) & (table->capacity - 1)) {
        if ((uint32_t)(table->slot[at] >> 32) != half) continue;
        *number = (uint32_t)table->slot[at] - 1;
        cflri_field known = table->names.at[*number];
        if (known.size == name.size && memcmp(known.at, name.at, name.size) == 0) return true;
    }
    assert(table->names.n < UINT32_MAX);
    *number = (uint32_t)table->names.n;
    if (!cflri_vec_push(context, &table->names, name)) return false;
    table->slot[at] = (uint64_t)half << 32 | (*number + 1);
    *is_new = true;
    return true;
}

void cflri_name_table_free(cflr_context *context, cflri_name_table *table) {
    cflri_vec_free(context, &table->names);
    cflri_free(context, table->slot);
    *table = (cflri_name_table){0};
}

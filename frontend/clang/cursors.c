/* SPDX-License-Identifier: Apache-2.0
 *
 * cursors.c: a hash table from cursors of libclang to numbers.
 */
#include "frontend/clang/cursors.h"

#include <assert.h>
#include <string.h>

typedef struct cflri_cursor_entry {
    CXCursor cursor;
    uint32_t hash;
    uint32_t number; /* CFLRI_NO_NUMBER: free */
} cflri_cursor_entry;

/* libclang's own hash of a declaration is made of its address, too, which equal cursors share. */
static uint32_t hash_of(CXCursor cursor) {
    return (uint32_t)((uintptr_t)cursor.data[0] * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The entry that holds the cursor, or the free one where it belongs. */
static cflri_cursor_entry *locate(const cflri_cursors *table, CXCursor cursor, uint32_t hash) {
    size_t mask = table->capacity - 1;
    size_t i = hash & mask;
    for (;; i = (i + 1) & mask) {
        cflri_cursor_entry *entry = &table->at[i];
        if (entry->number == CFLRI_NO_NUMBER) return entry;
        if (entry->hash == hash && cflri_cursors_equal(&entry->cursor, &cursor)) return entry;
    }
}

static bool grow(cflr_context *context, cflri_cursors *table) {
    cflri_cursors larger = {.n = table->n, .capacity = table->capacity ? 2 * table->capacity : 256};
    larger.at = cflri_alloc_array(context, larger.capacity, sizeof *larger.at);
    if (!larger.at) return false;
    for (size_t i = 0; i < larger.capacity; i++) larger.at[i].number = CFLRI_NO_NUMBER;
    for (size_t i = 0; i < table->capacity; i++) {
        const cflri_cursor_entry *entry = &table->at[i];
        if (entry->number != CFLRI_NO_NUMBER) *locate(&larger, entry->cursor, entry->hash) = *entry;
    }
    cflri_free(context, table->at);
    *table = larger;
    return true;
}

uint32_t cflri_cursors_find(const cflri_cursors *table, CXCursor cursor) {
    if (table->n == 0) return CFLRI_NO_NUMBER;
    return locate(table, cursor, hash_of(cursor))->number;
}

bool cflri_cursors_add(cflr_context *context, cflri_cursors *table, CXCursor cursor,
                       uint32_t number) {
    assert(number != CFLRI_NO_NUMBER);
    if (3 * (table->n + 1) > 2 * table->capacity && !grow(context, table)) return false;
    uint32_t hash = hash_of(cursor);
    cflri_cursor_entry *entry = locate(table, cursor, hash);
    assert(entry->number == CFLRI_NO_NUMBER);
    *entry = (cflri_cursor_entry){cursor, hash, number};
    table->n++;
    return true;
}

void cflri_cursors_free(cflr_context *context, cflri_cursors *table) {
    cflri_free(context, table->at);
    *table = (cflri_cursors){0};
}

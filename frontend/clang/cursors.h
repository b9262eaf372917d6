/* SPDX-License-Identifier: Apache-2.0
 *
 * cursors.h: a hash table from cursors of libclang to numbers.
 *
 * Open addressing with linear probing, at most two thirds full; entries are never removed. Equality
 * is libclang's: two declarations of one thing are two cursors.
 */
#ifndef CFLRI_CURSORS_H
#define CFLRI_CURSORS_H

#include "base/alloc.h"
#include "frontend/clang/clang.h"

#define CFLRI_NO_NUMBER UINT32_MAX

/* One cursor, byte for byte. */
static inline bool cflri_cursors_same(const CXCursor *a, const CXCursor *b) {
    return a->kind == b->kind && a->xdata == b->xdata && a->data[0] == b->data[0] &&
           a->data[1] == b->data[1] && a->data[2] == b->data[2];
}

/* Two cursors of one thing. Nearly all are the same; where they differ, libclang is asked. */
static inline bool cflri_cursors_equal(const CXCursor *a, const CXCursor *b) {
    return a->kind == b->kind && (cflri_cursors_same(a, b) || cflri_clang_equalCursors(*a, *b));
}

/* Zero bytes are an empty table. */
typedef struct cflri_cursors {
    struct cflri_cursor_entry *at;
    size_t n, capacity; /* capacity: 0 or a power of two */
} cflri_cursors;

/* CFLRI_NO_NUMBER when it is not there. */
uint32_t cflri_cursors_find(const cflri_cursors *table, CXCursor cursor);

/* Adds a cursor that is not there; false when memory is refused. */
bool cflri_cursors_add(cflr_context *context, cflri_cursors *table, CXCursor cursor,
                       uint32_t number);

void cflri_cursors_free(cflr_context *context, cflri_cursors *table);

#endif

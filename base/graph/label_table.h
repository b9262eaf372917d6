/* SPDX-License-Identifier: Apache-2.0
 *
 * label_table.h: from the (name, index) of a label to its number, in O(1).
 *
 *     labels   0: (a, "")   1: (f, 8)   2: (f, 16)        kept by the owner
 *     slot     [ 0 | 2 | 0 | 3 | 1 | 0 | 0 | 0 ]          label + 1, 0 for nothing
 *
 * Open addressing with linear probing, at most half full; the keys are read from the labels
 * themselves, so a slot costs 4 bytes. Zero bytes are an empty table.
 */
#ifndef CFLRI_LABEL_TABLE_H
#define CFLRI_LABEL_TABLE_H

#include "base/alloc.h"

/* String ids; index 0 ("") for a plain label. */
typedef struct cflri_label {
    uint32_t name;
    uint32_t index;
} cflri_label;

typedef struct cflri_label_table {
    uint32_t *slot;
    uint64_t n_slots; /* power of two, or 0 */
} cflri_label_table;

/* The label's number, or CFLR_NO_LABEL. Safe for many readers at once. */
uint32_t cflri_label_find(const cflri_label_table *table, const cflri_label *labels,
                          cflri_label key);

/* Adds labels[number], which must not be there; the table holds labels 0 .. number - 1. False when
 * memory is refused: the table is as before. */
bool cflri_label_table_add(cflr_context *context, cflri_label_table *table,
                           const cflri_label *labels, uint32_t number);

void cflri_label_table_free(cflr_context *context, cflri_label_table *table);

#endif

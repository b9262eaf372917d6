/* SPDX-License-Identifier: Apache-2.0
 *
 * label_table.h: from the (name, index) of a label to its number, in O(1): a cflri_seen whose
 * records are the labels.
 */
#ifndef CFLRI_LABEL_TABLE_H
#define CFLRI_LABEL_TABLE_H

#include "base/seen.h"
#include "cflr/graph.h"

/* String ids; index 0 ("") for a plain label. */
typedef struct cflri_label {
    uint32_t name;
    uint32_t index;
} cflri_label;

static inline uint32_t cflri_label_hash(cflri_label key) {
    return (uint32_t)(cflri_seen_mix(0, key.name, key.index) >> 32);
}

/* The label's number, or CFLR_NO_LABEL. Safe for many readers at once. */
static inline uint32_t cflri_label_find(const cflri_seen *table, const cflri_label *labels,
                                        cflri_label key) {
    uint32_t l, hash = cflri_label_hash(key);
    for (size_t at = cflri_seen_first(table, hash);
         (l = cflri_seen_next(table, hash, &at)) != CFLRI_NOT_SEEN;)
        if (labels[l].name == key.name && labels[l].index == key.index) return l;
    return CFLR_NO_LABEL;
}

/* Adds labels[number], which must not be there. False when memory is refused: the table is as
 * before. */
static inline bool cflri_label_add(cflr_context *context, cflri_seen *table,
                                   const cflri_label *labels, uint32_t number) {
    return cflri_seen_add(context, table, cflri_label_hash(labels[number]), number);
}

#endif

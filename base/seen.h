/* SPDX-License-Identifier: Apache-2.0
 *
 * seen.h: which records of an array are there already, in 8 bytes a record.
 *
 *     records   0: (f.c, 7, p)     1: (f.c, 9, q)              kept by the owner
 *     slot      [ - | hash, 1 | - | - | hash, 0 | - | - | - ]
 *
 * The table knows hashes and numbers only; its user compares the records that have the same hash:
 *
 *     size_t at = cflri_seen_first(s, hash);
 *     while ((i = cflri_seen_next(s, hash, &at)) != CFLRI_NOT_SEEN)
 *         if (same(&record[i], &asked)) return i;
 *
 * Zero bytes are an empty table. Records are never removed.
 */
#ifndef CFLRI_SEEN_H
#define CFLRI_SEEN_H

#include "base/alloc.h"

#define CFLRI_NOT_SEEN UINT32_MAX

typedef struct cflri_seen_slot {
    uint32_t hash;
    uint32_t number; /* CFLRI_NOT_SEEN: free */
} cflri_seen_slot;

typedef struct cflri_seen {
    cflri_seen_slot *slot;
    size_t n, n_slots; /* n_slots: a power of two, or 0 */
} cflri_seen;

/* Where the search for this hash begins. */
static inline size_t cflri_seen_first(const cflri_seen *seen, uint32_t hash) {
    return seen->n_slots ? hash & (seen->n_slots - 1) : 0;
}

/* The next record with this hash, CFLRI_NOT_SEEN after the last one; moves *at behind it. */
static inline uint32_t cflri_seen_next(const cflri_seen *seen, uint32_t hash, size_t *at) {
    if (seen->n_slots == 0) return CFLRI_NOT_SEEN;
    for (;;) {
        const cflri_seen_slot slot = seen->slot[*at];
        if (slot.number == CFLRI_NOT_SEEN) return CFLRI_NOT_SEEN;
        *at = (*at + 1) & (seen->n_slots - 1);
        if (slot.hash == hash) return slot.number;
    }
}

/* Makes room for `extra` more records, which then are added without growing; false when memory is
 * refused. */
bool cflri_seen_reserve(cflr_context *context, cflri_seen *seen, size_t extra);
/* Adds a record; false when memory is refused. */
bool cflri_seen_add(cflr_context *context, cflri_seen *seen, uint32_t hash, uint32_t number);
void cflri_seen_free(cflr_context *context, cflri_seen *seen);

/* A hash of numbers, taken in one after the other, from 0 on. */
static inline uint64_t cflri_seen_mix(uint64_t hash, uint32_t a, uint32_t b) {
    hash = (hash ^ ((uint64_t)a << 32 | b)) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * ids.h: arrays of ascending ids, or of ascending pairs of them.
 */
#ifndef CFLRI_IDS_H
#define CFLRI_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The first of the ascending ids that is not below `id`, or n. No branch on an id. */
static inline uint64_t cflri_ids_seek(const uint32_t *ids, uint64_t n, uint32_t id) {
    if (!n) return 0;
    const uint32_t *base = ids;
    for (uint64_t length = n; length > 1;) {
        uint64_t half = length / 2;
        base = base[half - 1] < id ? base + half : base;
        length -= half;
    }
    return (uint64_t)(base - ids) + (*base < id);
}

/* The same for packed pairs (cflri_pair). */
static inline uint64_t cflri_pairs_seek(const uint64_t *pairs, uint64_t n, uint64_t pair) {
    uint64_t low = 0, high = n;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (pairs[middle] < pair) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Do they ascend, each once, below `bound`? */
static inline bool cflri_ids_ascend(const uint32_t *ids, uint64_t n, uint32_t bound) {
    for (uint64_t i = 1; i < n; i++) {
        if (ids[i - 1] >= ids[i]) return false;
    }
    return n == 0 || ids[n - 1] < bound;
}

/* For qsort and bsearch. */
int cflri_ids_compare(const void *a, const void *b);
int cflri_pairs_compare(const void *a, const void *b); /* of uint64_t, as cflri_pair makes them */

/* Makes them ascend, each once; how many are left. O(n log n). */
size_t cflri_ids_sort_once(uint32_t *ids, size_t n);

#endif

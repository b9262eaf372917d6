/* SPDX-License-Identifier: Apache-2.0
 *
 * ids.h: arrays of ascending ids, or of ascending pairs of them, and bisection of any others.
 */
#ifndef CFLRI_IDS_H
#define CFLRI_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets `i` to the first of begin .. end - 1 for which `before`, an expression of i, is false; to
 * `end` if there is none. Behind one for which it is false it is false for all. */
#define CFLRI_BISECT(i, begin, end, before)     \
    do {                                        \
        uint64_t low_ = (begin), high_ = (end); \
        while (low_ < high_) {                  \
            (i) = low_ + (high_ - low_) / 2;    \
            if (before)                         \
                low_ = (i) + 1;                 \
            else                                \
                high_ = (i);                    \
        }                                       \
        (i) = low_;                             \
    } while (0)

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
    uint64_t i;
    CFLRI_BISECT(i, 0, n, pairs[i] < pair);
    return i;
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
size_t cflri_pairs_sort_once(uint64_t *pairs, size_t n);

#endif

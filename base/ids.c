/* SPDX-License-Identifier: Apache-2.0
 *
 * ids.c: ids are put in order.
 */
#include "base/ids.h"

#include <stdlib.h>

int cflri_ids_compare(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

int cflri_pairs_compare(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

size_t cflri_ids_sort_once(uint32_t *ids, size_t n) {
    size_t kept = 0;
    if (n) qsort(ids, n, sizeof *ids, cflri_ids_compare);
    for (size_t i = 0; i < n; i++) {
        if (!kept || ids[kept - 1] != ids[i]) ids[kept++] = ids[i];
    }
    return kept;
}

size_t cflri_pairs_sort_once(uint64_t *pairs, size_t n) {
    size_t kept = 0;
    if (n) qsort(pairs, n, sizeof *pairs, cflri_pairs_compare);
    for (size_t i = 0; i < n; i++) {
        if (!kept || pairs[kept - 1] != pairs[i]) pairs[kept++] = pairs[i];
    }
    return kept;
}

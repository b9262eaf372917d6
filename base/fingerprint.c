/* SPDX-License-Identifier: Apache-2.0
 *
 * fingerprint.c: hashes of texts, and which of those that are equal comes first.
 */
#include "base/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { SIZE = 24 };

uint64_t cflri_fingerprint_text(uint64_t hash, const char *text) {
    do hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    while (*text++);
    return hash;
}

uint64_t cflri_fingerprint_file(uint64_t hash, const char *path) {
    const char *slash = strrchr(path, '/');
    return cflri_fingerprint_text(hash, slash ? slash + 1 : path);
}

typedef struct numbered_hash {
    uint64_t hash;
    size_t number;
} numbered_hash;

static int compare_hashes(const void *a, const void *b) {
    const numbered_hash *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

cflr_status cflri_fingerprints_write(cflr_context *context, const uint64_t *hash, size_t n,
                                     char *text, size_t stride, cflr_error *error) {
    if (n == 0) return CFLR_OK;
    numbered_hash *sorted = cflri_alloc_array(context, n, sizeof *sorted);
    if (!sorted) return cflri_fail_memory(context, error);
    for (size_t i = 0; i < n; i++) sorted[i] = (numbered_hash){hash[i], i};
    qsort(sorted, n, sizeof *sorted, compare_hashes);
    for (size_t i = 0, earlier = 0; i < n; i++) {
        earlier = i > 0 && sorted[i - 1].hash == sorted[i].hash ? earlier + 1 : 0;
        snprintf(text + sorted[i].number * stride, SIZE, "%016" PRIx64 "-%zu", sorted[i].hash,
                 earlier % 1000000); /* six digits fit */
    }
    cflri_free(context, sorted);
    return CFLR_OK;
}

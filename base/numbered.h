/* SPDX-License-Identifier: Apache-2.0
 *
 * numbered.h: numbers of things that are known by a hash of 128 bits, in 32 bytes a thing.
 *
 * Things with equal hashes are taken for equal, so that they need not be kept to be compared.
 */
#ifndef CFLRI_NUMBERED_H
#define CFLRI_NUMBERED_H

#include <xxhash.h>

#include "base/alloc.h"

typedef struct cflri_numbered_slot {
    XXH128_hash_t hash;
    uint32_t number;
    bool used;
} cflri_numbered_slot;

/* Zero bytes know nothing. */
typedef struct cflri_numbered {
    cflri_numbered_slot *slot; /* open addressing */
    uint64_t n, n_slots;       /* n_slots is a power of two, or 0 */
} cflri_numbered;

/* Finds the number of the thing with this hash. False when it is not known. */
bool cflri_numbered_find(const cflri_numbered *known, XXH128_hash_t hash, uint32_t *number);
/* Bytes of memory that adding one more thing asks for; 0 for most things. */
uint64_t cflri_numbered_more(const cflri_numbered *known);
/* Adds a thing that is not known. False when memory is refused; nothing is changed then. */
bool cflri_numbered_add(cflr_context *context, cflri_numbered *known, XXH128_hash_t hash,
                        uint32_t number);
void cflri_numbered_free(cflr_context *context, cflri_numbered *known);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * digest.h: 128 bits that stand for bytes: XXH3, which is safe as long as the directory that it is
 * used in can be trusted (docs/explanation/cache.md).
 */
#ifndef CFLRI_DIGEST_H
#define CFLRI_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

typedef struct cflri_digest {
    uint64_t low, high;
} cflri_digest;

static inline bool cflri_digests_equal(cflri_digest a, cflri_digest b) {
    return a.low == b.low && a.high == b.high;
}

static inline cflri_digest cflri_digest_of(const void *data, size_t size) {
    XXH128_hash_t hash = XXH3_128bits(data, size);
    return (cflri_digest){hash.low64, hash.high64};
}

/* A digest that is made of parts: begin, add, end. */
typedef XXH3_state_t cflri_digester;

static inline void cflri_digest_begin(cflri_digester *digester) {
    XXH3_128bits_reset(digester);
}

static inline void cflri_digest_add(cflri_digester *digester, const void *data, size_t size) {
    XXH3_128bits_update(digester, data, size);
}

/* With its NUL, so that two texts are not one long text. */
static inline void cflri_digest_text(cflri_digester *digester, const char *text) {
    cflri_digest_add(digester, text, strlen(text) + 1);
}

static inline void cflri_digest_number(cflri_digester *digester, uint64_t number) {
    cflri_digest_add(digester, &number, sizeof number);
}

static inline cflri_digest cflri_digest_end(const cflri_digester *digester) {
    XXH128_hash_t hash = XXH3_128bits_digest(digester);
    return (cflri_digest){hash.low64, hash.high64};
}

#endif

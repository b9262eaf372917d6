/* SPDX-License-Identifier: Apache-2.0
 *
 * answers.h: what was worked out of two numbers, as long as its place is not needed.
 *
 * A cache of fixed places: newer answers displace older ones, so memory is bounded, and a lost
 * answer is only worked out again. One thread's.
 */
#ifndef CFLRI_ANSWERS_H
#define CFLRI_ANSWERS_H

#include "base/alloc.h"

/* Two numbers, which are not both 0, and the answer. */
typedef struct cflri_cached {
    uint32_t a, b; /* both 0: none */
    uint32_t answer;
} cflri_cached;

typedef struct cflri_cache {
    cflri_cached *at;
    uint32_t mask;
    uint32_t put; /* since it is as large as it is */
} cflri_cache;

bool cflri_cache_init(cflri_cache *answers, cflr_context *context);
void cflri_cache_free(cflri_cache *answers, cflr_context *context);
void cflri_cache_clear(cflri_cache *answers);
/* NULL: there is none. Valid until the next is put. */
const uint32_t *cflri_cache_find(const cflri_cache *answers, uint32_t a, uint32_t b);
/* The cache grows with what is put into it, up to a size. */
void cflri_cache_put(cflri_cache *answers, cflr_context *context, cflri_cached answer);

#endif

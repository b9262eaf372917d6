/* SPDX-License-Identifier: Apache-2.0
 *
 * answers.h: a cache of the results of operations on two numbers.
 *
 * The cache has a fixed number of places, and newer results displace older ones. So memory is
 * bounded, and a lost result is merely computed again. Each cache belongs to one thread.
 */
#ifndef CFLRI_ANSWERS_H
#define CFLRI_ANSWERS_H

#include "base/alloc.h"

/* Two numbers, which are not both 0, and the result. */
typedef struct cflri_cached {
    uint32_t a, b; /* both 0: none */
    uint32_t answer;
} cflri_cached;

typedef struct cflri_cache {
    cflri_cached *at;
    uint32_t mask;
    uint32_t put; /* number of results put since the cache has its size */
} cflri_cache;

bool cflri_cache_init(cflri_cache *answers, cflr_context *context);
void cflri_cache_free(cflri_cache *answers, cflr_context *context);
void cflri_cache_clear(cflri_cache *answers);
/* NULL: no result is known. Valid until the next one is put. */
const uint32_t *cflri_cache_find(const cflri_cache *answers, uint32_t a, uint32_t b);
/* Puts a result. The cache grows with use, up to a limit. */
void cflri_cache_put(cflri_cache *answers, cflr_context *context, cflri_cached answer);

#endif

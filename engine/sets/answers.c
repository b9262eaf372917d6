/* SPDX-License-Identifier: Apache-2.0
 *
 * answers.c: a cache of the results of operations on two numbers.
 */
#include "engine/sets/answers.h"

#include <string.h>

enum {
    FIRST_CACHED = 1 << 10,
    MOST_CACHED = 1 << 20,
    /* Results per place that make a cache grow, since few are asked for again. */
    PUT_A_PLACE = 8,
};

static bool make_cache(cflri_cache *answers, cflr_context *context, uint32_t room) {
    *answers = (cflri_cache){.mask = room - 1};
    answers->at = cflri_alloc_array_zero(context, room, sizeof *answers->at);
    return answers->at != NULL;
}

bool cflri_cache_init(cflri_cache *answers, cflr_context *context) {
    return make_cache(answers, context, FIRST_CACHED);
}

void cflri_cache_free(cflri_cache *answers, cflr_context *context) {
    cflri_free(context, answers->at);
    *answers = (cflri_cache){0};
}

void cflri_cache_clear(cflri_cache *answers) {
    memset(answers->at, 0, ((size_t)answers->mask + 1) * sizeof *answers->at);
}

static cflri_cached *cached_at(const cflri_cache *answers, uint32_t a, uint32_t b) {
    uint64_t mixed = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    return &answers->at[(uint32_t)(mixed >> 40) & answers->mask];
}

const uint32_t *cflri_cache_find(const cflri_cache *answers, uint32_t a, uint32_t b) {
    const cflri_cached *at = cached_at(answers, a, b);
    return at->a == a && at->b == b ? &at->answer : NULL;
}

/* Without memory to grow, the cache keeps its size. */
static void grow(cflri_cache *cache, cflr_context *context) {
    cflri_cache grown;
    cache->put = 0;
    if (cache->mask >= MOST_CACHED - 1) return;
    if (!make_cache(&grown, context, 2 * (cache->mask + 1))) return;
    for (uint32_t i = 0; i <= cache->mask; i++) {
        cflri_cached old = cache->at[i];
        if (old.a | old.b) *cached_at(&grown, old.a, old.b) = old;
    }
    cflri_cache_free(cache, context);
    *cache = grown;
}

void cflri_cache_put(cflri_cache *answers, cflr_context *context, cflri_cached answer) {
    if (++answers->put / PUT_A_PLACE > answers->mask) grow(answers, context);
    *cached_at(answers, answer.a, answer.b) = answer;
}

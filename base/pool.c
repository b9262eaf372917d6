/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.c: blocks in classes of sizes.
 */
#include "base/pool.h"

#include <assert.h>
#include <string.h>

/* In front of a large block. */
typedef struct cflri_large {
    struct cflri_large *next, *previous;
    cflri_pool *pool; /* whose list it is in */
    size_t bytes;
} cflri_large;

_Static_assert(sizeof(cflri_large) % 16 == 0, "large blocks must stay aligned to 16 bytes");

void cflri_pool_init(cflri_pool *pool, cflr_context *context) {
    *pool = (cflri_pool){.context = context};
    cflri_arena_init(&pool->arena, context);
}

void cflri_pool_free(cflri_pool *pool) {
    if (!pool->context) return;
    for (cflri_large *block = pool->large; block;) {
        cflri_large *next = block->next;
        cflri_free(pool->context, block);
        block = next;
    }
    cflri_arena_reset(&pool->arena);
    cflri_pool_init(pool, pool->context);
}

uint64_t cflri_pool_all_bytes(const cflri_pool *pool) {
    uint64_t bytes = cflri_arena_bytes(&pool->arena);
    for (const cflri_large *block = pool->large; block; block = block->next) {
        bytes += cflri_block_bytes(block);
    }
    return bytes;
}

static void *take_small(cflri_pool *pool, uint32_t class) {
    void *block = pool->spare[class];
    if (block) {
        memcpy(&pool->spare[class], block, sizeof block);
        return block;
    }
    block = cflri_arena_alloc(&pool->arena, cflri_pool_bytes(class));
    if (block) pool->small_bytes += cflri_pool_bytes(class);
    return block;
}

static void *take_large(cflri_pool *pool, uint32_t class) {
    size_t bytes = sizeof(cflri_large) + cflri_pool_bytes(class);
    cflri_large *block = cflri_alloc(pool->context, bytes);
    if (!block) return NULL;
    cflri_latch_take(&pool->latch);
    *block = (cflri_large){pool->large, NULL, pool, bytes};
    if (pool->large) pool->large->previous = block;
    pool->large = block;
    pool->large_bytes += bytes;
    cflri_latch_leave(&pool->latch);
    return block + 1;
}

void *cflri_pool_take(cflri_pool *pool, uint32_t class) {
    assert(class < CFLRI_POOL_CLASSES);
    return class < CFLRI_POOL_SMALL_CLASSES ? take_small(pool, class) : take_large(pool, class);
}

static void put_large(cflri_large *block) {
    cflri_pool *pool = block->pool;
    cflri_latch_take(&pool->latch);
    if (block->next) block->next->previous = block->previous;
    if (block->previous) {
        block->previous->next = block->next;
    } else {
        pool->large = block->next;
    }
    pool->large_bytes -= block->bytes;
    cflri_latch_leave(&pool->latch);
    cflri_free(pool->context, block);
}

void cflri_pool_put(cflri_pool *pool, void *block, uint32_t class) {
    if (class < CFLRI_POOL_SMALL_CLASSES) {
        memcpy(block, &pool->spare[class], sizeof block);
        pool->spare[class] = block;
    } else {
        put_large((cflri_large *)block - 1);
    }
}

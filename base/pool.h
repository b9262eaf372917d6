/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.h: blocks in classes of sizes, recycled, all freed at once.
 *
 *     class:   0   1   2   3   4   5   6   7    8    9   ...     four classes for each doubling
 *     bytes:  16  24  32  40  48  56  64  80   96  112   ...
 *
 * Arrays that grow leave blocks behind that the next small array takes. Small blocks are cut from
 * an arena and aligned to 8; large ones come from the allocator one by one and go back to it when
 * they are put back. A block belongs to the pool until it is put back or the pool is freed. One
 * thread at a time. A block may be put into another pool than it was taken from, if both are freed
 * together.
 */
#ifndef CFLRI_POOL_H
#define CFLRI_POOL_H

#include "base/arena.h"
#include "base/crew.h"

enum {
    CFLRI_POOL_CLASSES = 160,
    CFLRI_POOL_SMALL_CLASSES = 41, /* up to 24 KiB */
    CFLRI_POOL_GROWING = 2,        /* class of 32 bytes, for an array that is likely to grow */
};

typedef struct cflri_pool {
    cflr_context *context;
    cflri_arena arena;
    void *spare[CFLRI_POOL_SMALL_CLASSES]; /* blocks put back; the first word links */
    uint64_t small_bytes;                  /* cut from the arena */
    struct cflri_large *large;             /* every large block of it that is out */
    uint64_t large_bytes;                  /* of those */
    cflri_latch latch;                     /* of both: other threads put large blocks back, too */
} cflri_pool;

void cflri_pool_init(cflri_pool *pool, cflr_context *context);
void cflri_pool_free(cflri_pool *pool);

/* About how much memory the pool takes from the context. Only for the one thread that uses it. */
static inline uint64_t cflri_pool_taken(const cflri_pool *pool) {
    return pool->small_bytes + pool->large_bytes;
}

/* Exactly that. Called while no thread uses the pool. O(chunks + large blocks). */
uint64_t cflri_pool_all_bytes(const cflri_pool *pool);

static inline size_t cflri_pool_bytes(uint32_t class) {
    uint32_t quarters = class + 2;
    if (quarters < 4) return (size_t)8 * quarters;
    return (size_t)8 * (4 + quarters % 4) << (quarters / 4 - 1);
}

/* The smallest class of at least `bytes`. */
static inline uint32_t cflri_pool_class(size_t bytes) {
    size_t words = bytes > 16 ? (bytes + 7) / 8 : 2;
    uint32_t shift = words < 8 ? 0 : 61 - (uint32_t)__builtin_clzll(words);
    return 4 * shift + (uint32_t)((words - 1) >> shift) - 1;
}

/* The class that an array of the class grows to: of about half as many bytes again. */
static inline uint32_t cflri_pool_larger(uint32_t class) {
    return class + 2;
}

/* Not zeroed, aligned to 8; NULL when memory is refused. */
void *cflri_pool_take(cflri_pool *pool, uint32_t class);
void cflri_pool_put(cflri_pool *pool, void *block, uint32_t class);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * pool.h: blocks in classes of sizes, recycled, all freed at once.
 *
 *     class:   0    1    2    3     4     5    ...      two classes for each doubling
 *     bytes:  32   48   64   96   128   192    ...
 *
 * Arrays that grow from class to class leave blocks behind that the next small array takes. Small
 * blocks are cut from an arena; large ones come from the allocator one by one and go back to it
 * when they are put back. A block belongs to the pool until it is put back or the pool is freed.
 * One thread at a time. A block may be put into another pool than it was taken from, if both are
 * freed together.
 */
#ifndef CFLRI_POOL_H
#define CFLRI_POOL_H

#include "base/arena.h"
#include "base/crew.h"

enum { CFLRI_POOL_CLASSES = 80, CFLRI_POOL_SMALL_CLASSES = 20 /* up to 24 KiB */ };

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
    return (class & 1 ? (size_t)48 : (size_t)32) << (class >> 1);
}

/* The smallest class of at least `bytes`. */
uint32_t cflri_pool_class(size_t bytes);

/* Not zeroed, aligned to 16; NULL when memory is refused. */
void *cflri_pool_take(cflri_pool *pool, uint32_t class);
void cflri_pool_put(cflri_pool *pool, void *block, uint32_t class);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * shards.h: a hash table of numbers in shards, for several threads.
 *
 *     hash:    | ... 6 bits: which shard | 32 bits: tag |
 *     shard:   table -> slots  | tag, number |  0  | tag, number | ...      open addressing
 *              lock, to add
 *
 * Looking takes no lock: numbers are only added while several threads are at it, and a table that became too
 * small stays until they are done. Who finds nothing enters the shard, looks again and adds. What a number
 * stands for is the caller's; the tag spares looking at most of those that differ, and at all of them when a
 * table grows. Numbers are not 0.
 */
#ifndef CFLRI_SHARDS_H
#define CFLRI_SHARDS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/crew.h"

enum { CFLRI_SHARDS = 64 };

typedef struct cflri_shard_table {
    struct cflri_shard_table *older; /* that somebody may still look at */
    uint32_t mask;
    _Atomic uint64_t slot[];
} cflri_shard_table;

typedef struct cflri_shard {
    pthread_mutex_t lock;
    uint32_t taken;
    char apart[CFLRI_APART];
} cflri_shard;

typedef struct cflri_shards {
    cflr_context *context;
    bool shared; /* by several threads now */
    cflri_shard_table
        *_Atomic table[CFLRI_SHARDS]; /* apart from the locks, which change all the time */
    cflri_shard shard[CFLRI_SHARDS];
} cflri_shards;

void cflri_shards_init(cflri_shards *shards, cflr_context *context);
void cflri_shards_free(cflri_shards *shards);

/* Several threads are at it from now on, or no longer. */
void cflri_shards_share(cflri_shards *shards, bool shared);

static inline uint32_t cflri_shard_of(uint64_t hash) {
    return (hash >> 32) % CFLRI_SHARDS;
}

/* The table of a shard, or NULL: it is empty. */
static inline const cflri_shard_table *cflri_shard_look(const cflri_shards *shards,
                                                        uint32_t shard) {
    return atomic_load_explicit(&shards->table[shard], memory_order_acquire);
}

/* Goes through the numbers that have the tag, from *at on, which begins as the tag; 0: there are no more. */
static inline uint32_t cflri_shard_next(const cflri_shard_table *table, uint32_t tag,
                                        uint32_t *at) {
    while (table) {
        uint64_t entry =
            atomic_load_explicit(&table->slot[*at & table->mask], memory_order_acquire);
        if (!entry) return 0;
        ++*at;
        if (entry >> 32 == tag) return (uint32_t)entry;
    }
    return 0;
}

/* The shard is the thread's own until it leaves. */
static inline void cflri_shard_enter(cflri_shards *shards, uint32_t shard) {
    if (shards->shared) pthread_mutex_lock(&shards->shard[shard].lock);
}

static inline void cflri_shard_leave(cflri_shards *shards, uint32_t shard) {
    if (shards->shared) pthread_mutex_unlock(&shards->shard[shard].lock);
}

/* Inside: makes room for one more. False when memory is refused. */
bool cflri_shard_reserve(cflri_shards *shards, uint32_t shard);
/* Inside: takes that room. */
void cflri_shard_add(cflri_shards *shards, uint32_t shard, uint32_t tag, uint32_t number);

/* Takes out the numbers that are not to be kept, while nobody else is at the shard. O(slots). */
void cflri_shard_filter(cflri_shards *shards, uint32_t shard,
                        bool (*kept)(const void *what, uint32_t number), const void *what);

#endif

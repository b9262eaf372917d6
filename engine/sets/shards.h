/* SPDX-License-Identifier: Apache-2.0
 *
 * shards.h: a hash table of numbers in shards, for several threads.
 *
 *     hash:    | ... 6 bits: which shard | 32 bits: tag |
 *     shard:   table -> slots  | tag, number |  0  | tag, number | ...      open addressing
 *              latch, to add
 *
 * Searching takes no lock: numbers are only added while several threads use the table, and a table
 * that has become too small stays until they are done. A thread that finds nothing enters the
 * shard, searches on, and adds a number. The caller knows the content of a number. The tag makes it
 * unnecessary to compare the contents of most numbers that differ, and of all numbers when a table
 * grows. Numbers are not 0.
 */
#ifndef CFLRI_SHARDS_H
#define CFLRI_SHARDS_H

#include <stdatomic.h>

#include "base/alloc.h"
#include "base/crew.h"

enum { CFLRI_SHARDS = 64 };

typedef struct cflri_shard_table {
    struct cflri_shard_table *older; /* a table that a thread may still read */
    uint32_t mask;
    _Atomic uint64_t slot[];
} cflri_shard_table;

typedef struct cflri_shard {
    cflri_latch latch;
    uint32_t taken;
    char apart[CFLRI_APART];
} cflri_shard;

typedef struct cflri_shards {
    cflr_context *context;
    bool shared;                                    /* several threads use it now */
    cflri_shard_table *_Atomic table[CFLRI_SHARDS]; /* apart from the latches, which change often */
    cflri_shard shard[CFLRI_SHARDS];
} cflri_shards;

void cflri_shards_init(cflri_shards *shards, cflr_context *context);
void cflri_shards_free(cflri_shards *shards);

/* Bytes of the tables, without those that have become too small, and of these. */
uint64_t cflri_shards_bytes(const cflri_shards *shards);
uint64_t cflri_shards_older_bytes(const cflri_shards *shards);

/* Several threads use the table from now on, or no longer. */
void cflri_shards_share(cflri_shards *shards, bool shared);

/* The numbers that have the tag of a hash, one after the other. */
typedef struct cflri_shard_search {
    const cflri_shard_table *table; /* NULL: the shard is empty */
    uint32_t shard, tag, at;
} cflri_shard_search;

static inline cflri_shard_search cflri_shards_look(const cflri_shards *shards, uint64_t hash) {
    uint32_t shard = (hash >> 32) % CFLRI_SHARDS, tag = (uint32_t)hash;
    const cflri_shard_table *table =
        atomic_load_explicit(&shards->table[shard], memory_order_acquire);
    return (cflri_shard_search){table, shard, tag, tag};
}

/* Returns the next number. 0: there are no more. */
static inline uint32_t cflri_shards_next(cflri_shard_search *search) {
    const cflri_shard_table *table = search->table;
    while (table) {
        uint64_t entry =
            atomic_load_explicit(&table->slot[search->at & table->mask], memory_order_acquire);
        if (!entry) return 0;
        search->at++;
        if (entry >> 32 == search->tag) return (uint32_t)entry;
    }
    return 0;
}

/* Makes the shard the thread's own until it leaves. The search, which had come to its end,
 * continues with the numbers that other threads have added since; it may begin again. */
static inline void cflri_shards_enter(cflri_shards *shards, cflri_shard_search *search) {
    if (!shards->shared) return;
    cflri_latch_take(&shards->shard[search->shard].latch);
    const cflri_shard_table *table =
        atomic_load_explicit(&shards->table[search->shard], memory_order_relaxed);
    if (table == search->table) return;
    search->table = table;
    search->at = search->tag;
}

static inline void cflri_shards_leave(cflri_shards *shards, const cflri_shard_search *search) {
    if (!shards->shared) return;
    cflri_latch_leave(&shards->shard[search->shard].latch);
}

/* Called inside the shard: makes room for one more number. False when memory is refused. */
bool cflri_shards_reserve(cflri_shards *shards, const cflri_shard_search *search);
/* Called inside the shard: adds a number under the tag of the search, in the room that was made. */
void cflri_shards_add(cflri_shards *shards, const cflri_shard_search *search, uint32_t number);

/* Removes the numbers that are not to be kept from a shard, while no other thread uses it.
 * O(slots). */
void cflri_shards_filter(cflri_shards *shards, uint32_t shard,
                         bool (*kept)(const void *what, uint32_t number), const void *what);

#endif

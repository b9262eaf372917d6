/* SPDX-License-Identifier: Apache-2.0
 *
 * shards.c: a hash table of numbers in shards.
 */
#include "engine/sets/shards.h"

enum { FIRST_SLOTS = 16 };

void cflri_shards_init(cflri_shards *shards, cflr_context *context) {
    *shards = (cflri_shards){.context = context};
}

static void free_tables(const cflri_shards *shards, cflri_shard_table *table) {
    while (table) {
        cflri_shard_table *older = table->older;
        cflri_free(shards->context, table);
        table = older;
    }
}

void cflri_shards_free(cflri_shards *shards) {
    if (!shards->context) return;
    for (uint32_t i = 0; i < CFLRI_SHARDS; i++) {
        free_tables(shards, shards->table[i]);
    }
    shards->context = NULL;
}

uint64_t cflri_shards_bytes(const cflri_shards *shards) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; shards->context && i < CFLRI_SHARDS; i++) {
        bytes += cflri_block_bytes(shards->table[i]);
    }
    return bytes;
}

uint64_t cflri_shards_older_bytes(const cflri_shards *shards) {
    uint64_t bytes = 0;
    for (uint32_t i = 0; shards->context && i < CFLRI_SHARDS; i++) {
        const cflri_shard_table *table = shards->table[i];
        while (table && (table = table->older)) bytes += cflri_block_bytes(table);
    }
    return bytes;
}

void cflri_shards_share(cflri_shards *shards, bool shared) {
    shards->shared = shared;
    for (uint32_t i = 0; i < CFLRI_SHARDS; i++) {
        cflri_shard_table *table = shards->table[i];
        if (!table) continue;
        free_tables(shards, table->older);
        table->older = NULL;
    }
}

static uint64_t entry_at(const cflri_shard_table *table, uint64_t slot) {
    return atomic_load_explicit(&table->slot[slot], memory_order_relaxed);
}

static void fill_slot(cflri_shard_table *table, uint64_t entry) {
    uint32_t at = (uint32_t)(entry >> 32) & table->mask;
    while (entry_at(table, at)) at = (at + 1) & table->mask;
    atomic_store_explicit(&table->slot[at], entry, memory_order_release);
}

void cflri_shards_add(cflri_shards *shards, const cflri_shard_search *search, uint32_t number) {
    fill_slot(shards->table[search->shard], (uint64_t)search->tag << 32 | number);
    shards->shard[search->shard].taken++;
}

static cflri_shard_table *new_table(const cflri_shards *shards, uint64_t slots) {
    if (slots > UINT32_MAX) return NULL;
    size_t bytes = sizeof(cflri_shard_table) + (size_t)slots * sizeof(uint64_t);
    cflri_shard_table *table = cflri_alloc_zero(shards->context, bytes);
    if (table) table->mask = (uint32_t)(slots - 1);
    return table;
}

/* At most three quarters of the slots are taken. */
bool cflri_shards_reserve(cflri_shards *shards, const cflri_shard_search *search) {
    uint32_t shard = search->shard;
    cflri_shard_table *old = shards->table[shard];
    uint64_t slots = old ? (uint64_t)old->mask + 1 : 0;
    if (4 * (uint64_t)shards->shard[shard].taken < 3 * slots) return true;
    cflri_shard_table *grown = new_table(shards, slots ? 2 * slots : FIRST_SLOTS);
    if (!grown) return false;
    for (uint64_t i = 0; i < slots; i++) {
        if (entry_at(old, i)) fill_slot(grown, entry_at(old, i));
    }
    if (shards->shared) {
        grown->older = old;
    } else {
        cflri_free(shards->context, old);
    }
    atomic_store_explicit(&shards->table[shard], grown, memory_order_release);
    return true;
}

/* Removes entries and puts the kept ones back in the order of slots, beginning at a free slot, so
 * that each gets a slot that is not behind its old one. */
void cflri_shards_filter(cflri_shards *shards, uint32_t shard,
                         bool (*kept)(const void *what, uint32_t number), const void *what) {
    cflri_shard_table *table = shards->table[shard];
    uint32_t first = 0, taken = 0;
    if (!table) return;
    free_tables(shards, table->older);
    table->older = NULL;
    while (entry_at(table, first)) first++;
    for (uint64_t i = 0; i <= table->mask; i++) {
        uint32_t slot = (uint32_t)(first + i) & table->mask;
        uint64_t entry = entry_at(table, slot);
        if (!entry) continue;
        atomic_store_explicit(&table->slot[slot], 0, memory_order_relaxed);
        if (!kept(what, (uint32_t)entry)) continue;
        fill_slot(table, entry);
        taken++;
    }
    shards->shard[shard].taken = taken;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * check_shards.c: validates a hash table of numbers.
 */
#include "engine/sets/check.h"

/* A search begins at the place of the tag and ends at the first free slot. */
static bool is_reached(const cflri_shard_table *table, uint32_t slot) {
    uint32_t at = (uint32_t)(table->slot[slot] >> 32) & table->mask;
    while (at != slot && table->slot[at]) at = (at + 1) & table->mask;
    return at == slot;
}

static void check_shard(cflri_faults *faults, const cflri_shards *shards, uint32_t shard,
                        uint32_t end, uint8_t *listed) {
    const cflri_shard_table *table = shards->table[shard];
    uint32_t taken = 0;
    for (uint64_t slot = 0; table && slot <= table->mask; slot++) {
        uint32_t number = (uint32_t)table->slot[slot];
        if (!table->slot[slot]) continue;
        taken++;
        if (!number || number >= end) {
            cflri_fault(faults, "shard %u has number %u, which was not drawn", shard, number);
            continue;
        }
        if (listed[number]) cflri_fault(faults, "number %u is in shards twice", number);
        listed[number] = 1;
        if (!is_reached(table, (uint32_t)slot)) {
            cflri_fault(faults, "number %u stands behind a free slot of shard %u", number, shard);
        }
    }
    if (taken != shards->shard[shard].taken) {
        cflri_fault(faults, "shard %u has %u numbers, and counts %u", shard, taken,
                    shards->shard[shard].taken);
    }
}

bool cflri_shards_validate(const cflri_shards *shards, uint32_t end, uint8_t *listed, FILE *to) {
    cflri_faults faults = {.to = to};
    for (uint32_t s = 0; s < CFLRI_SHARDS; s++) check_shard(&faults, shards, s, end, listed);
    return !faults.n;
}

void cflri_check_spare(cflri_faults *faults, uint8_t *taken, uint32_t end,
                       const cflri_numbers *spare, cflri_draw draw) {
    for (size_t i = 0; i < spare->n; i++) {
        uint32_t number = spare->at[i];
        if (!number || number >= end || taken[number]) {
            cflri_fault(faults, "number %u is to be used again, and is not free", number);
        } else {
            taken[number] = 1;
        }
    }
    for (uint32_t number = draw.next; number < draw.end; number++) {
        if (number >= end || taken[number]) {
            cflri_fault(faults, "number %u was drawn, and is not free", number);
        } else {
            taken[number] = 1;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * facts_table.c: open addressing with linear probing.
 *
 *     slot:   [a b c value] [- - - NONE] [a b c value] ...     a power of two, at most 5/8 full
 *
 * A free slot has value CFLRI_NO_VALUE. The hash mixes the three numbers by multiplication with odd
 * constants (the finaliser of splitmix64), because bases ascend and steps repeat. Growth doubles
 * and reinserts: amortised O(1).
 */
#include "frontend/facts/facts_table.h"

#include <assert.h>
#include <string.h>

typedef struct slot {
    cflri_triple key;
    uint32_t value;
} slot;

struct cflri_triples {
    cflr_context *context;
    slot *at;
    size_t mask; /* slots - 1 */
    size_t n;
};

enum { FIRST_SLOTS = 64, NEIGHBOURS = 4 };

static size_t hash(cflri_triple key) {
    uint64_t neighbours = key.b / NEIGHBOURS;
    uint64_t h = (neighbours << 32 | key.c) + key.a * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ (h >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (size_t)(h ^ (h >> 31)) * NEIGHBOURS + key.b % NEIGHBOURS;
}

static bool same(cflri_triple x, cflri_triple y) {
    return x.a == y.a && x.b == y.b && x.c == y.c;
}

/* The key's slot, or the free one where it belongs. */
static slot *probe(slot *at, size_t mask, cflri_triple key) {
    size_t i = hash(key) & mask;
    while (at[i].value != CFLRI_NO_VALUE && !same(at[i].key, key)) i = (i + 1) & mask;
    return &at[i];
}

static slot *make_slots(cflr_context *context, size_t count) {
    slot *at = cflri_alloc_array(context, count, sizeof *at);
    if (at) memset(at, 0xff, count * sizeof *at);
    return at;
}

bool cflri_triples_reserve(cflri_triples *table, size_t extra) {
    size_t count = table->mask + 1;
    if (extra > SIZE_MAX / 16 - table->n) return false;
    while (table->n + extra > count / 8 * 5) count *= 2;
    if (count == table->mask + 1) return true;
    slot *at = make_slots(table->context, count);
    if (!at) return false;
    for (size_t i = 0; i <= table->mask; i++) {
        if (table->at[i].value == CFLRI_NO_VALUE) continue;
        *probe(at, count - 1, table->at[i].key) = table->at[i];
    }
    cflri_free(table->context, table->at);
    table->at = at;
    table->mask = count - 1;
    return true;
}

cflri_triples *cflri_triples_new(cflr_context *context) {
    cflri_triples *table = cflri_alloc_zero(context, sizeof *table);
    if (!table) return NULL;
    table->context = context;
    table->mask = FIRST_SLOTS - 1;
    table->at = make_slots(context, FIRST_SLOTS);
    if (table->at) return table;
    cflri_free(context, table);
    return NULL;
}

void cflri_triples_free(cflri_triples *table) {
    if (!table) return;
    cflri_free(table->context, table->at);
    cflri_free(table->context, table);
}

uint32_t cflri_triples_find(const cflri_triples *table, cflri_triple key) {
    return probe(table->at, table->mask, key)->value;
}

bool cflri_triples_add(cflri_triples *table, cflri_triple key, uint32_t value) {
    assert(value != CFLRI_NO_VALUE);
    if (table->n + 1 > (table->mask + 1) / 8 * 5 && !cflri_triples_reserve(table, 1)) return false;
    slot *free_slot = probe(table->at, table->mask, key);
    assert(free_slot->value == CFLRI_NO_VALUE);
    *free_slot = (slot){key, value};
    table->n++;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * label_table.c: the hash table of labels.
 */
#include "base/graph/label_table.h"

#include <assert.h>

#include "cflr/graph.h"

enum { FIRST_SLOTS = 16 };

/* Multiplying by 2^64 / golden ratio spreads neighbours; the upper bits are the good ones. */
static uint64_t first_slot(const cflri_label_table *table, cflri_label key) {
    uint64_t packed = (uint64_t)key.name << 32 | key.index;
    packed ^= packed >> 29;
    return (packed * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (table->n_slots - 1);
}

/* The slot that holds `key`, or the free one where it belongs. The table is never full. */
static uint64_t slot_of(const cflri_label_table *table, const cflri_label *labels,
                        cflri_label key) {
    uint64_t at = first_slot(table, key);
    while (table->slot[at]) {
        cflri_label there = labels[table->slot[at] - 1];
        if (there.name == key.name && there.index == key.index) break;
        at = (at + 1) & (table->n_slots - 1);
    }
    return at;
}

uint32_t cflri_label_find(const cflri_label_table *table, const cflri_label *labels,
                          cflri_label key) {
    if (!table->n_slots) return CFLR_NO_LABEL;
    uint32_t found = table->slot[slot_of(table, labels, key)];
    return found ? found - 1 : CFLR_NO_LABEL;
}

static bool grow(cflr_context *context, cflri_label_table *table, const cflri_label *labels,
                 uint32_t number) {
    cflri_label_table larger = {NULL, table->n_slots ? 2 * table->n_slots : FIRST_SLOTS};
    larger.slot = cflri_alloc_array_zero(context, larger.n_slots, sizeof *larger.slot);
    if (!larger.slot) return false;
    for (uint32_t l = 0; l < number; l++) larger.slot[slot_of(&larger, labels, labels[l])] = l + 1;
    cflri_free(context, table->slot);
    *table = larger;
    return true;
}

bool cflri_label_table_add(cflr_context *context, cflri_label_table *table,
                           const cflri_label *labels, uint32_t number) {
    assert(number < CFLR_NO_LABEL);
    if (2 * ((uint64_t)number + 1) > table->n_slots && !grow(context, table, labels, number)) {
        return false;
    }
    uint64_t at = slot_of(table, labels, labels[number]);
    assert(!table->slot[at]);
    table->slot[at] = number + 1;
    return true;
}

void cflri_label_table_free(cflr_context *context, cflri_label_table *table) {
    cflri_free(context, table->slot);
    *table = (cflri_label_table){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * numbered.c: numbers of things that are known by a hash of 128 bits.
 *
 * Open addressing in a table of which at most half is used. A large table that the next one has
 * replaced goes back to the system, since the heap would keep it beside.
 */
#include "base/numbered.h"

enum {
    FIRST = 64,      /* slots */
    LARGE = 1 << 18, /* bytes of a freed table that the heap is to hand back */
};

static cflri_numbered_slot *slot_of(const cflri_numbered *known, XXH128_hash_t hash) {
    uint64_t mask = known->n_slots - 1, at = hash.low64 & mask;
    while (known->slot[at].used && !XXH128_isEqual(known->slot[at].hash, hash)) {
        at = (at + 1) & mask;
    }
    return &known->slot[at];
}

bool cflri_numbered_find(const cflri_numbered *known, XXH128_hash_t hash, uint32_t *number) {
    const cflri_numbered_slot *slot = known->n_slots ? slot_of(known, hash) : NULL;
    if (!slot || !slot->used) return false;
    *number = slot->number;
    return true;
}

static uint64_t slots_for_more(const cflri_numbered *known) {
    if (!known->n_slots) return FIRST;
    return 2 * known->n < known->n_slots - 1 ? known->n_slots : 2 * known->n_slots;
}

uint64_t cflri_numbered_more(const cflri_numbered *known) {
    uint64_t slots = slots_for_more(known);
    return slots == known->n_slots ? 0 : slots * sizeof *known->slot;
}

static bool grow(cflr_context *context, cflri_numbered *known, uint64_t slots) {
    cflri_numbered grown = {.n = known->n, .n_slots = slots};
    grown.slot = cflri_alloc_array_zero(context, slots, sizeof *grown.slot);
    if (!grown.slot) return false;
    for (uint64_t i = 0; i < known->n_slots; i++) {
        if (known->slot[i].used) *slot_of(&grown, known->slot[i].hash) = known->slot[i];
    }
    cflri_free(context, known->slot);
    if (known->n_slots * sizeof *known->slot >= LARGE) cflri_return_pages(context);
    *known = grown;
    return true;
}

bool cflri_numbered_add(cflr_context *context, cflri_numbered *known, XXH128_hash_t hash,
                        uint32_t number) {
    uint64_t slots = slots_for_more(known);
    if (slots != known->n_slots && !grow(context, known, slots)) return false;
    *slot_of(known, hash) = (cflri_numbered_slot){hash, number, true};
    known->n++;
    return true;
}

void cflri_numbered_free(cflr_context *context, cflri_numbered *known) {
    cflri_free(context, known->slot);
    *known = (cflri_numbered){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * seen.c: open addressing with linear probing, at most 5/8 full.
 *
 * A slot keeps the whole hash, so growing moves slots and looks at no record, and nearly every
 * record that is compared is the one that is looked for. Expected O(1).
 */
#include "base/seen.h"

#include <assert.h>
#include <string.h>

enum { FIRST_SLOTS = 32 };

static void put(cflri_seen *seen, cflri_seen_slot slot) {
    size_t at = cflri_seen_first(seen, slot.hash);
    while (seen->slot[at].number != CFLRI_NOT_SEEN) at = (at + 1) & (seen->n_slots - 1);
    seen->slot[at] = slot;
}

bool cflri_seen_reserve(cflr_context *context, cflri_seen *seen, size_t extra) {
    cflri_seen larger = {.n = seen->n, .n_slots = seen->n_slots ? seen->n_slots : FIRST_SLOTS};
    if (extra > SIZE_MAX / 16 - seen->n) return false;
    while (8 * (seen->n + extra) > 5 * larger.n_slots) larger.n_slots *= 2;
    if (larger.n_slots == seen->n_slots) return true;
    larger.slot = cflri_alloc_array(context, larger.n_slots, sizeof *larger.slot);
    if (!larger.slot) return false;
    memset(larger.slot, 0xff, larger.n_slots * sizeof *larger.slot); /* all are free */
    for (size_t i = 0; i < seen->n_slots; i++)
        if (seen->slot[i].number != CFLRI_NOT_SEEN) put(&larger, seen->slot[i]);
    cflri_free(context, seen->slot);
    *seen = larger;
    return true;
}

bool cflri_seen_add(cflr_context *context, cflri_seen *seen, uint32_t hash, uint32_t number) {
    assert(number != CFLRI_NOT_SEEN);
    if (8 * (seen->n + 1) > 5 * seen->n_slots && !cflri_seen_reserve(context, seen, 1))
        return false;
    put(seen, (cflri_seen_slot){hash, number});
    seen->n++;
    return true;
}

void cflri_seen_free(cflr_context *context, cflri_seen *seen) {
    cflri_free(context, seen->slot);
    *seen = (cflri_seen){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * once.c: a set of ids that is filled and forgotten over and over.
 */
#include "engine/sets/once.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

static bool grow(cflri_once *once, cflr_context *context, size_t n) {
    size_t slots = FIRST_SLOTS;
    while (slots < 2 * n) slots *= 2;
    if (slots > (size_t)UINT32_MAX + 1) return false;
    uint64_t *slot = cflri_alloc_array_zero(context, slots, sizeof *slot);
    if (!slot) return false;
    cflri_free(context, once->slot);
    *once = (cflri_once){.slot = slot, .mask = (uint32_t)(slots - 1)};
    return true;
}

bool cflri_once_begin(cflri_once *once, cflr_context *context, size_t n) {
    if ((!once->slot || n > once->mask / 2) && !grow(once, context, n)) return false;
    if (!++once->filling) {
        memset(once->slot, 0, ((size_t)once->mask + 1) * sizeof *once->slot);
        once->filling = 1;
    }
    return true;
}

void cflri_once_free(cflri_once *once, cflr_context *context) {
    cflri_free(context, once->slot);
    *once = (cflri_once){0};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * once.h: a set of ids that is filled and forgotten over and over.
 *
 * Open addressing. Each entry has the number of its filling, so forgetting costs nothing.
 */
#ifndef CFLRI_ONCE_H
#define CFLRI_ONCE_H

#include "base/alloc.h"

typedef struct cflri_once {
    uint64_t *slot; /* filling, id */
    uint32_t mask;
    uint32_t filling; /* from 1 */
} cflri_once;

/* Makes the set empty, and large enough for n ids. False when memory is refused. Zero bytes are a
 * set that never began. */
bool cflri_once_begin(cflri_once *once, cflr_context *context, size_t n);
void cflri_once_free(cflri_once *once, cflr_context *context);

/* Adds an id. False when it was there already. */
static inline bool cflri_once_add(cflri_once *once, uint32_t id) {
    uint64_t entry = (uint64_t)once->filling << 32 | id;
    uint32_t at = (uint32_t)(id * UINT64_C(0x9E3779B97F4A7C15) >> 32) & once->mask;
    while (once->slot[at] >> 32 == once->filling) {
        if (once->slot[at] == entry) return false;
        at = (at + 1) & once->mask;
    }
    once->slot[at] = entry;
    return true;
}

#endif

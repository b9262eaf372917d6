/* SPDX-License-Identifier: Apache-2.0
 *
 * edge_set.c: a flat open-addressing set of packed edges.
 */
#include "engine/closure/pairs/edge_set.h"

#include <assert.h>
#include <string.h>

#define EMPTY UINT64_MAX /* no label and no vertex has the number UINT32_MAX */

enum { FIRST_LOG2 = 3 };

/* Where the edge is, or the empty slot where it belongs. */
static uint64_t find(const uint64_t *slot, uint32_t log2, uint64_t edge) {
    uint64_t mask = ((uint64_t)1 << log2) - 1;
    uint64_t at = (edge * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - log2);
    while (slot[at] != edge && slot[at] != EMPTY) at = (at + 1) & mask;
    return at;
}

static bool grow(cflr_context *context, cflri_edge_set *set) {
    uint32_t log2 = set->slot ? set->log2 + 1 : FIRST_LOG2;
    uint64_t *slot = cflri_alloc_array(context, (size_t)1 << log2, sizeof *slot);
    if (!slot) return false;
    memset(slot, 0xff, sizeof *slot << log2);
    for (uint64_t s = 0; set->slot && s < (uint64_t)1 << set->log2; s++) {
        if (set->slot[s] != EMPTY) slot[find(slot, log2, set->slot[s])] = set->slot[s];
    }
    cflri_free(context, set->slot);
    set->slot = slot;
    set->log2 = log2;
    return true;
}

bool cflri_edge_set_add(cflr_context *context, cflri_edge_set *set, uint64_t edge, bool *added) {
    assert(edge != EMPTY);
    uint64_t most = set->slot ? (uint64_t)3 << (set->log2 - 2) : 0;
    if (set->n == most && !grow(context, set)) return false;
    uint64_t at = find(set->slot, set->log2, edge);
    *added = set->slot[at] == EMPTY;
    set->slot[at] = edge;
    set->n += *added;
    return true;
}

void cflri_edge_set_free(cflr_context *context, cflri_edge_set *set) {
    cflri_free(context, set->slot);
    *set = (cflri_edge_set){0};
}

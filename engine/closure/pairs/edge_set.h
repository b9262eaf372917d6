/* SPDX-License-Identifier: Apache-2.0
 *
 * edge_set.h: a flat open-addressing set of packed edges: "seen before?" in one or two probes.
 *
 *     slot:  | . | L7,3 | . | . | L2,9 | L7,5 | ...      (label, target) of one
 *                                                        source, 8 bytes each
 *
 * Linear probing, at most 3/4 full, doubled when fuller. One set a source vertex keeps each set
 * small, and the source out of the key. A zeroed set is empty.
 */
#ifndef CFLRI_EDGE_SET_H
#define CFLRI_EDGE_SET_H

#include "base/alloc.h"

typedef struct cflri_edge_set {
    uint64_t *slot;
    uint64_t n;
    uint32_t log2; /* slots are 2^log2, or none when slot is NULL */
} cflri_edge_set;

/* Adds an edge; *added tells whether it is new. False when memory is refused. */
bool cflri_edge_set_add(cflr_context *context, cflri_edge_set *set, uint64_t edge, bool *added);

void cflri_edge_set_free(cflr_context *context, cflri_edge_set *set);

#endif

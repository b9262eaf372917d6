/* SPDX-License-Identifier: Apache-2.0
 *
 * stored_sets.h: the sets of a store, as those of relations.
 */
#ifndef CFLRI_STORED_SETS_H
#define CFLRI_STORED_SETS_H

#include "base/graph/relation.h"
#include "engine/sets/sets.h"
#include "engine/sets/vertex_ids.h"

typedef struct cflri_stored_sets {
    cflri_target_sets sets; /* .free frees the struct, the store and the ids */
    cflri_set_store store;
    cflri_vertex_ids ids;
} cflri_stored_sets;

/* Makes room for a store; the caller initialises it. NULL when memory is refused. */
cflri_stored_sets *cflri_stored_sets_new(cflr_context *context);

/* The store has all sets from now on. Their ids stand for the vertices that cflri_vertex_ids_init
 * copies. False when memory is refused. */
bool cflri_stored_sets_end(cflri_stored_sets *stored, const uint32_t *vertex, uint32_t n_ids,
                           uint32_t n_vertices);

#endif

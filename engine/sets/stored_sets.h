/* SPDX-License-Identifier: Apache-2.0
 *
 * stored_sets.h: the sets of a store, as those of relations.
 */
#ifndef CFLRI_STORED_SETS_H
#define CFLRI_STORED_SETS_H

#include "base/graph/relation.h"
#include "engine/sets/sets.h"

typedef struct cflri_stored_sets {
    cflri_target_sets sets; /* .free frees the struct, the store and the array */
    cflri_set_store store;
    uint32_t *vertex;    /* id -> vertex of the graph; NULL: the same */
    uint32_t *id;        /* vertex -> its id, or n_ids; NULL: vertices ascend as ids do */
    uint32_t n_ids;      /* ids that `vertex` has */
    uint32_t n_vertices; /* vertices that `id` has */
} cflri_stored_sets;

/* Makes room for a store; the caller initialises it. NULL when memory is refused. */
cflri_stored_sets *cflri_stored_sets_new(cflr_context *context);

/* The store has all sets from now on. Copies `vertex`, which has n_ids vertices, or is NULL. They
 * ascend unless n_vertices, the number of vertices of the graph, is given. False when memory is
 * refused. */
bool cflri_stored_sets_end(cflri_stored_sets *stored, const uint32_t *vertex, uint32_t n_ids,
                           uint32_t n_vertices);

#endif

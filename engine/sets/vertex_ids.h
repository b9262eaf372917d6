/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex_ids.h: ids that sets are of, and the vertices of the graph that they stand for.
 */
#ifndef CFLRI_VERTEX_IDS_H
#define CFLRI_VERTEX_IDS_H

#include "base/alloc.h"

/* Zero bytes: each id is its vertex. */
typedef struct cflri_vertex_ids {
    uint32_t *vertex;    /* id -> vertex of the graph; NULL: the same */
    uint32_t *id;        /* vertex -> its id, or n_ids; NULL: vertices ascend as ids do */
    uint32_t n_ids;      /* ids that `vertex` has */
    uint32_t n_vertices; /* vertices that `id` has */
} cflri_vertex_ids;

/* Copies `vertex`, which has n_ids vertices, or is NULL. They ascend unless n_vertices, the number
 * of vertices of the graph, is given. False when memory is refused; it is to be freed then,
 * too. */
bool cflri_vertex_ids_init(cflri_vertex_ids *map, cflr_context *context, const uint32_t *vertex,
                           uint32_t n_ids, uint32_t n_vertices);
void cflri_vertex_ids_free(cflri_vertex_ids *map, cflr_context *context);

/* Are vertices in another order than their ids? */
static inline bool cflri_vertex_ids_reordered(const cflri_vertex_ids *map) {
    return map->id != NULL;
}

/* Words behind the ids that writing them in order needs. */
static inline uint32_t cflri_vertex_ids_room(const cflri_vertex_ids *map) {
    return map->id ? map->n_vertices / 32 + 1 : 0;
}

/* Writes vertices, ascending, over n ids that ascend. */
void cflri_vertex_ids_write_in_order(const cflri_vertex_ids *map, uint32_t *ids, uint32_t n);

/* Returns the id of a vertex. One that has no id gets the first of a later one where vertices
 * ascend, and n_ids where they do not. */
uint32_t cflri_vertex_ids_id_of(const cflri_vertex_ids *map, uint32_t vertex);

/* Does the id stand for the vertex? */
static inline bool cflri_vertex_ids_is(const cflri_vertex_ids *map, uint32_t id, uint32_t vertex) {
    if (!map->vertex) return id == vertex;
    return id < map->n_ids && map->vertex[id] == vertex;
}

#endif

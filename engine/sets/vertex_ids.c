/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex_ids.c: ids that sets are of, and the vertices of the graph that they stand for.
 *
 *     id           0   1   2   3
 *     vertex       7   2   9   4       ascending, or in an order of the solver
 *
 * Where sets are about fewer vertices than the graph has, `vertex` has their numbers in the graph.
 * These ascend as the ids do, unless the solver has reordered them (spine/numbering.h). Then a row
 * that is read is put in order: many vertices by a bit for each vertex of the graph, few by
 * sorting.
 */
#include "engine/sets/vertex_ids.h"

#include <string.h>

#include "base/ids.h"

static bool find_ids(cflri_vertex_ids *map, cflr_context *context, uint32_t n_vertices) {
    map->id = cflri_alloc_array(context, n_vertices + (size_t)1, sizeof *map->id);
    if (!map->id) return false;
    for (uint32_t v = 0; v < n_vertices; v++) map->id[v] = map->n_ids;
    for (uint32_t i = 0; i < map->n_ids; i++) map->id[map->vertex[i]] = i;
    map->n_vertices = n_vertices;
    return true;
}

bool cflri_vertex_ids_init(cflri_vertex_ids *map, cflr_context *context, const uint32_t *vertex,
                           uint32_t n_ids, uint32_t n_vertices) {
    *map = (cflri_vertex_ids){0};
    if (!vertex) return true;
    map->n_ids = n_ids;
    map->vertex = cflri_alloc_array(context, n_ids + (size_t)1, sizeof *vertex);
    if (!map->vertex) return false;
    memcpy(map->vertex, vertex, n_ids * sizeof *vertex);
    return !n_vertices || find_ids(map, context, n_vertices);
}

void cflri_vertex_ids_free(cflri_vertex_ids *map, cflr_context *context) {
    cflri_free(context, map->vertex);
    cflri_free(context, map->id);
    *map = (cflri_vertex_ids){0};
}

/* Bits of so many vertices are looked through in the time that sorting takes for one. */
enum { BITS_OF_SORTING = 1024 };

/* Puts the vertices in order; there is room behind them. */
static void put_in_order(const cflri_vertex_ids *map, uint32_t *vertex, uint32_t n) {
    uint32_t words = cflri_vertex_ids_room(map), *bits = vertex + n, at = 0;
    if (n < map->n_vertices / BITS_OF_SORTING) {
        cflri_ids_sort_once(vertex, n);
        return;
    }
    memset(bits, 0, words * sizeof *bits);
    for (uint32_t i = 0; i < n; i++) bits[vertex[i] / 32] |= 1u << vertex[i] % 32;
    for (uint32_t w = 0; w < words; w++) {
        for (uint32_t left = bits[w]; left; left &= left - 1)
            vertex[at++] = w * 32 + (uint32_t)__builtin_ctz(left);
    }
}

void cflri_vertex_ids_write_in_order(const cflri_vertex_ids *map, uint32_t *ids, uint32_t n) {
    for (uint32_t i = 0; map->vertex && i < n; i++) ids[i] = map->vertex[ids[i]];
    if (map->id) put_in_order(map, ids, n);
}

uint32_t cflri_vertex_ids_id_of(const cflri_vertex_ids *map, uint32_t vertex) {
    if (!map->vertex) return vertex;
    if (!map->id) return (uint32_t)cflri_ids_seek(map->vertex, map->n_ids, vertex);
    return vertex < map->n_vertices ? map->id[vertex] : map->n_ids;
}

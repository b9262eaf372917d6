/* SPDX-License-Identifier: Apache-2.0
 *
 * filter.h: the filters of a grammar over a graph.
 *
 *     %filter F reads fits ~is
 *
 * A pair F(u,v) is kept only if the labels lead from u to v; if the first of them leads nowhere
 * from u, all pairs of u are kept. So a filter gives some vertices a mask, the set of all v that
 * they may have. Vertices from which the first label leads to the same vertices have the same mask.
 * A mask is a list of classes: a class has the vertices to which the last label leads from one
 * vertex. So masks of thousands of types that have millions of vertices in common take no room for
 * each of these:
 *
 *     u1 -reads-> T      v1 -is-> T     v2 -is-> T'     T -fits-> T, T'
 *     u2 -reads-> T
 *
 *     mask_of   u1: 1   u2: 1   others: 0     masks   1: T T'     classes   T: v1   T': v2
 *
 * Filters depend on the graph alone, so a closure that is filtered is a least fixed point as any
 * other.
 */
#ifndef CFLRI_FILTER_H
#define CFLRI_FILTER_H

#include "grammar/equations/ground.h"

typedef struct cflri_filter {
    uint32_t n_vertices;
    uint32_t *mask_of; /* by vertex: the number of its mask, from 1; 0: none */
    uint32_t n_masks;
    uint64_t *start;    /* of mask m in `class_of`: start[m - 1] .. start[m] */
    uint32_t *class_of; /* ascending in each mask */
    bool single;        /* there is one label, and a class is a single vertex, its number; else: */
    cflri_relation classes; /* a class is a row: of the graph, or with vertices numbered anew */
    const cflri_relation *converse; /* of `classes`; NULL where vertices were numbered anew */
} cflri_filter;

typedef struct cflri_filters {
    cflr_context *context;
    uint32_t n; /* filters of the grammar */
    cflri_filter *filter;
    uint32_t n_symbols;
    const cflri_filter **of; /* by ground symbol: its filter, or NULL; NULL without filters */
} cflri_filters;

/* O(masks * their edges before the last label). The graph must outlive the filters. Freed with
 * cflri_filters_free, also after a failure. */
cflr_status cflri_filters_make(const cflri_ground *ground, cflri_filters *filters,
                               cflr_error *error);
void cflri_filters_free(cflri_filters *filters);

/* Bytes of all filters. */
uint64_t cflri_filters_bytes(const cflri_filters *filters);

/* The same for vertices numbered anew: number[v], or UINT32_MAX for vertices that are left out;
 * the numbers ascend. `from` must outlive them. */
cflr_status cflri_filters_renumber(const cflri_filters *from, const uint32_t *number, uint32_t n,
                                   cflri_filters *filters, cflr_error *error);

/* Is the vertex in a mask? For vertices of the graph. O(classes of the vertex * log). */
bool cflri_mask_has(const cflri_filter *filter, uint32_t mask, uint32_t vertex);

/* Is the pair kept? NULL keeps all. */
static inline bool cflri_filter_keeps(const cflri_filter *filter, uint32_t source,
                                      uint32_t target) {
    if (!filter || !filter->mask_of[source]) return true;
    return cflri_mask_has(filter, filter->mask_of[source], target);
}

/* The same by ground symbol; NULL, and what a grammar without filters has, keep all. */
static inline bool cflri_filters_keep(const cflri_filters *filters, uint32_t symbol,
                                      uint32_t source, uint32_t target) {
    return !filters || !filters->of || cflri_filter_keeps(filters->of[symbol], source, target);
}

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce.h: a problem without the vertices that no edge of the grammar touches.
 *
 *     vertex of the graph:    0   1   2   3   4   5     no edge of the grammar touches 1, 2, 4
 *     vertex here:            0           1       2
 *
 * The only pairs of the other vertices are loops, by the empty word. Numbers keep their order, so
 * rows stay sorted when they are converted back; unless other numbers make sets much smaller
 * (numbering.h).
 */
#ifndef CFLRI_REDUCE_H
#define CFLRI_REDUCE_H

#include "engine/closure/model.h"

typedef struct cflri_reduced {
    cflri_problem problem;         /* the smaller one, or the same */
    const cflri_problem *original; /* not owned */
    uint32_t *vertex;              /* vertex here -> of the graph; NULL: they are the same */
    bool reordered;                /* vertices of the graph do not ascend as those here do */
    cflri_filters filters;         /* if vertices are renumbered */
    cflri_relation *input; /* owned; unless reordered but for `start`, which is the original's */
    const cflri_relation **inputs;
} cflri_reduced;

/* Leaves the problem as it is where the gain would be small. */
cflr_status cflri_reduce(const cflri_problem *problem, cflri_reduced *reduced, cflr_error *error);
/* Reorders the vertices of a reduced problem without filters, if that makes sets much smaller and
 * there is memory for it. */
bool cflri_reorder(cflri_reduced *reduced);
void cflri_reduced_free(cflri_reduced *reduced);

static inline uint32_t cflri_reduced_vertex(const cflri_reduced *reduced, uint32_t vertex) {
    return reduced->vertex ? reduced->vertex[vertex] : vertex;
}

#endif

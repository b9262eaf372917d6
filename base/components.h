/* SPDX-License-Identifier: Apache-2.0
 *
 * components.h: the strongly connected parts of a graph.
 */
#ifndef CFLRI_COMPONENTS_H
#define CFLRI_COMPONENTS_H

#include "base/alloc.h"

/* A graph in compressed rows: successors of v are target[start[v]] .. target[start[v + 1] - 1]. */
typedef struct cflri_successors {
    uint32_t n;
    const uint64_t *start;  /* n + 1 */
    const uint32_t *target; /* below n */
    const uint8_t *alone;   /* NULL, or by vertex: whether edges that lead there do not count */
} cflri_successors;

/* Strongly connected components: component[v] for each v, numbered so that a component's number is
 * larger than those of all components it reaches. *count of them. O(n + edges), no recursion. */
cflr_status cflri_components(cflr_context *context, const cflri_successors *graph,
                             uint32_t *component, uint32_t *count, cflr_error *error);

/* The same for n of its vertices and the edges among them. component[v] of the others that they
 * have edges to is n or more, and stays as it is. NULL: for all n. O(n + their edges). */
cflr_status cflri_components_of(cflr_context *context, const cflri_successors *graph,
                                const uint32_t *vertex, uint32_t n, uint32_t *component,
                                uint32_t *count, cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * components.h: recursion in the call graph.
 */
#ifndef CFLRI_COMPONENTS_H
#define CFLRI_COMPONENTS_H

#include "base/alloc.h"

/* A graph in compressed rows: successors of v are target[start[v]] .. target[start[v + 1] - 1]. */
typedef struct cflri_rows {
    uint32_t n;
    const uint32_t *start;  /* n + 1 */
    const uint32_t *target; /* below n */
} cflri_rows;

/* Strongly connected components: component[v] for each v, numbered so that a component's number is
 * larger than those of all components it reaches. *count of them. O(n + edges), no recursion. */
cflr_status cflri_components(cflr_context *context, const cflri_rows *rows, uint32_t *component,
                             uint32_t *count, cflr_error *error);

#endif

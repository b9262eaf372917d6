/* SPDX-License-Identifier: Apache-2.0
 *
 * turned.h: relations that share rows, read backwards.
 *
 * Rows are often the same for thousands of sources, and in relations that grow from one to the
 * next. The pairs read backwards have no such rows, and take many times the memory. So what is kept
 * is which different rows, here called sets, a target is in, and which sources have them in each
 * relation:
 *
 *     relation 0    p {x,y}  q {x,y}            sets         0 {x,y}   1 {x,y,z}
 *     relation 1    p {x,y}  q {x,y,z}          containing   x: 0 1    y: 0 1    z: 1
 *                                               having[0]    0: p q
 *                                               having[1]    0: p      1: q
 */
#ifndef CFLRI_TURNED_H
#define CFLRI_TURNED_H

#include "base/graph/relation.h"

typedef struct cflri_turned_rows {
    uint32_t n;       /* relations */
    uint32_t *n_sets; /* by relation: of it and those before it; greater numbers are not in it */
    cflri_relation containing; /* from targets to numbers of sets */
    cflri_relation *having;    /* by relation: from numbers of sets to sources */
} cflri_turned_rows;

/* Of n relations between n_vertices vertices, which are not needed any more then. Freed by the
 * caller, after a failure too. O(pairs of different rows, and rows). */
cflr_status cflri_turned_make(cflr_context *context, const cflri_relation *const *relation,
                              uint32_t n, uint32_t n_vertices, cflri_turned_rows *turned,
                              cflr_error *error);
/* Zero bytes hold nothing. */
void cflri_turned_free(cflr_context *context, cflri_turned_rows *turned);

#endif

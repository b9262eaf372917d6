/* SPDX-License-Identifier: Apache-2.0
 *
 * uses.h: as which types the memory of an allocation is used.
 */
#ifndef CFLRI_USES_H
#define CFLRI_USES_H

#include "frontend/contexts/clone.h"
#include "frontend/typing/readings.h"

typedef struct cflri_uses {
    const cflri_readings *readings;
    const cflri_contexts *contexts;
    uint32_t
        *start; /* by vertex, then by where calls through values and functions meet: in `next` */
    uint32_t *next;   /* the vertices that it is assigned to */
    cflri_node *node; /* by vertex */
    bool *open;       /* by node: where a pointer of any type goes on, and is not followed */
    cflri_numbers stack;
    bool *shifted;  /* by class: a pointer to it is moved, to what lies in front of it or behind */
    uint32_t *seen; /* by vertex: the last question that met it */
    uint32_t asked;
} cflri_uses;

/* O(vertices + assignments of all instances). CFLR_LIMIT, CFLR_NO_MEMORY. Free it also when this
 * fails. */
cflr_status cflri_uses_make(cflri_uses *uses, const cflri_contexts *contexts,
                            const cflri_readings *readings, cflr_error *error);
void cflri_uses_free(cflri_uses *uses);

/* The classes that the address `vertex` is read as by what it is assigned to, in `classes`, each
 * maybe more than once; *all: they cannot be told. O(1): where there are many vertices on the way,
 * they cannot. */
cflr_status cflri_uses_of(cflri_uses *uses, uint32_t vertex, cflri_numbers *classes, bool *all,
                          cflr_error *error);

#endif

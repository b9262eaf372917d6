/* SPDX-License-Identifier: Apache-2.0
 *
 * uses.h: as which types the memory of an allocation is used.
 */
#ifndef CFLRI_USES_H
#define CFLRI_USES_H

#include "frontend/flows.h"
#include "frontend/readings.h"

typedef struct cflri_uses {
    const cflri_readings *readings;
    cflri_flows flows; /* forward */
    bool *open;        /* by node: where a pointer of any type goes on, and is not followed */
    cflri_numbers stack;
    bool *shifted;  /* by class: a pointer to it is moved, to what lies in front of it or behind */
    uint32_t *seen; /* by node: the last question that met it */
    uint32_t asked;
} cflri_uses;

/* O(nodes + assignments). Free it also when this fails. */
cflr_status cflri_uses_make(cflri_uses *uses, const cflri_readings *readings, cflr_error *error);
void cflri_uses_free(cflri_uses *uses);

/* The classes that the address `node` is read as by what it is assigned to, in `classes`, each
 * maybe more than once; *all: they cannot be told. O(1): where there are many nodes on the way,
 * they cannot. */
cflr_status cflri_uses_of(cflri_uses *uses, cflri_node node, cflri_numbers *classes, bool *all,
                          cflr_error *error);

#endif

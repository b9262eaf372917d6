/* SPDX-License-Identifier: Apache-2.0
 *
 * nestings.h: where in other records the records of a program may lie.
 */
#ifndef CFLRI_NESTINGS_H
#define CFLRI_NESTINGS_H

#include "frontend/program/link.h"
#include "frontend/typing/shapes.h"

typedef struct cflri_nestings {
    cflri_classes classes;
    cflri_shapes shapes;
    CFLRI_VEC(uint64_t) places; /* (class, bytes from the start of the whole), sorted, each once */
} cflri_nestings;

/* Bytes are more than 0. Free it also when this fails. O(program * log). CFLR_OUT_OF_MEMORY. */
cflr_status cflri_nestings_make(cflri_nestings *nestings, cflri_program *program,
                                cflr_error *error);
void cflri_nestings_free(cflri_nestings *nestings);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * untyped.h: which values of a program point to memory that is seen as bytes and may hold pointers.
 */
#ifndef CFLRI_UNTYPED_H
#define CFLRI_UNTYPED_H

#include "frontend/contexts/clone.h"
#include "frontend/contexts/returned.h"
#include "frontend/program/flows.h"
#include "frontend/program/link.h"
#include "frontend/typing/places.h"

typedef struct cflri_untyped {
    cflri_program *program;
    bool *marked;      /* by node: such a value */
    bool *stripped;    /* by node: such a value, and the memory was seen to be a record */
    bool *source;      /* by node: the root of a copy in pieces that is read from */
    bool *fed;         /* by node: such a root, and memory with pointers flows into it */
    cflri_flows flows; /* forward */
    cflri_groups into; /* assignments where a pointer may pass, by target */
    cflri_groups out;  /* the same by source */
    cflri_node *place; /* by node: the next one of the same place (places.h) */
    cflri_node *stack; /* room for all nodes */
    /* while it is made */
    bool *closed;                 /* by node: no mark goes through it */
    bool *mixed;                  /* by node: the same of `stripped` */
    bool *filled;                 /* by node: on the way back from a buffer that holds pointers */
    CFLRI_VEC(cflri_node) buffer; /* they, in the order in which they were found */
    cflri_returned returned;
} cflri_untyped;

/* For closing a program, before anything is dropped from its bodies. Free it also when this fails.
 * O(program), and once more for each chain of buffers. CFLR_LIMIT, CFLR_OUT_OF_MEMORY. */
cflr_status cflri_untyped_make(cflri_untyped *untyped, cflri_program *program, cflr_error *error);
void cflri_untyped_free(cflri_untyped *untyped);

#endif

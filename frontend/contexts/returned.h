/* SPDX-License-Identifier: Apache-2.0
 *
 * returned.h: which parameters come back as results.
 */
#ifndef CFLRI_RETURNED_H
#define CFLRI_RETURNED_H

#include "frontend/contexts/clone.h"
#include "frontend/program/link.h"

typedef struct cflri_returned {
    bool *passes;       /* by node: a parameter whose value the function may return */
    cflri_node *result; /* by call: what its result flows to; CFLRI_NO_NODE */
} cflri_returned;

/* `into`: assignments by target. Zero bytes are a valid argument of free. CFLR_LIMIT,
 * CFLR_OUT_OF_MEMORY. */
cflr_status cflri_returned_make(cflri_returned *returned, cflri_program *program,
                                const cflri_groups *into, cflr_error *error);
void cflri_returned_free(cflr_context *context, cflri_returned *returned);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * call_types.h: which functions a call may enter of those that its values point to, where types
 * count (extract --callees).
 */
#ifndef CFLR_CLI_CALL_TYPES_H
#define CFLR_CLI_CALL_TYPES_H

#include "cli/cli.h"

typedef struct call_type {
    bool all;               /* it enters any function */
    uint32_t alloc, enters; /* labels, or CFLR_NO_LABEL */
} call_type;

/* The type of a call as cflr_call_info has it. */
call_type call_type_of(const cflr_graph *graph, const char *type);
/* May a call of that type enter this function? */
bool call_enters(const cflr_graph *graph, const call_type *type, uint32_t function);

#endif

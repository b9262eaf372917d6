/* SPDX-License-Identifier: Apache-2.0
 *
 * calls.h: the functions and calls of the program that a graph was made of.
 *
 *     functions   0: -            1: main       2: qsort      3: by_name
 *     calls       1 calls 2       1 calls ?     2 calls ?                by place
 *     values      . . .           . .           .                        vertices, call after call
 *
 * A call has the values up to its `end`, from the end of the one before.
 */
#ifndef CFLRI_CALLS_H
#define CFLRI_CALLS_H

#include "base/vec.h"
#include "cflr/graph.h"

/* Texts are strings of the graph. Both are written to .cflg as they are. */
typedef struct cflri_function_row {
    uint32_t name;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t body;   /* cflr_body */
    uint32_t vertex; /* plus 1; 0: none */
} cflri_function_row;

typedef struct cflri_call_row {
    uint32_t caller;
    uint32_t callee;
    uint32_t expression;
    uint32_t type;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t end;
} cflri_call_row;

typedef struct cflri_calls {
    CFLRI_VEC(cflri_function_row) functions;
    CFLRI_VEC(cflri_call_row) calls;
    cflri_numbers values;
} cflri_calls;

void cflri_calls_free(cflr_context *context, cflri_calls *calls);

/* Are all numbers inside of what they number? O(functions + calls + values). */
bool cflri_calls_valid(const cflr_graph *graph);

#endif

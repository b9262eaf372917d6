/* SPDX-License-Identifier: Apache-2.0
 *
 * callgraph.h: the edges of `cflr callgraph`, and how they are printed.
 */
#ifndef CFLR_CLI_QUERY_CALLGRAPH_H
#define CFLR_CLI_QUERY_CALLGRAPH_H

#include "cli/answer/unresolved.h"

typedef struct call_edge {
    uint32_t caller, callee; /* functions */
    uint32_t call;
    bool direct; /* by name */
} call_edge;

/* The edges that are printed, and the result that they are read from. */
typedef struct callgraph {
    const cflr_graph *graph;
    entering entering;
    uint32_t n_functions;
    uint32_t *function;    /* by vertex: the function that it is, plus 1; 0: none */
    uint32_t *rank;        /* by function */
    bool *shared;          /* by function: its name is another one's, too */
    bool *caller, *callee; /* by function: asked for */
    uint32_t *met;         /* by function: the call, plus 1, that was seen last to enter it */
    call_edge *edge;       /* NULL while they are counted */
    size_t n;
    unresolved_list unresolved;
    uint32_t call; /* that is looked up now */
    uint32_t by;   /* the function that it is in */
} callgraph;

/* cflr_graph_function, with a name for the code outside. */
void callgraph_function(const callgraph *c, uint32_t i, cflr_function_info *info);

/* To the output, as text or JSON, or for Graphviz; the exit code. `met` is used for that. */
int callgraph_print(const callgraph *c, bool as_dot);

#endif

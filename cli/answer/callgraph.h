/* SPDX-License-Identifier: Apache-2.0
 *
 * callgraph.h: which function calls which: the edges of `cflr callgraph`.
 */
#ifndef CFLR_CLI_ANSWER_CALLGRAPH_H
#define CFLR_CLI_ANSWER_CALLGRAPH_H

#include "cli/answer/unresolved.h"

typedef struct call_edge {
    uint32_t caller, callee; /* functions */
    uint32_t call;
    bool direct; /* by name */
} call_edge;

/* The edges that are asked for, and the result that they are read from. */
typedef struct callgraph {
    const cflr_graph *graph;
    entering entering;
    uint32_t n_functions;
    uint32_t *function;    /* by vertex: the function that it is, plus 1; 0: none */
    uint32_t *rank;        /* by function */
    bool *shared;          /* by function: its name is another one's, too */
    bool chosen;           /* not all edges are asked for */
    bool *caller, *callee; /* by function: edges of this one, or to it, are */
    uint32_t *met;         /* by function: the call, plus 1, that was seen last to enter it */
    call_edge *edge;       /* NULL while they are counted */
    size_t n;
    unresolved_list unresolved;
    size_t n_unresolved; /* those that are not asked for, too */
    uint32_t call;       /* that is looked up now */
    uint32_t by;         /* the function that it is in */
    bool entered;        /* it enters a function */
} callgraph;

/* cflr_graph_function, with a name for the code outside. */
void callgraph_function(const callgraph *c, uint32_t i, cflr_function_info *info);

/* Does the result, the file of this name, tell what calls enter? 0, or the exit code after a
 * message. */
int callgraph_check(const cflr_result *result, const char *path);

/* The functions, without edges. 0, or the exit code after a message; to be ended in any case. */
int callgraph_begin(callgraph *c, const cflr_result *result);
void callgraph_end(callgraph *c);

/* Finds the edges, sorted by caller, callee and place, and the calls that may enter more than
 * these. Once. 0, or the exit code after a message. */
int callgraph_collect(callgraph *c);

#endif

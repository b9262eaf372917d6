/* SPDX-License-Identifier: Apache-2.0
 *
 * callgraph_print.h: the edges of `cflr callgraph`, printed.
 */
#ifndef CFLR_CLI_QUERY_CALLGRAPH_PRINT_H
#define CFLR_CLI_QUERY_CALLGRAPH_PRINT_H

#include "cli/answer/callgraph.h"

/* To the output, as text or JSON, or for Graphviz; the exit code. `met` is used for that. */
int callgraph_print(const callgraph *c, bool as_dot);

#endif

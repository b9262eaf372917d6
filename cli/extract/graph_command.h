/* SPDX-License-Identifier: Apache-2.0
 *
 * graph_command.h: what `cflr extract` and `cflr link` share: both make a graph, write it and tell
 * about it.
 */
#ifndef CFLR_CLI_EXTRACT_GRAPH_COMMAND_H
#define CFLR_CLI_EXTRACT_GRAPH_COMMAND_H

#include "cli/extract/extraction.h"

extern struct poptOption graph_command_table[];

#define GRAPH_COMMAND_OPTIONS OPTION_TABLE(graph_command_table, "What to write:")

/* How one of them does it; each step returns 0, or the exit code after a message. */
typedef struct graph_command {
    int (*check)(const cli_arguments *arguments);
    int (*list)(const cli_arguments *arguments, cflr_extract_report **report); /* the targets */
    int (*make)(const cli_arguments *arguments, cflr_graph **graph, cflr_extract_report **report);
} graph_command;

int graph_command_run(const graph_command *how, const cli_arguments *arguments);

#endif

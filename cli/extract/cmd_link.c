/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_link.c: `cflr link app.cflg libfoo.cflg -o whole.cflg`: linkable graphs to the graph of the
 * whole.
 */
#include "cli/extract/extraction.h"

static struct poptOption table[] = {GRAPH_COMMAND_OPTIONS, LINKING_OPTIONS, COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    return graph_command_run(arguments, true);
}

const command command_link = {.name = "link",
                              .operands = "GRAPH.cflg...",
                              .summary = "join graphs that were extracted apart",
                              .options = table,
                              .min_operands = 1,
                              .max_operands = -1,
                              .run = run};

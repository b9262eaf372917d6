/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_extract.c: `cflr extract -p DIR -o prog.cflg`: C source to a labelled graph.
 */
#include "cli/extract/graph_command.h"

static struct poptOption table[] = {GRAPH_COMMAND_OPTIONS, EXTRACTION_OPTIONS, COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    static const graph_command how = {extraction_check, extraction_list, extraction_run};
    return graph_command_run(&how, arguments);
}

const command command_extract = {.name = "extract",
                                 .operands = "[-p DIR | FILE.c...] [-- FLAGS]",
                                 .summary = "turn C source into a labelled graph",
                                 .options = table,
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .takes_flags = true,
                                 .run = run};

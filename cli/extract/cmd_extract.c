/* SPDX-License-Identifier: Apache-2.0
 *
 * cmd_extract.c: `cflr extract -p DIR -o prog.cflg`: C source to a labelled graph.
 */
#include "cli/extract/extraction.h"

static struct poptOption table[] = {GRAPH_COMMAND_OPTIONS, RULES_OPTION, EXTRACTION_OPTIONS,
                                    COMMON_OPTIONS};

static int run(const cli_arguments *arguments) {
    return graph_command_run(arguments, false);
}

const command command_extract = {.name = "extract",
                                 .operands = "[-p DIR | FILE.c...] [-- FLAGS]",
                                 .summary = "turn C source into a labelled graph",
                                 .options = table,
                                 .min_operands = 0,
                                 .max_operands = -1,
                                 .takes_flags = true,
                                 .run = run};

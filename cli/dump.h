/* SPDX-License-Identifier: Apache-2.0
 *
 * dump.h: the option tables as lines, from which shell completion is made.
 */
#ifndef CFLR_CLI_DUMP_H
#define CFLR_CLI_DUMP_H

#include <stdio.h>

/* One line an option: command, long name, short name or '-', name of the value or '-' for a flag,
 * help; tabs between. A command itself is a line with the long name '.' and, for the name of the
 * value, the words that its first operand may be. */
void dump_options(FILE *file);

#endif

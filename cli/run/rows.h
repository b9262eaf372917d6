/* SPDX-License-Identifier: Apache-2.0
 *
 * rows.h: the options of a command, as rows of its table and of those that it includes.
 */
#ifndef CFLR_CLI_RUN_ROWS_H
#define CFLR_CLI_RUN_ROWS_H

#include "cli/run/run.h"

enum { MOST_ROWS = 160 }; /* of a command, and different ones of all of them */

typedef struct option_rows {
    const struct poptOption *at[MOST_ROWS];
    size_t n;
} option_rows;

option_rows rows_of(const command *chosen);
/* The options of all commands, each once: it has the same kind of value in all that have it. */
option_rows rows_of_all(void);

/* By the long name, of so many bytes, or by the letter; NULL: there is none. */
const struct poptOption *find_row(const option_rows *rows, const char *name, size_t length);
const struct poptOption *find_letter(const option_rows *rows, char letter);
/* The long name that was perhaps meant; NULL: none is near. */
const char *nearest_row(const option_rows *rows, const char *name);

/* Does it take no value? May it be repeated? Does its value name a file or a directory? */
bool row_is_flag(const struct poptOption *row);
bool row_is_list(const struct poptOption *row);
bool row_is_path(const struct poptOption *row);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * shown.h: a few aliases of a result to look at, and what to ask of it.
 */
#ifndef CFLR_CLI_ANALYZE_SHOWN_H
#define CFLR_CLI_ANALYZE_SHOWN_H

#include "cli/run/run.h"

/* Two names of one address, in different functions. */
typedef struct shown_alias {
    uint32_t first, second;
} shown_alias;

/* Up to `most` aliases between different functions, the most telling first; the functions of first
 * vertices differ from one to the next, so that a few lines show many places. *n is how many were
 * written. 0, or the exit code after a message. */
int choose_aliases(const cflr_result *result, shown_alias *aliases, size_t most, size_t *n);

/* Says on standard error what to ask this result, which is in the file `path`, next; nothing with
 * -q. */
void suggest_questions(const cflr_result *result, const char *path);

#endif

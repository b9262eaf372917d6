/* SPDX-License-Identifier: Apache-2.0
 *
 * share.h: directories of rules and summaries that several projects share (--share).
 */
#ifndef CFLR_CLI_EXTRACT_SHARE_H
#define CFLR_CLI_EXTRACT_SHARE_H

#include <stddef.h>

/* Where rules and summaries are: lists that end with NULL. */
typedef struct shared_files {
    char **rules;     /* as they were asked for, names of shared ones as paths; NULL: none */
    char **summaries; /* those of the directories, and behind them those that were named */
} shared_files;

/* Looks into the directories. 0, or the exit code after a message; freed by share_free in any
 * case. */
int share_find(char *const *directories, char *const *rules, char *const *summaries,
               shared_files *found);
void share_free(shared_files *found);

#endif

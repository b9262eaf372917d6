/* SPDX-License-Identifier: Apache-2.0
 *
 * files.h: which files of two versions of a program are one file.
 */
#ifndef CFLR_CLI_DIFF_FILES_H
#define CFLR_CLI_DIFF_FILES_H

#include "cli/run/run.h"

/* The paths of one version, each once, and for each a number that files of both have in common when
 * they are one file. */
typedef struct file_list {
    const char **path;
    uint32_t *number;
    size_t n;
} file_list;

/* Fills `number` of both, which are there. 0, or the exit code after a message. O(depth * files log
 * files). */
int files_match(file_list *old, file_list *new);

#endif

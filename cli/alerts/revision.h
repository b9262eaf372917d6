/* SPDX-License-Identifier: Apache-2.0
 *
 * revision.h: a file as it is at a revision of git.
 */
#ifndef CFLR_CLI_ALERTS_REVISION_H
#define CFLR_CLI_ALERTS_REVISION_H

#include <stdio.h>

/* The file at `path` in the revision, to be closed; NULL after a message. */
FILE *revision_open(const char *revision, const char *path);

#endif

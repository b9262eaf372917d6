/* SPDX-License-Identifier: Apache-2.0
 *
 * changed.h: the files that a change touches (--changed-files).
 */
#ifndef CFLR_CLI_ALERTS_CHANGED_H
#define CFLR_CLI_ALERTS_CHANGED_H

#include "cli/alerts/alerts.h"

/* Reads paths below the root of the tree, one a line, as `git diff --name-only` prints them. 0, or
 * the exit code after a message. */
int changed_read(const char *path);

/* Marks the alerts that are elsewhere: no place of theirs is in one of these files. */
void changed_apply(alerts *a);

void changed_free(void);

#endif

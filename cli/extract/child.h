/* SPDX-License-Identifier: Apache-2.0
 *
 * child.h: another program, run to its end.
 */
#ifndef CFLR_CLI_EXTRACT_CHILD_H
#define CFLR_CLI_EXTRACT_CHILD_H

#include <stdbool.h>

typedef struct child_end {
    int code;         /* exit code; 128 and the signal when one killed it */
    bool interrupted; /* SIGINT or SIGTERM came meanwhile, for it or for us */
} child_end;

/* Is there a program of this name, by PATH unless it has a slash? */
bool child_exists(const char *name);

/* Runs argument[0], looked up in PATH, without a shell; the list ends with NULL. It has our
 * standard streams, or with `to_stderr` standard error for its standard output. Signals that ask us
 * to stop are passed on, and its end is waited for. 0, or errno when it could not be started. */
int child_run(const char *const *argument, bool to_stderr, child_end *end);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * diff.h: what two files of one kind differ in.
 */
#ifndef CFLR_CLI_DIFF_DIFF_H
#define CFLR_CLI_DIFF_DIFF_H

#include "cli/run/run.h"

typedef enum diff_part { DIFF_ALL, DIFF_NEW, DIFF_GONE, DIFF_COUNTS } diff_part;
typedef enum diff_fails { DIFF_FAILS_BY_KIND, DIFF_FAILS_NEW, DIFF_FAILS_NONE } diff_fails;

typedef struct diff_request {
    const char *old, *new;
    diff_part only;
    diff_fails fails;
    const char *sarif; /* --sarif; NULL: not given */
} diff_request;

/* Each prints the differences, and returns the exit code. The session has begun. */
int diff_reports(const diff_request *request);
int diff_results(const diff_request *request);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * check_run.h: for checks that are run (check.h, data/check.h): each that does not hold is told and counted.
 */
#ifndef CHECK_RUN_H
#define CHECK_RUN_H

#include <stdio.h>

static int check_failures;

static inline void check_that(int holds, const char *text, int line) {
    if (holds) return;
    fprintf(stderr, "line %d: %s does not hold\n", line, text);
    check_failures++;
}

#define CHECKED (check_failures != 0)

#endif

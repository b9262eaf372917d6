/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: runs a program of tests/c/summaries whose library cannot be linked with the others: RUN is
 * its function, and LEAST how many checks it makes.
 */
#include <stdio.h>

#include "tests/c/summaries/expect.h"

static unsigned checks, wrong;

void expect_true(bool holds, const char *what, const char *file, int line) {
    checks++;
    if (holds) return;
    wrong++;
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
}

void RUN(void);

int main(void) {
    RUN();
    printf("%u checks, %u wrong\n", checks, wrong);
    return wrong > 0 || checks < LEAST;
}

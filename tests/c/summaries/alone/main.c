/* SPDX-License-Identifier: Apache-2.0
 *
 * main.c: runs patterns.c, whose library cannot be linked with the programs beside it.
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

void run_patterns(void);

int main(void) {
    run_patterns();
    printf("%u checks, %u wrong\n", checks, wrong);
    return wrong > 0 || checks < 16;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * shell.h: questions to a result, typed at a terminal (`man cflr-query`, SHELL).
 */
#ifndef CFLR_CLI_QUERY_SHELL_H
#define CFLR_CLI_QUERY_SHELL_H

#include "cli/answer/asking.h"

/* What a shell asks, and how. */
typedef struct shell_questions {
    const char *path; /* of the result, for `why` */
    const cflr_graph *graph;
    const char *const *verbs; /* that questions begin with; the last one is NULL */
    answers *to;              /* where answers are printed: set by the shell */
    answer_question *answer;
    void *user; /* of answer */
} shell_questions;

/* Is there a terminal on both sides? */
bool shell_can_run(void);

/* Reads lines until the end. The exit code of the run. */
int shell_run(const shell_questions *questions);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * asking.h: questions to a result, which are all operands but the first; "-" reads questions from
 * standard input, one a line.
 */
#ifndef CFLR_CLI_ANSWER_ASKING_H
#define CFLR_CLI_ANSWER_ASKING_H

#include "cli/run/run.h"

/* The answers of one run: JSON is collected, text is printed as it comes. */
typedef struct answers {
    FILE *file;    /* of text */
    FILE *subject; /* of text: where it is said what stands at a place; NULL: before the answer */
    json_t *list;  /* of JSON; NULL for text */
    bool headings; /* text: "# QUESTION" before each answer */
    bool any_no;
    int failure; /* exit code of the first question that could not be answered */
} answers;

/* EXIT_YES, EXIT_NO, or the exit code after a message. */
typedef int answer_question(void *user, const char *text);

/* Exit code after a message where a question is empty, or where standard input would be read twice;
 * else 0. */
int refuse_empty_questions(const cli_arguments *arguments);

/* Likewise where the operands are the words of one question, which begins with one of the verbs;
 * the last one is NULL. */
int refuse_words(const cli_arguments *arguments, const char *const *verbs);

/* Warns of what the answers of a result rest on; `partial` says what may be wrong in a partial
 * one. */
void warn_of_result(const cflr_result *result, const char *path, const char *partial);

/* Asks all questions until time is over. The exit code of the run: a question that cannot be
 * answered does not keep the others from being asked, and wins over yes and no. */
int ask_all(answers *a, const cli_arguments *arguments, answer_question *answer, void *user);

#endif

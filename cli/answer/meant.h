/* SPDX-License-Identifier: Apache-2.0
 *
 * meant.h: the operands of a question that are places, and which expression each means.
 */
#ifndef CFLR_CLI_ANSWER_MEANT_H
#define CFLR_CLI_ANSWER_MEANT_H

#include "cli/names/names.h"

enum { MOST_OPERANDS = 2 };

/* A place, and the things that stand there: those of found.vertex[begin .. end - 1] are meant. */
typedef struct operand {
    const char *spec;
    place_set found;
    size_t begin, end;
} operand;

typedef struct operands {
    operand at[MOST_OPERANDS];
    size_t n;
} operands;

/* Looks up a word that is a place; others are left. 0, or the exit code after a message. */
int operands_add(operands *all, const cflr_graph *graph, cflr_finder *finder, const char *spec);
void operands_free(operands *all);

/* The operand of this very word; NULL: it is no place. */
const operand *operands_find(const operands *all, const char *spec);

/* Copies what is meant; *set is freed by the caller. 0, or the exit code after a message. */
int operand_meant(const operand *o, place_set *set);

/* Writes the answer for what is meant; 0, or the exit code after a message. */
typedef int answer_choice(void *user, FILE *file);

/* Means the first thing of each place. *alike: with every other choice the answer is the same. The
 * answer is written only where there is a choice, and not for more than some. 0, or the exit code
 * after a message. */
int operands_choose(operands *all, const cflr_graph *graph, answer_choice *answer, void *user,
                    bool *alike);

/* Says how each of several things is asked for. The exit code. */
int operands_refuse(const operands *all, const cflr_graph *graph);

#endif

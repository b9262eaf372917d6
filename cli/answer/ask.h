/* SPDX-License-Identifier: Apache-2.0
 *
 * ask.h: questions to a result (`man cflr-query`).
 */
#ifndef CFLR_CLI_ANSWER_ASK_H
#define CFLR_CLI_ANSWER_ASK_H

#include "cflr/findings.h"
#include "cli/answer/asking.h"
#include "cli/answer/meant.h"
#include "cli/answer/member.h"
#include "cli/names/names.h"

/* Pointers, and the object whose address they are, if the name is its name. */
typedef struct pointers {
    place_set places, object;
} pointers;

/* A list that is an answer. It may tell more of its vertices than what they are. */
typedef struct listing {
    const place_set *of; /* the vertices that were asked about */
    bool objects;        /* that they point to; otherwise they are aliases */
    members members;     /* of objects */
} listing;

typedef struct asking asking;

/* Tells a list in place of `to`; 0, or the exit code after a message. */
typedef int list_told(asking *a, const listing *l, const cflr_vertex_list *list);

/* A result that is asked. */
struct asking {
    const cflr_result *result;
    const cflr_graph *graph;
    uint32_t outside;        /* of an open program, or CFLR_NO_VERTEX */
    cflr_assumption assumes; /* of what is not told apart without it */
    cflr_apart *apart;
    cflr_finder *finder; /* where many names are looked up; else NULL */
    operands places;     /* of the question that is answered */
    answers to;          /* set by the caller */
    list_told *tell;     /* NULL: lists go where other answers go */
    void *user;          /* of the caller, for tell */
};

/* 0, or the exit code after a message; to be ended in any case. The result must outlive it. */
int asking_begin(asking *a, const cflr_result *result, bool many);
void asking_end(asking *a);

/* The words that questions begin with; the last one is NULL. */
extern const char *const question_verbs[];

/* An answer_question; `user` is an asking. */
int ask_question(void *user, const char *text);

/* The list of "points-to" or of "alias" for vertices that were found already; `text` is the
 * question. 0, or the exit code after a message. */
int ask_list(asking *a, const char *text, const char *what, const pointers *of);

/* Behind a vertex of a list: ", at in.x, escapes". */
void print_particulars(const asking *a, const listing *l, uint32_t v, FILE *file);
/* What it rests on that there is nothing else in a list. */
cflr_assumption list_rests_on(asking *a, const listing *l, const cflr_vertex_list *list);

#endif

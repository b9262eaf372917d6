/* SPDX-License-Identifier: Apache-2.0
 *
 * explaining.h: a result whose answers are explained.
 */
#ifndef CFLR_CLI_EXPLAIN_EXPLAINING_H
#define CFLR_CLI_EXPLAIN_EXPLAINING_H

#include "cli/answer/asking.h"
#include "cli/explain/explain.h"

/* A result whose answers are explained. */
typedef struct explaining {
    const cflr_result *result;
    const cflr_graph *graph;
    cflr_explainer *explainer;
    const char *answer_alias, *points_to; /* as the result says them, "" where there is none */
    const char *alias; /* the symbol whose derivations tell why two pointers alias */
    answers to;
    json_t *answer; /* the one that is made, of which these are the explanations */
    json_t *parts;
    bool as_dot, all; /* options */
} explaining;

/* The line about two vertices above the steps. */
typedef struct heading {
    uint32_t first;
    const char *between;
    uint32_t second;
    const char *end;
} heading;

/* Tells what stands at a place that is asked about: `object` where its address is meant
 * (find_pointers), else `set`. */
void say_subject(const explaining *e, const char *spec, const place_set *set,
                 const place_set *object);
/* The answer, and by whose doing it is, "" for the program's own. */
void say_answer(explaining *e, bool yes, const char *how);
/* The result has no answer. */
void say_unknown(explaining *e);

bool has_pair(const explaining *e, const char *symbol, uint32_t source, uint32_t target);

/* Explains one pair of a symbol, under a heading in steps of the source, or in symbols where that
 * is NULL; 0, or the exit code after a message. */
int explain_symbol(explaining *e, const char *symbol, const char *index, uint32_t source,
                   uint32_t target, const heading *h);
/* The same of one that answers `alias` or `points-to`. */
int explain_pair(explaining *e, const char *symbol, uint32_t source, uint32_t target);

/* `alias P Q`: 0, EXIT_NO or the exit code after a message. */
int explain_alias(explaining *e, char *const *word);

#endif

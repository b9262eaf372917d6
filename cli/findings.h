/* SPDX-License-Identifier: Apache-2.0
 *
 * findings.h: what the summary of `cflr analyze` reads off a result: how many pointers alias, and a few aliases to
 * look at.
 */
#ifndef CFLR_CLI_FINDINGS_H
#define CFLR_CLI_FINDINGS_H

#include "cli/cli.h"

typedef struct findings {
    bool has_alias;       /* are there pairs of aliases, which are counted? */
    bool has_points_to;   /* does the grammar answer the question? */
    uint64_t alias_pairs; /* unordered, of different vertices */
    /* Copies for contexts are one, below. */
    uint64_t pointers; /* that point to something */
    uint64_t objects;  /* that these point to, summed over all of them */
    uint64_t called;   /* function values that are called */
    uint64_t resolved; /* of these, those that may enter some function */
    uint64_t callees;  /* functions that their calls may enter, of all of them together */
    uint64_t
        sharing; /* pointers that point to the same objects, where these pointers are the most */
    uint64_t shared; /* the objects of that set */
    bool cut;        /* the time was over: what it does not have was not counted */
} findings;

/* False when out of memory, after a message. */
bool findings_make(const cflr_result *result, findings *found);

/* Two names of one address, in different functions. */
typedef struct shown_alias {
    uint32_t first, second;
} shown_alias;

/* Up to `most` aliases between different functions, the most telling first (shown.c); the functions of first
 * vertices differ from one to the next, so that a few lines show many places. *n is how many were written. False
 * when out of memory, after a message. */
bool findings_aliases(const cflr_result *result, shown_alias *aliases, size_t most, size_t *n);

/* Says on standard error what to ask this result, which is in the file `path`, next; nothing with -q. */
void suggest_questions(const cflr_result *result, const char *path);

#endif

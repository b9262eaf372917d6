/* SPDX-License-Identifier: Apache-2.0
 *
 * relation.h: a symbol of a result that a question asks for by its name.
 */
#ifndef CFLR_CLI_ANSWER_RELATION_H
#define CFLR_CLI_ANSWER_RELATION_H

#include "cli/run/run.h"

/* A symbol of the result, or one of its indexes. */
typedef struct named_relation {
    uint32_t label;
    const char *index; /* NULL: all indexes together */
} named_relation;

/* The relation that "S" or "f[8]" names; the text is cut at the bracket. 0, or the exit code after
 * a message. */
int relation_find(const cflr_result *result, char *text, named_relation *found);
bool relation_has(const cflr_result *result, named_relation wanted, uint32_t from, uint32_t to);
/* The first index with which the pair is in the relation, "" of a plain symbol; NULL: none. */
const char *relation_index(const cflr_result *result, named_relation wanted, uint32_t from,
                           uint32_t to);

#endif

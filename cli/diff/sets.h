/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h: the sets of two results, thing by thing.
 */
#ifndef CFLR_CLI_DIFF_SETS_H
#define CFLR_CLI_DIFF_SETS_H

#include "cli/diff/things.h"

/* One set of OLD and one of NEW: those of a thing, or of many that share both. Sizes are of things;
 * a side that does not have the thing has none. */
typedef struct set_pair {
    uint32_t size[SIDES];
    uint32_t n_gone, n_come; /* in OLD alone, in NEW alone */
    size_t list;             /* in set_pairs.listed: the gone ones, then those that came */
} set_pair;

typedef struct set_pairs {
    set_pair *at;
    size_t n, capacity;
    uint32_t *of; /* by thing: its pair, or NO_PAIR: the results do not say what it has */
    uint32_t *listed;
    size_t n_listed, listed_capacity;
    uint64_t nameless; /* pairs of the relation with a target that is no thing */
} set_pairs;

#define NO_PAIR UINT32_MAX

/* Where the sets come from: a relation of each result. */
typedef struct relation_pair {
    cflr_result *result[SIDES];
    uint32_t label[SIDES];
} relation_pair;

/* Compares the sets of all things; without `list` they are only counted. 0, or the exit code after
 * a message. Free it in any case. O(vertices log vertices + targets of different pairs). */
int sets_compare(const relation_pair *of, const things *t, bool list, set_pairs *sets);
void sets_free(set_pairs *sets);

#endif

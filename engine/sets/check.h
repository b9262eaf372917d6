/* SPDX-License-Identifier: Apache-2.0
 *
 * check.h: validates and dumps sets, and the structures that they consist of (base/fault.h).
 */
#ifndef CFLRI_SETS_CHECK_H
#define CFLRI_SETS_CHECK_H

#include "base/fault.h"
#include "engine/sets/sets.h"

/* Each number is below `end`, occurs once, and can be found from the slot of its tag on. Sets
 * `listed` of each number that occurs. */
bool cflri_shards_validate(const cflri_shards *shards, uint32_t end, uint8_t *listed, FILE *to);

/* Sets `taken` of each number that a hand may use again or has drawn. Each belongs to one hand. */
void cflri_check_spare(cflri_faults *faults, uint8_t *taken, uint32_t end,
                       const cflri_numbers *spare, cflri_draw draw);

/* Every node can be found by its content, occurs once, and has the counts of its children, which
 * are one level below it. O(nodes). */
bool cflri_radix_trees_validate(const cflri_radix_trees *trees, FILE *to);
void cflri_radix_trees_dump(const cflri_radix_trees *trees, FILE *to);

/* The trees are valid. Every set has the shape that row.h gives to its ids, and the ids ascend.
 * Every set can be found by its ids and occurs once, unless it is loose. No number belongs to a set
 * and to a hand at once. Totals are those of the sets. No sum has ids. O(ids of lists + nodes). */
bool cflri_sets_validate(const cflri_set_store *store, FILE *to);
void cflri_sets_dump(const cflri_set_store *store, FILE *to);

/* Is there a set of that number? */
bool cflri_sets_known(const cflri_set_store *store, cflri_set_number set);

#endif

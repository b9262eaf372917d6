/* SPDX-License-Identifier: Apache-2.0
 *
 * relation.h: a frozen set of pairs, by rows that exist only where they hold something.
 *
 *     row:      2        5     9          distinct sources, ascending
 *     start:    0        3     4     6    how many pairs lie before each row; one more at the end
 *     target:   1 4 7    2     0 9        ascending inside a row
 *
 * Pairs are numbered in this order. Rows with the same targets may share them; then `place` says
 * where the targets of each row begin, and their owner is another structure, which lives longer:
 *
 *     row:      2        5     9
 *     start:    0        3     4     7
 *     place:    8        0     8
 *     target:   2 ... 1 4 7 ...
 *
 * The doubly compressed form costs what its pairs cost: a graph with tens of thousands of labels
 * and millions of vertices needs no (label x vertex) array. A row is found by binary search.
 */
#ifndef CFLRI_RELATION_H
#define CFLRI_RELATION_H

#include "base/alloc.h"

typedef struct cflri_relation {
    uint32_t n_rows;
    uint64_t n_pairs;
    uint32_t *row;    /* n_rows */
    uint64_t *start;  /* n_rows + 1; NULL when empty */
    uint64_t *place;  /* n_rows; NULL: targets are not shared and begin at start[r] */
    uint32_t *target; /* n_pairs, or whatever `place` points into */
    bool borrowed;    /* the arrays' owner is another structure, which lives longer */
} cflri_relation;

/* The targets of row r, ascending: start[r + 1] - start[r] of them. */
static inline const uint32_t *cflri_relation_targets(const cflri_relation *relation, uint32_t r) {
    return relation->target + (relation->place ? relation->place[r] : relation->start[r]);
}

static inline uint64_t cflri_relation_count(const cflri_relation *relation, uint32_t r) {
    return relation->start[r + 1] - relation->start[r];
}

/* A pair packed so that integer order is (source, target) order. */
static inline uint64_t cflri_pair(uint32_t source, uint32_t target) {
    return (uint64_t)source << 32 | target;
}

/* Sorts `n` packed pairs in place (radix; `scratch` holds n more, or NULL to allocate it). */
cflr_status cflri_sort_pairs(cflr_context *context, uint64_t *pairs, uint64_t n, uint64_t *scratch,
                             cflr_error *error);

/* The same, for what no partial result needs: CFLR_LIMIT or CFLR_CANCELLED when interrupted, and
 * the pairs are in no order then. */
cflr_status cflri_sort_pairs_in_time(cflr_context *context, uint64_t *pairs, uint64_t n,
                                     uint64_t *scratch, cflr_error *error);

/* Room, not filled, for the n_rows and n_pairs that `relation` says; it is empty when memory is
 * refused. */
cflr_status cflri_relation_allocate(cflr_context *context, cflri_relation *relation,
                                    cflr_error *error);

/* Room, not filled, for rows and places of n_rows rows that lie in `target`; empty when memory is
 * refused. */
cflr_status cflri_relation_allocate_shared(cflr_context *context, uint32_t n_rows, uint32_t *target,
                                           cflri_relation *relation, cflr_error *error);

/* Builds from packed pairs in any order, duplicates allowed; `pairs` is sorted in place. A relation
 * that could not be built is empty. O(pairs). */
cflr_status cflri_relation_build(cflr_context *context, uint64_t *pairs, uint64_t n,
                                 cflri_relation *relation, cflr_error *error);

/* The same from pairs that ascend already, duplicates allowed: no copy, no scratch. */
cflr_status cflri_relation_build_sorted(cflr_context *context, const uint64_t *pairs, uint64_t n,
                                        cflri_relation *relation, cflr_error *error);

/* The same pairs once more, in the arrays of the other, which must live longer. */
cflri_relation cflri_relation_borrow(const cflri_relation *from);

/* The pairs read backwards, by so many threads if they are worth it; `relation` must be valid.
 * O(pairs), whatever the ids. */
cflr_status cflri_relation_reverse(cflr_context *context, const cflri_relation *relation,
                                   uint32_t threads, cflri_relation *reversed, cflr_error *error);

/* The same by one thread; CFLR_LIMIT or CFLR_CANCELLED when interrupted. */
cflr_status cflri_relation_reverse_in_time(cflr_context *context, const cflri_relation *relation,
                                           cflri_relation *reversed, cflr_error *error);

/* Is it the same read backwards? O(pairs log rows), and less when it is not. */
bool cflri_relation_symmetric(const cflri_relation *relation);
/* Has it no pairs but of vertices with themselves? O(rows), and less when it has others. */
bool cflri_relation_loops(const cflri_relation *relation);

/* Bytes of the arrays that it owns. */
uint64_t cflri_relation_bytes(const cflri_relation *relation);

/* Leaves it empty; zero bytes are an empty relation. */
void cflri_relation_free(cflr_context *context, cflri_relation *relation);

/* The number of the row of `source`, or n_rows. */
uint32_t cflri_relation_find(const cflri_relation *relation, uint32_t source);

/* The targets of `source`: NULL and 0 when there are none. */
const uint32_t *cflri_relation_row(const cflri_relation *relation, uint32_t source,
                                   uint64_t *count);

bool cflri_relation_has(const cflri_relation *relation, uint32_t source, uint32_t target);

/* Every invariant of the pictures above, ids below n_vertices. Reads only what the counts allow, so
 * the arrays may hold anything; of shared targets there are n_targets. */
bool cflri_relation_valid(const cflri_relation *relation, uint32_t n_vertices, uint64_t n_targets);

#endif

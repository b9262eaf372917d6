/* SPDX-License-Identifier: Apache-2.0
 *
 * relation.h: a frozen set of pairs, by rows that exist only where they hold something.
 *
 *     row:      2        5     9          distinct sources, ascending
 *     start:    0        3     4     6    how many pairs lie before each row; one more at the end
 *     target:   1 4 7    2     0 9        ascending inside a row
 *
 * Pairs are numbered in this order. Rows with the same targets may share them as a set. Then
 * `sets` has the sets, and `set` has the number of each row's:
 *
 *     row:      2        5     9
 *     start:    0        3     4     7
 *     set:      1        .2    1          .2 is the set of the one id 2, without an entry
 *     sets:     ...  1: {1 4 7}  ...
 *
 * The doubly compressed form costs what its pairs cost: a graph with tens of thousands of labels
 * and millions of vertices needs no (label x vertex) array. A row is found by binary search.
 */
#ifndef CFLRI_RELATION_H
#define CFLRI_RELATION_H

#include "base/alloc.h"
#include "cflr/graph.h"

/* A set of one id has this bit and the id as its number. */
#define CFLRI_ONE_TARGET 0x80000000u

/* The first failure of answers that are only yes or no. Zero bytes: none failed. */
typedef struct cflri_failure {
    cflr_status st;
    cflr_error error;
} cflri_failure;

/* Keeps the failure, if it is one and the first. */
static inline void cflri_note_failure(cflri_failure *failure, cflr_status st,
                                      const cflr_error *error) {
    if (st == CFLR_OK || failure->st != CFLR_OK) return;
    failure->st = st;
    failure->error = *error;
}

/* Returns the status, and describes it. */
static inline cflr_status cflri_tell_failure(const cflri_failure *failure, cflr_error *error) {
    if (failure->st != CFLR_OK && error) *error = failure->error;
    return failure->st;
}

/* Numbered sets of ids. Whatever keeps them, rows are read through these functions, by any number
 * of threads. Numbers are below n; sets of one id are not asked for. A set may have to be read from
 * a file: an answer is no, of 0 ids before, and means nothing when *failure has one afterwards. */
typedef struct cflri_target_sets {
    uint32_t n;
    uint32_t room;  /* words behind the ids of a set that writing it needs */
    bool reordered; /* *before is of an order of its own, in which each id of a set has a place */
    uint32_t (*count)(const struct cflri_target_sets *sets, uint32_t set);
    /* Writes the ids of a set, ascending. */
    cflr_status (*write)(const struct cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error);
    /* Is the id in the set? *before becomes the number of ids of the set that are less, or come
     * before it where they are reordered, unless it is NULL. */
    bool (*find)(const struct cflri_target_sets *sets, uint32_t set, uint32_t id, uint64_t *before,
                 cflri_failure *failure);
    /* Is there an id in both sets? */
    bool (*meet)(const struct cflri_target_sets *sets, uint32_t a, uint32_t b,
                 cflri_failure *failure);
    void (*free)(cflr_context *context, struct cflri_target_sets *sets);
} cflri_target_sets;

typedef struct cflri_relation {
    uint32_t n_rows;
    uint64_t n_pairs;
    uint32_t *row;                 /* n_rows */
    uint64_t *start;               /* n_rows + 1; NULL when empty */
    uint32_t *target;              /* n_pairs; NULL where there are sets */
    uint32_t *set;                 /* n_rows; NULL where there are targets */
    const cflri_target_sets *sets; /* of another structure, which lives longer */
    bool borrowed;                 /* the arrays' owner is another structure, which lives longer */
} cflri_relation;

/* The targets of row r of a relation without sets, ascending: start[r + 1] - start[r] of them. */
static inline const uint32_t *cflri_relation_targets(const cflri_relation *relation, uint32_t r) {
    return relation->target + relation->start[r];
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

/* Room, not filled, for n_rows rows that are sets; empty when memory is refused. */
cflr_status cflri_relation_allocate_shared(cflr_context *context, uint32_t n_rows,
                                           const cflri_target_sets *sets, cflri_relation *relation,
                                           cflr_error *error);

/* Frees the room for more rows than there are now, where `room` rows were allocated. */
void cflri_relation_trim(cflr_context *context, cflri_relation *relation, uint32_t room);

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

/* Of a relation without sets: is it the same read backwards? O(pairs log rows), and less when it is
 * not. */
bool cflri_relation_symmetric(const cflri_relation *relation);
/* Has it no pairs but of vertices with themselves? O(rows), and less when it has others. */
bool cflri_relation_loops(const cflri_relation *relation);

/* Bytes of the arrays that it owns. */
uint64_t cflri_relation_bytes(const cflri_relation *relation);

/* Leaves it empty; zero bytes are an empty relation. */
void cflri_relation_free(cflr_context *context, cflri_relation *relation);

/* The number of the row of `source`, or n_rows. */
uint32_t cflri_relation_find(const cflri_relation *relation, uint32_t source);

/* The targets of `source` in a relation without sets: NULL and 0 when there are none. */
const uint32_t *cflri_relation_row(const cflri_relation *relation, uint32_t source,
                                   uint64_t *count);

/* Reads row r of any relation. The ids are the relation's own, or lie in the memory of `row`. */
cflr_status cflri_relation_read(cflr_context *context, const cflri_relation *relation, uint32_t r,
                                cflr_row *row, cflr_error *error);
/* Rows of relations that have the same sets, or none, have the same targets if this is the same. */
static inline uint64_t cflri_relation_identity(const cflri_relation *relation, uint32_t r) {
    if (relation->set) return 2 * (uint64_t)relation->set[r] + 1;
    return (uint64_t)(uintptr_t)cflri_relation_targets(relation, r);
}

/* Makes room, so that reading rows of up to n targets, those in sets with the room that these need,
 * needs no memory. */
cflr_status cflri_row_reserve(cflr_context *context, cflr_row *row, uint64_t n, cflr_error *error);
/* Reads the row of `source`, which is empty when there is none. */
cflr_status cflri_relation_read_row(cflr_context *context, const cflri_relation *relation,
                                    uint32_t source, cflr_row *row, cflr_error *error);

/* Is the pair there? Its number then becomes *place: those of a row begin with its start. O(log).
 * The answer means nothing when *failure has one afterwards; of a relation without sets it may be
 * NULL. */
bool cflri_relation_place(const cflri_relation *relation, uint32_t source, uint32_t target,
                          uint64_t *place, cflri_failure *failure);
/* The number of pair i of row r, which was read. O(1), and O(log) where sets are reordered. */
uint64_t cflri_relation_place_at(const cflri_relation *relation, const cflr_row *row, uint32_t r,
                                 uint64_t i, cflri_failure *failure);
bool cflri_relation_has(const cflri_relation *relation, uint32_t source, uint32_t target,
                        cflri_failure *failure);

/* Is there a target in the row of `source` in one relation and in that of `other` in another one,
 * whose sets are the same, if both have sets? O(both rows), and less when there is. */
bool cflri_relations_meet(const cflri_relation *a, uint32_t source, const cflri_relation *b,
                          uint32_t other, cflri_failure *failure);

/* Every invariant of the pictures above, ids below n_vertices. Reads only what the counts allow, so
 * the arrays may hold anything. The ids of sets are not looked at. */
bool cflri_relation_valid(const cflri_relation *relation, uint32_t n_vertices);

#endif

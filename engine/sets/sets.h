/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h: sets of ids, each stored once and known by a number.
 *
 *     number:   0      1           2          ...      2^31 + 7
 *     set:      {}     {3 5 9}     {2 90 91}           {7}
 *
 * Equal sets have equal numbers. So sets are compared by comparing numbers, thousands of vertices
 * with the same targets share one set, and the result of an operation on two sets (union,
 * difference) is found again by their numbers. A set of one id is not stored at all, since its
 * number contains the id.
 *
 * After Barbar and Sui, Hash Consed Points-To Sets (SAS 2021). Numbers stay valid until a sweep for
 * which they were not kept.
 *
 * Several threads may make sets in one store, each with a hand of its own:
 *
 *     store    rows by number | numbers by rows, in shards | trees
 *     hand     memory for rows, numbers drawn and not used, results, a sum, scratch | of trees
 *
 * A thread that gets a number from another thread in a way that orders memory (a lock, an atomic, a
 * barrier) may read the set.
 */
#ifndef CFLRI_SETS_H
#define CFLRI_SETS_H

#include "base/crew.h"
#include "base/vec.h"
#include "engine/sets/answers.h"
#include "engine/sets/once.h"
#include "engine/sets/row_sum.h"
#include "engine/sets/segments.h"
#include "engine/sets/shards.h"

typedef uint32_t cflri_set_number;

#define CFLRI_EMPTY_SET 0u
#define CFLRI_NO_SET UINT32_MAX /* memory was refused */
#define CFLRI_SINGLE_SET 0x80000000u

static inline bool cflri_set_is_single(cflri_set_number set) {
    return set & CFLRI_SINGLE_SET;
}

typedef CFLRI_VEC(cflri_set_number) cflri_set_list;

typedef struct cflri_set_totals {
    uint64_t kept;  /* number of sets */
    uint64_t bytes; /* bytes of their rows, and of nodes of trees */
    uint64_t ids;   /* number of ids in them */
} cflri_set_totals;

typedef struct cflri_set_store {
    cflr_context *context;
    cflri_radix_trees trees; /* of large sets */
    cflri_segments row;      /* cflri_row by number; n is 0 where the number is free */
    cflri_shards shards;     /* numbers by the content of rows */
    _Atomic uint8_t *marked; /* by number, while a sweep is prepared */
    cflri_chunks filtering;  /* distributes shards in a sweep */
    cflri_chunks sweeping;   /* distributes numbers in a sweep */
    uint32_t hands;
    struct cflri_sets *hand;
} cflri_set_store;

/* The part of the store that one thread owns. */
typedef struct cflri_sets {
    cflri_set_store *store;
    cflr_context *context;
    uint32_t self;
    cflri_pool pool;
    cflri_radix_hand trees;
    cflri_row_sum sum;
    cflri_cache unions, differences;
    cflri_draw draw;
    cflri_numbers spare;              /* free numbers */
    cflri_numbers part;               /* scratch: ids */
    CFLRI_VEC(cflri_radix_tree) tree; /* scratch: trees to unite */
    cflri_once once;                  /* scratch: numbers */
    cflri_set_totals more, less;      /* sets that it made, and that it freed */
    uint64_t worked;                  /* number of ids and nodes visited so far */
    char apart[CFLRI_APART];
} cflri_sets;

/* Makes an empty store for ids below `universe`. False when memory is refused; the store can then
 * be freed. */
bool cflri_set_store_init(cflri_set_store *store, cflr_context *context, uint32_t universe,
                          cflri_row_kernel kernel, uint32_t hands);
void cflri_set_store_free(cflri_set_store *store);
/* Frees all that only making sets needs. From now on sets can only be read. */
void cflri_set_store_end(cflri_set_store *store);
/* Several threads use the store from now on, or no longer. */
void cflri_set_store_share(cflri_set_store *store, bool shared);

/* Returns the totals of all hands. Called while no hand makes or frees sets. */
cflri_set_totals cflri_set_store_totals(const cflri_set_store *store);

/* The bytes of a store, with free places in arrays. */
typedef struct cflri_set_bytes {
    uint64_t headers;       /* of rows by number */
    uint64_t lists;         /* pools */
    uint64_t trees;         /* nodes */
    uint64_t tables, older; /* of shards */
    uint64_t answers;       /* caches of results */
    uint64_t sums;
    uint64_t scratch; /* hands, their free numbers and scratch */
} cflri_set_bytes;

/* Called while no hand makes or frees sets. O(segments + chunks and large blocks of pools). */
cflri_set_bytes cflri_set_store_bytes(const cflri_set_store *store);

/* Returns the bytes of all that the hand ever made. */
static inline uint64_t cflri_sets_made(const cflri_sets *sets) {
    return sets->more.bytes + sets->trees.made * sizeof(cflri_radix_node);
}

/* Returns a view of the set; valid until the set is swept. */
static inline cflri_row cflri_sets_row(const cflri_sets *sets, cflri_set_number set) {
    if (cflri_set_is_single(set)) return (cflri_row){.n = 1, .few = {set & ~CFLRI_SINGLE_SET}};
    return *cflri_segment_at(&sets->store->row, cflri_row, set);
}

/* Visits the ids of a set of the store, ascending. */
static inline cflri_row_walk cflri_sets_begin(const cflri_sets *sets, const cflri_row *row) {
    return cflri_row_begin(row, &sets->store->trees);
}

static inline bool cflri_sets_have(const cflri_sets *sets, const cflri_row *row, uint32_t id) {
    return cflri_row_has(row, &sets->store->trees, id);
}

static inline uint32_t cflri_sets_count(const cflri_sets *sets, cflri_set_number set) {
    return cflri_set_is_single(set) ? 1 : cflri_segment_at(&sets->store->row, cflri_row, set)->n;
}

/* CFLRI_NO_SET when memory is refused. */
cflri_set_number cflri_sets_single(cflri_sets *sets, uint32_t id);
cflri_set_number cflri_sets_of(cflri_sets *sets, const uint32_t *ids, uint32_t n); /* ascending */
cflri_set_number cflri_sets_of_tree(cflri_sets *sets, cflri_radix_tree tree);
cflri_set_number cflri_sets_union(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* Unites sets, none of which is CFLRI_NO_SET. Afterwards `all` has each number once, in no order.
 * O(sizes). */
cflri_set_number cflri_sets_union_all(cflri_sets *sets, cflri_set_number *all, size_t n);
/* Likewise, but a small result may get a number of its own although an equal set has one, unless it
 * equals the first of `all`. This is cheaper for tens of millions of sets that are never
 * compared. */
cflri_set_number cflri_sets_union_loose(cflri_sets *sets, cflri_set_number *all, size_t n);
/* Returns the ids of `a` that `b` does not have. */
cflri_set_number cflri_sets_minus(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* Appends parts that make up the set. They are separated where the ids first differ: as trees
 * branch, by 4 bits, and within a leaf by 3 and 6. Branches of few ids are split into single ids;
 * so are small sets. Sets that mostly agree have most parts in common. False when memory is
 * refused. */
bool cflri_sets_split(cflri_sets *sets, cflri_set_number set, cflri_set_list *parts);
/* Returns the set that was collected in sets->sum, and empties the sum. */
cflri_set_number cflri_sets_take(cflri_sets *sets);

/* Free every set that is not kept. One thread begins, any thread keeps sets, then each hand sweeps,
 * and one thread ends, with a barrier between these steps. cflri_sets_begin_sweep returns false
 * when memory is refused. */
bool cflri_sets_begin_sweep(cflri_set_store *store);
void cflri_sets_keep(cflri_set_store *store, cflri_set_number set);
void cflri_sets_sweep(cflri_sets *sets);
void cflri_sets_end_sweep(cflri_set_store *store);

#endif

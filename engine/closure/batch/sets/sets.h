/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h: sets of ids, each kept once and known by a number.
 *
 *     number:   0      1           2          ...      2^31 + 7
 *     set:      {}     {3 5 9}     {2 90 91}           {7}
 *
 * Equal sets have equal numbers, so to compare is to compare numbers, thousands of vertices with
 * the same targets hold one set, and what was worked out for two sets (their union, what one has
 * more than the other) is found again by their numbers. Sets of one id are not kept at all: the
 * number says it.
 *
 * After Barbar and Sui, Hash Consed Points-To Sets (SAS 2021). Numbers stay valid until a sweep
 * that did not keep them.
 *
 * Several threads may make sets of one store, each with a hand of its own:
 *
 *     store    rows by number | numbers by rows, in shards | trees
 *     hand     memory for rows, numbers drawn and not used, answers, a sum, scratch | of trees
 *
 * A thread that hears of a number in a way that orders memory (a lock, an atomic, a barrier) may
 * read the set.
 */
#ifndef CFLRI_SETS_H
#define CFLRI_SETS_H

#include "base/crew.h"
#include "base/vec.h"
#include "engine/closure/batch/sets/answers.h"
#include "engine/closure/batch/sets/once.h"
#include "engine/closure/batch/sets/row_sum.h"
#include "engine/closure/batch/sets/segments.h"
#include "engine/closure/batch/sets/shards.h"

typedef uint32_t cflri_set_number;

#define CFLRI_EMPTY_SET 0u
#define CFLRI_NO_SET UINT32_MAX /* memory was refused */
#define CFLRI_SINGLE_SET 0x80000000u

static inline bool cflri_set_is_single(cflri_set_number set) {
    return set & CFLRI_SINGLE_SET;
}

typedef CFLRI_VEC(cflri_set_number) cflri_set_list;

typedef struct cflri_set_totals {
    uint64_t kept;  /* sets */
    uint64_t bytes; /* of their rows, and of nodes of trees */
    uint64_t ids;   /* in them */
} cflri_set_totals;

typedef struct cflri_set_store {
    cflr_context *context;
    cflri_radix_trees trees; /* what large sets are made of */
    cflri_segments row;      /* cflri_row by number; n is 0 where the number is free */
    cflri_shards shards;     /* numbers by what the rows hold */
    _Atomic uint8_t *marked; /* by number, while a sweep is prepared */
    cflri_chunks filtering;  /* shards, in a sweep */
    cflri_chunks sweeping;   /* numbers */
    uint32_t hands;
    struct cflri_sets *hand;
} cflri_set_store;

/* One thread's hand. */
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
    CFLRI_VEC(cflri_radix_tree) tree; /* scratch: what is united */
    cflri_once once;                  /* scratch: numbers */
    cflri_set_totals more, less;      /* that it made, and freed */
    uint64_t worked;                  /* ids and nodes that were gone through, so far */
    char apart[CFLRI_APART];
} cflri_sets;

/* For ids below `universe`. False when memory is refused; the store may then be freed. */
bool cflri_set_store_init(cflri_set_store *store, cflr_context *context, uint32_t universe,
                          cflri_row_kernel kernel, uint32_t hands);
void cflri_set_store_free(cflri_set_store *store);
/* Frees what only the making of sets needs: they are read from now on, and no more are made. */
void cflri_set_store_end(cflri_set_store *store);
/* Several threads are at it from now on, or no longer. */
void cflri_set_store_share(cflri_set_store *store, bool shared);

/* What all hands made. While none of them makes or frees any. */
cflri_set_totals cflri_set_store_totals(const cflri_set_store *store);

/* Bytes of all that the hand ever made. */
static inline uint64_t cflri_sets_made(const cflri_sets *sets) {
    return sets->more.bytes + sets->trees.made * sizeof(cflri_radix_node);
}

/* A view; valid until the set is swept. */
static inline cflri_row cflri_sets_row(const cflri_sets *sets, cflri_set_number set) {
    if (cflri_set_is_single(set)) return (cflri_row){.n = 1, .few = {set & ~CFLRI_SINGLE_SET}};
    return *cflri_segment_at(&sets->store->row, cflri_row, set);
}

static inline uint32_t cflri_sets_count(const cflri_sets *sets, cflri_set_number set) {
    return cflri_set_is_single(set) ? 1 : cflri_segment_at(&sets->store->row, cflri_row, set)->n;
}

/* CFLRI_NO_SET when memory is refused. */
cflri_set_number cflri_sets_single(cflri_sets *sets, uint32_t id);
cflri_set_number cflri_sets_of(cflri_sets *sets, const uint32_t *ids, uint32_t n); /* ascending */
cflri_set_number cflri_sets_union(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* None is CFLRI_NO_SET; keeps each once in `all`, in no order. O(sizes). */
cflri_set_number cflri_sets_union_all(cflri_sets *sets, cflri_set_number *all, size_t n);
/* The same; a small result may get a number of its own although an equal set has one, but not where
 * the first of `all` is equal. Cheaper where there are tens of millions that are never compared. */
cflri_set_number cflri_sets_union_loose(cflri_sets *sets, cflri_set_number *all, size_t n);
/* What a has and b has not. */
cflri_set_number cflri_sets_minus(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* Appends parts that make up the set: where its ids differ first, they are separated as trees
 * branch, by 4 bits, and within a leaf by 3 and 6. Branches of few ids come as sets of one; so do
 * all ids of a small set. Sets that are alike in most places have most parts in common. False when
 * memory is refused. */
bool cflri_sets_split(cflri_sets *sets, cflri_set_number set, cflri_set_list *parts);
/* The set that was put together in sets->sum, which is empty afterwards. */
cflri_set_number cflri_sets_take(cflri_sets *sets);

/* Every set that is not kept is freed. One thread begins, any keep, then each hand sweeps, and one
 * thread ends; between these steps all threads wait for all. The first is false when memory is
 * refused. */
bool cflri_sets_begin_sweep(cflri_set_store *store);
void cflri_sets_keep(cflri_set_store *store, cflri_set_number set);
void cflri_sets_sweep(cflri_sets *sets);
void cflri_sets_end_sweep(cflri_set_store *store);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.h: sets of ids, each kept once and known by a number.
 *
 *     number:   0      1           2          ...      2^31 + 7
 *     set:      {}     {3 5 9}     {2 90 91}           {7}
 *
 * Equal sets have equal numbers, so to compare is to compare numbers, thousands of vertices with the same
 * targets hold one set, and what was worked out for two sets (their union, what one has more than the
 * other) is found again by their numbers. Sets of one id are not kept at all: the number says it.
 *
 * After Barbar and Sui, Hash Consed Points-To Sets (SAS 2021). Numbers stay valid until a sweep that
 * did not keep them. One thread at a time.
 */
#ifndef CFLRI_SETS_H
#define CFLRI_SETS_H

#include "base/row_sum.h"
#include "base/vec.h"

typedef uint32_t cflri_set_number;

#define CFLRI_EMPTY_SET 0u
#define CFLRI_NO_SET UINT32_MAX /* memory was refused */
#define CFLRI_SINGLE_SET 0x80000000u

static inline bool cflri_set_is_single(cflri_set_number set) {
    return set & CFLRI_SINGLE_SET;
}

/* What was worked out of two numbers; newer answers displace older ones. */
typedef struct cflri_cached {
    uint32_t a, b; /* both 0: none */
    uint32_t answer;
} cflri_cached;

typedef struct cflri_cache {
    cflri_cached *at;
    uint32_t mask;
} cflri_cache;

typedef CFLRI_VEC(cflri_set_number) cflri_set_list;

typedef struct cflri_sets {
    cflr_context *context;
    cflri_pool pool;
    cflri_row_sum sum;
    CFLRI_VEC(cflri_row) row;  /* by number; n is 0 where the number is free */
    CFLRI_VEC(uint32_t) spare; /* free numbers */
    uint32_t *slot;            /* open addressing: numbers, or 0 */
    uint32_t slot_mask;
    uint32_t n_kept;
    uint32_t n_slots;         /* that are taken */
    CFLRI_VEC(uint32_t) seen; /* by number: the last union of many that had it */
    uint32_t many;            /* unions of many so far */
    uint64_t *marked;         /* a bit a number, while a sweep is prepared */
    CFLRI_VEC(uint32_t) part; /* scratch: ids */
    cflri_cache unions, differences;
    uint64_t bytes;  /* of the rows */
    uint64_t ids;    /* in them */
    uint64_t worked; /* ids and blocks that were gone through, so far */
} cflri_sets;

/* For ids below `universe`. False when memory is refused; the sets may then be freed. */
bool cflri_sets_init(cflri_sets *sets, cflr_context *context, uint32_t universe,
                     cflri_row_kernel kernel);
void cflri_sets_free(cflri_sets *sets);

/* A view; valid until the set is swept. */
cflri_row cflri_sets_row(const cflri_sets *sets, cflri_set_number set);
uint32_t cflri_sets_count(const cflri_sets *sets, cflri_set_number set);

/* CFLRI_NO_SET when memory is refused. */
cflri_set_number cflri_sets_single(cflri_sets *sets, uint32_t id);
cflri_set_number cflri_sets_of(cflri_sets *sets, const uint32_t *ids, uint32_t n); /* ascending */
cflri_set_number cflri_sets_union(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* None is CFLRI_NO_SET; keeps each once in `all`, in no order. O(sizes). */
cflri_set_number cflri_sets_union_all(cflri_sets *sets, cflri_set_number *all, size_t n);
/* The same; a small result may get a number of its own although an equal set has one. Cheaper where
 * there are tens of millions that nobody compares. */
cflri_set_number cflri_sets_union_loose(cflri_sets *sets, cflri_set_number *all, size_t n);
/* What a has and b has not. */
cflri_set_number cflri_sets_minus(cflri_sets *sets, cflri_set_number a, cflri_set_number b);
/* Appends parts that make up the set: where its ids differ first, they are told apart by 6 bits, as in a
 * tree of 64 branches. Branches of few ids come as sets of one; so do all ids of a small set. Sets that
 * are alike in most places have most parts in common. False when memory is refused. */
bool cflri_sets_split(cflri_sets *sets, cflri_set_number set, cflri_set_list *parts);
/* The set that was put together in sets->sum, which is empty afterwards. */
cflri_set_number cflri_sets_take(cflri_sets *sets);

/* Frees every set that is not kept in between. The first is false when memory is refused. */
bool cflri_sets_begin_sweep(cflri_sets *sets);
void cflri_sets_keep(cflri_sets *sets, cflri_set_number set);
void cflri_sets_sweep(cflri_sets *sets);

/* Answers of the caller's own, about numbers; forgotten in a sweep when the caller clears them. */
bool cflri_cache_init(cflri_cache *answers, cflr_context *context, uint32_t room); /* 2^k */
void cflri_cache_free(cflri_cache *answers, cflr_context *context);
/* More room when it is small for n answers. To go on without is no failure. */
void cflri_cache_fit(cflri_cache *cache, cflr_context *context, uint32_t n);
void cflri_cache_clear(cflri_cache *answers);
cflri_cached *cflri_cache_at(const cflri_cache *answers, uint32_t a, uint32_t b);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * relation.c: making and reading frozen sets of pairs.
 *
 * Sorting is a radix sort from the least significant digit, with digits cut to fit. One pass finds
 * which bits differ between any two pairs (and whether there is anything to sort); only these bits
 * are covered by digits, as few as the width allows and all of equal width. Vertices below a
 * million take 20 bits a half, which is two digits of 10 bits: four passes in place of eight.
 *
 *     varying   0000 0000 0001 1111 1111 | 0000 0000 1111 1111 1111
 *     digits                [ 2  ][  1 ]                [    0    ]
 *
 * A pass counts nothing: all histograms are made by one reading before the first pass. Few pairs
 * are sorted by insertion, with no memory at all.
 *
 * Reversing needs no full sort, because rows come in ascending order: a stable sort by target alone
 * leaves the sources of every target ascending. Where targets are dense this is a counting sort
 * into an array with one counter a vertex; where they are not, the radix sort above on the upper
 * half. Counting is faster while its counters stay in the cache (measured: to half a million
 * targets), and needs no packed copy of the pairs, so it is also taken when that copy would be
 * large beside them.
 *
 * Sorting and reversing are O(pairs); finding a row O(log rows), O(1) when all vertices have rows.
 */
#include "base/graph/relation.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/crew.h"
#include "base/ids.h"

enum {
    FEW = 48,         /* pairs that insertion sorts faster */
    SMALL = 1 << 15,  /* pairs that are better off with narrow digits */
    NARROW_DIGIT = 8, /* bits */
    WIDE_DIGIT = 11,  /* bits */
    MOST_DIGITS = 8,  /* 64 bits in narrow digits */
    CACHED = 1 << 19, /* counters that stay in the cache */
};

/* ---- sorting ---- */

typedef struct digit {
    unsigned shift;
    unsigned bits;
} digit;

typedef struct plan {
    unsigned n;
    digit digit[MOST_DIGITS];
} plan;

/* Covers the bits of `varying` that lie in the half that begins at bit `base`. */
static void plan_half(plan *p, uint64_t varying, unsigned base, unsigned widest) {
    uint32_t bits = (uint32_t)(varying >> base);
    if (!bits) return;
    unsigned low = (unsigned)__builtin_ctz(bits);
    unsigned width = 32 - (unsigned)__builtin_clz(bits) - low;
    unsigned count = (width + widest - 1) / widest;
    unsigned each = (width + count - 1) / count;
    for (unsigned i = 0; i < count; i++) {
        assert(p->n < MOST_DIGITS);
        p->digit[p->n++] = (digit){base + low + i * each, each};
    }
}

static inline size_t digit_of(uint64_t pair, digit d) {
    return (pair >> d.shift) & (((size_t)1 << d.bits) - 1);
}

/* The bits in which some two pairs differ; *sorted tells whether they ascend already. */
static uint64_t varying_bits(const uint64_t *pairs, uint64_t n, bool *sorted) {
    uint64_t varying = 0;
    bool ascends = true;
    for (uint64_t i = 1; i < n; i++) {
        varying |= pairs[i] ^ pairs[0];
        ascends &= pairs[i - 1] <= pairs[i];
    }
    *sorted = ascends;
    return varying;
}

static void sort_few(uint64_t *pairs, uint64_t n) {
    for (uint64_t i = 1; i < n; i++) {
        uint64_t pair = pairs[i];
        uint64_t at = i;
        for (; at > 0 && pairs[at - 1] > pair; at--) pairs[at] = pairs[at - 1];
        pairs[at] = pair;
    }
}

/* count[digit][value]: how many pairs have it. */
static void count_digits(const plan *p, const uint64_t *pairs, uint64_t n, uint64_t *count,
                         size_t stride) {
    for (uint64_t i = 0; i < n; i++) {
        for (unsigned d = 0; d < p->n; d++) count[d * stride + digit_of(pairs[i], p->digit[d])]++;
    }
}

/* One pass: from -> to, stable. `count` becomes the place of the next pair of each value. */
static void scatter(const uint64_t *from, uint64_t *to, uint64_t n, digit d, uint64_t *count) {
    uint64_t at = 0;
    for (size_t value = 0; value < (size_t)1 << d.bits; value++) {
        uint64_t here = count[value];
        count[value] = at;
        at += here;
    }
    for (uint64_t i = 0; i < n; i++) to[count[digit_of(from[i], d)]++] = from[i];
}

/* Sorts by the bits of `varying` only, stable in the others; looks at the clock between passes if
 * it is `in_time`. */
static cflr_status sort_digits(cflr_context *context, uint64_t *pairs, uint64_t n,
                               uint64_t *scratch, uint64_t varying, bool in_time,
                               cflr_error *error) {
    plan p = {0};
    unsigned widest = n < SMALL ? NARROW_DIGIT : WIDE_DIGIT;
    plan_half(&p, varying, 0, widest);
    plan_half(&p, varying, 32, widest);
    size_t stride = (size_t)1 << widest;
    uint64_t *own = scratch ? NULL : cflri_alloc_array(context, n, sizeof *own);
    uint64_t *count = cflri_alloc_array_zero(context, p.n * stride, sizeof *count);
    if ((!scratch && !own) || !count) {
        cflri_free(context, own);
        cflri_free(context, count);
        return cflri_fail_memory(context, error);
    }
    count_digits(&p, pairs, n, count, stride);
    uint64_t *from = pairs, *to = scratch ? scratch : own;
    cflr_status st = CFLR_OK;
    for (unsigned d = 0; d < p.n && st == CFLR_OK; d++) {
        if (in_time) st = cflri_interrupted(context);
        scatter(from, to, n, p.digit[d], count + d * stride);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != pairs) memcpy(pairs, from, n * sizeof *pairs);
    cflri_free(context, own);
    cflri_free(context, count);
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, error);
}

static cflr_status sort_pairs(cflr_context *context, uint64_t *pairs, uint64_t n, uint64_t *scratch,
                              bool in_time, cflr_error *error) {
    if (n <= FEW) {
        sort_few(pairs, n);
        return CFLR_OK;
    }
    bool sorted;
    uint64_t varying = varying_bits(pairs, n, &sorted);
    return sorted ? CFLR_OK : sort_digits(context, pairs, n, scratch, varying, in_time, error);
}

cflr_status cflri_sort_pairs(cflr_context *context, uint64_t *pairs, uint64_t n, uint64_t *scratch,
                             cflr_error *error) {
    return sort_pairs(context, pairs, n, scratch, false, error);
}

cflr_status cflri_sort_pairs_in_time(cflr_context *context, uint64_t *pairs, uint64_t n,
                                     uint64_t *scratch, cflr_error *error) {
    return sort_pairs(context, pairs, n, scratch, true, error);
}

/* ---- building ---- */

static uint32_t source_of(uint64_t pair) {
    return (uint32_t)(pair >> 32);
}

static uint32_t target_of(uint64_t pair) {
    return (uint32_t)pair;
}

/* Room for the counts in `relation`; on failure the relation is empty. */
cflr_status cflri_relation_allocate(cflr_context *context, cflri_relation *relation,
                                    cflr_error *error) {
    relation->row = cflri_alloc_array(context, relation->n_rows, sizeof *relation->row);
    relation->start =
        cflri_alloc_array(context, (size_t)relation->n_rows + 1, sizeof *relation->start);
    relation->target = cflri_alloc_array(context, relation->n_pairs, sizeof *relation->target);
    if (relation->row && relation->start && relation->target) return CFLR_OK;
    cflri_relation_free(context, relation);
    return cflri_fail_memory(context, error);
}

cflr_status cflri_relation_allocate_shared(cflr_context *context, uint32_t n_rows,
                                           const cflri_target_sets *sets, cflri_relation *relation,
                                           cflr_error *error) {
    size_t n = n_rows;
    *relation = (cflri_relation){.n_rows = n_rows, .sets = sets};
    relation->row = cflri_alloc_array(context, n, sizeof *relation->row);
    relation->start = cflri_alloc_array(context, n + 1, sizeof *relation->start);
    relation->set = cflri_alloc_array(context, n, sizeof *relation->set);
    if (relation->row && relation->start && relation->set) return CFLR_OK;
    cflri_relation_free(context, relation);
    return cflri_fail_memory(context, error);
}

void cflri_relation_trim(cflr_context *context, cflri_relation *relation, uint32_t room) {
    size_t n = relation->n_rows;
    if (n == room) return;
    if (!n) {
        cflri_relation_free(context, relation);
        return;
    }
    uint32_t *row = cflri_realloc(context, relation->row, n * sizeof *row);
    uint64_t *start = cflri_realloc(context, relation->start, (n + 1) * sizeof *start);
    uint32_t *set = cflri_realloc(context, relation->set, n * sizeof *set);
    if (row) relation->row = row;
    if (start) relation->start = start;
    if (set) relation->set = set;
}

/* Distinct sources and distinct pairs of sorted pairs. */
static void count_sorted(const uint64_t *pairs, uint64_t n, cflri_relation *relation) {
    for (uint64_t i = 0; i < n; i++) {
        relation->n_pairs += i == 0 || pairs[i] != pairs[i - 1];
        relation->n_rows += i == 0 || source_of(pairs[i]) != source_of(pairs[i - 1]);
    }
}

static void fill_sorted(const uint64_t *pairs, uint64_t n, cflri_relation *relation) {
    uint32_t row = 0;
    uint64_t at = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (i > 0 && pairs[i] == pairs[i - 1]) continue;
        if (i == 0 || source_of(pairs[i]) != source_of(pairs[i - 1])) {
            relation->row[row] = source_of(pairs[i]);
            relation->start[row++] = at;
        }
        relation->target[at++] = target_of(pairs[i]);
    }
    relation->start[row] = at;
    assert(row == relation->n_rows && at == relation->n_pairs);
}

cflr_status cflri_relation_build_sorted(cflr_context *context, const uint64_t *pairs, uint64_t n,
                                        cflri_relation *relation, cflr_error *error) {
    *relation = (cflri_relation){0};
    if (!n) return CFLR_OK;
    count_sorted(pairs, n, relation);
    cflr_status st = cflri_relation_allocate(context, relation, error);
    if (st == CFLR_OK) fill_sorted(pairs, n, relation);
    return st;
}

cflr_status cflri_relation_build(cflr_context *context, uint64_t *pairs, uint64_t n,
                                 cflri_relation *relation, cflr_error *error) {
    *relation = (cflri_relation){0};
    cflr_status st = cflri_sort_pairs(context, pairs, n, NULL, error);
    if (st != CFLR_OK) return st;
    return cflri_relation_build_sorted(context, pairs, n, relation, error);
}

uint64_t cflri_relation_bytes(const cflri_relation *relation) {
    if (relation->borrowed) return 0;
    return cflri_block_bytes(relation->row) + cflri_block_bytes(relation->start) +
           cflri_block_bytes(relation->set) + cflri_block_bytes(relation->target);
}

void cflri_relation_free(cflr_context *context, cflri_relation *relation) {
    if (!relation->borrowed) {
        cflri_free(context, relation->row);
        cflri_free(context, relation->start);
        cflri_free(context, relation->target);
        cflri_free(context, relation->set);
    }
    *relation = (cflri_relation){0};
}

/* ---- reversing ---- */

static cflr_status find_largest_target(cflr_context *context, const cflri_relation *relation,
                                       uint32_t *largest, cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    *largest = 0;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(context, relation, r, &row, error));
        uint32_t last = row.target[row.count - 1];
        if (last > *largest) *largest = last;
    }
out:
    cflr_row_free(&row);
    return st;
}

/* Turns `count` (sources of each vertex below n) into rows and places: count[v] becomes where the
 * row of v begins. */
static void place_rows(uint64_t *count, uint64_t n, cflri_relation *reversed) {
    uint32_t row = 0;
    uint64_t at = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t here = count[v];
        count[v] = at;
        if (!here) continue;
        reversed->row[row] = (uint32_t)v;
        reversed->start[row++] = at;
        at += here;
    }
    reversed->start[row] = at;
    assert(row == reversed->n_rows && at == reversed->n_pairs);
}

/* Shared by the threads that reverse a relation: each counts and places the sources of its own
 * targets. */
typedef struct reversing {
    cflr_context *context;
    const cflri_relation *relation;
    cflri_relation *reversed;
    uint64_t universe;
    uint64_t *count;         /* of each target: its sources; then: where the next one goes */
    _Atomic uint32_t n_rows; /* targets that have any */
    atomic_bool failed;
    cflr_error *error;
    cflr_status st;
} reversing;

/* Counts the sources of targets from `first` on, below `end`; or places them. */
static cflr_status do_sources(reversing *all, uint32_t first, uint64_t end, bool places,
                              cflr_error *error) {
    const cflri_relation *relation = all->relation;
    uint32_t n_rows = 0;
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(all->context, relation, r, &row, error));
        uint64_t i = first ? cflri_ids_seek(row.target, row.count, first) : 0;
        for (; i < row.count && row.target[i] < end; i++) {
            uint64_t at = all->count[row.target[i]]++;
            if (places) {
                all->reversed->target[at] = relation->row[r];
            } else {
                n_rows += !at;
            }
        }
    }
    if (!places) atomic_fetch_add_explicit(&all->n_rows, n_rows, memory_order_relaxed);
out:
    cflr_row_free(&row);
    return st;
}

/* Each thread does so for its own targets. */
static void do_own(reversing *all, const cflri_crew *crew, uint32_t self, bool places) {
    cflri_share own = cflri_share_of(all->universe, self, crew->threads);
    cflr_error error;
    cflr_status st = do_sources(all, (uint32_t)own.begin, own.end, places, &error);
    if (st != CFLR_OK && !atomic_exchange(&all->failed, true)) {
        all->st = st;
        if (all->error) *all->error = error;
    }
}

static void make_rows(reversing *all) {
    cflri_relation *reversed = all->reversed;
    reversed->n_rows = all->n_rows;
    reversed->n_pairs = all->relation->n_pairs;
    all->st = cflri_relation_allocate(all->context, reversed, all->error);
    if (all->st == CFLR_OK) place_rows(all->count, all->universe, reversed);
}

static void reverse_together(void *what, cflri_crew *crew, uint32_t self) {
    reversing *all = what;
    do_own(all, crew, self, false);
    cflri_crew_wait(crew);
    if (!self && !all->failed) make_rows(all);
    cflri_crew_wait(crew);
    if (all->st == CFLR_OK) do_own(all, crew, self, true);
}

static cflr_status reverse_dense(cflr_context *context, const cflri_relation *relation,
                                 uint64_t universe, uint32_t threads, cflri_relation *reversed,
                                 cflr_error *error) {
    reversing all = {.context = context,
                     .relation = relation,
                     .reversed = reversed,
                     .universe = universe,
                     .error = error};
    all.count = cflri_alloc_array_zero(context, universe, sizeof *all.count);
    if (!all.count) return cflri_fail_memory(context, error);
    cflri_crew_run(threads, reverse_together, &all);
    cflri_free(context, all.count);
    if (all.st != CFLR_OK) cflri_relation_free(context, reversed);
    return all.st;
}

/* Writes the pairs with their ends exchanged. */
static cflr_status list_reversed(cflr_context *context, const cflri_relation *relation,
                                 uint64_t *pairs, cflr_error *error) {
    cflr_row row = {0};
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(context, relation, r, &row, error));
        for (uint64_t i = 0; i < row.count; i++) {
            *pairs++ = cflri_pair(row.target[i], relation->row[r]);
        }
    }
out:
    cflr_row_free(&row);
    return st;
}

static cflr_status reverse_sparse(cflr_context *context, const cflri_relation *relation,
                                  bool in_time, cflri_relation *reversed, cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool sorted;
    uint64_t *pairs = cflri_alloc_array(context, relation->n_pairs, sizeof *pairs);
    if (!pairs) return cflri_fail_memory(context, error);
    CFLR_TRY(list_reversed(context, relation, pairs, error));
    uint64_t varying = varying_bits(pairs, relation->n_pairs, &sorted) >> 32 << 32;
    if (relation->n_pairs <= FEW) {
        sort_few(pairs, relation->n_pairs);
    } else if (!sorted) {
        CFLR_TRY(sort_digits(context, pairs, relation->n_pairs, NULL, varying, in_time, error));
    }
    st = cflri_relation_build_sorted(context, pairs, relation->n_pairs, reversed, error);
out:
    cflri_free(context, pairs);
    return st;
}

static cflr_status reverse(cflr_context *context, const cflri_relation *relation, uint32_t threads,
                           bool in_time, cflri_relation *reversed, cflr_error *error) {
    *reversed = (cflri_relation){0};
    if (!relation->n_pairs) return CFLR_OK;
    uint32_t largest;
    cflr_status st = find_largest_target(context, relation, &largest, error);
    if (st != CFLR_OK) return st;
    uint64_t universe = (uint64_t)largest + 1, n = relation->n_pairs;
    if (universe <= n / 8 || (universe <= CACHED && universe / 2 <= n)) {
        return reverse_dense(context, relation, universe, threads, reversed, error);
    }
    return reverse_sparse(context, relation, in_time, reversed, error);
}

cflr_status cflri_relation_reverse(cflr_context *context, const cflri_relation *relation,
                                   uint32_t threads, cflri_relation *reversed, cflr_error *error) {
    return reverse(context, relation, threads, false, reversed, error);
}

cflr_status cflri_relation_reverse_in_time(cflr_context *context, const cflri_relation *relation,
                                           cflri_relation *reversed, cflr_error *error) {
    return reverse(context, relation, 1, true, reversed, error);
}

/* ---- reading ---- */

/* The number of the row of `source`, or n_rows. Rows are distinct and ascend, so row[i] >= i: the
 * row of `source` is not past place `source`, and there it is when every vertex has one. */
uint32_t cflri_relation_find(const cflri_relation *relation, uint32_t source) {
    uint32_t n = relation->n_rows;
    if (source < n) {
        if (relation->row[source] == source) return source;
        n = source;
    }
    uint32_t at = (uint32_t)cflri_ids_seek(relation->row, n, source);
    return at < n && relation->row[at] == source ? at : relation->n_rows;
}

const uint32_t *cflri_relation_row(const cflri_relation *relation, uint32_t source,
                                   uint64_t *count) {
    uint32_t at = cflri_relation_find(relation, source);
    if (at == relation->n_rows) {
        *count = 0;
        return NULL;
    }
    *count = cflri_relation_count(relation, at);
    return cflri_relation_targets(relation, at);
}

/* The ids of row r as they lie in memory. NULL: they are a set. */
static const uint32_t *ids_in_memory(const cflri_relation *relation, uint32_t r) {
    return relation->sets ? NULL : cflri_relation_targets(relation, r);
}

cflr_status cflri_row_reserve(cflr_context *context, cflr_row *row, uint64_t n, cflr_error *error) {
    if (n <= row->capacity) return CFLR_OK;
    uint64_t capacity = n > 2 * row->capacity ? n : 2 * row->capacity;
    uint32_t *room = cflri_realloc(context, row->room, capacity * sizeof *room);
    if (!room) return cflri_fail_memory(context, error);
    row->room = room;
    row->capacity = capacity;
    row->context = context;
    return CFLR_OK;
}

cflr_status cflri_relation_read(cflr_context *context, const cflri_relation *relation, uint32_t r,
                                cflr_row *row, cflr_error *error) {
    const cflri_target_sets *sets = relation->sets;
    row->vertex = relation->row[r];
    row->count = cflri_relation_count(relation, r);
    row->target = ids_in_memory(relation, r);
    if (row->target) return CFLR_OK;
    uint32_t set = relation->set[r];
    bool one = set & CFLRI_ONE_TARGET;
    uint64_t room = one ? 1 : row->count + sets->room;
    cflr_status st = cflri_row_reserve(context, row, room, error);
    if (st != CFLR_OK) return st;
    row->target = row->room;
    if (one) {
        row->room[0] = set & ~CFLRI_ONE_TARGET;
        return CFLR_OK;
    }
    return sets->write(sets, set, row->room, error);
}

cflr_status cflri_relation_read_row(cflr_context *context, const cflri_relation *relation,
                                    uint32_t source, cflr_row *row, cflr_error *error) {
    uint32_t r = cflri_relation_find(relation, source);
    if (r != relation->n_rows) return cflri_relation_read(context, relation, r, row, error);
    row->vertex = source;
    row->count = 0;
    row->target = NULL;
    return CFLR_OK;
}

void cflr_row_free(cflr_row *row) {
    if (row->room) cflri_free(row->context, row->room);
    *row = (cflr_row){0};
}

/* *before becomes the number of ids of row r that come before it, unless it is NULL. */
static bool find_target(const cflri_relation *relation, uint32_t r, uint32_t target,
                        uint64_t *before, cflri_failure *failure) {
    uint64_t n = cflri_relation_count(relation, r);
    const uint32_t *ids = ids_in_memory(relation, r);
    if (ids) {
        uint64_t at = cflri_ids_seek(ids, n, target);
        if (before) *before = at;
        return at < n && ids[at] == target;
    }
    uint32_t set = relation->set[r], one = set & ~CFLRI_ONE_TARGET;
    if (set == one) return relation->sets->find(relation->sets, set, target, before, failure);
    if (before) *before = one < target;
    return one == target;
}

static bool lists_meet(const uint32_t *a, uint64_t n, const uint32_t *b, uint64_t m) {
    uint64_t i = 0, k = 0;
    while (i < n && k < m && a[i] != b[k]) {
        if (a[i] < b[k])
            i++;
        else
            k++;
    }
    return i < n && k < m;
}

/* Is one of the ids in row r? */
static bool has_any(const cflri_relation *relation, uint32_t r, const uint32_t *ids, uint64_t n,
                    cflri_failure *failure) {
    for (uint64_t i = 0; i < n; i++) {
        if (find_target(relation, r, ids[i], NULL, failure)) return true;
    }
    return false;
}

bool cflri_relations_meet(const cflri_relation *a, uint32_t source, const cflri_relation *b,
                          uint32_t other, cflri_failure *failure) {
    uint32_t p = cflri_relation_find(a, source), q = cflri_relation_find(b, other), one;
    if (p == a->n_rows || q == b->n_rows) return false;
    uint64_t n = cflri_relation_count(a, p), m = cflri_relation_count(b, q);
    const uint32_t *first = ids_in_memory(a, p), *second = ids_in_memory(b, q);
    if (first && second) return first == second || lists_meet(first, n, second, m);
    if (first) return has_any(b, q, first, n, failure);
    if (second) return has_any(a, p, second, m, failure);
    uint32_t s = a->set[p], t = b->set[q];
    if (s & CFLRI_ONE_TARGET) return one = s & ~CFLRI_ONE_TARGET, has_any(b, q, &one, 1, failure);
    if (t & CFLRI_ONE_TARGET) return one = t & ~CFLRI_ONE_TARGET, has_any(a, p, &one, 1, failure);
    assert(a->sets == b->sets);
    return s == t || a->sets->meet(a->sets, s, t, failure);
}

bool cflri_relation_place(const cflri_relation *relation, uint32_t source, uint32_t target,
                          uint64_t *place, cflri_failure *failure) {
    uint64_t before;
    uint32_t r = cflri_relation_find(relation, source);
    if (r == relation->n_rows || !find_target(relation, r, target, &before, failure)) return false;
    *place = relation->start[r] + before;
    return true;
}

uint64_t cflri_relation_place_at(const cflri_relation *relation, const cflr_row *row, uint32_t r,
                                 uint64_t i, cflri_failure *failure) {
    uint64_t before = i;
    if (relation->sets && relation->sets->reordered)
        find_target(relation, r, row->target[i], &before, failure);
    return relation->start[r] + before;
}

bool cflri_relation_has(const cflri_relation *relation, uint32_t source, uint32_t target,
                        cflri_failure *failure) {
    uint32_t r = cflri_relation_find(relation, source);
    return r != relation->n_rows && find_target(relation, r, target, NULL, failure);
}

/* ---- checking ---- */

static bool starts_valid(const cflri_relation *relation) {
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        if (relation->start[r] >= relation->start[r + 1]) return false;
    }
    return relation->start[0] == 0 && relation->start[relation->n_rows] == relation->n_pairs;
}

cflri_relation cflri_relation_borrow(const cflri_relation *from) {
    cflri_relation made = *from;
    made.borrowed = true;
    return made;
}

bool cflri_relation_symmetric(const cflri_relation *relation) {
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        const uint32_t *target = cflri_relation_targets(relation, r);
        uint64_t n = cflri_relation_count(relation, r);
        for (uint64_t i = 0; i < n; i++) {
            if (!cflri_relation_has(relation, target[i], relation->row[r], NULL)) return false;
        }
    }
    return true;
}

bool cflri_relation_loops(const cflri_relation *relation) {
    if (relation->n_pairs != relation->n_rows) return false;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        if (*cflri_relation_targets(relation, r) != relation->row[r]) return false;
    }
    return true;
}

static bool sets_valid(const cflri_relation *relation, uint32_t n_vertices) {
    const cflri_target_sets *sets = relation->sets;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        uint32_t set = relation->set[r];
        uint64_t n = cflri_relation_count(relation, r);
        if (set & CFLRI_ONE_TARGET) {
            if (n != 1 || (set & ~CFLRI_ONE_TARGET) >= n_vertices) return false;
        } else if (set >= sets->n || sets->count(sets, set) != n) {
            return false;
        }
    }
    return true;
}

bool cflri_relation_valid(const cflri_relation *relation, uint32_t n_vertices) {
    if (!relation->n_rows) return relation->n_pairs == 0;
    if (!relation->row || !relation->start) return false;
    if (!cflri_ids_ascend(relation->row, relation->n_rows, n_vertices)) return false;
    if (!starts_valid(relation)) return false;
    if (relation->sets) return relation->set && sets_valid(relation, n_vertices);
    for (uint32_t r = 0; relation->target && r < relation->n_rows; r++) {
        const uint32_t *target = cflri_relation_targets(relation, r);
        if (!cflri_ids_ascend(target, cflri_relation_count(relation, r), n_vertices)) return false;
    }
    return relation->target;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.c: sets of ids, each kept once.
 */
#include "base/sets.h"

#include <string.h>

#include "base/context.h"

enum {
    FIRST_SLOTS = 1 << 10,
    FIRST_CACHED = 1 << 10,
    MOST_CACHED = 1 << 20,
    SHORT = 32, /* so many ids in all are merged without a sum */
    LOOSE = 8,  /* sets of so many ids may be there twice */
    BRANCH_BITS = 6,
    BRANCH = 4,  /* so many ids of a branch are a part */
    UNSPLIT = 8, /* so many ids are parts of their own */
};

/* ---- answers ---- */

bool cflri_cache_init(cflri_cache *answers, cflr_context *context, uint32_t room) {
    answers->at = cflri_alloc_array_zero(context, room, sizeof *answers->at);
    answers->mask = room - 1;
    return answers->at != NULL;
}

void cflri_cache_free(cflri_cache *answers, cflr_context *context) {
    cflri_free(context, answers->at);
    *answers = (cflri_cache){0};
}

void cflri_cache_clear(cflri_cache *answers) {
    memset(answers->at, 0, ((size_t)answers->mask + 1) * sizeof *answers->at);
}

cflri_cached *cflri_cache_at(const cflri_cache *answers, uint32_t a, uint32_t b) {
    uint64_t mixed = ((uint64_t)a << 32 | b) * UINT64_C(0x9E3779B97F4A7C15);
    return &answers->at[(uint32_t)(mixed >> 40) & answers->mask];
}

void cflri_cache_fit(cflri_cache *cache, cflr_context *context, uint32_t n) {
    cflri_cache grown;
    if (cache->mask >= MOST_CACHED - 1 || cache->mask / 4 >= n) return;
    if (!cflri_cache_init(&grown, context, 4 * (cache->mask + 1))) return;
    for (uint32_t i = 0; i <= cache->mask; i++) {
        cflri_cached old = cache->at[i];
        if (old.a | old.b) *cflri_cache_at(&grown, old.a, old.b) = old;
    }
    cflri_cache_free(cache, context);
    *cache = grown;
}

/* ---- memory ---- */

bool cflri_sets_init(cflri_sets *sets, cflr_context *context, uint32_t universe,
                     cflri_row_kernel kernel) {
    *sets = (cflri_sets){.context = context, .slot_mask = FIRST_SLOTS - 1};
    cflri_pool_init(&sets->pool, context);
    sets->slot = cflri_alloc_array_zero(context, FIRST_SLOTS, sizeof *sets->slot);
    return sets->slot && cflri_row_sum_init(&sets->sum, context, universe, kernel) &&
           cflri_cache_init(&sets->unions, context, FIRST_CACHED) &&
           cflri_cache_init(&sets->differences, context, FIRST_CACHED) &&
           cflri_vec_push(context, &sets->seen, 0) &&
           cflri_vec_push(context, &sets->row, (cflri_row){0}); /* the empty one */
}

void cflri_sets_free(cflri_sets *sets) {
    cflr_context *context = sets->context;
    if (!context) return;
    cflri_pool_free(&sets->pool);
    cflri_row_sum_free(&sets->sum);
    cflri_vec_free(context, &sets->row);
    cflri_vec_free(context, &sets->spare);
    cflri_vec_free(context, &sets->seen);
    cflri_free(context, sets->slot);
    cflri_free(context, sets->marked);
    cflri_vec_free(context, &sets->part);
    cflri_cache_free(&sets->unions, context);
    cflri_cache_free(&sets->differences, context);
    *sets = (cflri_sets){0};
}

/* ---- reading ---- */

cflri_row cflri_sets_row(const cflri_sets *sets, cflri_set_number set) {
    if (cflri_set_is_single(set)) return (cflri_row){.n = 1, .few = {set & ~CFLRI_SINGLE_SET}};
    return sets->row.at[set];
}

uint32_t cflri_sets_count(const cflri_sets *sets, cflri_set_number set) {
    return cflri_set_is_single(set) ? 1 : sets->row.at[set].n;
}

/* ---- keeping ---- */

static uint32_t slot_for(const cflri_sets *sets, const cflri_row *row, uint64_t hash) {
    uint32_t slot = (uint32_t)hash & sets->slot_mask;
    while (sets->slot[slot] && !cflri_row_equal(&sets->row.at[sets->slot[slot]], row)) {
        slot = (slot + 1) & sets->slot_mask;
    }
    return slot;
}

/* Every kept set into the slots, which are empty. Distinct sets are not compared. */
static void fill_slots(cflri_sets *sets) {
    sets->n_slots = 0;
    for (size_t i = 1; i < sets->row.n; i++) {
        if (!sets->row.at[i].n || sets->row.at[i].loose) continue;
        sets->n_slots++;
        uint32_t slot = (uint32_t)cflri_row_hash(&sets->row.at[i]) & sets->slot_mask;
        while (sets->slot[slot]) slot = (slot + 1) & sets->slot_mask;
        sets->slot[slot] = (uint32_t)i;
    }
}

static bool grow_slots(cflri_sets *sets) {
    if (sets->n_slots < sets->slot_mask / 2) return true;
    if (sets->slot_mask == UINT32_MAX) return false;
    uint32_t mask = 2 * sets->slot_mask + 1;
    uint32_t *slot = cflri_alloc_array_zero(sets->context, (size_t)mask + 1, sizeof *slot);
    if (!slot) return false;
    cflri_free(sets->context, sets->slot);
    sets->slot = slot;
    sets->slot_mask = mask;
    fill_slots(sets);
    cflri_cache_fit(&sets->unions, sets->context, sets->n_kept);
    cflri_cache_fit(&sets->differences, sets->context, sets->n_kept);
    return true;
}

/* A number that no set has. */
static bool take_number(cflri_sets *sets, uint32_t *number) {
    if (sets->spare.n) {
        *number = sets->spare.at[--sets->spare.n];
        return true;
    }
    *number = (uint32_t)sets->row.n;
    return *number < CFLRI_SINGLE_SET - 1 && cflri_vec_push(sets->context, &sets->seen, 0) &&
           cflri_vec_push(sets->context, &sets->row, (cflri_row){0});
}

static void count_row(cflri_sets *sets, const cflri_row *row) {
    sets->n_kept++;
    sets->bytes += sizeof *row + cflri_row_bytes(row);
    sets->ids += row->n;
}

/* The number of a row that was just made; it is kept, or freed when it was there. */
static cflri_set_number keep_row(cflri_sets *sets, cflri_row *row, bool loose) {
    uint32_t single = row->few[0];
    if (!row->n) return CFLRI_EMPTY_SET;
    if (row->n == 1 && single < CFLRI_SINGLE_SET - 1) return CFLRI_SINGLE_SET | single;
    if (loose && row->n <= LOOSE) {
        cflri_set_number made;
        if (!take_number(sets, &made)) {
            cflri_row_free(&sets->pool, row);
            return CFLRI_NO_SET;
        }
        row->loose = true;
        sets->row.at[made] = *row;
        count_row(sets, row);
        return made;
    }
    uint64_t hash = cflri_row_hash(row);
    uint32_t slot = slot_for(sets, row, hash), number = sets->slot[slot];
    if (number) {
        cflri_row_free(&sets->pool, row);
        return number;
    }
    if (!grow_slots(sets) || !take_number(sets, &number)) {
        cflri_row_free(&sets->pool, row);
        return CFLRI_NO_SET;
    }
    sets->slot[slot_for(sets, row, hash)] = number;
    sets->row.at[number] = *row;
    sets->n_slots++;
    count_row(sets, row);
    return number;
}

static cflri_set_number keep_ids(cflri_sets *sets, const uint32_t *ids, uint32_t n, bool loose) {
    cflri_row row;
    if (!cflri_row_of(&sets->pool, ids, n, &row)) return CFLRI_NO_SET;
    sets->worked += n;
    return keep_row(sets, &row, loose);
}

cflri_set_number cflri_sets_of(cflri_sets *sets, const uint32_t *ids, uint32_t n) {
    return keep_ids(sets, ids, n, false);
}

cflri_set_number cflri_sets_single(cflri_sets *sets, uint32_t id) {
    if (id < CFLRI_SINGLE_SET - 1) return CFLRI_SINGLE_SET | id;
    return cflri_sets_of(sets, &id, 1);
}

cflri_set_number cflri_sets_take(cflri_sets *sets) {
    cflri_row row;
    if (!cflri_row_sum_take(&sets->sum, &sets->pool, &row)) return CFLRI_NO_SET;
    sets->worked += row.shape == CFLRI_ROW_BLOCKS ? 4 * (uint64_t)row.n_blocks : row.n;
    return keep_row(sets, &row, false);
}

/* ---- algebra ---- */

static void add(cflri_sets *sets, const cflri_row *row) {
    sets->worked += row->shape == CFLRI_ROW_BLOCKS ? 4 * (uint64_t)row->n_blocks : row->n;
    cflri_row_sum_add(&sets->sum, row);
}

/* Few ids need no sum: they are merged into an array. CFLRI_EMPTY_SET: they are too many. */
static cflri_set_number merge_few(cflri_sets *sets, const cflri_set_number *all, size_t n,
                                  bool loose) {
    uint32_t merged[SHORT], used = 0, most = 0;
    cflri_set_number largest = CFLRI_EMPTY_SET;
    for (size_t i = 0; i < n; i++) {
        cflri_row row = cflri_sets_row(sets, all[i]);
        const uint32_t *ids = row.shape == CFLRI_ROW_BLOCKS ? NULL : cflri_row_ids(&row);
        if (!ids || row.n > SHORT - used) return CFLRI_EMPTY_SET;
        if (row.n > most) {
            most = row.n;
            largest = all[i];
        }
        for (uint32_t k = 0, from = 0; k < row.n; k++) {
            while (from < used && merged[from] < ids[k]) from++;
            if (from < used && merged[from] == ids[k]) continue;
            for (uint32_t to = used++; to > from; to--) merged[to] = merged[to - 1];
            merged[from] = ids[k];
        }
    }
    sets->worked += used;
    return used == most ? largest : keep_ids(sets, merged, used, loose);
}

static cflri_set_number unite(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    const cflri_set_number both[2] = {a, b};
    cflri_set_number few = merge_few(sets, both, 2, false);
    if (few) return few;
    cflri_row x = cflri_sets_row(sets, a), y = cflri_sets_row(sets, b);
    if (x.n == 1 && cflri_row_has(&y, x.few[0])) return b;
    if (y.n == 1 && cflri_row_has(&x, y.few[0])) return a;
    uint32_t blocks;
    add(sets, &x);
    add(sets, &y);
    uint32_t n = cflri_row_sum_count(&sets->sum, &blocks);
    if (n > x.n && n > y.n) return cflri_sets_take(sets);
    cflri_row_sum_clear(&sets->sum);
    return n == x.n ? a : b;
}

cflri_set_number cflri_sets_union(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    if (a == b || !b) return a;
    if (!a) return b;
    if (a > b) {
        cflri_set_number swap = a;
        a = b;
        b = swap;
    }
    cflri_cached *known = cflri_cache_at(&sets->unions, a, b);
    if (known->a == a && known->b == b) return known->answer;
    cflri_set_number set = unite(sets, a, b);
    if (set != CFLRI_NO_SET) {
        *cflri_cache_at(&sets->unions, a, b) = (cflri_cached){a, b, set};
    }
    return set;
}

/* Each number once, without the empty set; sets of one may stay more than once. */
static size_t each_once(cflri_sets *sets, cflri_set_number *all, size_t n) {
    size_t kept = 0;
    if (!++sets->many) {
        memset(sets->seen.at, 0, sets->seen.n * sizeof *sets->seen.at);
        sets->many = 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (!all[i] || (kept && all[i] == all[kept - 1])) continue;
        if (!cflri_set_is_single(all[i])) {
            if (sets->seen.at[all[i]] == sets->many) continue;
            sets->seen.at[all[i]] = sets->many;
        }
        all[kept++] = all[i];
    }
    return kept;
}

static cflri_set_number unite_all(cflri_sets *sets, cflri_set_number *all, size_t n, bool loose) {
    n = each_once(sets, all, n);
    if (n < 2) return n ? all[0] : CFLRI_EMPTY_SET;
    cflri_set_number largest = merge_few(sets, all, n, loose);
    if (largest) return largest;
    if (n == 2) return cflri_sets_union(sets, all[0], all[1]);
    uint32_t most = 0, blocks;
    for (size_t i = 0; i < n; i++) {
        cflri_row row = cflri_sets_row(sets, all[i]);
        if (row.n > most) {
            most = row.n;
            largest = all[i];
        }
        add(sets, &row);
    }
    if (cflri_row_sum_count(&sets->sum, &blocks) > most) return cflri_sets_take(sets);
    cflri_row_sum_clear(&sets->sum);
    return largest;
}

cflri_set_number cflri_sets_union_all(cflri_sets *sets, cflri_set_number *all, size_t n) {
    return unite_all(sets, all, n, false);
}

cflri_set_number cflri_sets_union_loose(cflri_sets *sets, cflri_set_number *all, size_t n) {
    return unite_all(sets, all, n, true);
}

cflri_set_number cflri_sets_minus(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    if (a == b) return CFLRI_EMPTY_SET;
    if (!a || !b) return a;
    cflri_cached *known = cflri_cache_at(&sets->differences, a, b);
    if (known->a == a && known->b == b) return known->answer;
    cflri_row x = cflri_sets_row(sets, a), y = cflri_sets_row(sets, b);
    add(sets, &x);
    cflri_row_sum_remove(&sets->sum, &y);
    cflri_set_number set = cflri_sets_take(sets);
    if (set != CFLRI_NO_SET) {
        *cflri_cache_at(&sets->differences, a, b) = (cflri_cached){a, b, set};
    }
    return set;
}

/* ---- parts ---- */

/* The branch of an id is id >> this. */
static uint32_t branching(const cflri_row *row) {
    cflri_row_walk walk = cflri_row_begin(row);
    uint32_t first = 0, last = 0;
    cflri_row_next(&walk, &first);
    while (cflri_row_next(&walk, &last)) {
    }
    uint32_t bit = 31 - (uint32_t)__builtin_clz((first ^ last) | 1);
    return bit - bit % BRANCH_BITS;
}

static bool end_branch(cflri_sets *sets, cflri_set_list *parts) {
    size_t n = sets->part.n, single = n < BRANCH ? n : 0;
    bool pushed = true;
    for (size_t i = 0; pushed && i < single; i++) {
        cflri_set_number set = cflri_sets_single(sets, sets->part.at[i]);
        pushed = set != CFLRI_NO_SET && cflri_vec_push(sets->context, parts, set);
    }
    if (n && !single) {
        cflri_set_number set = cflri_sets_of(sets, sets->part.at, (uint32_t)n);
        pushed = set != CFLRI_NO_SET && cflri_vec_push(sets->context, parts, set);
    }
    sets->part.n = 0;
    return pushed;
}

bool cflri_sets_split(cflri_sets *sets, cflri_set_number set, cflri_set_list *parts) {
    cflri_row row = cflri_sets_row(sets, set);
    uint32_t shift = row.n <= UNSPLIT ? 0 : branching(&row), branch = 0, id;
    cflri_row_walk walk = cflri_row_begin(&row);
    sets->part.n = 0; /* it may have been left in the middle */
    while (cflri_row_next(&walk, &id)) {
        if (id >> shift != branch && !end_branch(sets, parts)) return false;
        branch = id >> shift;
        if (!cflri_vec_push(sets->context, &sets->part, id)) return false;
    }
    return end_branch(sets, parts);
}

/* ---- sweeping ---- */

bool cflri_sets_begin_sweep(cflri_sets *sets) {
    sets->marked =
        cflri_alloc_array_zero(sets->context, sets->row.n / 64 + 1, sizeof *sets->marked);
    return sets->marked != NULL;
}

void cflri_sets_keep(cflri_sets *sets, cflri_set_number set) {
    if (!cflri_set_is_single(set)) sets->marked[set / 64] |= (uint64_t)1 << set % 64;
}

void cflri_sets_sweep(cflri_sets *sets) {
    for (uint32_t i = 1; i < sets->row.n; i++) {
        cflri_row *row = &sets->row.at[i];
        if (!row->n || sets->marked[i / 64] >> i % 64 & 1) continue;
        if (!cflri_vec_push(sets->context, &sets->spare, i)) continue; /* it stays */
        sets->bytes -= sizeof *row + cflri_row_bytes(row);
        sets->ids -= row->n;
        sets->n_kept--;
        cflri_row_free(&sets->pool, row);
    }
    cflri_free(sets->context, sets->marked);
    sets->marked = NULL;
    memset(sets->slot, 0, ((size_t)sets->slot_mask + 1) * sizeof *sets->slot);
    fill_slots(sets);
    cflri_cache_clear(&sets->unions);
    cflri_cache_clear(&sets->differences);
}

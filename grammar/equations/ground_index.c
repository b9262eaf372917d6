/* SPDX-License-Identifier: Apache-2.0
 *
 * ground_index.c: which rules read a symbol, asked from every side, which make it, and whether it
 * may be empty.
 *
 *     start:  0     2  2     5            one slot a ground symbol, one more at the end
 *     join:   C1 C1 |  | C0 C3 C3         partner ascending inside a slot, then left side
 *
 * Rules of one pair (B, C) lie side by side in by_left, so the pair table only keeps where: an open
 * hash table of at most half its slots, keyed B * n_symbols + C. All of it costs O(R log R).
 *
 *     slot: | key | at | count |   |   | key | at | count |       count 0: empty
 */
#include "grammar/equations/ground_index.h"

#include <assert.h>
#include <stdlib.h>

typedef struct pair_slot {
    uint64_t key;
    uint32_t at, count;
} pair_slot;

struct cflri_pair_table {
    uint64_t mask; /* slots - 1, a power of two less one */
    pair_slot *slot;
};

/* Which rules go into an index, and by which side. */
typedef enum join_side { UNARY, CONVERSE, LEFT, RIGHT } join_side;

static bool takes(const cflri_ground *ground, const cflri_ground_rule *rule, join_side side) {
    bool binary = rule->right[1] != CFLRI_NO_SYMBOL;
    bool converse = ground->grammar->rule[rule->rule].is_converse;
    switch (side) {
        case UNARY:
            return !binary && !converse;
        case CONVERSE:
            return converse;
        case LEFT:
        case RIGHT:
            return binary;
    }
    return false;
}

static int by_partner(const void *a, const void *b) {
    const cflri_join *x = a, *y = b;
    if (x->partner != y->partner) return x->partner < y->partner ? -1 : 1;
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

static cflr_status build_index(cflri_ground *ground, join_side side, cflri_join_index *index,
                               cflr_error *error) {
    uint32_t n = ground->n_symbols, key_at = side == RIGHT;
    index->start = cflri_alloc_array_zero(ground->context, (size_t)n + 2, sizeof *index->start);
    if (!index->start) return cflri_fail_memory(ground->context, error);
    uint32_t *next = index->start + 1; /* one ahead: after filling, start[s] is where s begins */
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        if (takes(ground, rule, side)) next[rule->right[key_at] + 1]++;
    }
    for (uint32_t s = 0; s < n; s++) next[s + 1] += next[s];
    index->join = cflri_alloc_array(ground->context, next[n], sizeof *index->join);
    if (!index->join) return cflri_fail_memory(ground->context, error);
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *rule = &ground->rule[r];
        if (!takes(ground, rule, side)) continue;
        uint32_t partner = side == LEFT    ? rule->right[1]
                           : side == RIGHT ? rule->right[0]
                                           : CFLRI_NO_SYMBOL;
        index->join[next[rule->right[key_at]]++] = (cflri_join){partner, rule->left, r};
    }
    assert(index->start[0] == 0 && index->start[n] == next[n]);
    for (uint32_t s = 0; s < n; s++) {
        uint32_t begin = index->start[s], count = index->start[s + 1] - begin;
        if (count > 1) qsort(index->join + begin, count, sizeof *index->join, by_partner);
    }
    return CFLR_OK;
}

/* ---- pairs ---- */

static uint64_t mix(uint64_t key) {
    key *= UINT64_C(0x9E3779B97F4A7C15);
    return key ^ key >> 29;
}

static pair_slot *find_slot(const struct cflri_pair_table *table, uint64_t key) {
    uint64_t at = mix(key) & table->mask;
    while (table->slot[at].count && table->slot[at].key != key) at = (at + 1) & table->mask;
    return &table->slot[at];
}

static cflr_status build_pairs(cflri_ground *ground, cflr_error *error) {
    cflr_context *context = ground->context;
    const cflri_join_index *left = &ground->by_left;
    uint64_t slots = 4;
    while (slots < 2 * (uint64_t)left->start[ground->n_symbols]) slots *= 2;
    struct cflri_pair_table *table = cflri_alloc_zero(context, sizeof *table);
    if (!table) return cflri_fail_memory(context, error);
    ground->by_pair = table;
    table->mask = slots - 1;
    table->slot = cflri_alloc_array_zero(context, slots, sizeof *table->slot);
    if (!table->slot) return cflri_fail_memory(context, error);
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        for (uint32_t k = left->start[s]; k < left->start[s + 1]; k++) {
            uint64_t key = (uint64_t)s * ground->n_symbols + left->join[k].partner;
            pair_slot *slot = find_slot(table, key);
            if (!slot->count) *slot = (pair_slot){key, k, 0};
            assert(slot->at + slot->count == k);
            slot->count++;
        }
    }
    return CFLR_OK;
}

const cflri_join *cflri_ground_pair(const cflri_ground *ground, uint32_t left, uint32_t right,
                                    uint32_t *count) {
    assert(left < ground->n_symbols && right < ground->n_symbols);
    uint64_t key = (uint64_t)left * ground->n_symbols + right;
    const pair_slot *slot = find_slot(ground->by_pair, key);
    *count = slot->count;
    return ground->by_left.join + slot->at;
}

/* ---- the empty path ---- */

typedef struct work {
    cflr_context *context;
    bool *nullable;
    CFLRI_VEC(uint32_t) symbols;
    bool failed;
} work;

static void mark_nullable(work *w, uint32_t symbol) {
    if (w->nullable[symbol]) return;
    w->nullable[symbol] = true;
    if (!cflri_vec_push(w->context, &w->symbols, symbol)) w->failed = true;
}

/* The left sides of an index's entries for `symbol`, where the partner (if any) is nullable too. */
static void spread_nullable(work *w, const cflri_join_index *index, uint32_t symbol, bool binary) {
    for (uint32_t j = index->start[symbol]; j < index->start[symbol + 1]; j++) {
        const cflri_join *join = &index->join[j];
        if (!binary || w->nullable[join->partner]) mark_nullable(w, join->left);
    }
}

bool cflri_ground_find_nullable(const cflri_ground *ground, bool *nullable) {
    work w = {.context = ground->context, .nullable = nullable};
    for (uint32_t e = 0; e < ground->n_epsilon; e++) mark_nullable(&w, ground->epsilon[e]);
    while (w.symbols.n && !w.failed) {
        uint32_t symbol = w.symbols.at[--w.symbols.n];
        spread_nullable(&w, &ground->by_unary, symbol, false);
        spread_nullable(&w, &ground->by_converse, symbol, false);
        spread_nullable(&w, &ground->by_left, symbol, true);
        spread_nullable(&w, &ground->by_right, symbol, true);
    }
    cflri_vec_free(ground->context, &w.symbols);
    return !w.failed;
}

/* ---- left sides ---- */

static cflr_status index_left_sides(cflri_ground *ground, cflr_error *error) {
    uint32_t rule = 0;
    size_t n = (size_t)ground->n_symbols + 1;
    ground->first_rule = cflri_alloc_array(ground->context, n, sizeof *ground->first_rule);
    if (!ground->first_rule) return cflri_fail_memory(ground->context, error);
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        ground->first_rule[s] = rule;
        while (rule < ground->n_rules && ground->rule[rule].left == s) rule++;
    }
    ground->first_rule[ground->n_symbols] = rule;
    assert(rule == ground->n_rules);
    return CFLR_OK;
}

/* ---- all ---- */

cflr_status cflri_ground_build_indexes(cflri_ground *ground, cflr_error *error) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(build_index(ground, UNARY, &ground->by_unary, error));
    CFLR_TRY(build_index(ground, CONVERSE, &ground->by_converse, error));
    CFLR_TRY(build_index(ground, LEFT, &ground->by_left, error));
    CFLR_TRY(build_index(ground, RIGHT, &ground->by_right, error));
    CFLR_TRY(build_pairs(ground, error));
    CFLR_TRY(index_left_sides(ground, error));
out:
    return st;
}

static void free_index(cflr_context *context, cflri_join_index *index) {
    cflri_free(context, index->start);
    cflri_free(context, index->join);
}

void cflri_ground_free_indexes(cflri_ground *ground) {
    cflr_context *context = ground->context;
    free_index(context, &ground->by_unary);
    free_index(context, &ground->by_converse);
    free_index(context, &ground->by_left);
    free_index(context, &ground->by_right);
    if (ground->by_pair) cflri_free(context, ground->by_pair->slot);
    cflri_free(context, ground->by_pair);
    cflri_free(context, ground->first_rule);
}

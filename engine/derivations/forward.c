/* SPDX-License-Identifier: Apache-2.0
 *
 * forward.c: truth forward through a closure, from the input edges on.
 *
 * The closure says where to look: a conclusion counts only when it is there, and its place gives
 * its bit. So nothing is stored but bits, and no row is sorted or grown, as a solver would:
 *
 *     B(u,.)  2 5 9        proven: 1 0 1      joined: 1 0 0
 *     C(9,.)  3 7          proven: 0 1        -> A(u,7), if it is there, is proven
 *
 * Sweeps over all proven pairs, in the order of the relations, apply the rules that have a pair on
 * the left. A sweep uses at once what it found; it skips a join that was made before when the row
 * of the partner has had nothing new since the sweep before. They end when one finds nothing, and
 * then the least fixed point is reached within the closure, or when the look-ups are spent, and
 * then the pairs with the shallowest derivations are proven: these are what a search that goes back
 * from some pair (derive.c) needs to meet.
 *
 * Cost of a sweep: a look at every pair's bit (a part of a look-up), and look-ups of O(log row).
 */
#include "engine/derivations/forward.h"

#include <assert.h>

#include "base/context.h"
#include "base/ids.h"

enum {
    TICK_EVERY = 1 << 16, /* look-ups */
    BITS_OF_LOOKUP = 16,  /* looks at a bit that cost as much */
};

typedef struct sweep {
    const cflri_claims *claims;
    uint64_t *proven;
    uint64_t *joined;    /* one bit a pair: its rules were applied at least once */
    uint64_t *first_row; /* n_symbols + 1: rows of the symbols before each */
    uint32_t *changed;   /* for each row: the last sweep that proved something in it; 0: none */
    uint32_t now;        /* from 1 on */
    uint64_t left;       /* look-ups */
    uint64_t next_tick;  /* when so many are left */
    bool found;          /* something, in this sweep */
} sweep;

/* ---- places ---- */

uint64_t cflri_pair_place(const cflri_relation *relation, uint32_t source, uint32_t target) {
    uint32_t r = cflri_relation_find(relation, source);
    if (r == relation->n_rows) return CFLRI_NO_PLACE;
    const uint32_t *row = cflri_relation_targets(relation, r);
    uint64_t count = cflri_relation_count(relation, r), at = cflri_ids_seek(row, count, target);
    return at == count || row[at] != target ? CFLRI_NO_PLACE : relation->start[r] + at;
}

/* ---- rules ---- */

static void spend(sweep *s, uint64_t lookups) {
    s->left = s->left > lookups ? s->left - lookups : 0;
}

static bool look_up(sweep *s) {
    spend(s, 1);
    return s->left > 0;
}

/* The pair at a place of row r is proven. */
static void prove(sweep *s, uint32_t symbol, uint32_t r, uint64_t place) {
    uint64_t number = s->claims->first_pair[symbol] + place;
    if (cflri_bit(s->proven, number)) return;
    const cflri_relation *have = s->claims->have[symbol];
    uint32_t target = cflri_relation_targets(have, r)[place - have->start[r]];
    if (!cflri_filters_keep(s->claims->filters, symbol, have->row[r], target)) return;
    cflri_set_bit(s->proven, number);
    s->changed[s->first_row[symbol] + r] = s->now;
    s->found = true;
}

static void conclude(sweep *s, uint32_t symbol, uint32_t source, uint32_t target) {
    const cflri_relation *have = s->claims->have[symbol];
    uint32_t r = cflri_relation_find(have, source);
    look_up(s);
    if (r == have->n_rows) return;
    const uint32_t *row = cflri_relation_targets(have, r);
    uint64_t count = cflri_relation_count(have, r), at = cflri_ids_seek(row, count, target);
    if (at < count && row[at] == target) prove(s, symbol, r, have->start[r] + at);
}

/* A pair B(u,v) whose rules are applied. */
typedef struct premise {
    uint32_t symbol, source, target;
    bool is_new; /* for the first time */
} premise;

/* A ::= B C: the proven pairs C(v,w) and the row of A at u both ascend. */
static void sweep_join(sweep *s, premise b, const cflri_join *join) {
    const cflri_relation *partner = s->claims->have[join->partner];
    const cflri_relation *left = s->claims->have[join->left];
    uint32_t row = cflri_relation_find(partner, b.target);
    if (!look_up(s) || row == partner->n_rows) return;
    if (!b.is_new && s->changed[s->first_row[join->partner] + row] + 1 < s->now) return;
    uint32_t into = cflri_relation_find(left, b.source);
    if (into == left->n_rows) return;
    const uint32_t *c = cflri_relation_targets(partner, row);
    const uint32_t *a = cflri_relation_targets(left, into);
    uint64_t n = cflri_relation_count(partner, row), end = cflri_relation_count(left, into);
    uint64_t number = s->claims->first_pair[join->partner] + partner->start[row];
    spend(s, n / BITS_OF_LOOKUP);
    for (uint64_t i = 0, at = 0; i < n && at < end; i++) {
        if (!cflri_bit(s->proven, number + i)) continue;
        at += cflri_ids_seek(a + at, end - at, c[i]);
        if (!look_up(s)) return;
        if (at < end && a[at] == c[i]) prove(s, join->left, into, left->start[into] + at);
    }
}

static void sweep_pair(sweep *s, premise b) {
    const cflri_ground *ground = s->claims->ground;
    const cflri_join_index *unary = &ground->by_unary, *converse = &ground->by_converse;
    const cflri_join_index *by_left = &ground->by_left;
    for (uint32_t j = unary->start[b.symbol]; b.is_new && j < unary->start[b.symbol + 1]; j++) {
        conclude(s, unary->join[j].left, b.source, b.target);
    }
    for (uint32_t j = converse->start[b.symbol]; b.is_new && j < converse->start[b.symbol + 1];
         j++) {
        conclude(s, converse->join[j].left, b.target, b.source);
    }
    for (uint32_t j = by_left->start[b.symbol]; s->left > 0 && j < by_left->start[b.symbol + 1];
         j++) {
        sweep_join(s, b, &by_left->join[j]);
    }
}

/* ---- sweeps ---- */

static cflr_status tick(sweep *s, cflr_error *error) {
    cflr_context *context = s->claims->ground->context;
    if (s->left > s->next_tick) return CFLR_OK;
    s->next_tick = s->left > TICK_EVERY ? s->left - TICK_EVERY : 0;
    cflr_status st = cflri_tick(context, "verify", 0, 0);
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, error);
}

static cflr_status sweep_symbol(sweep *s, uint32_t symbol, cflr_error *error) {
    const cflri_relation *have = s->claims->have[symbol];
    for (uint32_t r = 0; r < have->n_rows && s->left > 0; r++) {
        cflr_status st = tick(s, error);
        if (st != CFLR_OK) return st;
        const uint32_t *target = cflri_relation_targets(have, r);
        uint64_t n = cflri_relation_count(have, r);
        spend(s, n / BITS_OF_LOOKUP);
        for (uint64_t i = 0; i < n && s->left > 0; i++) {
            uint64_t number = s->claims->first_pair[symbol] + have->start[r] + i;
            if (!cflri_bit(s->proven, number)) continue;
            premise b = {symbol, have->row[r], target[i], !cflri_bit(s->joined, number)};
            cflri_set_bit(s->joined, number);
            sweep_pair(s, b);
        }
    }
    return CFLR_OK;
}

/* Input edges, and the reflexive pairs of epsilon rules. */
static void prove_axioms(sweep *s) {
    const cflri_ground *ground = s->claims->ground;
    for (uint32_t symbol = 0; symbol < ground->n_symbols; symbol++) {
        const cflri_relation *input = s->claims->input[symbol];
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
                conclude(s, symbol, input->row[r], input->target[i]);
            }
        }
    }
    for (uint32_t e = 0; e < ground->n_epsilon; e++) {
        const cflri_relation *have = s->claims->have[ground->epsilon[e]];
        for (uint32_t r = 0; r < have->n_rows && s->left > 0; r++) {
            conclude(s, ground->epsilon[e], have->row[r], have->row[r]);
        }
    }
}

static cflr_status sweep_all(sweep *s, cflr_error *error) {
    s->now = 1;
    prove_axioms(s);
    do {
        s->found = false;
        s->now++;
        for (uint32_t symbol = 0; symbol < s->claims->ground->n_symbols; symbol++) {
            cflr_status st = sweep_symbol(s, symbol, error);
            if (st != CFLR_OK) return st;
        }
    } while (s->found && s->left > 0);
    return CFLR_OK;
}

cflr_status cflri_forward(const cflri_claims *claims, uint64_t lookups, uint64_t *proven,
                          cflr_error *error) {
    cflr_context *context = claims->ground->context;
    uint32_t n = claims->ground->n_symbols;
    uint64_t pairs = claims->first_pair[n], rows = 0;
    sweep s = {.claims = claims, .proven = proven, .left = lookups, .next_tick = lookups};
    cflr_status st = CFLR_OK;
    for (uint32_t symbol = 0; symbol < n; symbol++) rows += claims->have[symbol]->n_rows;
    s.first_row = cflri_alloc_array(context, (size_t)n + 1, sizeof *s.first_row);
    s.changed = cflri_alloc_array_zero(context, rows, sizeof *s.changed);
    s.joined = cflri_alloc_array_zero(context, pairs / 64 + 1, sizeof *s.joined);
    if (!s.first_row || !s.changed || !s.joined) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    s.first_row[0] = 0;
    for (uint32_t symbol = 0; symbol < n; symbol++) {
        s.first_row[symbol + 1] = s.first_row[symbol] + claims->have[symbol]->n_rows;
    }
    st = sweep_all(&s, error);
out:
    cflri_free(context, s.first_row);
    cflri_free(context, s.changed);
    cflri_free(context, s.joined);
    return st;
}

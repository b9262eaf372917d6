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
    cflr_context *context;
    cflr_row row, partner;
    cflri_failure failure;
} sweep;

/* ---- rules ---- */

static void spend(sweep *s, uint64_t lookups) {
    s->left = s->left > lookups ? s->left - lookups : 0;
}

static bool look_up(sweep *s) {
    spend(s, 1);
    return s->left > 0;
}

/* Proves the pair, if it is there and not proven yet. */
static void conclude(sweep *s, uint32_t symbol, uint32_t source, uint32_t target) {
    const cflri_relation *have = s->claims->have[symbol];
    uint64_t place;
    look_up(s);
    if (!cflri_relation_place(have, source, target, &place, &s->failure)) return;
    uint64_t number = s->claims->first_pair[symbol] + place;
    if (cflri_bit(s->proven, number)) return;
    if (!cflri_filters_keep(s->claims->filters, symbol, source, target)) return;
    cflri_set_bit(s->proven, number);
    s->changed[s->first_row[symbol] + cflri_relation_find(have, source)] = s->now;
    s->found = true;
}

/* A pair B(u,v) whose rules are applied. */
typedef struct premise {
    uint32_t symbol, source, target;
    bool is_new; /* for the first time */
} premise;

/* A ::= B C: with the proven pairs C(v,w). */
static cflr_status sweep_join(sweep *s, premise b, const cflri_join *join, cflr_error *error) {
    const cflri_relation *partner = s->claims->have[join->partner];
    uint32_t r = cflri_relation_find(partner, b.target);
    if (!look_up(s) || r == partner->n_rows) return CFLR_OK;
    if (!b.is_new && s->changed[s->first_row[join->partner] + r] + 1 < s->now) return CFLR_OK;
    const cflri_relation *left = s->claims->have[join->left];
    if (cflri_relation_find(left, b.source) == left->n_rows) return CFLR_OK;
    cflr_status st = cflri_relation_read(s->context, partner, r, &s->partner, error);
    if (st != CFLR_OK) return st;
    uint64_t first = s->claims->first_pair[join->partner];
    spend(s, s->partner.count / BITS_OF_LOOKUP);
    for (uint64_t i = 0; i < s->partner.count && s->left > 0; i++) {
        uint64_t place = cflri_relation_place_at(partner, &s->partner, r, i, &s->failure);
        if (cflri_bit(s->proven, first + place))
            conclude(s, join->left, b.source, s->partner.target[i]);
    }
    return CFLR_OK;
}

static cflr_status sweep_pair(sweep *s, premise b, cflr_error *error) {
    cflr_status st = CFLR_OK;
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
        CFLR_TRY(sweep_join(s, b, &by_left->join[j], error));
    }
out:
    return st;
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
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < have->n_rows && s->left > 0; r++) {
        CFLR_TRY(tick(s, error));
        CFLR_TRY(cflri_relation_read(s->context, have, r, &s->row, error));
        spend(s, s->row.count / BITS_OF_LOOKUP);
        for (uint64_t i = 0; i < s->row.count && s->left > 0; i++) {
            uint64_t number = s->claims->first_pair[symbol] +
                              cflri_relation_place_at(have, &s->row, r, i, &s->failure);
            if (!cflri_bit(s->proven, number)) continue;
            premise b = {symbol, have->row[r], s->row.target[i], !cflri_bit(s->joined, number)};
            cflri_set_bit(s->joined, number);
            CFLR_TRY(sweep_pair(s, b, error));
        }
    }
out:
    return st;
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
    sweep s = {.claims = claims,
               .proven = proven,
               .left = lookups,
               .next_tick = lookups,
               .context = context};
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
    if (st == CFLR_OK) st = cflri_tell_failure(&s.failure, error);
out:
    cflri_free(context, s.first_row);
    cflri_free(context, s.changed);
    cflri_free(context, s.joined);
    cflr_row_free(&s.row);
    cflr_row_free(&s.partner);
    return st;
}

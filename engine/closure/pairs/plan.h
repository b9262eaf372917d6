/* SPDX-License-Identifier: Apache-2.0
 *
 * plan.h: what a pair does when it is settled, worked out from the ground grammar once.
 *
 * Four facts about the grammar save work before any pair is looked at:
 *
 * Reflexive pairs. A symbol is nullable when it derives epsilon; it then holds (v,v) for every v
 *     from the start. A join with a reflexive pair of C in A ::= B C says A(u,v) from B(u,v): the
 *     rule A ::= B. The plan adds these unary rules, and no solver ever joins a reflexive pair of a
 *     nullable symbol.
 * Converses. ~X is *mirrored* when its only rule is the converse of X. Its pairs are then never
 *     stored: rows of ~X by source are the lists of X by target, and the other way round, and a
 *     pair X(u,v) does the joins of ~X(v,u) beside its own.
 * Fixed symbols. A symbol that no rule derives, and that has no filter, has all its pairs at the
 *     start. Where one side of a rule is fixed, only pairs of the other side look for partners.
 * Directions. Lists by target are kept only where some join reads them.
 *
 * So a pair X(u,v) of a stored symbol X has these moves, `list(m)` being the partners at m:
 *
 *     COPY     A ::= X       A(u,v)
 *     SWAP     A ::= ~X      A(v,u)
 *     AHEAD    A ::= X C     A(u,w) for w in list(v)     joined at v
 *     BEHIND   A ::= C X     A(t,v) for t in list(u)     joined at u
 *     MIRROR_AHEAD   A ::= ~X C    A(v,w) for w in list(u)     joined at u
 *     MIRROR_BEHIND  A ::= C ~X    A(t,u) for t in list(v)     joined at v
 *
 * and the list is made of rows by source (FROM_ROWS) or lists by target (FROM_LISTS) of a stored
 * symbol. Building the plan costs O(R log R) for R ground rules.
 */
#ifndef CFLRI_PLAN_H
#define CFLRI_PLAN_H

#include "base/graph/relation.h"
#include "engine/closure/model.h"

typedef enum cflri_move {
    CFLRI_AHEAD = 0,
    CFLRI_BEHIND = 1,
    CFLRI_MIRROR_AHEAD = 2,
    CFLRI_MIRROR_BEHIND = 3,
    CFLRI_MOVES = 4,
} cflri_move;

typedef enum cflri_side {
    CFLRI_FROM_ROWS = 0,
    CFLRI_FROM_LISTS = 1,
} cflri_side;
#define CFLRI_SIDES 2 /* no enumerator: it is multiplied with moves */

/* Consecutive entries of one table, ascending. */
typedef struct cflri_steps {
    const uint64_t *at; /* copies and swaps: the left side; joins: cflri_pair(partner, left) */
    uint32_t n;
} cflri_steps;

typedef struct cflri_plan {
    cflr_context *context;
    uint32_t n_symbols;
    bool *flags;      /* all of these, by symbol: */
    bool *nullable;   /* it derives the empty path */
    bool *fixed;      /* no rule derives it, and no filter drops its pairs */
    bool *listed;     /* lists by target are read */
    bool *read;       /* rows by source are read */
    bool *at_target;  /* a pair has moves at its target, or is put in a list there */
    bool *busy;       /* a pair has any move */
    bool *has_mirror; /* X, where there is a mirrored ~X */
    uint32_t *mirror; /* of ~X: the stored symbol X; CFLRI_NO_SYMBOL for a stored symbol */
    uint64_t *start;  /* slots of `step`, CFLRI_SLOTS a symbol and one more at the end */
    uint64_t *step;
} cflri_plan;

enum {
    CFLRI_SLOT_COPY = CFLRI_MOVES * CFLRI_SIDES,
    CFLRI_SLOT_SWAP,
    CFLRI_SLOTS,
};

cflr_status cflri_plan_new(const cflri_problem *problem, cflri_plan *plan, cflr_error *error);
void cflri_plan_free(cflri_plan *plan);

static inline cflri_steps cflri_plan_slot(const cflri_plan *plan, uint32_t symbol, uint32_t slot) {
    const uint64_t *start = plan->start + (uint64_t)symbol * CFLRI_SLOTS + slot;
    return (cflri_steps){plan->step + start[0], (uint32_t)(start[1] - start[0])};
}

static inline cflri_steps cflri_plan_joins(const cflri_plan *plan, uint32_t symbol, cflri_move move,
                                           cflri_side side) {
    return cflri_plan_slot(plan, symbol, (uint32_t)move * CFLRI_SIDES + (uint32_t)side);
}

static inline uint32_t cflri_step_partner(uint64_t step) {
    return (uint32_t)(step >> 32);
}

static inline uint32_t cflri_step_left(uint64_t step) {
    return (uint32_t)step;
}

#endif

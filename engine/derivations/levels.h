/* SPDX-License-Identifier: Apache-2.0
 *
 * levels.h: how deep calls are nested in the derivations of pairs.
 *
 *     V@0(p,q)    p and q hold one address by assignments alone
 *     V@1(p,q)    and by memory whose pointers are pairs of V@0
 *     V@2 ...
 *
 * Each contains the one before, and the last one is V.
 */
#ifndef CFLRI_LEVELS_H
#define CFLRI_LEVELS_H

#include "cflr/result.h"
#include "engine/derivations/automaton.h"
#include "engine/derivations/turned.h"

typedef struct cflri_levels {
    uint32_t n;
    bool all; /* there is no other pair at any further level */
    cflr_grammar *grammar;
    cflr_result *result;
    uint32_t n_called;
    uint32_t *called;                /* ground symbols */
    const cflri_relation **relation; /* by place in `called`, and level */
    cflri_turned_rows *turned;       /* by place in `called`: of its levels */
} cflri_levels;

/* The pairs of the first n levels of what the automaton calls. Zero bytes are no levels; freed
 * by the caller, after a failure too. CFLR_LIMIT and CFLR_CANCELLED when interrupted. O(a
 * closure for each level). */
cflr_status cflri_levels_make(const cflri_automaton *automaton, uint32_t n, cflri_levels *levels,
                              cflr_error *error);
void cflri_levels_free(cflr_context *context, cflri_levels *levels);

/* The pairs of a called symbol at a level. */
const cflri_relation *cflri_levels_pairs(const cflri_levels *levels, uint32_t level,
                                         uint32_t symbol);

/* The pairs of its levels read backwards. */
const cflri_turned_rows *cflri_levels_turned(const cflri_levels *levels, uint32_t symbol);

/* The first level that has the pair; n: none has. */
uint32_t cflri_levels_find(const cflri_levels *levels, uint32_t symbol, uint32_t source,
                           uint32_t target, cflri_failure *failure);

#endif

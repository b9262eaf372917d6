/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.h: adjacency without a label index: the edges of all labels in one list a vertex. What the
 * models `edge` and `vertex` share, and, apart from the lists, `vertex-indexed`.
 *
 *     out[v]:  (a,4) (V,7) (a,1) (M,4) ...      in order of discovery
 *     set[v]:  the same edges, to look them up (edge_set.h)
 */
#ifndef CFLRI_MIXED_H
#define CFLRI_MIXED_H

#include "base/vec.h"
#include "engine/closure/pairs/collect.h"
#include "engine/closure/rows/edge_set.h"

/* Packed (label, vertex) by cflri_pair. */
typedef CFLRI_VEC(uint64_t) cflri_mixed_list;

static inline uint32_t cflri_mixed_label(uint64_t edge) {
    return (uint32_t)(edge >> 32);
}

static inline uint32_t cflri_mixed_vertex(uint64_t edge) {
    return (uint32_t)edge;
}

typedef struct cflri_mixed {
    const cflri_problem *problem;
    cflri_mixed_list *out; /* one a vertex */
    cflri_edge_set *set;
    uint64_t pairs;
    uint64_t rounds;
    uint64_t derivations;
    uint64_t visits;   /* edges worked on */
    uint64_t check_at; /* visits and derivations at which limits are looked at again */
    cflr_error *error;
} cflri_mixed;

/* Empty lists; nothing to free after a failure. */
cflr_status cflri_mixed_init(cflri_mixed *mixed, const cflri_problem *problem, cflr_error *error);
void cflri_mixed_free(cflri_mixed *mixed);

/* Adds the conclusion label(source, target) to the set and, when it is new, to the list. */
cflr_status cflri_mixed_add(cflri_mixed *mixed, uint32_t label, uint32_t source, uint32_t target,
                            bool *added);

/* To be called for every edge worked on: looks at clock and cancellation now and then. */
cflr_status cflri_mixed_check(cflri_mixed *mixed);

/* Calls add(user, label, source, target) for every edge of the graph and every reflexive pair of an
 * epsilon rule, and stops at the first status that is not CFLR_OK. */
typedef cflr_status (*cflri_add_edge)(void *user, uint32_t label, uint32_t source, uint32_t target);
cflr_status cflri_each_input(const cflri_problem *problem, cflri_add_edge add, void *user);

/* The same for what follows from an edge alone: by A ::= X, and by converses. */
cflr_status cflri_join_unary(const cflri_mixed *mixed, uint32_t label, uint32_t source,
                             uint32_t target, cflri_add_edge add, void *user);

/* Frees the sets. */
void cflri_mixed_end_solving(cflri_mixed *mixed);

/* What a model found that has its rows by `next`. */
cflri_found cflri_mixed_found(const cflri_mixed *mixed, cflri_next_row next);

/* Ends a solve that came to `st`: sets are freed, lists are sorted and become relations where there
 * is a whole or partial result; of the first vertices only, when not all fit. Returns the status of
 * the solve. */
cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure);

#endif

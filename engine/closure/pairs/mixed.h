/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.h: what the models that go by single edges share, and adjacency without a label index: the
 * edges of all labels in one list a vertex.
 *
 *     out[v]:  (a,4) (V,7) (a,1) (M,4) ...      in order of discovery
 *     set[v]:  the same edges, to look them up (edge_set.h)
 */
#ifndef CFLRI_MIXED_H
#define CFLRI_MIXED_H

#include "engine/closure/pairs/collect.h"
#include "engine/closure/pairs/edge_set.h"

/* Adds the conclusion label(source, target), which may be known. */
struct cflri_edge_search;
typedef cflr_status (*cflri_add_edge)(struct cflri_edge_search *search, uint32_t label,
                                      uint32_t source, uint32_t target);

/* A solve; it stands first in the struct of a model. */
typedef struct cflri_edge_search {
    const cflri_problem *problem;
    cflri_add_edge add;
    cflr_error *error;
    uint64_t pairs;
    uint64_t rounds;
    uint64_t derivations;
    uint64_t visits;   /* edges worked on */
    uint64_t check_at; /* visits and derivations at which limits are looked at again */
} cflri_edge_search;

/* Adds every edge of the graph and every reflexive pair of an epsilon rule. */
cflr_status cflri_search_start(cflri_edge_search *search);

/* Adds what follows from an edge alone: by A ::= X, and by converses. */
cflr_status cflri_search_unary(cflri_edge_search *search, uint32_t label, uint32_t source,
                               uint32_t target);

/* To be called for every edge worked on: looks at clock and cancellation now and then. */
cflr_status cflri_search_check(cflri_edge_search *search);

/* Ends a solve that came to `st`: what was found becomes relations where there is a whole or
 * partial result. Returns the status of the solve. */
cflr_status cflri_search_collect(const cflri_edge_search *search, const cflri_model_rows *found,
                                 cflr_status st, cflri_closure *closure);

typedef struct cflri_mixed {
    cflri_edge_search search;
    cflri_mixed_list *out; /* one a vertex */
    cflri_edge_set *set;
} cflri_mixed;

/* Empty lists; to be freed also after a failure. */
cflr_status cflri_mixed_init(cflri_mixed *mixed, const cflri_problem *problem, cflri_add_edge add,
                             cflr_error *error);
void cflri_mixed_free(cflri_mixed *mixed);

/* Adds the conclusion label(source, target) to the set and, when it is new, to the list. */
cflr_status cflri_mixed_add(cflri_mixed *mixed, uint32_t label, uint32_t source, uint32_t target,
                            bool *added);

/* Frees the sets, sorts the lists and ends the solve. */
cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure);

#endif

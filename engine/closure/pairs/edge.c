/* SPDX-License-Identifier: Apache-2.0
 *
 * edge.c: the edge-centric worklist without a label index (docs/explanation/models.md).
 *
 *     worklist = the edges of the graph
 *     for each edge X(u,v) of it:
 *         A(u,v) for A ::= X,  A(v,u) where A is the converse of X
 *         for each edge C(v,w) out of v:  A(u,w) for A ::= X C
 *         for each edge C(t,u) into u:    A(t,v) for A ::= C X
 *         what is in no set yet goes to the sets, to the lists and to the worklist
 *
 * Lists mix all labels, so every neighbour is asked whether some rule joins it: the table by pairs
 * answers in O(1). What a label index saves is the asking (edge_indexed.c). An edge is in the lists
 * from its discovery on, so a pair of edges that wait together is joined twice.
 */
#include "base/context.h"
#include "engine/closure/pairs/mixed.h"
#include "engine/closure/pairs/pairs.h"

typedef struct waiting {
    uint32_t label, source, target;
} waiting;

typedef struct edge_centric {
    cflri_mixed mixed;    /* first: its search is this struct's */
    cflri_mixed_list *in; /* packed (label, source), one a vertex */
    CFLRI_VEC(waiting) worklist;
} edge_centric;

static cflr_status discover(cflri_edge_search *search, uint32_t label, uint32_t source,
                            uint32_t target) {
    edge_centric *e = (edge_centric *)search;
    cflr_context *context = search->problem->context;
    bool added;
    cflr_status st = cflri_mixed_add(&e->mixed, label, source, target, &added);
    if (st != CFLR_OK || !added) return st;
    if (cflri_vec_push(context, &e->in[target], cflri_pair(label, source)) &&
        cflri_vec_push(context, &e->worklist, (waiting){label, source, target})) {
        return CFLR_OK;
    }
    return cflri_fail_memory(context, search->error);
}

/* Joins with the edges out of the target, which go ahead, or with those into the source. Lists may
 * grow and move while their old part is walked over. */
static cflr_status join(edge_centric *e, waiting edge, bool ahead) {
    const cflri_ground *ground = e->mixed.search.problem->ground;
    const cflri_mixed_list *list = ahead ? &e->mixed.out[edge.target] : &e->in[edge.source];
    cflr_status st = CFLR_OK;
    for (size_t i = 0, n = list->n; i < n; i++) {
        uint32_t label = (uint32_t)(list->at[i] >> 32), other = (uint32_t)list->at[i], count;
        const cflri_join *found = ahead ? cflri_ground_pair(ground, edge.label, label, &count)
                                        : cflri_ground_pair(ground, label, edge.label, &count);
        for (uint32_t j = 0; j < count; j++) {
            CFLR_TRY(discover(&e->mixed.search, found[j].left, ahead ? edge.source : other,
                              ahead ? other : edge.target));
        }
    }
out:
    return st;
}

static cflr_status run(edge_centric *e) {
    cflri_edge_search *search = &e->mixed.search;
    const cflri_ground *ground = search->problem->ground;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_search_start(search));
    while (e->worklist.n) {
        waiting edge = e->worklist.at[--e->worklist.n];
        search->rounds++;
        CFLR_TRY(cflri_search_check(search));
        CFLR_TRY(cflri_search_unary(search, edge.label, edge.source, edge.target));
        const uint32_t *ahead = &ground->by_left.start[edge.label];
        const uint32_t *behind = &ground->by_right.start[edge.label];
        if (ahead[1] > ahead[0]) CFLR_TRY(join(e, edge, true));
        if (behind[1] > behind[0]) CFLR_TRY(join(e, edge, false));
    }
out:
    return st;
}

cflr_status cflri_solve_edge(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error) {
    cflr_context *context = problem->context;
    edge_centric e = {0};
    cflr_status st = CFLR_OK;
    *closure = (cflri_closure){0};
    CFLR_TRY(cflri_mixed_init(&e.mixed, problem, discover, error));
    e.in = cflri_alloc_array_zero(context, (size_t)problem->n_vertices + 1, sizeof *e.in);
    st = e.in ? run(&e) : cflri_fail_memory(context, error);
    cflri_vec_free(context, &e.worklist);
    for (uint32_t v = 0; e.in && v < problem->n_vertices; v++) cflri_vec_free(context, &e.in[v]);
    cflri_free(context, e.in);
    st = cflri_mixed_end(&e.mixed, st, closure);
out:
    cflri_mixed_free(&e.mixed);
    return st;
}

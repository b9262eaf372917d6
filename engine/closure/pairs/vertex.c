/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex.c: the vertex-centric model without a label index (docs/explanation/models.md).
 *
 *     round: for each vertex u, for each edge X(u,v) out of it, for each edge C(v,w) out of v:
 *                A(u,w) for A ::= X C
 *
 *     out[u]:   old ........ | new ....... | found in this round
 *                            ^ old[u]      ^ fresh[u]
 *
 * Only lists by source are kept: half the memory of the edge-centric model. An edge that is old,
 * joined in an earlier round, meets only the new edges of its target; a new one meets all. Edges
 * found in a round wait for the next (synchronous). What remains of redundancy is that every round
 * walks over all edges, to see whether their targets have anything new.
 */
#include "base/context.h"
#include "engine/closure/pairs/mixed.h"
#include "engine/closure/pairs/pairs.h"

typedef struct vertex_centric {
    cflri_mixed mixed;
    size_t *old;   /* of each list: where the new edges begin */
    size_t *fresh; /* where those found in this round begin */
} vertex_centric;

static cflr_status discover(cflri_edge_search *search, uint32_t label, uint32_t source,
                            uint32_t target) {
    bool added;
    return cflri_mixed_add((cflri_mixed *)search, label, source, target, &added);
}

/* Joins an edge with the edges of its target from number `from` on. */
static cflr_status join_out(vertex_centric *vc, uint32_t source, uint64_t edge, size_t from) {
    cflr_status st = CFLR_OK;
    uint32_t label = (uint32_t)(edge >> 32), middle = (uint32_t)edge;
    for (size_t i = from; i < vc->fresh[middle]; i++) {
        uint64_t next = vc->mixed.out[middle].at[i];
        uint32_t count;
        const cflri_join *join = cflri_ground_pair(vc->mixed.search.problem->ground, label,
                                                   (uint32_t)(next >> 32), &count);
        for (uint32_t j = 0; j < count; j++) {
            CFLR_TRY(discover(&vc->mixed.search, join[j].left, source, (uint32_t)next));
        }
    }
out:
    return st;
}

static cflr_status visit(vertex_centric *vc, uint32_t u) {
    cflri_edge_search *search = &vc->mixed.search;
    const cflri_join_index *by_left = &search->problem->ground->by_left;
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < vc->fresh[u]; i++) {
        uint64_t edge = vc->mixed.out[u].at[i];
        uint32_t label = (uint32_t)(edge >> 32), target = (uint32_t)edge;
        bool is_new = i >= vc->old[u];
        CFLR_TRY(cflri_search_check(search));
        if (is_new) CFLR_TRY(cflri_search_unary(search, label, u, target));
        if (by_left->start[label] == by_left->start[label + 1]) continue;
        CFLR_TRY(join_out(vc, u, edge, is_new ? 0 : vc->old[target]));
    }
out:
    return st;
}

/* New becomes old, found becomes new; tells whether there is anything new. */
static bool advance(vertex_centric *vc) {
    bool any = false;
    for (uint32_t v = 0; v < vc->mixed.search.problem->n_vertices; v++) {
        vc->old[v] = vc->fresh[v];
        vc->fresh[v] = vc->mixed.out[v].n;
        any |= vc->fresh[v] > vc->old[v];
    }
    return any;
}

static cflr_status run(vertex_centric *vc) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_search_start(&vc->mixed.search));
    while (advance(vc)) {
        vc->mixed.search.rounds++;
        for (uint32_t u = 0; u < vc->mixed.search.problem->n_vertices; u++) {
            if (vc->fresh[u]) CFLR_TRY(visit(vc, u));
        }
    }
out:
    return st;
}

cflr_status cflri_solve_vertex(const cflri_problem *problem, cflri_closure *closure,
                               cflr_error *error) {
    cflr_context *context = problem->context;
    size_t room = (size_t)problem->n_vertices + 1;
    vertex_centric vc = {0};
    cflr_status st = CFLR_OK;
    *closure = (cflri_closure){0};
    CFLR_TRY(cflri_mixed_init(&vc.mixed, problem, discover, error));
    vc.old = cflri_alloc_array_zero(context, room, sizeof *vc.old);
    vc.fresh = cflri_alloc_array_zero(context, room, sizeof *vc.fresh);
    st = vc.old && vc.fresh ? run(&vc) : cflri_fail_memory(context, error);
    cflri_free(context, vc.old);
    cflri_free(context, vc.fresh);
    st = cflri_mixed_end(&vc.mixed, st, closure);
out:
    cflri_mixed_free(&vc.mixed);
    return st;
}

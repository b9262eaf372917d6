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
    cflri_mixed mixed;
    cflri_mixed_list *in; /* packed (label, source), one a vertex */
    CFLRI_VEC(waiting) worklist;
} edge_centric;

static cflr_status discover(void *user, uint32_t label, uint32_t source, uint32_t target) {
    edge_centric *e = user;
    cflr_context *context = e->mixed.problem->context;
    bool added;
    cflr_status st = cflri_mixed_add(&e->mixed, label, source, target, &added);
    if (st != CFLR_OK || !added) return st;
    if (cflri_vec_push(context, &e->in[target], cflri_pair(label, source)) &&
        cflri_vec_push(context, &e->worklist, (waiting){label, source, target})) {
        return CFLR_OK;
    }
    return cflri_fail_memory(context, e->mixed.error);
}

/* Lists may grow and move while their old part is walked over. */
static cflr_status join_out(edge_centric *e, waiting edge) {
    cflr_status st = CFLR_OK;
    const cflri_mixed_list *list = &e->mixed.out[edge.target];
    for (size_t i = 0, n = list->n; i < n; i++) {
        uint64_t next = list->at[i];
        uint32_t count;
        const cflri_join *join = cflri_ground_pair(e->mixed.problem->ground, edge.label,
                                                   cflri_mixed_label(next), &count);
        for (uint32_t j = 0; j < count; j++) {
            CFLR_TRY(discover(e, join[j].left, edge.source, cflri_mixed_vertex(next)));
        }
    }
out:
    return st;
}

static cflr_status join_in(edge_centric *e, waiting edge) {
    cflr_status st = CFLR_OK;
    const cflri_mixed_list *list = &e->in[edge.source];
    for (size_t i = 0, n = list->n; i < n; i++) {
        uint64_t previous = list->at[i];
        uint32_t count;
        const cflri_join *join = cflri_ground_pair(e->mixed.problem->ground,
                                                   cflri_mixed_label(previous), edge.label, &count);
        for (uint32_t j = 0; j < count; j++) {
            CFLR_TRY(discover(e, join[j].left, cflri_mixed_vertex(previous), edge.target));
        }
    }
out:
    return st;
}

static cflr_status run(edge_centric *e) {
    const cflri_ground *ground = e->mixed.problem->ground;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_each_input(e->mixed.problem, discover, e));
    e->mixed.derivations = 0;
    while (e->worklist.n) {
        waiting edge = e->worklist.at[--e->worklist.n];
        e->mixed.rounds++;
        CFLR_TRY(cflri_mixed_check(&e->mixed));
        CFLR_TRY(cflri_join_unary(&e->mixed, edge.label, edge.source, edge.target, discover, e));
        const uint32_t *ahead = &ground->by_left.start[edge.label];
        if (ahead[1] > ahead[0]) CFLR_TRY(join_out(e, edge));
        const uint32_t *behind = &ground->by_right.start[edge.label];
        if (behind[1] > behind[0]) CFLR_TRY(join_in(e, edge));
    }
out:
    return st;
}

static void end_solving(edge_centric *e, const cflri_problem *problem) {
    cflri_vec_free(problem->context, &e->worklist);
    for (uint32_t v = 0; e->in && v < problem->n_vertices; v++) {
        cflri_vec_free(problem->context, &e->in[v]);
    }
    cflri_free(problem->context, e->in);
    e->in = NULL;
}

cflr_status cflri_solve_edge(const cflri_problem *problem, cflri_closure *closure,
                             cflr_error *error) {
    edge_centric e = {0};
    *closure = (cflri_closure){0};
    cflr_status st = cflri_mixed_init(&e.mixed, problem, error);
    if (st != CFLR_OK) return st;
    size_t room = (size_t)problem->n_vertices + 1;
    e.in = cflri_alloc_array_zero(problem->context, room, sizeof *e.in);
    st = e.in ? run(&e) : cflri_fail_memory(problem->context, error);
    end_solving(&e, problem);
    st = cflri_mixed_end(&e.mixed, st, closure);
    cflri_mixed_free(&e.mixed);
    return st;
}

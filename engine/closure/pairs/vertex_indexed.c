/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex_indexed.c: the vertex-centric model with a row for each label
 * (docs/explanation/models.md).
 *
 *     round: for each vertex u, for each label X that it has, for each rule A ::= X C,
 *                for each v in row(X, u):  A(u,w) for w in row(C, v)
 *
 *     row(X, u):   old ........ | new ....... | found in this round
 *                               ^ settled     ^ fresh
 *
 * Old and new are kept apart as in vertex.c: old with new and new with all. The rows of a vertex
 * are found in a directory of the labels that it has (indexed.h), so memory is that of the edges,
 * however many labels there are. Where a label has more rules than the vertex has labels, the
 * labels are gone through and the rules looked up.
 */
#include "engine/closure/pairs/mixed.h"
#include "engine/closure/pairs/pairs.h"

typedef struct marked_row {
    cflri_hashed_row row; /* first: it is found by this */
    uint32_t fresh;
} marked_row;

typedef struct partner {
    uint32_t left;
    const marked_row *at;
} partner;

typedef struct vertex_indexed {
    cflri_edge_search search; /* first: it is handed to `discover` */
    cflri_indexed out;
    CFLRI_VEC(marked_row *) all;
    CFLRI_VEC(marked_row *) here; /* rows of the vertex that is visited */
    CFLRI_VEC(partner) join;      /* partners at a target */
} vertex_indexed;

static cflr_status out_of_memory(const vertex_indexed *vi) {
    return cflri_fail_memory(vi->search.problem->context, vi->search.error);
}

static cflr_status add(vertex_indexed *vi, uint32_t label, uint32_t source, const uint32_t *ids,
                       uint32_t n) {
    cflri_hashed_row *row = cflri_indexed_make(&vi->out, label, source);
    if (!row) return out_of_memory(vi);
    if (cflri_hashed_row_has_at(row, ids)) return CFLR_OK; /* joined into itself: nothing new */
    uint32_t before = row->count;
    if ((!before && !cflri_vec_push(vi->search.problem->context, &vi->all, (marked_row *)row)) ||
        !cflri_hashed_row_merge(&vi->out.store, row, ids, n)) {
        return out_of_memory(vi);
    }
    vi->search.pairs += row->count - before;
    return CFLR_OK;
}

/* label(source, id) for those of the ids that the filter of the label keeps. */
static cflr_status conclude(vertex_indexed *vi, uint32_t label, uint32_t source,
                            const uint32_t *ids, uint32_t n) {
    const cflri_filter *filter = cflri_problem_filter(vi->search.problem, label);
    cflr_status st = CFLR_OK;
    vi->search.derivations += n;
    if (!filter || !filter->mask_of[source]) return n ? add(vi, label, source, ids, n) : CFLR_OK;
    for (uint32_t i = 0; i < n; i++) {
        if (!cflri_filter_keeps(filter, source, ids[i])) continue;
        CFLR_TRY(add(vi, label, source, &ids[i], 1));
    }
out:
    return st;
}

static cflr_status discover(cflri_edge_search *search, uint32_t label, uint32_t source,
                            uint32_t target) {
    return conclude((vertex_indexed *)search, label, source, &target, 1);
}

static bool note(vertex_indexed *vi, uint32_t left, const cflri_hashed_row *row) {
    partner found = {left, (const marked_row *)row};
    return cflri_vec_push(vi->search.problem->context, &vi->join, found);
}

/* Fills vi->join with what the rules of `label` find at `middle`. */
static cflr_status find_joins(vertex_indexed *vi, uint32_t label, uint32_t middle) {
    const cflri_ground *ground = vi->search.problem->ground;
    const cflri_directory *directory = &vi->out.of[middle];
    const cflri_join *join = ground->by_left.join + ground->by_left.start[label];
    uint32_t n = ground->by_left.start[label + 1] - ground->by_left.start[label];
    const cflri_hashed_row *row;
    vi->join.n = 0;
    if (n <= directory->n) {
        for (uint32_t j = 0; j < n; j++) {
            row = cflri_directory_find(directory, join[j].partner);
            if (row && !note(vi, join[j].left, row)) return out_of_memory(vi);
        }
        return CFLR_OK;
    }
    for (uint32_t at = 0; (row = cflri_directory_next(directory, &at));) {
        join = cflri_ground_pair(ground, label, row->label, &n);
        for (uint32_t j = 0; j < n; j++) {
            if (!note(vi, join[j].left, row)) return out_of_memory(vi);
        }
    }
    return CFLR_OK;
}

/* Joins source -label-> middle with the rows of `middle`: only with what is new there when the edge
 * is old. */
static cflr_status join_out(vertex_indexed *vi, uint32_t label, uint32_t source, uint32_t middle,
                            bool is_new) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(find_joins(vi, label, middle));
    for (size_t j = 0; j < vi->join.n; j++) {
        const marked_row *at = vi->join.at[j].at;
        uint32_t from = is_new ? 0 : at->row.settled;
        const uint32_t *ids = cflri_hashed_row_items(&at->row) + from;
        CFLR_TRY(conclude(vi, vi->join.at[j].left, source, ids, at->fresh - from));
    }
out:
    return st;
}

static cflr_status visit_row(vertex_indexed *vi, const marked_row *marked) {
    const cflri_join_index *by_left = &vi->search.problem->ground->by_left;
    uint32_t label = marked->row.label, source = marked->row.vertex;
    bool joins = by_left->start[label] < by_left->start[label + 1];
    cflr_status st = CFLR_OK;
    for (uint32_t i = joins ? 0 : marked->row.settled; i < marked->fresh; i++) {
        uint32_t target = cflri_hashed_row_items(&marked->row)[i];
        bool is_new = i >= marked->row.settled;
        CFLR_TRY(cflri_search_check(&vi->search));
        if (is_new) CFLR_TRY(cflri_search_unary(&vi->search, label, source, target));
        if (joins) CFLR_TRY(join_out(vi, label, source, target, is_new));
    }
out:
    return st;
}

/* Conclusions may add labels to the directory of u, so its rows are noted first. */
static cflr_status visit(vertex_indexed *vi, uint32_t u) {
    cflr_status st = CFLR_OK;
    cflri_hashed_row *row;
    vi->here.n = 0;
    for (uint32_t at = 0; (row = cflri_directory_next(&vi->out.of[u], &at));) {
        if (!cflri_vec_push(vi->search.problem->context, &vi->here, (marked_row *)row)) {
            return out_of_memory(vi);
        }
    }
    for (size_t h = 0; h < vi->here.n; h++) CFLR_TRY(visit_row(vi, vi->here.at[h]));
out:
    return st;
}

static bool advance(vertex_indexed *vi) {
    bool any = false;
    for (size_t r = 0; r < vi->all.n; r++) {
        marked_row *marked = vi->all.at[r];
        marked->row.settled = marked->fresh;
        marked->fresh = marked->row.count;
        any |= marked->fresh > marked->row.settled;
    }
    return any;
}

static cflr_status run(vertex_indexed *vi) {
    cflr_status st = CFLR_OK;
    if (!vi->out.of) return out_of_memory(vi);
    CFLR_TRY(cflri_search_start(&vi->search));
    while (advance(vi)) {
        vi->search.rounds++;
        for (uint32_t u = 0; u < vi->search.problem->n_vertices; u++) CFLR_TRY(visit(vi, u));
    }
out:
    return st;
}

cflr_status cflri_solve_vertex_indexed(const cflri_problem *problem, cflri_closure *closure,
                                       cflr_error *error) {
    cflr_context *context = problem->context;
    vertex_indexed vi = {.search = {.problem = problem, .add = discover, .error = error}};
    size_t room = (size_t)problem->n_vertices + 1;
    *closure = (cflri_closure){0};
    cflri_directory *of = cflri_alloc_array_zero(context, room, sizeof *of);
    cflri_indexed_init(&vi.out, context, of, problem->n_vertices, sizeof(marked_row));
    cflr_status st = run(&vi);
    cflri_vec_free(context, &vi.all);
    cflri_vec_free(context, &vi.here);
    cflri_vec_free(context, &vi.join);
    cflri_pool_free(&vi.out.store.sets);
    cflri_model_rows found = {.problem = problem, .rows = of, .threads = 1};
    if (of) st = cflri_search_collect(&vi.search, &found, st, closure);
    cflri_indexed_free(&vi.out);
    cflri_free(context, of);
    return st;
}

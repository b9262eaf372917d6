/* SPDX-License-Identifier: Apache-2.0
 *
 * vertex_indexed.c: the vertex-centric model with a list for each label (docs/explanation/models.md).
 *
 *     round: for each vertex u, for each label X that it has, for each rule A ::= X C,
 *                for each v in list(X, u):  A(u,w) for w in list(C, v)
 *
 * Old and new are kept apart in every list as in vertex.c: old with new and new with all. The lists
 * of a vertex are found in a directory of the labels that it has (partition.h), so memory is that
 * of the edges, however many labels there are. Where a label has more rules than the vertex has
 * labels, the labels are gone through and the rules looked up.
 */
#include "base/context.h"
#include "engine/closure/pairs/mixed.h"
#include "engine/closure/pairs/pairs.h"
#include "engine/closure/pairs/partition.h"

typedef struct label_list {
    CFLRI_VEC(uint32_t) target;
    uint32_t label;
    size_t old;   /* where the new targets begin */
    size_t fresh; /* where those found in this round begin */
} label_list;

typedef struct vertex_indexed {
    cflri_mixed mixed; /* its sets and counters; not its lists */
    cflri_directory *directory;
    cflri_pool pool;
    CFLRI_VEC(label_list) list;
    CFLRI_VEC(uint32_t) here; /* lists of the vertex that is visited */
    CFLRI_VEC(uint64_t) join; /* (left side, list) of the partners at a target */
} vertex_indexed;

static cflr_status out_of_memory(const vertex_indexed *vi) {
    return cflri_fail_memory(vi->mixed.problem->context, vi->mixed.error);
}

/* The number of list(label, vertex), made when there is none; false when memory is refused. */
static bool find_list(vertex_indexed *vi, uint32_t label, uint32_t vertex, uint32_t *id) {
    const cflri_entry *entry = cflri_directory_find(&vi->directory[vertex], label);
    if (entry) {
        *id = entry->id;
        return true;
    }
    cflr_context *context = vi->mixed.problem->context;
    if (!cflri_vec_reserve(context, &vi->list, 1)) return false;
    *id = (uint32_t)vi->list.n;
    if (!cflri_directory_enter(&vi->pool, &vi->directory[vertex], label, *id)) return false;
    vi->list.at[vi->list.n++] = (label_list){.label = label};
    return true;
}

static cflr_status discover(void *user, uint32_t label, uint32_t source, uint32_t target) {
    vertex_indexed *vi = user;
    cflr_context *context = vi->mixed.problem->context;
    bool added;
    uint32_t id;
    vi->mixed.derivations++;
    if (!cflri_problem_keeps(vi->mixed.problem, label, source, target)) return CFLR_OK;
    if (!cflri_edge_set_add(context, &vi->mixed.set[source], cflri_pair(label, target), &added)) {
        return out_of_memory(vi);
    }
    if (!added) return CFLR_OK;
    if (!find_list(vi, label, source, &id)) return out_of_memory(vi);
    if (!cflri_vec_push(context, &vi->list.at[id].target, target)) return out_of_memory(vi);
    vi->mixed.pairs++;
    return CFLR_OK;
}

static bool note(vertex_indexed *vi, uint32_t left, uint32_t list) {
    return cflri_vec_push(vi->mixed.problem->context, &vi->join, cflri_pair(left, list));
}

/* Fills vi->join with what the rules of `label` find at `middle`. */
static cflr_status find_joins(vertex_indexed *vi, uint32_t label, uint32_t middle) {
    const cflri_ground *ground = vi->mixed.problem->ground;
    const cflri_directory *directory = &vi->directory[middle];
    const cflri_join *join = ground->by_left.join + ground->by_left.start[label];
    uint32_t n = ground->by_left.start[label + 1] - ground->by_left.start[label];
    const cflri_entry *entry;
    vi->join.n = 0;
    if (n <= directory->n) {
        for (uint32_t j = 0; j < n; j++) {
            entry = cflri_directory_find(directory, join[j].partner);
            if (entry && !note(vi, join[j].left, entry->id)) return out_of_memory(vi);
        }
        return CFLR_OK;
    }
    for (uint32_t at = 0; (entry = cflri_directory_next(directory, &at));) {
        join = cflri_ground_pair(ground, label, entry->label, &n);
        for (uint32_t j = 0; j < n; j++) {
            if (!note(vi, join[j].left, entry->id)) return out_of_memory(vi);
        }
    }
    return CFLR_OK;
}

/* Joins source -label-> middle with the lists of `middle`: only with what is new there when the
 * edge is old. */
static cflr_status join_out(vertex_indexed *vi, uint32_t label, uint32_t source, uint32_t middle,
                            bool is_new) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(find_joins(vi, label, middle));
    for (size_t j = 0; j < vi->join.n; j++) {
        uint32_t left = (uint32_t)(vi->join.at[j] >> 32), id = (uint32_t)vi->join.at[j];
        size_t from = is_new ? 0 : vi->list.at[id].old;
        for (size_t i = from; i < vi->list.at[id].fresh; i++) {
            CFLR_TRY(discover(vi, left, source, vi->list.at[id].target.at[i]));
        }
    }
out:
    return st;
}

static cflr_status visit_list(vertex_indexed *vi, uint32_t source, uint32_t id) {
    const cflri_join_index *by_left = &vi->mixed.problem->ground->by_left;
    uint32_t label = vi->list.at[id].label;
    bool joins = by_left->start[label] < by_left->start[label + 1];
    cflr_status st = CFLR_OK;
    for (size_t i = joins ? 0 : vi->list.at[id].old; i < vi->list.at[id].fresh; i++) {
        uint32_t target = vi->list.at[id].target.at[i];
        bool is_new = i >= vi->list.at[id].old;
        CFLR_TRY(cflri_mixed_check(&vi->mixed));
        if (is_new) CFLR_TRY(cflri_join_unary(&vi->mixed, label, source, target, discover, vi));
        if (joins) CFLR_TRY(join_out(vi, label, source, target, is_new));
    }
out:
    return st;
}

/* Conclusions may add labels to the directory of u, so its lists are noted first. */
static cflr_status visit(vertex_indexed *vi, uint32_t u) {
    cflr_status st = CFLR_OK;
    const cflri_entry *entry;
    vi->here.n = 0;
    for (uint32_t at = 0; (entry = cflri_directory_next(&vi->directory[u], &at));) {
        if (!cflri_vec_push(vi->mixed.problem->context, &vi->here, entry->id)) {
            return out_of_memory(vi);
        }
    }
    for (size_t h = 0; h < vi->here.n; h++) CFLR_TRY(visit_list(vi, u, vi->here.at[h]));
out:
    return st;
}

static bool advance(vertex_indexed *vi) {
    bool any = false;
    for (size_t l = 0; l < vi->list.n; l++) {
        label_list *list = &vi->list.at[l];
        list->old = list->fresh;
        list->fresh = list->target.n;
        any |= list->fresh > list->old;
    }
    return any;
}

static cflr_status run(vertex_indexed *vi) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_each_input(vi->mixed.problem, discover, vi));
    vi->mixed.derivations = 0;
    while (advance(vi)) {
        vi->mixed.rounds++;
        for (uint32_t u = 0; u < vi->mixed.problem->n_vertices; u++) CFLR_TRY(visit(vi, u));
    }
out:
    return st;
}

/* What the lists hold. */
typedef struct finding {
    cflri_found found;
    const vertex_indexed *vi;
} finding;

static bool next_row(const cflri_found *found, uint32_t vertex, uint32_t *at,
                     cflri_found_row *row) {
    const vertex_indexed *vi = ((const finding *)found)->vi;
    const cflri_entry *entry;
    while ((entry = cflri_directory_next(&vi->directory[vertex], at))) {
        const label_list *list = &vi->list.at[entry->id];
        if (!list->target.n) continue;
        *row = (cflri_found_row){list->label, (uint32_t)list->target.n, list->target.at, NULL};
        return true;
    }
    return false;
}

static cflr_status end(vertex_indexed *vi, cflr_status st, cflri_closure *closure) {
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    cflri_mixed_end_solving(&vi->mixed);
    finding f = {cflri_mixed_found(&vi->mixed, next_row), vi};
    return cflri_collect(&f.found, st, closure, vi->mixed.error);
}

static void vertex_indexed_free(vertex_indexed *vi) {
    cflr_context *context = vi->mixed.problem->context;
    for (size_t l = 0; l < vi->list.n; l++) cflri_vec_free(context, &vi->list.at[l].target);
    cflri_vec_free(context, &vi->list);
    cflri_vec_free(context, &vi->here);
    cflri_vec_free(context, &vi->join);
    cflri_free(context, vi->directory);
    cflri_pool_free(&vi->pool);
}

cflr_status cflri_solve_vertex_indexed(const cflri_problem *problem, cflri_closure *closure,
                                       cflr_error *error) {
    vertex_indexed vi = {0};
    *closure = (cflri_closure){0};
    cflr_status st = cflri_mixed_init(&vi.mixed, problem, error);
    if (st != CFLR_OK) return st;
    cflri_pool_init(&vi.pool, problem->context);
    size_t room = (size_t)problem->n_vertices + 1;
    vi.directory = cflri_alloc_array_zero(problem->context, room, sizeof *vi.directory);
    if (vi.directory) {
        st = end(&vi, run(&vi), closure);
    } else {
        st = cflri_fail_memory(problem->context, error);
        st = cflri_closure_empty(problem, st, closure, error);
    }
    vertex_indexed_free(&vi);
    cflri_mixed_free(&vi.mixed);
    return st;
}

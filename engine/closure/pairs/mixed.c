/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.c: adjacency without a label index.
 *
 * Collecting needs no copy of the edges: each list is sorted by (label, target) where it is, and a
 * row is then what stands together.
 */
#include "engine/closure/pairs/mixed.h"

#include "base/context.h"

enum { CHECK_EVERY = 1 << 16 };

cflr_status cflri_mixed_init(cflri_mixed *mixed, const cflri_problem *problem, cflr_error *error) {
    size_t room = (size_t)problem->n_vertices + 1;
    *mixed = (cflri_mixed){.problem = problem, .error = error};
    mixed->out = cflri_alloc_array_zero(problem->context, room, sizeof *mixed->out);
    mixed->set = cflri_alloc_array_zero(problem->context, room, sizeof *mixed->set);
    if (mixed->out && mixed->set) return CFLR_OK;
    cflri_mixed_free(mixed);
    return cflri_fail_memory(problem->context, error);
}

void cflri_mixed_end_solving(cflri_mixed *mixed) {
    cflr_context *context = mixed->problem->context;
    for (uint32_t v = 0; mixed->set && v < mixed->problem->n_vertices; v++) {
        cflri_edge_set_free(context, &mixed->set[v]);
    }
    cflri_free(context, mixed->set);
    mixed->set = NULL;
}

void cflri_mixed_free(cflri_mixed *mixed) {
    cflr_context *context = mixed->problem->context;
    cflri_mixed_end_solving(mixed);
    for (uint32_t v = 0; mixed->out && v < mixed->problem->n_vertices; v++) {
        cflri_vec_free(context, &mixed->out[v]);
    }
    cflri_free(context, mixed->out);
    mixed->out = NULL;
}

cflr_status cflri_mixed_add(cflri_mixed *mixed, uint32_t label, uint32_t source, uint32_t target,
                            bool *added) {
    cflr_context *context = mixed->problem->context;
    uint64_t edge = cflri_pair(label, target);
    mixed->derivations++;
    *added = false;
    if (!cflri_problem_keeps(mixed->problem, label, source, target)) return CFLR_OK;
    if (!cflri_edge_set_add(context, &mixed->set[source], edge, added)) {
        return cflri_fail_memory(context, mixed->error);
    }
    if (!*added) return CFLR_OK;
    if (!cflri_vec_push(context, &mixed->out[source], edge)) {
        return cflri_fail_memory(context, mixed->error);
    }
    mixed->pairs++;
    return CFLR_OK;
}

cflr_status cflri_mixed_check(cflri_mixed *mixed) {
    uint64_t work = ++mixed->visits + mixed->derivations;
    if (work < mixed->check_at) return CFLR_OK;
    cflr_context *context = mixed->problem->context;
    mixed->check_at = work + CHECK_EVERY;
    cflr_status st = cflri_tick(context, "solve", mixed->pairs, 0);
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, mixed->error);
}

cflr_status cflri_each_input(const cflri_problem *problem, cflri_add_edge add, void *user) {
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
                CFLR_TRY(add(user, s, input->row[r], input->target[i]));
            }
        }
    }
    for (uint32_t e = 0; e < problem->ground->n_epsilon; e++) {
        for (uint32_t v = 0; v < problem->n_vertices; v++) {
            CFLR_TRY(add(user, problem->ground->epsilon[e], v, v));
        }
    }
out:
    return st;
}

cflr_status cflri_join_unary(const cflri_mixed *mixed, uint32_t label, uint32_t source,
                             uint32_t target, cflri_add_edge add, void *user) {
    const cflri_join_index *unary = &mixed->problem->ground->by_unary;
    const cflri_join_index *converse = &mixed->problem->ground->by_converse;
    cflr_status st = CFLR_OK;
    for (uint32_t j = unary->start[label]; j < unary->start[label + 1]; j++) {
        CFLR_TRY(add(user, unary->join[j].left, source, target));
    }
    for (uint32_t j = converse->start[label]; j < converse->start[label + 1]; j++) {
        CFLR_TRY(add(user, converse->join[j].left, target, source));
    }
out:
    return st;
}

/* ---- collecting ---- */

static cflr_status sort_lists(const cflri_mixed *mixed, cflr_error *error) {
    const cflri_problem *problem = mixed->problem;
    cflr_status st = CFLR_OK;
    for (uint32_t v = 0; st == CFLR_OK && v < problem->n_vertices; v++) {
        cflri_mixed_list *list = &mixed->out[v];
        st = cflri_sort_pairs(problem->context, list->at, list->n, NULL, error);
    }
    return st;
}

cflri_found cflri_mixed_found(const cflri_mixed *mixed, cflri_next_row next) {
    return (cflri_found){.problem = mixed->problem,
                         .next = next,
                         .threads = 1,
                         .targets = mixed->pairs,
                         .rows = mixed->pairs,
                         .rounds = mixed->rounds,
                         .derivations = mixed->derivations};
}

/* What the lists hold, when they are sorted. */
typedef struct finding {
    cflri_found found;
    const cflri_mixed *mixed;
} finding;

static bool next_row(const cflri_found *found, uint32_t vertex, uint32_t *at,
                     cflri_found_row *row) {
    const cflri_mixed_list *list = &((const finding *)found)->mixed->out[vertex];
    uint32_t first = *at;
    if (first == list->n) return false;
    uint32_t label = cflri_mixed_label(list->at[first]);
    while (*at < list->n && cflri_mixed_label(list->at[*at]) == label) ++*at;
    *row = (cflri_found_row){label, *at - first, NULL, &list->at[first]};
    return true;
}

cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure) {
    const cflri_problem *problem = mixed->problem;
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    cflri_mixed_end_solving(mixed);
    cflr_status sorted = sort_lists(mixed, st == CFLR_OK ? mixed->error : NULL);
    if (sorted != CFLR_OK) {
        if (st == CFLR_OK) st = sorted;
        return cflri_closure_empty(problem, st, closure, mixed->error);
    }
    finding f = {cflri_mixed_found(mixed, next_row), mixed};
    return cflri_collect(&f.found, st, closure, mixed->error);
}

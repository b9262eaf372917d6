/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.c: what the models that go by single edges share, and adjacency without a label index.
 *
 * Collecting needs no copy of the edges: each list is sorted by (label, target) where it is, and a
 * row is then what stands together.
 */
#include "engine/closure/pairs/mixed.h"

#include "base/context.h"

enum { CHECK_EVERY = 1 << 16 };

cflr_status cflri_search_start(cflri_edge_search *search) {
    const cflri_problem *problem = search->problem;
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        for (uint32_t r = 0; input && r < input->n_rows; r++) {
            for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
                CFLR_TRY(search->add(search, s, input->row[r], input->target[i]));
            }
        }
    }
    for (uint32_t e = 0; e < problem->ground->n_epsilon; e++) {
        for (uint32_t v = 0; v < problem->n_vertices; v++) {
            CFLR_TRY(search->add(search, problem->ground->epsilon[e], v, v));
        }
    }
    search->derivations = 0;
out:
    return st;
}

cflr_status cflri_search_unary(cflri_edge_search *search, uint32_t label, uint32_t source,
                               uint32_t target) {
    const cflri_join_index *unary = &search->problem->ground->by_unary;
    const cflri_join_index *converse = &search->problem->ground->by_converse;
    cflr_status st = CFLR_OK;
    for (uint32_t j = unary->start[label]; j < unary->start[label + 1]; j++) {
        CFLR_TRY(search->add(search, unary->join[j].left, source, target));
    }
    for (uint32_t j = converse->start[label]; j < converse->start[label + 1]; j++) {
        CFLR_TRY(search->add(search, converse->join[j].left, target, source));
    }
out:
    return st;
}

cflr_status cflri_search_check(cflri_edge_search *search) {
    uint64_t work = ++search->visits + search->derivations;
    if (work < search->check_at) return CFLR_OK;
    cflr_context *context = search->problem->context;
    search->check_at = work + CHECK_EVERY;
    cflr_status st = cflri_tick(context, "solve", search->pairs, 0);
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, search->error);
}

cflr_status cflri_search_collect(const cflri_edge_search *search, const cflri_model_rows *found,
                                 cflr_status st, cflri_closure *closure) {
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    closure->rounds = search->rounds;
    closure->derivations = search->derivations;
    return cflri_collect(found, st, closure, search->error);
}

/* ---- adjacency ---- */

cflr_status cflri_mixed_init(cflri_mixed *mixed, const cflri_problem *problem, cflri_add_edge add,
                             cflr_error *error) {
    size_t room = (size_t)problem->n_vertices + 1;
    *mixed = (cflri_mixed){.search = {.problem = problem, .add = add, .error = error}};
    mixed->out = cflri_alloc_array_zero(problem->context, room, sizeof *mixed->out);
    mixed->set = cflri_alloc_array_zero(problem->context, room, sizeof *mixed->set);
    return mixed->out && mixed->set ? CFLR_OK : cflri_fail_memory(problem->context, error);
}

static void end_solving(cflri_mixed *mixed) {
    cflr_context *context = mixed->search.problem->context;
    for (uint32_t v = 0; mixed->set && v < mixed->search.problem->n_vertices; v++) {
        cflri_edge_set_free(context, &mixed->set[v]);
    }
    cflri_free(context, mixed->set);
    mixed->set = NULL;
}

void cflri_mixed_free(cflri_mixed *mixed) {
    cflr_context *context = mixed->search.problem->context;
    end_solving(mixed);
    for (uint32_t v = 0; mixed->out && v < mixed->search.problem->n_vertices; v++) {
        cflri_vec_free(context, &mixed->out[v]);
    }
    cflri_free(context, mixed->out);
}

cflr_status cflri_mixed_add(cflri_mixed *mixed, uint32_t label, uint32_t source, uint32_t target,
                            bool *added) {
    cflri_edge_search *search = &mixed->search;
    cflr_context *context = search->problem->context;
    uint64_t edge = cflri_pair(label, target);
    search->derivations++;
    *added = false;
    if (!cflri_problem_keeps(search->problem, label, source, target)) return CFLR_OK;
    if (!cflri_edge_set_add(context, &mixed->set[source], edge, added) ||
        (*added && !cflri_vec_push(context, &mixed->out[source], edge))) {
        return cflri_fail_memory(context, search->error);
    }
    search->pairs += *added;
    return CFLR_OK;
}

cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure) {
    const cflri_problem *problem = mixed->search.problem;
    cflr_error *error = mixed->search.error;
    end_solving(mixed);
    for (uint32_t v = 0; v < problem->n_vertices; v++) {
        cflri_mixed_list *list = &mixed->out[v];
        bool first = st == CFLR_OK; /* of two failures the first is reported */
        cflr_status sorted =
            cflri_sort_pairs(problem->context, list->at, list->n, NULL, first ? error : NULL);
        if (sorted == CFLR_OK) continue;
        return first ? sorted : st; /* of a closure without relations */
    }
    cflri_model_rows found = {.problem = problem, .edges = mixed->out, .threads = 1};
    return cflri_search_collect(&mixed->search, &found, st, closure);
}

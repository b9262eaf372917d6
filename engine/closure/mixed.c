/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.c: adjacency without a label index.
 *
 * Collecting needs no copy of the edges: each list is sorted by (label, target) where it is;
 * walking the lists in the order of their sources then meets the pairs of every label in the order
 * that its relation wants.
 */
#include "engine/closure/mixed.h"

#include <assert.h>
#include <string.h>

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

static void free_sets(cflri_mixed *mixed) {
    cflr_context *context = mixed->problem->context;
    for (uint32_t v = 0; mixed->set && v < mixed->problem->n_vertices; v++) {
        cflri_edge_set_free(context, &mixed->set[v]);
    }
    cflri_free(context, mixed->set);
    mixed->set = NULL;
}

void cflri_mixed_free(cflri_mixed *mixed) {
    cflr_context *context = mixed->problem->context;
    free_sets(mixed);
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

/* ---- collecting ---- */

/* Sorts all lists and counts rows and pairs of each label. */
static cflr_status sort_and_count(const cflri_problem *problem, cflri_mixed_list *list,
                                  cflri_relation *relation, cflr_error *error) {
    for (uint32_t v = 0; v < problem->n_vertices; v++) {
        cflr_status st = cflri_sort_pairs(problem->context, list[v].at, list[v].n, NULL, error);
        if (st != CFLR_OK) return st;
        for (size_t i = 0; i < list[v].n; i++) {
            uint32_t label = cflri_mixed_label(list[v].at[i]);
            relation[label].n_pairs++;
            relation[label].n_rows += !i || cflri_mixed_label(list[v].at[i - 1]) != label;
        }
    }
    return CFLR_OK;
}

static bool allocate(cflr_context *context, cflri_relation *r) {
    if (!r->n_rows) return true;
    r->row = cflri_alloc_array(context, r->n_rows, sizeof *r->row);
    r->start = cflri_alloc_array_zero(context, (size_t)r->n_rows + 1, sizeof *r->start);
    r->target = cflri_alloc_array(context, r->n_pairs, sizeof *r->target);
    if (r->row && r->start && r->target) {
        r->n_rows = 0; /* counted again while filling */
        r->n_pairs = 0;
        return true;
    }
    cflri_relation_free(context, r);
    return false;
}

static void fill(const cflri_problem *problem, const cflri_mixed_list *list,
                 cflri_relation *relation) {
    for (uint32_t v = 0; v < problem->n_vertices; v++) {
        for (size_t i = 0; i < list[v].n; i++) {
            cflri_relation *r = &relation[cflri_mixed_label(list[v].at[i])];
            if (!r->row) continue;
            if (!r->n_rows || r->row[r->n_rows - 1] != v) r->row[r->n_rows++] = v;
            r->target[r->n_pairs++] = cflri_mixed_vertex(list[v].at[i]);
            r->start[r->n_rows] = r->n_pairs;
        }
    }
}

cflr_status cflri_mixed_collect(const cflri_problem *problem, cflri_mixed_list *list, bool partial,
                                cflri_closure *closure, cflr_error *error) {
    cflr_context *context = problem->context;
    cflr_status st = CFLR_OK;
    uint32_t n = problem->ground->n_symbols;
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof *closure->relation);
    if (!closure->relation) return cflri_fail_memory(context, error);
    CFLR_TRY(sort_and_count(problem, list, closure->relation, error));
    for (uint32_t s = 0; s < n; s++) {
        if (allocate(context, &closure->relation[s]) || partial) continue;
        st = cflri_fail_memory(context, error);
        goto out;
    }
    fill(problem, list, closure->relation);
out:
    if (st != CFLR_OK) cflri_closure_free(context, closure);
    return st;
}

cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure) {
    const cflri_problem *problem = mixed->problem;
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    free_sets(mixed);
    bool partial = st != CFLR_OK;
    /* why a partial result is one was told already */
    cflr_status collected =
        cflri_mixed_collect(problem, mixed->out, partial, closure, partial ? NULL : mixed->error);
    if (collected != CFLR_OK && partial) {
        return cflri_fail(mixed->error, CFLR_NO_MEMORY, NULL,
                          "no memory is left for a partial result");
    }
    closure->rounds = mixed->rounds;
    closure->derivations = mixed->derivations;
    return collected != CFLR_OK ? collected : st;
}

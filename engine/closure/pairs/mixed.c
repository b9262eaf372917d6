/* SPDX-License-Identifier: Apache-2.0
 *
 * mixed.c: adjacency without a label index.
 *
 * Collecting needs no copy of the edges: each list is sorted by (label, target) where it is;
 * walking the lists in the order of their sources then meets the pairs of every label in the order
 * that its relation wants.
 */
#include "engine/closure/pairs/mixed.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"

enum { CHECK_EVERY = 1 << 16, ROW_BYTES = sizeof(uint32_t) + sizeof(uint64_t) };

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

static bool begins_row(const cflri_mixed_list *list, size_t i) {
    return !i || cflri_mixed_label(list->at[i - 1]) != cflri_mixed_label(list->at[i]);
}

/* Of the relations, for the sorted edges of one vertex. */
static uint64_t bytes_of(const cflri_mixed_list *list) {
    uint64_t bytes = list->n * sizeof(uint32_t);
    for (size_t i = 0; i < list->n; i++) bytes += begins_row(list, i) ? ROW_BYTES : 0;
    return bytes;
}

/* Counts the rows of the first vertices, as many as take `room` bytes; returns how many. */
static uint32_t count(const cflri_mixed *mixed, uint64_t room, cflri_relation *relation) {
    for (uint32_t v = 0; v < mixed->problem->n_vertices; v++) {
        const cflri_mixed_list *list = &mixed->out[v];
        uint64_t bytes = bytes_of(list);
        if (bytes > room) return v;
        room -= bytes;
        for (size_t i = 0; i < list->n; i++) {
            relation[cflri_mixed_label(list->at[i])].n_pairs++;
            relation[cflri_mixed_label(list->at[i])].n_rows += begins_row(list, i);
        }
    }
    return mixed->problem->n_vertices;
}

static bool allocate(cflr_context *context, cflri_relation *r) {
    if (!r->n_rows) return true;
    if (cflri_relation_allocate(context, r, NULL) != CFLR_OK) return false;
    r->start[0] = 0;
    r->n_rows = 0; /* counted again while filling */
    r->n_pairs = 0;
    return true;
}

static void fill(const cflri_mixed *mixed, uint32_t bound, cflri_relation *relation) {
    for (uint32_t v = 0; v < bound; v++) {
        const cflri_mixed_list *list = &mixed->out[v];
        for (size_t i = 0; i < list->n; i++) {
            cflri_relation *r = &relation[cflri_mixed_label(list->at[i])];
            if (begins_row(list, i)) r->row[r->n_rows++] = v;
            r->target[r->n_pairs++] = cflri_mixed_vertex(list->at[i]);
            r->start[r->n_rows] = r->n_pairs;
        }
    }
}

/* From as many vertices as `room` bytes hold. False when memory was refused all the same; what
 * *closure then holds is to be freed. */
static bool build(const cflri_mixed *mixed, uint64_t room, cflri_closure *closure) {
    cflr_context *context = mixed->problem->context;
    uint32_t n = mixed->problem->ground->n_symbols;
    *closure = (cflri_closure){.n_symbols = n};
    closure->relation = cflri_alloc_array_zero(context, (size_t)n + 1, sizeof *closure->relation);
    if (!closure->relation) return false;
    uint32_t bound = count(mixed, room, closure->relation);
    for (uint32_t s = 0; s < n; s++) {
        if (!allocate(context, &closure->relation[s])) return false;
    }
    fill(mixed, bound, closure->relation);
    return true;
}

/* Room for rows when not all fit. */
static uint64_t room_for_rows(const cflri_mixed *mixed) {
    uint64_t left = cflri_memory_left(mixed->problem->context);
    uint64_t all = mixed->pairs * (ROW_BYTES + sizeof(uint32_t));
    return left < all ? left : all;
}

cflr_status cflri_mixed_end(cflri_mixed *mixed, cflr_status st, cflri_closure *closure) {
    const cflri_problem *problem = mixed->problem;
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) return st;
    free_sets(mixed);
    cflr_status sorted = sort_lists(mixed, st == CFLR_OK ? mixed->error : NULL);
    if (sorted != CFLR_OK) {
        if (st == CFLR_OK) st = sorted;
        return cflri_closure_empty(problem, st, closure, mixed->error);
    }
    uint64_t room = UINT64_MAX; /* first all of it */
    while (!build(mixed, room, closure)) {
        cflri_closure_free(problem->context, closure);
        if (st == CFLR_OK) st = cflri_fail_memory(problem->context, mixed->error);
        if (st == CFLR_NO_MEMORY) return st;
        if (!room) return cflri_closure_empty(problem, st, closure, mixed->error);
        room = room == UINT64_MAX ? room_for_rows(mixed) : room / 2;
    }
    closure->rounds = mixed->rounds;
    closure->derivations = mixed->derivations;
    return st;
}

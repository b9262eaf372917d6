/* SPDX-License-Identifier: Apache-2.0
 *
 * reduce.c: a problem without the vertices that no edge of the grammar touches.
 */
#include "engine/spine/reduce.h"

#include <string.h>

#include "base/context.h"
#include "engine/spine/numbering.h"

/* Sets number[v] to the number of the vertex in the smaller problem. Returns how many vertices
 * remain. */
static uint32_t number_vertices(const cflri_problem *problem, uint32_t *number) {
    uint32_t n = 0;
    memset(number, 0xff, problem->n_vertices * sizeof *number);
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        for (uint32_t r = 0; input && r < input->n_rows; r++) number[input->row[r]] = 0;
        for (uint64_t p = 0; input && p < input->n_pairs; p++) number[input->target[p]] = 0;
    }
    for (uint32_t v = 0; v < problem->n_vertices; v++) {
        if (number[v] != CFLRI_UNNUMBERED) number[v] = n++;
    }
    return n;
}

/* Numbers keep their order, so pairs do. */
static bool renumber(cflr_context *context, const cflri_relation *from, const uint32_t *number,
                     cflri_relation *to) {
    *to = (cflri_relation){.n_rows = from->n_rows, .n_pairs = from->n_pairs};
    to->row = cflri_alloc_array(context, from->n_rows, sizeof *to->row);
    to->target = cflri_alloc_array(context, from->n_pairs, sizeof *to->target);
    if (!to->row || !to->target) return false;
    to->start = from->start;
    for (uint32_t r = 0; r < from->n_rows; r++) to->row[r] = number[from->row[r]];
    for (uint64_t p = 0; p < from->n_pairs; p++) to->target[p] = number[from->target[p]];
    return true;
}

static bool renumber_and_sort(cflr_context *context, const cflri_relation *from,
                              const uint32_t *number, cflri_relation *to) {
    uint64_t n = 0, *pair = cflri_alloc_array(context, from->n_pairs, sizeof *pair);
    if (!pair) return false;
    for (uint32_t r = 0; r < from->n_rows; r++) {
        for (uint64_t p = from->start[r]; p < from->start[r + 1]; p++) {
            pair[n++] = cflri_pair(number[from->row[r]], number[from->target[p]]);
        }
    }
    cflr_status st = cflri_relation_build(context, pair, n, to, NULL);
    cflri_free(context, pair);
    return st == CFLR_OK;
}

static bool renumber_all(cflri_reduced *reduced, const uint32_t *number) {
    const cflri_problem *problem = reduced->original;
    cflr_context *context = problem->context;
    uint32_t n = reduced->problem.n_vertices, symbols = problem->ground->n_symbols;
    reduced->vertex = cflri_alloc_array(context, (size_t)n + 1, sizeof *reduced->vertex);
    reduced->input = cflri_alloc_array_zero(context, symbols, sizeof *reduced->input);
    reduced->inputs = cflri_alloc_array_zero(context, symbols, sizeof *reduced->inputs);
    if (!reduced->vertex || !reduced->input || !reduced->inputs) return false;
    for (uint32_t v = 0; v < problem->n_vertices; v++) {
        if (number[v] != CFLRI_UNNUMBERED) reduced->vertex[number[v]] = v;
    }
    for (uint32_t s = 0; s < symbols; s++) {
        if (!problem->input[s]) continue;
        bool done = reduced->reordered
                        ? renumber_and_sort(context, problem->input[s], number, &reduced->input[s])
                        : renumber(context, problem->input[s], number, &reduced->input[s]);
        if (!done) return false;
        reduced->inputs[s] = &reduced->input[s];
    }
    reduced->problem.input = reduced->inputs;
    return true;
}

static bool renumber_filters(cflri_reduced *reduced, const uint32_t *number) {
    const cflri_filters *from = reduced->original->filters;
    if (!from || !from->n) return true;
    reduced->problem.filters = &reduced->filters;
    return cflri_filters_renumber(from, number, reduced->problem.n_vertices, &reduced->filters,
                                  NULL) == CFLR_OK;
}

cflr_status cflri_reduce(const cflri_problem *problem, cflri_reduced *reduced, cflr_error *error) {
    cflr_context *context = problem->context;
    *reduced = (cflri_reduced){.problem = *problem, .original = problem};
    uint32_t *number = cflri_alloc_array(context, (size_t)problem->n_vertices + 1, sizeof *number);
    if (!number) return cflri_fail_memory(context, error);
    uint32_t n = number_vertices(problem, number);
    bool done = true;
    if (n < problem->n_vertices / 8 * 7) {
        reduced->problem.n_vertices = n;
        done = renumber_all(reduced, number) && renumber_filters(reduced, number);
    }
    cflri_free(context, number);
    if (done) return CFLR_OK;
    cflri_reduced_free(reduced);
    return cflri_fail_memory(context, error);
}

bool cflri_reorder(cflri_reduced *reduced) {
    const cflri_problem *problem = reduced->original;
    cflr_context *context = problem->context;
    cflri_reduced made = {.problem = *problem, .original = problem, .reordered = true};
    if (problem->filters && problem->filters->n) return false;
    uint32_t *number = cflri_alloc_array(context, (size_t)problem->n_vertices + 1, sizeof *number);
    made.problem.n_vertices = number ? number_vertices(problem, number) : 0;
    bool better = number && cflri_numbering_improve(problem, made.problem.n_vertices, number) &&
                  renumber_all(&made, number);
    cflri_free(context, number);
    if (!better) {
        cflri_reduced_free(&made);
        return false;
    }
    cflri_reduced_free(reduced);
    *reduced = made;
    return true;
}

void cflri_reduced_free(cflri_reduced *reduced) {
    if (!reduced->original) return;
    cflr_context *context = reduced->original->context;
    for (uint32_t s = 0; reduced->input && s < reduced->original->ground->n_symbols; s++) {
        if (!reduced->reordered) reduced->input[s].start = NULL;
        cflri_relation_free(context, &reduced->input[s]);
    }
    cflri_free(context, reduced->input);
    cflri_filters_free(&reduced->filters);
    cflri_free(context, reduced->inputs);
    cflri_free(context, reduced->vertex);
    *reduced = (cflri_reduced){0};
}

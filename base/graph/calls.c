/* SPDX-License-Identifier: Apache-2.0
 *
 * calls.c: what a graph knows of the calls of its program, read and checked.
 */
#include "base/graph/calls.h"

#include <assert.h>

#include "base/graph/graph.h"
#include "base/sized.h"

void cflri_calls_free(cflr_context *context, cflri_calls *calls) {
    cflri_vec_free(context, &calls->functions);
    cflri_vec_free(context, &calls->calls);
    cflri_vec_free(context, &calls->values);
}

/* ---- reading ---- */

uint32_t cflr_graph_functions(const cflr_graph *graph) {
    return (uint32_t)graph->calls.functions.n;
}

void cflr_graph_function_sized(const cflr_graph *graph, uint32_t i, cflr_function_info *info,
                               size_t struct_size) {
    assert(i < graph->calls.functions.n);
    const cflri_function_row *row = &graph->calls.functions.at[i];
    const cflr_function_info known = {.name = cflri_string(&graph->strings, row->name),
                                      .file = cflri_string(&graph->strings, row->file),
                                      .line = row->line,
                                      .column = row->column,
                                      .body = (cflr_body)row->body,
                                      .vertex = row->vertex ? row->vertex - 1 : CFLR_NO_VERTEX};
    CFLRI_GIVE(info, struct_size, known);
}

uint32_t cflr_graph_calls(const cflr_graph *graph) {
    return (uint32_t)graph->calls.calls.n;
}

void cflr_graph_call_sized(const cflr_graph *graph, uint32_t i, cflr_call_info *info,
                           size_t struct_size) {
    assert(i < graph->calls.calls.n);
    const cflri_call_row *row = &graph->calls.calls.at[i];
    uint32_t first = i ? row[-1].end : 0;
    cflr_call_info known = {.caller = row->caller,
                            .callee = row->callee,
                            .expression = cflri_string(&graph->strings, row->expression),
                            .type = cflri_string(&graph->strings, row->type),
                            .file = cflri_string(&graph->strings, row->file),
                            .line = row->line,
                            .column = row->column,
                            .n = row->end - first};
    if (known.n) known.vertex = graph->calls.values.at + first;
    CFLRI_GIVE(info, struct_size, known);
}

/* ---- checking ---- */

static bool is_function_row(const cflr_graph *graph, const cflri_function_row *row) {
    return cflri_graph_has_string(graph, row->name) && cflri_graph_has_string(graph, row->file) &&
           row->body <= CFLR_BODY_UNKNOWN && row->vertex <= graph->n_vertices;
}

static bool is_call_row(const cflr_graph *graph, const cflri_call_row *row, uint32_t first) {
    size_t n = graph->calls.functions.n;
    return row->caller < n && row->callee < n && cflri_graph_has_string(graph, row->expression) &&
           cflri_graph_has_string(graph, row->type) && cflri_graph_has_string(graph, row->file) &&
           first <= row->end && row->end <= graph->calls.values.n;
}

bool cflri_calls_valid(const cflr_graph *graph) {
    const cflri_calls *calls = &graph->calls;
    uint32_t end = 0;
    bool valid = true;
    for (size_t i = 0; i < calls->functions.n && valid; i++)
        valid = is_function_row(graph, &calls->functions.at[i]);
    for (size_t i = 0; i < calls->calls.n && valid; i++) {
        valid = is_call_row(graph, &calls->calls.at[i], end);
        end = calls->calls.at[i].end;
    }
    for (size_t i = 0; i < calls->values.n && valid; i++)
        valid = calls->values.at[i] < graph->n_vertices;
    return valid && end == calls->values.n;
}

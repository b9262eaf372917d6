/* SPDX-License-Identifier: Apache-2.0
 *
 * called_report.c: calls through values as users see them.
 *
 * The facts have a row for each value of a call, one behind the other; the report has one for the call, with the
 * vertices of all its values in all instances of the caller (clone.h):
 *
 *     (c ? p : q)()    rows: (call, p) (call, q)    instances 2, 5    vertices: p2 p5 q2 q5
 *
 * A value that has no vertex is one to which nothing flows.
 */
#include "frontend/called_report.h"

#include <stdlib.h>
#include <string.h>

typedef struct maker {
    cflr_extract_report *report;
    const cflri_contexts *contexts;
    const cflri_facts *facts;
    cflri_groups instances; /* by function */
} maker;

/* A copy that lives as long as the report; NULL when memory is refused. */
static const char *keep_text(const maker *m, uint32_t string) {
    const char *text = cflri_string(&m->facts->strings, string);
    return cflri_arena_copy_text(&m->report->arena, text, strlen(text));
}

static void add_value(const maker *m, uint32_t caller, cflri_node value, uint32_t *vertex,
                      size_t *n) {
    if (value == CFLRI_NO_NODE || !m->contexts->program->kept[value]) return;
    for (uint32_t i = m->instances.start[caller]; i < m->instances.start[caller + 1]; i++)
        vertex[(*n)++] = cflri_contexts_vertex(m->contexts, m->instances.item[i], value);
}

/* The rows first .. last - 1 are those of one call. */
static bool add_call(const maker *m, size_t first, size_t last) {
    const cflri_called *rows = m->facts->called.at;
    const cflri_call *call = &m->facts->calls.at[rows[first].call];
    const uint32_t *start = &m->instances.start[call->caller];
    size_t most = (last - first) * (start[1] - start[0]);
    uint32_t *vertex = cflri_arena_alloc(&m->report->arena, (most + 1) * sizeof *vertex);
    cflr_called made = {.expression = keep_text(m, rows[first].name),
                        .function = keep_text(m, m->facts->functions.at[call->caller].name),
                        .file = keep_text(m, call->place.file),
                        .line = call->place.line,
                        .column = call->place.column,
                        .vertex = vertex};
    if (!vertex || !made.expression || !made.function || !made.file) return false;
    for (size_t i = first; i < last; i++)
        add_value(m, call->caller, rows[i].value, vertex, &made.n);
    return cflri_vec_push(m->report->context, &m->report->called, made);
}

static int compare_called(const void *a, const void *b) {
    const cflr_called *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    if (order) return order;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    order = strcmp(x->expression, y->expression);
    if (order) return order;
    if ((x->n > 0) != (y->n > 0)) return x->n > 0 ? 1 : -1;
    return x->n == 0 ? 0 : (x->vertex[0] > y->vertex[0]) - (x->vertex[0] < y->vertex[0]);
}

cflr_status cflri_report_called(cflr_extract_report *report, const cflri_contexts *contexts,
                                cflr_error *error) {
    cflr_status st = CFLR_OK;
    maker m = {.report = report, .contexts = contexts, .facts = &contexts->program->facts};
    size_t n = m.facts->called.n;
    if (n == 0) return CFLR_OK;
    CFLR_TRY(cflri_contexts_group(contexts, &m.instances, error));
    for (size_t first = 0, last; first < n; first = last) {
        for (last = first + 1; last < n; last++)
            if (m.facts->called.at[last].call != m.facts->called.at[first].call) break;
        if (!add_call(&m, first, last)) CFLR_TRY(cflri_fail_memory(report->context, error));
    }
    qsort(report->called.at, report->called.n, sizeof *report->called.at, compare_called);
out:
    cflri_free(report->context, m.instances.start);
    cflri_free(report->context, m.instances.item);
    return st;
}

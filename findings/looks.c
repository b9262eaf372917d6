/* SPDX-License-Identifier: Apache-2.0
 *
 * looks.c: which sources and sinks look the same to a reader: the copies of a call for contexts.
 * They get one number each, their look:
 *
 *     vertex    3: strdup() at a.c:7    9: strdup() at a.c:7, in context b.c:2    4: *p at a.c:8
 *     look      1                       1                                         2
 *
 * A sink is one arrival. One of a function of the library that is called through pointers is one
 * for each place of a call (sites.c).
 *
 * O(pairs + vertices log vertices).
 */
#include <stdlib.h>
#include <string.h>

#include "findings/findings.h"

static cflr_status no_memory(const cflri_making *m, cflr_error *error) {
    return cflri_fail_memory(m->found->context, error);
}

/* ---- numbers ---- */

typedef struct looking {
    cflr_vertex_info info;
    uint32_t vertex;
} looking;

static int compare_looking(const void *a, const void *b) {
    return cflr_vertex_compare(&((const looking *)a)->info, &((const looking *)b)->info);
}

/* Numbers the `n` vertices that are marked in m->look; returns the highest number. */
static uint32_t number_looks(cflri_making *m, looking *list, size_t n) {
    uint32_t number = 0;
    size_t k = 0;
    for (uint32_t v = 0; k < n; v++) {
        if (!m->look[v]) continue;
        cflr_graph_vertex(m->found->graph, v, &list[k].info);
        list[k++].vertex = v;
    }
    qsort(list, n, sizeof *list, compare_looking);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || compare_looking(&list[i - 1], &list[i]) != 0) number++;
        m->look[list[i].vertex] = number;
    }
    return number;
}

static bool counts(const cflri_making *m, uint32_t sink) {
    return m->barred[sink] != CFLRI_BARRED;
}

/* Marks the ends of all pairs of the rule whose sinks count; *n becomes their number. */
static cflr_status mark_ends(cflri_making *m, uint32_t instance, size_t *n, cflr_error *error) {
    uint64_t cursor = 0;
    cflr_status st = CFLR_OK;
    *n = 0;
    do {
        CFLR_TRY(cflr_result_next_row(m->result, m->finding, instance, &cursor, &m->row, error));
        bool any = false;
        for (uint64_t i = 0; i < m->row.count; i++) {
            uint32_t sink = m->row.target[i];
            if (!counts(m, sink)) continue;
            any = true;
            *n += !m->look[sink];
            m->look[sink] = 1;
        }
        if (!any) continue;
        *n += !m->look[m->row.vertex];
        m->look[m->row.vertex] = 1;
    } while (m->row.count);
out:
    return st;
}

/* ---- arrivals ---- */

static cflr_status number_arrivals(cflri_making *m, size_t looks, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_context *context = m->found->context;
    uint32_t label = cflr_graph_find_label(graph, "sink", m->rule->name), sink;
    uint64_t cursor = 0, n;
    m->arrival = cflri_alloc_array_zero(context, looks, sizeof *m->arrival);
    if (!m->arrival) return no_memory(m, error);
    m->n_arrivals = 1; /* 0: of no sink */
    while (label != CFLR_NO_LABEL &&
           cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &sink, &n)) {
        size_t sites;
        uint32_t look = m->look[sink];
        if (!look || m->arrival[look]) continue;
        m->arrival[look] = (uint32_t)m->n_arrivals;
        cflri_sites_of(m, sink, &sites);
        m->n_arrivals += sites ? sites : 1;
    }
    m->first = cflri_alloc_array_zero(context, m->n_arrivals, sizeof *m->first);
    m->detour = cflri_alloc_array_zero(context, m->n_arrivals, sizeof *m->detour);
    return m->first && m->detour ? CFLR_OK : no_memory(m, error);
}

cflr_status cflri_looks_make(cflri_making *m, uint32_t instance, cflr_error *error) {
    cflr_context *context = m->found->context;
    uint32_t n_vertices = cflr_graph_vertices(m->found->graph);
    m->look = cflri_alloc_array_zero(context, n_vertices, sizeof *m->look);
    if (!m->look) return no_memory(m, error);
    size_t n;
    cflr_status st = mark_ends(m, instance, &n, error);
    if (st != CFLR_OK) return st;
    looking *list = cflri_alloc_array(context, n, sizeof *list);
    if (!list) return no_memory(m, error);
    size_t looks = (size_t)number_looks(m, list, n) + 1;
    cflri_free(context, list);
    m->n_sources = cflri_alloc_array_zero(context, looks, sizeof *m->n_sources);
    m->last = cflri_alloc_array_zero(context, looks, sizeof *m->last);
    if (!m->n_sources || !m->last) return no_memory(m, error);
    return number_arrivals(m, looks, error);
}

void cflri_looks_forget(cflri_making *m) {
    cflr_context *context = m->found->context;
    cflri_free(context, m->look);
    cflri_free(context, m->n_sources);
    cflri_free(context, m->last);
    cflri_free(context, m->arrival);
    cflri_free(context, m->first);
    cflri_free(context, m->detour);
    m->look = m->last = m->arrival = NULL;
    m->n_sources = m->first = m->detour = NULL;
}

/* ---- sources ---- */

static cflr_status list_in_order(cflri_making *m, uint32_t instance, cflri_numbers *list,
                                 cflr_error *error) {
    cflr_context *context = m->found->context;
    CFLRI_VEC(uint64_t) keys = {0}; /* look and vertex */
    uint64_t cursor = 0;
    cflr_status st = CFLR_OK;
    do {
        CFLR_TRY(cflr_result_next_row(m->result, m->finding, instance, &cursor, &m->row, error));
        uint32_t source = m->row.vertex;
        if (m->row.count && m->look[source] &&
            !cflri_vec_push(context, &keys, cflri_pair(m->look[source], source)))
            CFLR_TRY(no_memory(m, error));
    } while (m->row.count);
    if (!cflri_vec_reserve(context, list, keys.n)) CFLR_TRY(no_memory(m, error));
    CFLR_TRY(cflri_sort_pairs(context, keys.at, keys.n, NULL, error));
    for (size_t k = 0; k < keys.n; k++) list->at[list->n++] = (uint32_t)keys.at[k];
out:
    cflri_vec_free(context, &keys);
    return st;
}

cflr_status cflri_looks_sources(cflri_making *m, uint32_t instance, cflri_numbers *list,
                                cflr_error *error) {
    cflr_row *row = &m->row;
    cflr_status st = CFLR_OK;
    CFLR_TRY(list_in_order(m, instance, list, error));
    for (size_t k = 0; k < list->n; k++) {
        uint32_t source = list->at[k];
        CFLR_TRY(cflr_result_row(m->result, m->finding, instance, source, row, error));
        for (uint64_t i = 0; i < row->count; i++) {
            uint32_t look = m->look[row->target[i]];
            if (!counts(m, row->target[i])) continue;
            m->n_sources[look] += m->last[look] != m->look[source];
            m->last[look] = m->look[source];
        }
    }
out:
    return st;
}

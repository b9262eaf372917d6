/* SPDX-License-Identifier: Apache-2.0
 *
 * barred.c: what no path of a rule goes through, or only one of the last rank.
 *
 *     clean[r]       a value that holds nothing of what was given to its call: the number that
 *                    `atoi` reads
 *     if[r]          a sink that counts if a value may name a program of the rule: the words of
 *                    `execv` if it may run a shell. A literal that does has an edge program[r]
 *     uncalled       all that is in a function which nothing enters: of rank UNCALLED
 *
 * O(vertices), and what the values of conditions may point to.
 */
#include "findings/findings.h"

#include <string.h>

/* ---- sinks under a condition ---- */

static bool names_program(const cflri_making *m, uint32_t program, uint32_t object) {
    cflr_vertex_info info;
    uint64_t n = 0;
    if (program != CFLR_NO_LABEL) cflr_graph_row(m->found->graph, program, CFLR_OUT, object, &n);
    if (n > 0) return true;
    cflr_graph_vertex(m->found->graph, object, &info);
    return info.kind == CFLR_VERTEX_UNKNOWN || info.kind == CFLR_VERTEX_LOST;
}

/* May one of the values name a program? */
static cflr_status meets(cflri_making *m, const uint32_t *value, uint64_t n, bool *met,
                         cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t program = cflr_graph_find_label(m->found->graph, "program", m->rule->name);
    *met = false;
    for (uint64_t i = 0; i < n && !*met && m->points_to != CFLR_NO_LABEL; i++) {
        CFLR_TRY(cflr_result_row(m->result, m->points_to, 0, value[i], &m->row, error));
        for (uint64_t k = 0; k < m->row.count && !*met; k++)
            *met = names_program(m, program, m->row.target[k]);
    }
out:
    return st;
}

static cflr_status bar_sinks(cflri_making *m, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = CFLR_OK;
    uint32_t label = cflr_graph_find_label(graph, "if", m->rule->name), sink;
    uint64_t cursor = 0, n;
    const uint32_t *value;
    bool met;
    if (label == CFLR_NO_LABEL) return CFLR_OK;
    while ((value = cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &sink, &n))) {
        CFLR_TRY(meets(m, value, n, &met, error));
        if (!met) m->barred[sink] = CFLRI_BARRED;
    }
out:
    return st;
}

/* ---- all ---- */

static void bar_clean(cflri_making *m) {
    const cflr_graph *graph = m->found->graph;
    uint32_t label = cflr_graph_find_label(graph, "clean", m->rule->name), vertex;
    uint64_t cursor = 0, n;
    while (label != CFLR_NO_LABEL &&
           cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &vertex, &n))
        m->barred[vertex] = CFLRI_BARRED;
}

static void bar_uncalled(cflri_making *m) {
    const cflr_findings_opts *opts = &m->found->opts;
    uint32_t n = cflr_graph_vertices(m->found->graph);
    for (size_t i = 0; i < opts->n_uncalled; i++)
        for (uint32_t v = opts->uncalled[i].first; v < opts->uncalled[i].end && v < n; v++)
            m->barred[v] = CFLR_RANK_UNCALLED;
}

cflr_status cflri_barred_make(cflri_making *m, cflr_error *error) {
    cflr_context *context = m->found->context;
    m->barred = cflri_alloc_zero(context, cflr_graph_vertices(m->found->graph));
    if (!m->barred) return cflri_fail_memory(context, error);
    bar_uncalled(m);
    bar_clean(m);
    return bar_sinks(m, error);
}

static const cflr_uncalled *uncalled_at(const cflri_making *m, uint32_t vertex) {
    const cflr_findings_opts *opts = &m->found->opts;
    for (size_t i = 0; i < opts->n_uncalled; i++)
        if (opts->uncalled[i].first <= vertex && vertex < opts->uncalled[i].end)
            return &opts->uncalled[i];
    return NULL;
}

const char *cflri_uncalled_of(const cflri_making *m, const cflr_witness_step *path, size_t n) {
    const cflr_uncalled *function = uncalled_at(m, path[n - 1].target);
    if (!function) function = uncalled_at(m, path[0].source);
    for (size_t i = n; i-- > 0 && !function;) function = uncalled_at(m, path[i].source);
    return function ? function->function : "";
}

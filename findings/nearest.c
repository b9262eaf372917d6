/* SPDX-License-Identifier: Apache-2.0
 *
 * nearest.c: which of several sources is shown.
 *
 * Where memory is shared, values of many sources arrive at one sink, and the shortest path is often
 * not the one that a run takes: a buffer that one function fills and hands to `system` is filled by
 * others, too. A reader believes what is near. So a likely finding shows, with a path of its own
 * rank,
 *
 *     0.. a source in the function of the sink, in front of it in the text: so many lines
 *         else one in the same file
 *         else any; one behind the sink in its function is among them
 *
 * and of several at one distance the one with the fewest steps, or whose pointers come to the sink
 * by the shorter way where that is the same; the others are listed in the order of distance and
 * steps. By lines, since what is read last into a buffer is what the sink gets:
 *
 *     scanf("%60s", w);    3 lines
 *     puts(w);
 *     read(0, w, 60);      1 line: this one is shown, though its path has a step more
 *     system(w);
 *     fread(w, 1, 60, f);  behind the sink: only a loop could bring it there
 *
 * A source that is an argument of the sink is at its place, whatever line it stands on.
 *
 * For this each source is searched from alone, where it matters. Searches share a budget, as there
 * may be thousands of sources; one that is cut says nothing about what it has not reached, so those
 * come last.
 *
 * Calls of one function of the library may share its memory: all that `getenv` returns is in one
 * object. So a source is left out that only comes to the sink by that memory, where no pointer goes
 * from it to there, if the source that is shown is another call of the function and does.
 *
 * O(sources * budget of each + pairs of sources and findings, sorted).
 */
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALL_PAIRS = 1 << 26,  /* that the searches of one rank read together, */
    LEAST_PAIRS = 1 << 13 /* and each at least */
};

/* ---- how far ---- */

enum { FAR_IN_FILE = INT32_MAX - 1, FAR_ANY = INT32_MAX }; /* beyond all lines */

static bool same_place(const cflr_place *a, const cflr_place *b) {
    return a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0;
}

uint32_t cflri_source_distance(const cflri_making *m, uint32_t source, uint32_t arrived,
                               const cflr_finding *f) {
    const cflr_graph *graph = m->found->graph;
    cflr_vertex_info info;
    size_t n_sites;
    const cflri_site *site = cflri_sites_of(m, source, &n_sites);
    cflr_graph_vertex(graph, source, &info);
    const char *function = info.function;
    const cflr_place place = site ? cflri_site_place(graph, site, &function)
                                  : (cflr_place){info.file, info.line, info.column};
    if (strcmp(place.file, f->place.file) != 0) return FAR_ANY;
    if (strcmp(function, f->function) != 0) return FAR_IN_FILE;
    if (place.line <= f->place.line) return f->place.line - place.line;
    if (arrived == CFLR_NO_VERTEX) return FAR_ANY;
    const cflr_place end = cflri_vertex_place(graph, arrived);
    return same_place(&place, &end) ? 0 : FAR_ANY; /* system(\n getenv("COMMAND")) */
}

/* ---- one source ---- */

/* `path` has n steps; none: the search was cut. */
static cflr_status add_reach(cflri_making *m, uint32_t arrival, uint32_t source,
                             const cflr_witness_step *path, size_t n, bool stray,
                             cflr_error *error) {
    const cflr_finding *f = &m->found->list.at[m->first[arrival] - 1];
    const cflri_reach reach = {
        .arrival = arrival,
        .far = cflri_source_distance(m, source, n ? path[n - 1].source : CFLR_NO_VERTEX, f),
        .n = n ? (uint32_t)n : UINT32_MAX,
        .source = source,
        .look = m->look[source],
        .stray = stray,
    };
    return cflri_vec_push(m->found->context, &m->reach, reach)
               ? CFLR_OK
               : cflri_fail_memory(m->found->context, error);
}

cflr_status cflri_nearest_reached(cflri_making *m, uint32_t arrival, const cflr_witness_step *path,
                                  size_t n, cflr_error *error) {
    bool stray;
    cflr_status st = cflri_strays(m, path, n, &stray, error);
    return st == CFLR_OK ? add_reach(m, arrival, path[0].source, path, n, stray, error) : st;
}

/* The arrivals of a sink, whose findings are of this rank. */
static bool is_of_rank(const cflri_making *m, uint32_t arrival, cflr_rank rank) {
    return m->first[arrival] && m->found->list.at[m->first[arrival] - 1].rank == rank;
}

static uint32_t end_of_arrivals(const cflri_making *m, uint32_t sink) {
    size_t sites;
    cflri_sites_of(m, sink, &sites);
    return m->arrival[m->look[sink]] + (uint32_t)(sites ? sites : 1);
}

/* Does the source come to a finding of this rank that has others, too? */
static cflr_status matters(cflri_making *m, uint32_t instance, uint32_t source, cflr_rank rank,
                           bool *wanted, cflr_error *error) {
    cflr_status st = cflr_result_row(m->result, m->finding, instance, source, &m->row, error);
    for (uint64_t i = 0; st == CFLR_OK && i < m->row.count && !*wanted; i++) {
        uint32_t sink = m->row.target[i], look = m->look[sink];
        if (!look || m->n_sources[look] < 2) continue;
        for (uint32_t a = m->arrival[look]; a < end_of_arrivals(m, sink); a++)
            *wanted |= is_of_rank(m, a, rank);
    }
    return st;
}

static cflr_status reach_sink(cflri_making *m, uint32_t sink, uint32_t source, cflr_rank rank,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t n = cflr_witness_path(m->witness, sink, NULL, 0);
    if (n > 0) return cflri_path_take(m, sink, rank, error);
    if (!cflr_witness_cut(m->witness)) return CFLR_OK;
    for (uint32_t a = m->arrival[m->look[sink]]; a < end_of_arrivals(m, sink); a++)
        if (is_of_rank(m, a, rank)) CFLR_TRY(add_reach(m, a, source, NULL, 0, false, error));
out:
    return st;
}

static cflr_status search_from(cflri_making *m, uint32_t instance, const uint32_t *source, size_t n,
                               cflr_rank rank, cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool wanted = false;
    cflr_row row = {0};
    for (size_t i = 0; i < n; i++) CFLR_TRY(matters(m, instance, source[i], rank, &wanted, error));
    if (!wanted) return CFLR_OK;
    CFLR_TRY(cflr_witness_search(m->witness, "Finding", m->rule->name, source, n, CFLR_NO_VERTEX,
                                 error));
    for (size_t i = 0; i < n; i++) {
        CFLR_TRY(cflr_result_row(m->result, m->finding, instance, source[i], &row, error));
        for (uint64_t k = 0; k < row.count; k++)
            if (m->look[row.target[k]] && m->n_sources[m->look[row.target[k]]] > 1)
                CFLR_TRY(reach_sink(m, row.target[k], source[i], rank, error));
    }
out:
    cflr_row_free(&row);
    return st;
}

/* ---- all sources of a rank ---- */

cflr_status cflri_nearest_find(cflri_making *m, uint32_t instance, const uint32_t *source, size_t n,
                               cflr_rank rank, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint64_t each = n ? ALL_PAIRS / n : ALL_PAIRS;
    cflr_witness_bound(m->witness, each > LEAST_PAIRS ? each : LEAST_PAIRS);
    m->nearest = true;
    for (size_t i = 0, end; i < n && st == CFLR_OK; i = end) {
        for (end = i + 1; end < n && m->look[source[end]] == m->look[source[i]];) end++;
        st = search_from(m, instance, source + i, end - i, rank, error);
    }
    m->nearest = false;
    cflr_witness_bound(m->witness, 0);
    return st;
}

/* ---- further sources ---- */

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_ways(const cflri_reach *x, const cflri_reach *y) {
    bool x_cut = x->n == UINT32_MAX, y_cut = y->n == UINT32_MAX;
    if (x_cut != y_cut) return x_cut - y_cut;
    int order = compare_numbers(x->far, y->far);
    if (!order) order = compare_numbers(x->n, y->n);
    return order ? order : x->stray - y->stray;
}

/* By arrival and look, the best way of each first. */
static int compare_looks(const void *a, const void *b) {
    const cflri_reach *x = a, *y = b;
    int order = compare_numbers(x->arrival, y->arrival);
    if (!order) order = compare_numbers(x->look, y->look);
    if (!order) order = compare_ways(x, y);
    return order ? order : compare_numbers(x->source, y->source);
}

static int compare_reach(const void *a, const void *b) {
    const cflri_reach *x = a, *y = b;
    int order = compare_numbers(x->arrival, y->arrival);
    if (!order) order = compare_ways(x, y);
    if (!order) order = compare_numbers(x->look, y->look);
    return order ? order : compare_numbers(x->source, y->source);
}

/* Leaves the best way of each look to an arrival, and sorts them by that. */
static void sort_reach(cflri_making *m) {
    cflri_reach *at = m->reach.at;
    size_t kept = 0;
    if (m->reach.n) qsort(at, m->reach.n, sizeof *at, compare_looks);
    for (size_t i = 0; i < m->reach.n; i++) {
        const cflri_reach *last = kept ? &at[kept - 1] : NULL;
        if (!last || last->arrival != at[i].arrival || last->look != at[i].look) at[kept++] = at[i];
    }
    m->reach.n = kept;
    if (kept) qsort(at, kept, sizeof *at, compare_reach);
}

/* Does the source that is shown stand for this one? */
static bool is_covered(const cflri_making *m, const cflr_finding *f, bool shown_strays,
                       const cflri_reach *reach) {
    cflr_vertex_info shown, other;
    if (!reach->stray || shown_strays) return false;
    cflr_graph_vertex(m->found->graph, f->source, &shown);
    cflr_graph_vertex(m->found->graph, reach->source, &other);
    return strcmp(shown.name, other.name) == 0;
}

static cflr_status give_further(cflri_making *m, const cflri_reach *reach, size_t n,
                                cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_finding *f = &m->found->list.at[m->first[reach->arrival] - 1];
    size_t most = n < CFLR_MOST_FURTHER ? n : CFLR_MOST_FURTHER;
    f->further = cflri_alloc_array(context, most, sizeof *f->further);
    if (!f->further) return cflri_fail_memory(context, error);
    f->n_sources = 1;
    bool strays = false;
    for (size_t i = 0; i < n; i++) strays |= reach[i].look == m->look[f->source] && reach[i].stray;
    for (size_t i = 0; i < n; i++) {
        if (reach[i].look == m->look[f->source] || is_covered(m, f, strays, &reach[i])) continue;
        f->n_sources++;
        if (f->n_further == most) continue;
        const cflr_witness_step step = {.source = reach[i].source, .target = reach[i].source};
        cflr_origin *to = &f->further[f->n_further++];
        to->source = reach[i].source;
        cflr_status st = cflri_origin_place(m, &step, 1, &to->place, error);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

cflr_status cflri_nearest_end(cflri_making *m, cflr_error *error) {
    cflr_status st = CFLR_OK;
    sort_reach(m);
    for (size_t i = 0, end; i < m->reach.n && st == CFLR_OK; i = end) {
        for (end = i + 1; end < m->reach.n && m->reach.at[end].arrival == m->reach.at[i].arrival;)
            end++;
        st = give_further(m, &m->reach.at[i], end - i, error);
    }
    cflri_vec_free(m->found->context, &m->reach);
    return st;
}

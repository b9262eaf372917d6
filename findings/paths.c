/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.c: from the pairs of a rule to one finding for each sink.
 *
 * A sink is reported once, with the shortest path of the best rank (rank.h) that leads there, and
 * the number of other sources. Vertices that look the same to a reader are one: the copies of a
 * call for contexts. They get one number each, their look:
 *
 *     vertex    3: strdup() at a.c:7    9: strdup() at a.c:7, in context b.c:2    4: *p at a.c:8
 *     look      1                       1                                         2
 *
 * So are, for null pointers, the places of one function that follow the same value: the first one
 * is reported, and how many there are; mend it and they all are.
 *
 * O(pairs + vertices log vertices), and a search for each rank and kind of source.
 */
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

static cflr_status no_memory(const cflri_making *m, cflr_error *error) {
    return cflri_fail_memory(m->found->context, error);
}

/* ---- what looks the same ---- */

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

/* Marks the ends of all pairs of the rule; *n becomes their number. */
static cflr_status mark_ends(cflri_making *m, uint32_t instance, size_t *n, cflr_error *error) {
    uint64_t cursor = 0;
    cflr_status st = CFLR_OK;
    *n = 0;
    do {
        CFLR_TRY(cflr_result_next_row(m->result, m->finding, instance, &cursor, &m->row, error));
        if (m->row.count) {
            *n += !m->look[m->row.vertex];
            m->look[m->row.vertex] = 1;
        }
        for (uint64_t i = 0; i < m->row.count; i++) {
            *n += !m->look[m->row.target[i]];
            m->look[m->row.target[i]] = 1;
        }
    } while (m->row.count);
out:
    return st;
}

static cflr_status find_looks(cflri_making *m, uint32_t instance, cflr_error *error) {
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
    m->first = cflri_alloc_array_zero(context, looks, sizeof *m->first);
    return m->n_sources && m->last && m->first ? CFLR_OK : no_memory(m, error);
}

static void forget_looks(cflri_making *m) {
    cflr_context *context = m->found->context;
    cflri_free(context, m->look);
    cflri_free(context, m->n_sources);
    cflri_free(context, m->last);
    cflri_free(context, m->first);
    m->look = m->last = NULL;
    m->n_sources = m->first = NULL;
}

/* ---- sources ---- */

/* Lists the vertices of sources, those of one look together, and counts for the sinks of each look
 * how many sources of different looks arrive there. */
static cflr_status list_sources(cflri_making *m, uint32_t instance, cflri_numbers *list,
                                cflr_error *error) {
    cflr_context *context = m->found->context;
    CFLRI_VEC(uint64_t) keys = {0}; /* look and vertex */
    cflr_row *row = &m->row;
    uint64_t cursor = 0;
    cflr_status st = CFLR_OK;
    do {
        CFLR_TRY(cflr_result_next_row(m->result, m->finding, instance, &cursor, row, error));
        if (row->count &&
            !cflri_vec_push(context, &keys, cflri_pair(m->look[row->vertex], row->vertex)))
            CFLR_TRY(no_memory(m, error));
    } while (row->count);
    if (!cflri_vec_reserve(context, list, keys.n)) CFLR_TRY(no_memory(m, error));
    CFLR_TRY(cflri_sort_pairs(context, keys.at, keys.n, NULL, error));
    for (size_t k = 0; k < keys.n; k++) {
        uint32_t source = list->at[list->n++] = (uint32_t)keys.at[k];
        CFLR_TRY(cflr_result_row(m->result, m->finding, instance, source, row, error));
        for (uint64_t i = 0; i < row->count; i++) {
            uint32_t look = m->look[row->target[i]];
            m->n_sources[look] += m->last[look] != m->look[source];
            m->last[look] = m->look[source];
        }
    }
out:
    cflri_vec_free(context, &keys);
    return st;
}

/* ---- does a path leave functions by the calls that it entered them by? ---- */

/* `caller` is large enough for n names. */
static bool calls_match(const cflr_findings *found, const cflr_witness_step *path, size_t n,
                        const char **caller) {
    const uint8_t *slot = found->slots.of;
    size_t depth = 0;
    for (size_t i = 0; i < n; i++) {
        cflr_vertex_info from, to;
        cflr_graph_vertex(found->graph, path[i].source, &from);
        cflr_graph_vertex(found->graph, path[i].target, &to);
        if (!from.function[0] || !to.function[0] || strcmp(from.function, to.function) == 0)
            continue;
        bool returns = slot[path[i].source] == CFLRI_SLOT_RESULT;
        if (!returns && slot[path[i].target] == CFLRI_SLOT_PARAMETER)
            caller[depth++] = from.function;
        else if (returns && depth > 0 && strcmp(caller[--depth], to.function) != 0)
            return false;
    }
    return true;
}

/* ---- paths ---- */

cflr_witness_step *cflri_path_read(const cflri_making *m, uint32_t target, size_t *n) {
    *n = cflr_witness_path(m->witness, target, NULL, 0);
    cflr_witness_step *path = cflri_alloc_array(m->found->context, *n, sizeof *path);
    if (path) cflr_witness_path(m->witness, target, path, *n);
    return path;
}

/* The pointer that a path follows in the end, whether it is read under a condition or not. */
static uint32_t value_of(const cflri_making *m, const cflr_witness_step *path, size_t n) {
    uint32_t value = path[n - 1].source;
    bool guarded = m->rule->follows_null && m->levels.guarded[value];
    return guarded && n > 1 ? path[n - 2].source : value;
}

/* The path becomes that of the finding of its sink, which is made when it has none. */
static cflr_status set_path(cflri_making *m, cflr_rank rank, const cflr_witness_step *path,
                            size_t n, cflr_error *error) {
    cflr_findings *found = m->found;
    uint32_t sink = path[n - 1].target;
    size_t *number = &m->first[m->look[sink]];
    cflr_step *steps = cflri_steps_make(m, path, n);
    bool good = steps && (*number || cflri_vec_push(found->context, &found->list,
                                                    (cflr_finding){.n_places = 1}));
    if (!good) {
        cflri_steps_free(found->context, steps, n);
        return no_memory(m, error);
    }
    if (!*number) *number = found->list.n;
    cflr_finding *f = &found->list.at[*number - 1];
    cflri_steps_free(found->context, f->step, f->n_steps);
    f->rule = m->rule;
    f->rank = rank;
    f->likely = cflri_rank_is_likely(rank);
    f->source = path[0].source;
    f->sink = sink;
    f->followed = value_of(m, path, n);
    f->place = cflri_vertex_place(found->graph, sink);
    f->n_sources = m->n_sources[m->look[sink]];
    f->step = steps;
    f->n_steps = n;
    return CFLR_OK;
}

/* The path to a sink counts when it is the shortest so far of its look's rank, and when calls
 * match; where nothing better is found it counts all the same. */
static cflr_status take_path(cflri_making *m, uint32_t sink, cflr_rank rank, cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_status st = CFLR_OK;
    size_t n = cflr_witness_path(m->witness, sink, NULL, 0), number = m->first[m->look[sink]];
    const cflr_finding *f = number ? &m->found->list.at[number - 1] : NULL;
    if (n == 0 || (f && (f->rank < rank || f->n_steps <= n))) return CFLR_OK;
    cflr_witness_step *path = cflri_path_read(m, sink, &n);
    const char **caller = cflri_alloc_array(context, n, sizeof *caller);
    if (!path || !caller) CFLR_TRY(no_memory(m, error));
    bool match = calls_match(m->found, path, n, caller);
    if (!match && rank == CFLR_RANK_MEMORY) rank = CFLR_RANK_CALLS;
    if (match || rank == CFLR_RANK_CALLS || rank == CFLR_RANK_NONE)
        st = set_path(m, rank, path, n, error);
out:
    cflri_free(context, path);
    cflri_free(context, (void *)caller);
    return st;
}

/* Paths from the sources to all sinks, as far as the witness goes. */
static cflr_status find_paths(cflri_making *m, const uint32_t *source, size_t n_sources,
                              cflr_rank rank, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = cflr_witness_search(m->witness, "Finding", m->rule->name, source, n_sources,
                                         CFLR_NO_VERTEX, error);
    uint32_t label = cflr_graph_find_label(graph, "sink", m->rule->name), vertex;
    uint64_t cursor = 0, n;
    while (st == CFLR_OK && label != CFLR_NO_LABEL &&
           cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &vertex, &n))
        if (m->look[vertex]) st = take_path(m, vertex, rank, error);
    return st;
}

/* ---- by rank ---- */

/* The sources that may lead to a finding of this rank, and are optional in this way; in `list`,
 * which is large enough for all. From GUARDED on none is optional. */
static size_t sources_of_rank(const cflri_making *m, const cflri_numbers *sources, cflr_rank rank,
                              cflri_optional optional, uint32_t *list) {
    size_t n = 0;
    for (size_t i = 0; i < sources->n; i++) {
        uint32_t source = sources->at[i];
        bool initial = m->levels.initial[source] && rank < CFLR_RANK_INITIAL;
        unsigned how = rank < CFLR_RANK_GUARDED ? m->levels.optional[source] : CFLRI_OPTIONAL_NOT;
        if (!initial && how == optional) list[n++] = source;
    }
    return n;
}

static bool goes_around(cflri_optional optional, unsigned guarded) {
    if (optional == CFLRI_OPTIONAL_ANYWHERE) return guarded != CFLRI_OPTIONAL_NOT;
    return optional == CFLRI_OPTIONAL_OUTPUT && guarded == CFLRI_OPTIONAL_OUTPUT;
}

static cflr_status find_paths_of_rank(cflri_making *m, const cflri_numbers *sources, cflr_rank rank,
                                      cflri_optional optional, bool *avoided, uint32_t *list,
                                      cflr_error *error) {
    uint32_t n_vertices = cflr_graph_vertices(m->found->graph);
    size_t n = sources_of_rank(m, sources, rank, optional, list);
    if (n == 0) return CFLR_OK;
    for (uint32_t v = 0; v < n_vertices; v++)
        avoided[v] = m->levels.of[v] > rank || goes_around(optional, m->levels.guarded[v]);
    cflr_witness_avoid(m->witness, avoided);
    return find_paths(m, list, n, rank, error);
}

/* The likely ones first: each search may go to more vertices than the one before. */
static cflr_status find_paths_by_rank(cflri_making *m, const cflri_numbers *sources,
                                      cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_status st = CFLR_OK;
    bool *avoided = cflri_alloc(context, cflr_graph_vertices(m->found->graph) * sizeof *avoided);
    uint32_t *list = cflri_alloc_array(context, sources->n, sizeof *list);
    if (!avoided || !list) CFLR_TRY(no_memory(m, error));
    for (int rank = CFLR_RANK_DIRECT; rank <= CFLR_RANK_MEMORY; rank++)
        for (int how = CFLRI_OPTIONAL_NOT; how <= CFLRI_OPTIONAL_ANYWHERE; how++)
            CFLR_TRY(find_paths_of_rank(m, sources, (cflr_rank)rank, (cflri_optional)how, avoided,
                                        list, error));
out:
    cflr_witness_avoid(m->witness, NULL);
    cflri_free(context, avoided);
    cflri_free(context, list);
    return st;
}

/* ---- places that follow one value ---- */

/* By the value that is followed, then by rank and place. */
static int compare_followed(const void *a, const void *b) {
    const cflr_finding *f = a, *g = b;
    if (f->followed != g->followed) return f->followed > g->followed ? 1 : -1;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : cflri_finding_compare(f, g);
}

static bool same_function(const cflr_graph *graph, uint32_t a, uint32_t b) {
    cflr_vertex_info x, y;
    cflr_graph_vertex(graph, a, &x);
    cflr_graph_vertex(graph, b, &y);
    return strcmp(x.function, y.function) == 0 && strcmp(x.file, y.file) == 0;
}

/* Of the findings from `first` on, those in one function that follow one value: the first place
 * stays. */
static void join_followed(cflr_findings *found, size_t first) {
    size_t kept = first;
    cflr_finding *list = found->list.at;
    if (found->list.n == first) return;
    qsort(list + first, found->list.n - first, sizeof *list, compare_followed);
    for (size_t i = first; i < found->list.n; i++) {
        cflr_finding *before = kept > first ? &list[kept - 1] : NULL;
        if (before && before->followed == list[i].followed &&
            same_function(found->graph, before->sink, list[i].sink)) {
            before->n_places++;
            cflri_steps_free(found->context, list[i].step, list[i].n_steps);
            continue;
        }
        list[kept++] = list[i];
    }
    found->list.n = kept;
}

/* ---- one rule ---- */

static uint32_t find_instance(const cflri_making *m) {
    cflr_result_label info;
    if (m->finding == CFLR_NO_LABEL) return CFLR_NO_LABEL;
    cflr_result_get_label(m->result, m->finding, &info);
    for (uint32_t i = 0; i < info.indexes; i++)
        if (strcmp(cflr_result_label_index(m->result, m->finding, i), m->rule->name) == 0) return i;
    return CFLR_NO_LABEL;
}

cflr_status cflri_findings_of_rule(cflri_making *m, cflr_error *error) {
    cflri_numbers sources = {0};
    uint32_t instance = find_instance(m);
    size_t first = m->found->list.n;
    cflr_status st = CFLR_OK;
    if (instance == CFLR_NO_LABEL) return CFLR_OK;
    CFLR_TRY(find_looks(m, instance, error));
    CFLR_TRY(list_sources(m, instance, &sources, error));
    if (m->rule->follows_null)
        st = find_paths_by_rank(m, &sources, error);
    else
        st = find_paths(m, sources.at, sources.n, CFLR_RANK_NONE, error);
    if (m->rule->follows_null) join_followed(m->found, first);
    if (st == CFLR_OK) st = cflri_routes_add(m, first, error);
out:
    cflri_vec_free(m->found->context, &sources);
    forget_looks(m);
    return st;
}

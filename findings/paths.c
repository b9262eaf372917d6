/* SPDX-License-Identifier: Apache-2.0
 *
 * paths.c: from the pairs of a rule to one finding for each sink.
 *
 * A sink is reported once, with a path of the best rank (rank.h) that leads there. Ranks are tried
 * one after another: each search may go to more vertices than the one before, and the first that
 * arrives decides. Text has three: by any way, by way of constant memory (constants.c), and in
 * functions that nothing enters (barred.c); null pointers have more in front of those. Among
 * several sources of a likely rank the nearest is taken (nearest.c).
 *
 * The places of one function that follow the same null pointer are one finding: the first one is
 * reported, and how many there are; mend it and they all are.
 *
 * O(pairs + vertices log vertices), and the searches.
 */
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

static cflr_status no_memory(const cflri_making *m, cflr_error *error) {
    return cflri_fail_memory(m->found->context, error);
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

/* The pointer that a path follows in the end, whether it is read under a condition or not. */
static uint32_t value_of(const cflri_making *m, const cflr_witness_step *path, size_t n) {
    uint32_t value = path[n - 1].source;
    bool guarded = m->rule->follows_null && m->levels.guarded[value];
    return guarded && n > 1 ? path[n - 2].source : value;
}

/* The place of a source; of a function of the library that is called through pointers, of the call
 * that got the value. */
cflr_status cflri_origin_place(cflri_making *m, const cflr_witness_step *path, size_t n,
                               cflr_place *place, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = CFLR_OK;
    size_t n_sites, k = 1;
    bool hands = false;
    const cflri_site *site = cflri_sites_of(m, path[0].source, &n_sites);
    *place = site ? cflri_site_place(graph, site, NULL) : cflri_vertex_place(graph, path[0].source);
    if (!site) return CFLR_OK;
    while (k < n && strcmp(path[k].symbol, "M") != 0) k++;
    for (size_t i = 0; i < n_sites && k < n && !hands; i++) {
        CFLR_TRY(cflri_site_hands(m, &site[i], path[k].source, path[k].target, &hands, error));
        if (hands) *place = cflri_site_place(graph, &site[i], NULL);
    }
out:
    return st;
}

/* A path that was found, and where it arrives. */
typedef struct arriving {
    const cflr_witness_step *path;
    size_t n;
    uint32_t arrival;
    cflr_place place;
    const char *function;
    cflr_rank rank;
} arriving;

static void describe(const cflri_making *m, const arriving *a, cflr_finding *f) {
    uint32_t sink = a->path[a->n - 1].target;
    f->rule = m->rule;
    f->rank = a->rank;
    f->likely = cflri_rank_is_likely(a->rank);
    f->source = a->path[0].source;
    f->sink = sink;
    f->followed = value_of(m, a->path, a->n);
    f->place = a->place;
    f->function = a->function;
    f->n_sources = m->n_sources[m->look[sink]];
    f->uncalled = a->rank == CFLR_RANK_UNCALLED ? cflri_uncalled_of(m, a->path, a->n) : "";
}

/* The path becomes that of its finding, which is made when there is none. */
static cflr_status set_path(cflri_making *m, const arriving *a, cflr_error *error) {
    cflr_findings *found = m->found;
    size_t *number = &m->first[a->arrival];
    cflr_place origin;
    cflr_status st = cflri_origin_place(m, a->path, a->n, &origin, error);
    if (st != CFLR_OK) return st;
    cflr_step *steps = cflri_steps_make(m, a->path, a->n, &origin);
    bool good = steps && (*number || cflri_vec_push(found->context, &found->list,
                                                    (cflr_finding){.n_places = 1}));
    if (!good) {
        cflri_steps_free(found->context, steps, a->n);
        return no_memory(m, error);
    }
    if (!*number) *number = found->list.n;
    cflr_finding *f = &found->list.at[*number - 1];
    cflri_steps_free(found->context, f->step, f->n_steps);
    describe(m, a, f);
    f->origin = origin;
    f->step = steps;
    f->n_steps = a->n;
    return CFLR_OK;
}

/* Is the path nearer, or shorter, or as long and its pointers take the shorter way? */
static cflr_status is_nearer(cflri_making *m, const arriving *a, const cflr_finding *f,
                             bool *nearer, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t mine = cflri_source_distance(m, a->path[0].source, a->path[a->n - 1].source, f);
    uint32_t other = cflri_source_distance(m, f->source, f->step[f->n_steps - 1].pair.source, f);
    size_t detour, *known = &m->detour[a->arrival];
    *nearer = mine != other ? mine < other : a->n < f->n_steps;
    if (mine != other || a->n != f->n_steps) {
        if (*nearer) *known = 0;
        return CFLR_OK;
    }
    if (!*known) {
        CFLR_TRY(cflri_detour_of(m, f, &detour, error));
        *known = detour + 1;
    }
    CFLR_TRY(cflri_detour(m, a->path, a->n, &detour, error));
    *nearer = detour + 1 < *known;
    if (*nearer) *known = detour + 1;
out:
    return st;
}

/* Is it better than what there is? */
static cflr_status is_better(cflri_making *m, const arriving *a, bool *better, cflr_error *error) {
    size_t number = m->first[a->arrival];
    const cflr_finding *f = number ? &m->found->list.at[number - 1] : NULL;
    *better = !f || (f->rank >= a->rank && a->n < f->n_steps);
    return f && m->nearest ? is_nearer(m, a, f, better, error) : CFLR_OK;
}

/* The search for the nearest source leaves findings of other ranks alone. */
static cflr_status arrive(cflri_making *m, arriving *a, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t number = m->first[a->arrival];
    bool better;
    if (m->nearest && number && m->found->list.at[number - 1].rank != a->rank) return CFLR_OK;
    CFLR_TRY(is_better(m, a, &better, error));
    if (better) CFLR_TRY(set_path(m, a, error));
    if (m->nearest) st = cflri_nearest_reached(m, a->arrival, a->path, a->n, error);
out:
    return st;
}

/* At the call, or at each of those that may have handed the value over. */
static cflr_status arrive_everywhere(cflri_making *m, arriving *a, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = CFLR_OK;
    uint32_t sink = a->path[a->n - 1].target;
    size_t n_sites;
    cflr_vertex_info info;
    const cflri_site *site = cflri_sites_of(m, sink, &n_sites);
    const cflr_witness_step *last = a->n > 1 ? &a->path[a->n - 2] : NULL;
    bool handed = last && strcmp(last->symbol, "M") == 0, any = false, hands = true;
    cflr_graph_vertex(graph, sink, &info);
    a->arrival = m->arrival[m->look[sink]];
    a->place = cflri_vertex_place(graph, sink);
    a->function = info.function;
    if (!site) return arrive(m, a, error);
    const uint32_t first = a->arrival;
    for (size_t i = 0; i < n_sites; i++) {
        if (handed)
            CFLR_TRY(cflri_site_hands(m, &site[i], last->target, last->source, &hands, error));
        if (!hands && (any || i + 1 < n_sites)) continue;
        any = true;
        a->place = cflri_site_place(graph, &site[i], &a->function);
        a->arrival = first + (uint32_t)cflri_site_first(graph, site, i);
        CFLR_TRY(arrive(m, a, error));
    }
out:
    return st;
}

/* A path counts when calls match; where nothing better is found it counts all the same. */
cflr_status cflri_path_take(cflri_making *m, uint32_t sink, cflr_rank rank, cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_status st = CFLR_OK;
    arriving a = {.n = cflr_witness_path(m->witness, sink, NULL, 0), .rank = rank};
    if (a.n == 0) return CFLR_OK;
    cflr_witness_step *path = cflri_path_read(m, sink, &a.n);
    const char **caller = cflri_alloc_array(context, a.n, sizeof *caller);
    if (!path || !caller) CFLR_TRY(no_memory(m, error));
    a.path = path;
    bool match = calls_match(m->found, path, a.n, caller);
    if (!match && rank == CFLR_RANK_MEMORY) a.rank = CFLR_RANK_CALLS;
    if (match || a.rank == CFLR_RANK_NONE || a.rank >= CFLR_RANK_CALLS)
        st = arrive_everywhere(m, &a, error);
out:
    cflri_free(context, path);
    cflri_free(context, (void *)caller);
    return st;
}

/* Does the best finding of a sink have a better rank already? */
static bool is_settled(const cflri_making *m, uint32_t sink, cflr_rank rank) {
    size_t n_sites, first = m->arrival[m->look[sink]];
    cflri_sites_of(m, sink, &n_sites);
    for (size_t a = first; a < first + (n_sites ? n_sites : 1); a++)
        if (m->first[a] && m->found->list.at[m->first[a] - 1].rank < rank) return true;
    return false;
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
        if (m->look[vertex] && !is_settled(m, vertex, rank))
            st = cflri_path_take(m, vertex, rank, error);
    return st;
}

/* ---- by rank ---- */

/* The sources that may lead to a finding of this rank, and are optional in this way; in `list`,
 * which is large enough for all. From GUARDED on none is optional. */
static size_t sources_of_rank(const cflri_making *m, const cflri_numbers *sources, cflr_rank rank,
                              cflri_optional optional, uint32_t *list) {
    const cflri_rank_levels *levels = &m->levels;
    bool follows_null = m->rule->follows_null;
    size_t n = 0;
    for (size_t i = 0; i < sources->n; i++) {
        uint32_t source = sources->at[i];
        bool initial = follows_null && levels->initial[source] && rank < CFLR_RANK_INITIAL;
        bool guards = follows_null && rank < CFLR_RANK_GUARDED;
        unsigned how = guards ? levels->optional[source] : CFLRI_OPTIONAL_NOT;
        if (!initial && how == optional && m->barred[source] <= rank) list[n++] = source;
    }
    return n;
}

static bool goes_around(cflri_optional optional, unsigned guarded) {
    if (optional == CFLRI_OPTIONAL_ANYWHERE) return guarded != CFLRI_OPTIONAL_NOT;
    return optional == CFLRI_OPTIONAL_OUTPUT && guarded == CFLRI_OPTIONAL_OUTPUT;
}

/* What searches of one rank share. */
typedef struct ranking {
    const cflri_numbers *sources;
    uint32_t instance;
    bool *avoided; /* by vertex */
    uint32_t *list;
} ranking;

static void avoid(cflri_making *m, cflr_rank rank, cflri_optional optional, bool *avoided) {
    const cflri_rank_levels *levels = &m->levels;
    uint32_t n = cflr_graph_vertices(m->found->graph);
    for (uint32_t v = 0; v < n; v++)
        avoided[v] = m->barred[v] > rank ||
                     (m->rule->follows_null &&
                      (levels->of[v] > rank || goes_around(optional, levels->guarded[v])));
    cflr_witness_avoid(m->witness, avoided);
    cflr_witness_filter(m->witness, rank < CFLR_RANK_CONSTANT ? &m->gate : NULL);
}

static cflr_status find_paths_of_rank(cflri_making *m, const ranking *r, cflr_rank rank,
                                      cflri_optional optional, cflr_error *error) {
    size_t n = sources_of_rank(m, r->sources, rank, optional, r->list);
    if (n == 0) return CFLR_OK;
    avoid(m, rank, optional, r->avoided);
    cflr_status st = find_paths(m, r->list, n, rank, error);
    if (st == CFLR_OK && cflri_rank_is_likely(rank))
        st = cflri_nearest_find(m, r->instance, r->list, n, rank, error);
    return st;
}

/* Is there a sink that has a pair, and no path yet? */
static bool any_left(const cflri_making *m) {
    const cflr_graph *graph = m->found->graph;
    uint32_t label = cflr_graph_find_label(graph, "sink", m->rule->name), sink;
    uint64_t cursor = 0, n;
    while (label != CFLR_NO_LABEL && cflr_graph_next_row(graph, label, CFLR_IN, &cursor, &sink, &n))
        if (m->look[sink] && m->barred[sink] != CFLRI_BARRED && !is_settled(m, sink, CFLRI_BARRED))
            return true;
    return false;
}

/* The likely ones first. Ranks of null pointers are not tried for others. */
static cflr_status find_paths_by_rank(cflri_making *m, ranking *r, cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_status st = CFLR_OK;
    bool null = m->rule->follows_null;
    r->avoided = cflri_alloc(context, cflr_graph_vertices(m->found->graph) * sizeof *r->avoided);
    r->list = cflri_alloc_array(context, r->sources->n, sizeof *r->list);
    if (!r->avoided || !r->list) CFLR_TRY(no_memory(m, error));
    if (!null) CFLR_TRY(find_paths_of_rank(m, r, CFLR_RANK_NONE, CFLRI_OPTIONAL_NOT, error));
    for (int rank = CFLR_RANK_DIRECT; null && rank <= CFLR_RANK_MEMORY; rank++)
        for (int how = CFLRI_OPTIONAL_NOT; how <= CFLRI_OPTIONAL_ANYWHERE; how++)
            CFLR_TRY(find_paths_of_rank(m, r, (cflr_rank)rank, (cflri_optional)how, error));
    for (int rank = CFLR_RANK_CONSTANT; rank <= CFLR_RANK_UNCALLED && any_left(m); rank++)
        CFLR_TRY(find_paths_of_rank(m, r, (cflr_rank)rank, CFLRI_OPTIONAL_NOT, error));
    CFLR_TRY(cflri_nearest_end(m, error));
out:
    cflr_witness_avoid(m->witness, NULL);
    cflr_witness_filter(m->witness, NULL);
    cflri_free(context, r->avoided);
    cflri_free(context, r->list);
    return st;
}

/* ---- places that follow one value ---- */

/* By the value that is followed, then by rank and place. */
static int compare_followed(const void *a, const void *b) {
    const cflr_finding *f = a, *g = b;
    if (f->followed != g->followed) return f->followed > g->followed ? 1 : -1;
    return f->rank != g->rank ? (f->rank > g->rank ? 1 : -1) : cflri_finding_compare(f, g);
}

static bool same_function(const cflr_finding *a, const cflr_finding *b) {
    return strcmp(a->function, b->function) == 0 && strcmp(a->place.file, b->place.file) == 0;
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
        if (before && before->followed == list[i].followed && same_function(before, &list[i])) {
            before->n_places++;
            cflri_finding_free(found->context, &list[i]);
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
    ranking r = {.sources = &sources, .instance = find_instance(m)};
    size_t first = m->found->list.n;
    cflr_status st = CFLR_OK;
    if (r.instance == CFLR_NO_LABEL) return CFLR_OK;
    CFLR_TRY(cflri_barred_make(m, error));
    CFLR_TRY(cflri_looks_make(m, r.instance, error));
    CFLR_TRY(cflri_looks_sources(m, r.instance, &sources, error));
    st = find_paths_by_rank(m, &r, error);
    if (m->rule->follows_null) join_followed(m->found, first);
    if (st == CFLR_OK) st = cflri_routes_add(m, first, error);
out:
    cflri_vec_free(m->found->context, &sources);
    cflri_vec_free(m->found->context, &m->reach);
    cflri_looks_forget(m);
    cflri_free(m->found->context, m->barred);
    m->barred = NULL;
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * sites.c: calls through pointers of functions of the library.
 *
 * A function without a body that is called through a pointer has its sources and sinks once, on its
 * own parameters and result, at its declaration. A reader wants the call:
 *
 *     static const struct ops ops = {system};       *command of system  -sink->  system()
 *     o->run(text);                                 *text  -M->  *command of system
 *
 * So the closure is asked which calls enter such a function, and which of them give it the value of
 * a path: the argument that a call hands over, `o->run(0)`, is the content of a slot of what is
 * called, as the parameter is that of a slot of the function. Where the value is behind it, the
 * pointer to it came by there (steps.c).
 *
 * Calls are looked up once. O(what calls through pointers may enter + vertices log functions).
 */
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

/* ---- functions without a body ---- */

static int compare_functions(const void *a, const void *b) {
    const cflri_library_function *f = a, *g = b;
    int order = strcmp(f->place.file, g->place.file);
    return order ? order : strcmp(f->name, g->name);
}

static cflr_status list_functions(const cflr_graph *graph, cflri_sites *s, cflr_error *error) {
    s->object = cflri_alloc_zero(graph->context, cflr_graph_vertices(graph) * sizeof *s->object);
    if (!s->object) return cflri_fail_memory(graph->context, error);
    for (uint32_t i = 1; i < cflr_graph_functions(graph); i++) {
        cflr_function_info info;
        cflr_graph_function(graph, i, &info);
        const cflri_library_function row = {
            info.name, {info.file, info.line, info.column}, info.vertex};
        if (info.body == CFLR_BODY_HERE) continue;
        if (!cflri_vec_push(graph->context, &s->functions, row) ||
            !cflri_vec_push(graph->context, &s->declarations, row.place))
            return cflri_fail_memory(graph->context, error);
        if (info.vertex != CFLR_NO_VERTEX) s->object[info.vertex] = true;
    }
    if (s->functions.n)
        qsort(s->functions.at, s->functions.n, sizeof *s->functions.at, compare_functions);
    if (s->declarations.n)
        qsort(s->declarations.at, s->declarations.n, sizeof *s->declarations.at,
              cflri_place_compare);
    return CFLR_OK;
}

static const cflri_library_function *function_of(const cflri_making *m, uint32_t vertex) {
    const cflri_sites *s = &m->sites;
    cflr_vertex_info info;
    cflr_graph_vertex(m->found->graph, vertex, &info);
    const cflri_library_function key = {.name = info.function, .place = {.file = info.file}};
    if (!info.function[0] || s->functions.n == 0) return NULL;
    return bsearch(&key, s->functions.at, s->functions.n, sizeof key, compare_functions);
}

bool cflri_is_declaration(const cflri_making *m, const cflr_place *place) {
    const cflri_sites *s = &m->sites;
    return s->declarations.n > 0 && bsearch(place, s->declarations.at, s->declarations.n,
                                            sizeof *s->declarations.at, cflri_place_compare);
}

/* ---- their calls ---- */

static int compare_sites(const void *a, const void *b) {
    const cflri_site *x = a, *y = b;
    if (x->function != y->function) return x->function < y->function ? -1 : 1;
    return (x->call > y->call) - (x->call < y->call);
}

static cflr_status look_up_call(cflri_making *m, uint32_t number, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = CFLR_OK;
    cflr_call_info call;
    cflr_graph_call(graph, number, &call);
    const cflr_call_type type = cflr_graph_call_type(graph, call.type);
    if (!call.line) return CFLR_OK; /* what code without a model calls */
    for (size_t k = 0; k < call.n; k++) {
        CFLR_TRY(cflr_result_row(m->result, m->points_to, 0, call.vertex[k], &m->row, error));
        for (uint64_t i = 0; i < m->row.count; i++) {
            const cflri_site site = {m->row.target[i], number, call.vertex[k]};
            if (!m->sites.object[site.function] ||
                !cflr_call_type_enters(graph, &type, site.function))
                continue;
            if (!cflri_vec_push(m->found->context, &m->sites.all, site))
                CFLR_TRY(cflri_fail_memory(m->found->context, error));
        }
    }
out:
    return st;
}

cflr_status cflri_sites_make(cflri_making *m, cflr_error *error) {
    const cflr_graph *graph = m->found->graph;
    cflr_status st = list_functions(graph, &m->sites, error);
    if (m->points_to == CFLR_NO_LABEL) return st;
    for (uint32_t i = 0; i < cflr_graph_calls(graph) && st == CFLR_OK; i++)
        st = look_up_call(m, i, error);
    if (m->sites.all.n)
        qsort(m->sites.all.at, m->sites.all.n, sizeof *m->sites.all.at, compare_sites);
    return st;
}

void cflri_sites_free(cflr_context *context, cflri_sites *s) {
    cflri_free(context, s->object);
    cflri_vec_free(context, &s->functions);
    cflri_vec_free(context, &s->declarations);
    cflri_vec_free(context, &s->all);
}

const cflri_site *cflri_sites_of(const cflri_making *m, uint32_t vertex, size_t *n) {
    const cflri_library_function *function = function_of(m, vertex);
    const cflri_sites *s = &m->sites;
    size_t first = 0, end = s->all.n;
    *n = 0;
    if (!function || function->object == CFLR_NO_VERTEX) return NULL;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (s->all.at[middle].function < function->object)
            first = middle + 1;
        else
            end = middle;
    }
    while (first + *n < s->all.n && s->all.at[first + *n].function == function->object) ++*n;
    return *n ? &s->all.at[first] : NULL;
}

cflr_place cflri_site_place(const cflr_graph *graph, const cflri_site *site, const char **caller) {
    cflr_call_info call;
    cflr_function_info function;
    cflr_graph_call(graph, site->call, &call);
    cflr_graph_function(graph, call.caller, &function);
    if (caller) *caller = function.name;
    return (cflr_place){call.file, call.line, call.column};
}

size_t cflri_site_first(const cflr_graph *graph, const cflri_site *sites, size_t i) {
    cflr_call_info here, before;
    for (cflr_graph_call(graph, sites[i].call, &here); i > 0; i--) {
        cflr_graph_call(graph, sites[i - 1].call, &before);
        if (before.line != here.line || before.column != here.column ||
            strcmp(before.file, here.file) != 0)
            break;
    }
    return i;
}

/* ---- does a call hand over the value? ---- */

/* The content of the slot with this label of what is called; CFLR_NO_VERTEX: there is none. */
static uint32_t content_of_slot(const cflri_making *m, uint32_t value, uint32_t label) {
    uint64_t n;
    const uint32_t *slot = cflr_graph_row(m->found->graph, label, CFLR_OUT, value, &n);
    if (n == 0) return CFLR_NO_VERTEX;
    const uint32_t *content =
        cflri_labels_row(&m->found->labels, CFLRI_MEANS_CONTENT, CFLR_OUT, slot[0], &n);
    return n > 0 ? content[0] : CFLR_NO_VERTEX;
}

/* The slot of the function whose content `value` is, or is behind; *behind tells which. */
static uint32_t slot_of_value(const cflri_making *m, uint32_t value, bool *behind) {
    enum { MOST_STEPS = 8 };
    const cflri_labels *labels = &m->found->labels;
    for (int i = 0; i < MOST_STEPS; i++) {
        uint64_t n;
        uint32_t function;
        const uint32_t *pointer = cflri_labels_row(labels, CFLRI_MEANS_CONTENT, CFLR_IN, value, &n);
        if (n == 0) break;
        *behind = i > 0;
        value = m->found->slots.root[pointer[0]];
        if (cflri_labels_neighbour(labels, CFLRI_MEANS_SLOT, CFLR_IN, value, &function))
            return value;
    }
    return CFLR_NO_VERTEX;
}

cflr_status cflri_site_hands(cflri_making *m, const cflri_site *site, uint32_t value,
                             uint32_t other, bool *hands, cflr_error *error) {
    const cflri_numbers *labels = &m->found->labels.of[CFLRI_MEANS_SLOT];
    bool behind = false, result;
    uint32_t slot = slot_of_value(m, value, &behind);
    *hands = true;
    if (slot == CFLR_NO_VERTEX) return CFLR_OK; /* it is not known */
    for (size_t i = 0; i < labels->n; i++) {
        uint64_t here;
        cflr_graph_row(m->found->graph, labels->at[i], CFLR_IN, slot, &here);
        uint32_t handed = here ? content_of_slot(m, site->value, labels->at[i]) : CFLR_NO_VERTEX;
        if (handed == CFLR_NO_VERTEX) continue;
        *hands = handed == other;
        if (!behind) return CFLR_OK;
        result = strncmp(cflr_graph_label_index(m->found->graph, labels->at[i]), "ret", 3) == 0;
        return result ? cflri_passes_by(m, value, other, handed, hands, error)
                      : cflri_passes_by(m, other, value, handed, hands, error);
    }
    return CFLR_OK;
}

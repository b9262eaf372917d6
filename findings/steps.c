/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: what the steps of a path do.
 *
 * A step is a pair of a symbol. Most are edges, and their label tells what they do; an assignment
 * is known by its ends, which may be a parameter or a result. A step in memory is a pair of
 * contents that may be one place: it names an object that both may be in, and has a route, the
 * flows by which one pointer to it came to be the other:
 *
 *     job->command = c;  ...  system(list->command)
 *
 *     c  -a->  job->command  -M->  list->command  -sink->  system()
 *                                  route: job -a-> list          the pointers of both contents
 */
#include "findings/findings.h"

#include <stdlib.h>
#include <string.h>

cflr_place cflri_vertex_place(const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    return (cflr_place){info.file, info.line, info.column};
}

enum { MOST_RECORDS = 64 }; /* inside one another */

/* ---- objects ---- */

static bool is_object(const cflri_making *m, uint32_t content) {
    return cflri_labels_degree(&m->found->labels, CFLRI_MEANS_ADDRESS, CFLR_OUT, content) > 0;
}

static const uint32_t *pointers_to(const cflri_making *m, uint32_t content, uint64_t *n) {
    return cflri_labels_row(&m->found->labels, CFLRI_MEANS_CONTENT, CFLR_IN, content, n);
}

/* An object is what has an address; other contents are what their pointers may point to. */
static bool may_be(const cflri_making *m, uint32_t content, uint32_t object) {
    uint64_t n;
    if (is_object(m, content)) return content == object;
    const uint32_t *pointer = pointers_to(m, content, &n);
    for (uint64_t i = 0; i < n; i++)
        if (cflr_result_has(m->result, m->points_to, pointer[i], object)) return true;
    return false;
}

/* Finds one of the objects that both vertices may be, which are contents of memory, one that can be
 * written if there is one; CFLR_NO_VERTEX: none is known. False when memory is refused. */
static bool find_common_object(cflri_making *m, uint32_t a, uint32_t b, uint32_t *object) {
    uint64_t n;
    *object = CFLR_NO_VERTEX;
    if (is_object(m, a) || is_object(m, b)) {
        uint32_t known = is_object(m, a) ? a : b, other = known == a ? b : a;
        if (may_be(m, other, known)) *object = known;
        return true;
    }
    if (m->points_to == CFLR_NO_LABEL) return true;
    const uint32_t *pointer = pointers_to(m, a, &n);
    for (uint64_t i = 0; i < n; i++) {
        if (cflr_result_row(m->result, m->points_to, 0, pointer[i], &m->row, NULL) != CFLR_OK)
            return false;
        for (uint64_t k = 0; k < m->row.count; k++) {
            bool constant = m->constants.constant[m->row.target[k]];
            if ((constant && *object != CFLR_NO_VERTEX) || !may_be(m, b, m->row.target[k]))
                continue;
            *object = m->row.target[k];
            if (!constant) return true;
        }
    }
    return true;
}

/* ---- steps ---- */

static cflr_step_kind kind_of_flow(const cflr_findings *found, const cflr_witness_step *pair) {
    const uint8_t *slot = found->slots.of;
    if (slot[pair->target] == CFLRI_SLOT_PARAMETER) return CFLR_STEP_PASSED;
    if (slot[pair->target] == CFLRI_SLOT_RESULT) return CFLR_STEP_RETURNED;
    if (slot[pair->source] == CFLRI_SLOT_RESULT) return CFLR_STEP_RESULT;
    return CFLR_STEP_ASSIGNED;
}

/* Is the target the value of the expression that the source is, such as a null pointer constant or
 * a call that may return one, or the same variable at another place in the order of execution? */
static bool is_its_value(const cflr_vertex_info *from, const cflr_vertex_info *to) {
    bool variable = to->kind == CFLR_VERTEX_VARIABLE || to->kind == CFLR_VERTEX_PARAMETER;
    bool same = variable && from->kind == to->kind && strcmp(from->name, to->name) == 0;
    return (same || to->kind == CFLR_VERTEX_TEMPORARY) && from->line == to->line &&
           from->column == to->column && from->line > 0 && strcmp(from->file, to->file) == 0;
}

/* A call may pass a parameter to itself, which is no such value. */
static cflr_step_kind kind_of_edge(const cflr_findings *found, const cflr_witness_step *pair,
                                   const cflr_vertex_info *to) {
    cflr_vertex_info from;
    cflr_step_kind kind = kind_of_flow(found, pair);
    cflr_graph_vertex(found->graph, pair->source, &from);
    return kind != CFLR_STEP_PASSED && is_its_value(&from, to) ? CFLR_STEP_SILENT : kind;
}

static cflr_step_kind kind_of(const cflr_findings *found, const cflr_witness_step *pair) {
    cflr_vertex_info to;
    bool is_edge = pair->label != CFLR_NO_LABEL;
    if (!is_edge && strcmp(pair->symbol, "M") == 0) return CFLR_STEP_IN_MEMORY;
    cflr_graph_vertex(found->graph, pair->target, &to);
    if (cflri_vertex_is_silent(&to)) return CFLR_STEP_SILENT;
    if (!is_edge) return CFLR_STEP_POINTED_INTO; /* of Spread */
    switch ((cflri_meaning)found->labels.meaning[pair->label]) {
        case CFLRI_MEANS_SINK:
            return CFLR_STEP_ARRIVED;
        case CFLRI_MEANS_SOURCE:
            return CFLR_STEP_BROUGHT;
        case CFLRI_MEANS_TEST:
            return CFLR_STEP_TESTED;
        case CFLRI_MEANS_MEMBER:
            return CFLR_STEP_MEMBER;
        case CFLRI_MEANS_BYTES:
            return CFLR_STEP_FILLED;
        case CFLRI_MEANS_CONTENT:
            return CFLR_STEP_CONTENT;
        default:
            return kind_of_edge(found, pair, &to);
    }
}

static int compare_flows(const void *a, const void *b) {
    const cflr_flow *x = a, *y = b;
    uint64_t p = cflri_pair(x->source, x->target), q = cflri_pair(y->source, y->target);
    return (p > q) - (p < q);
}

/* False when memory is refused. */
static bool fill_step(cflri_making *m, cflr_step *to, const cflr_witness_step *pair) {
    const cflr_findings *found = m->found;
    const cflr_flow key = {.source = pair->source, .target = pair->target};
    const cflr_flow *flow = NULL;
    *to = (cflr_step){.pair = *pair, .kind = kind_of(found, pair), .object = CFLR_NO_VERTEX};
    to->place = cflri_vertex_place(found->graph, pair->target);
    if (to->kind == CFLR_STEP_IN_MEMORY)
        return find_common_object(m, pair->source, pair->target, &to->object);
    if (to->kind != CFLR_STEP_ARRIVED && found->opts.n_flows > 0)
        flow = bsearch(&key, found->opts.flows, found->opts.n_flows, sizeof key, compare_flows);
    if (flow) to->place = flow->place;
    return true;
}

/* What a function of the library does that is called through a pointer is stated at its
 * declaration: a reader gets the place from where it was come to. */
static void move_out_of_library(const cflri_making *m, cflr_step *step, size_t n,
                                cflr_place place) {
    for (size_t i = 0; i < n; i++) {
        bool library = cflri_is_declaration(m, &step[i].place) && step[i].kind != CFLR_STEP_ARRIVED;
        if (library && place.line) step[i].place = place;
        if (!library) place = step[i].place;
    }
}

cflr_step *cflri_steps_make(cflri_making *m, const cflr_witness_step *path, size_t n,
                            const cflr_place *origin) {
    cflr_step *steps = cflri_alloc_array(m->found->context, n, sizeof *steps);
    bool made = steps;
    for (size_t i = 0; made && i < n; i++) made = fill_step(m, &steps[i], &path[i]);
    if (made) {
        move_out_of_library(m, steps, n, *origin);
        return steps;
    }
    cflri_free(m->found->context, steps);
    return NULL;
}

void cflri_finding_free(cflr_context *context, cflr_finding *finding) {
    cflri_steps_free(context, finding->step, finding->n_steps);
    cflri_free(context, finding->further);
}

void cflri_steps_free(cflr_context *context, cflr_step *steps, size_t n) {
    for (size_t i = 0; steps && i < n; i++) cflri_free(context, steps[i].route);
    cflri_free(context, steps);
}

/* ---- why two contents may be one ---- */

static cflr_witness_step *read_path(const cflri_making *m, const cflr_witness *witness,
                                    uint32_t target, size_t *n) {
    *n = cflr_witness_path(witness, target, NULL, 0);
    cflr_witness_step *path = cflri_alloc_array(m->found->context, *n, sizeof *path);
    if (path) cflr_witness_path(witness, target, path, *n);
    return path;
}

cflr_witness_step *cflri_path_read(const cflri_making *m, uint32_t target, size_t *n) {
    return read_path(m, m->witness, target, n);
}

/* A pointer to the content; CFLR_NO_VERTEX: none is known. */
static uint32_t pointer_to(const cflri_making *m, uint32_t content) {
    uint64_t n;
    const uint32_t *pointer =
        cflri_labels_row(&m->found->labels, CFLRI_MEANS_ADDRESS, CFLR_OUT, content, &n);
    if (n == 0) pointer = pointers_to(m, content, &n);
    return n > 0 ? pointer[0] : CFLR_NO_VERTEX;
}

/* One step from the addresses of two members to those of their records, if both are one member. */
static bool leave_member(const cflri_labels *labels, uint32_t *p, uint32_t *q) {
    const cflri_numbers *members = &labels->of[CFLRI_MEANS_MEMBER];
    for (size_t i = 0; i < members->n; i++) {
        uint64_t n_p, n_q;
        uint32_t label = members->at[i];
        const uint32_t *from_p = cflr_graph_row(labels->graph, label, CFLR_IN, *p, &n_p);
        const uint32_t *from_q = cflr_graph_row(labels->graph, label, CFLR_IN, *q, &n_q);
        if (n_p == 0 || n_q == 0 || (from_p[0] == *p && from_q[0] == *q)) continue;
        *p = from_p[0];
        *q = from_q[0];
        return true;
    }
    return false;
}

/* How one pointer came to be the other, if anything flows anywhere: *path has *n steps, to be
 * freed. There may be thousands of findings: what is hard to find is left out. Routes have a search
 * of their own, since they are looked for while paths are read. */
static cflr_status find_route(cflri_making *m, uint32_t from, uint32_t to, cflr_witness_step **path,
                              size_t *n, cflr_error *error) {
    enum { PAIRS_OF_ROUTE = 1 << 16 };
    cflr_status st = CFLR_OK;
    *path = NULL;
    *n = 0;
    if (from == to || from == CFLR_NO_VERTEX || to == CFLR_NO_VERTEX) return CFLR_OK;
    if (!m->router) {
        const cflr_grammar *grammar = m->found->grammar[m->rule->follows_null];
        CFLR_TRY(cflr_witness_new(grammar, m->result, &m->router, error));
        cflr_witness_bound(m->router, PAIRS_OF_ROUTE);
    }
    st = cflr_witness_search(m->router, "Route", "", &from, 1, to, error);
    if (st != CFLR_OK) return st == CFLR_ARGUMENT ? CFLR_OK : st;
    *path = read_path(m, m->router, to, n);
    if (!*path) {
        *n = 0;
        st = cflri_fail_memory(m->found->context, error);
    }
out:
    return st;
}

static cflr_status append_route(cflri_making *m, cflr_step *step, uint32_t from, uint32_t to,
                                cflr_error *error) {
    cflr_context *context = m->found->context;
    cflr_witness_step *path;
    size_t n;
    cflr_status st = find_route(m, from, to, &path, &n, error);
    if (n == 0) goto out;
    cflr_step *grown = cflri_realloc(context, step->route, (step->n_route + n) * sizeof *grown);
    if (!grown) CFLR_TRY(cflri_fail_memory(context, error));
    step->route = grown;
    for (size_t i = 0; i < n; i++) fill_step(m, &grown[step->n_route++], &path[i]);
out:
    cflri_free(context, path);
    return st;
}

/* The pointers of both contents; where these are members, of the records. */
static void pointers_of(const cflri_making *m, uint32_t a, uint32_t b, uint32_t *p, uint32_t *q) {
    *p = pointer_to(m, a);
    *q = pointer_to(m, b);
    if (*p == CFLR_NO_VERTEX || *q == CFLR_NO_VERTEX) return;
    for (int i = 0; i < MOST_RECORDS && leave_member(&m->found->labels, p, q); i++) continue;
}

/* One pointer came from the other, or both from the address of an object. */
static cflr_status add_route(cflri_making *m, cflr_step *step, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t p, q;
    pointers_of(m, step->pair.source, step->pair.target, &p, &q);
    if (p == CFLR_NO_VERTEX || q == CFLR_NO_VERTEX) return CFLR_OK;
    CFLR_TRY(append_route(m, step, p, q, error));
    if (step->n_route > 0 || step->object == CFLR_NO_VERTEX) goto out;
    uint32_t address = pointer_to(m, step->object);
    CFLR_TRY(append_route(m, step, address, p, error));
    CFLR_TRY(append_route(m, step, address, q, error));
out:
    move_out_of_library(m, step->route, step->n_route, step->place);
    return st;
}

enum { NO_ROUTE = 1000 /* longer than any */ };

/* Of a step in memory. */
static cflr_status route_length(cflri_making *m, const cflr_witness_step *pair, size_t *length,
                                cflr_error *error) {
    cflr_witness_step *route;
    uint32_t p, q;
    pointers_of(m, pair->source, pair->target, &p, &q);
    cflr_status st = find_route(m, p, q, &route, length, error);
    cflri_free(m->found->context, route);
    if (*length == 0 && p != q) *length = NO_ROUTE;
    return st;
}

cflr_status cflri_detour(cflri_making *m, const cflr_witness_step *path, size_t n, size_t *detour,
                         cflr_error *error) {
    cflr_status st = CFLR_OK;
    *detour = 0;
    for (size_t i = 0; i < n; i++) {
        size_t length;
        if (path[i].label != CFLR_NO_LABEL || strcmp(path[i].symbol, "M") != 0) continue;
        CFLR_TRY(route_length(m, &path[i], &length, error));
        *detour += length;
    }
out:
    return st;
}

cflr_status cflri_detour_of(cflri_making *m, const cflr_finding *f, size_t *detour,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_witness_step *path = cflri_alloc_array(m->found->context, f->n_steps, sizeof *path);
    if (!path) return cflri_fail_memory(m->found->context, error);
    for (size_t i = 0; i < f->n_steps; i++) path[i] = f->step[i].pair;
    st = cflri_detour(m, path, f->n_steps, detour, error);
    cflri_free(m->found->context, path);
    return st;
}

/* "static:environ_text", which is the one object that the pointer may point to. */
static bool is_into_library(cflri_making *m, uint32_t pointer) {
    cflr_vertex_info info;
    if (m->points_to == CFLR_NO_LABEL || pointer == CFLR_NO_VERTEX ||
        cflr_result_count(m->result, m->points_to, 0, pointer) != 1 ||
        cflr_result_row(m->result, m->points_to, 0, pointer, &m->row, NULL) != CFLR_OK)
        return false;
    cflr_graph_vertex(m->found->graph, m->row.target[0], &info);
    return info.line == 0 && strncmp(info.name, "static:", 7) == 0;
}

cflr_status cflri_strays(cflri_making *m, const cflr_witness_step *path, size_t n, bool *stray,
                         cflr_error *error) {
    cflr_status st = CFLR_OK;
    *stray = false;
    for (size_t i = 0; i < n && !*stray; i++) {
        size_t length;
        bool content = path[i].label == CFLR_NO_LABEL && strcmp(path[i].symbol, "M") == 0;
        if (!content || !is_into_library(m, pointer_to(m, path[i].source))) continue;
        CFLR_TRY(route_length(m, &path[i], &length, error));
        *stray = length == NO_ROUTE;
    }
out:
    return st;
}

cflr_status cflri_passes_by(cflri_making *m, uint32_t from, uint32_t to, uint32_t vertex, bool *by,
                            cflr_error *error) {
    cflr_witness_step *route;
    size_t n;
    cflr_status st = find_route(m, pointer_to(m, from), pointer_to(m, to), &route, &n, error);
    *by = n == 0;
    for (size_t i = 0; i < n && !*by; i++)
        *by = route[i].source == vertex || route[i].target == vertex;
    cflri_free(m->found->context, route);
    return st;
}

cflr_status cflri_routes_add(cflri_making *m, size_t first, cflr_error *error) {
    cflr_findings *found = m->found;
    cflr_status st = CFLR_OK;
    for (size_t i = first; i < found->list.n; i++) {
        cflr_finding *f = &found->list.at[i];
        bool wanted = found->opts.all_routes || f->likely;
        for (size_t k = 0; wanted && k < f->n_steps; k++)
            if (f->step[k].kind == CFLR_STEP_IN_MEMORY) CFLR_TRY(add_route(m, &f->step[k], error));
    }
out:
    return st;
}

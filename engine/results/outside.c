/* SPDX-License-Identifier: Apache-2.0
 *
 * outside.c: what code outside of an open program may do, read off the closure.
 *
 * The outside is one vertex o. No alias goes through it in the closure; two rows and a column of
 * the points-to relation tell what it does (grammars/pointer-fs.cfg):
 *
 *     PT(p,o)     o may give p its value
 *     PT(o,x)     o may know the address of x
 *
 * What o gives points to its own memory, or to any x that it knows. So two pointers may alias
 * through o when o may give one of them, and the other may point to what o knows, or to o. Each
 * answer costs the rows of its two vertices and a logarithm.
 *
 * Which side is to blame? Values of o enter the program at targets of its edges. When the given
 * pointers may hold only what enters by caller edges, it is the caller. A value that is read from
 * memory of the outside enters nowhere: if there are functions without model, these may have put it
 * there.
 *
 * In a closed program each function or variable without model is a vertex u of its own, PT(p,u)
 * says that its value may be that of p, and PT(u,x) that it knows x. That two of them are apart is
 * not known: here they are one, as the outside is. A value that is not followed is a vertex l: with
 * PT(p,l) the value of p may be any pointer of the program.
 */
#include <string.h>

#include "base/vec.h"
#include "engine/results/result.h"

typedef struct outside {
    const cflr_result *result;
    uint32_t alias, points_to; /* labels; CFLR_NO_LABEL */
    uint32_t vertex;           /* CFLR_NO_VERTEX in a closed program */
    cflri_failure *failure;    /* of look-ups */
} outside;

static uint32_t answering(const cflr_result *result, const char *question) {
    const char *name = cflr_result_answer(result, question);
    return name[0] ? cflr_result_find_label(result, name) : CFLR_NO_LABEL;
}

static outside outside_of(const cflr_result *result, cflri_failure *failure) {
    failure->st = CFLR_OK;
    return (outside){.result = result,
                     .alias = answering(result, "alias"),
                     .points_to = answering(result, "points-to"),
                     .vertex = cflr_graph_outside(cflr_result_graph(result)),
                     .failure = failure};
}

static bool points_to(const outside *o, uint32_t from, uint32_t to) {
    return cflri_result_has(o->result, o->points_to, from, to, o->failure);
}

static bool may_give(const outside *o, uint32_t pointer) {
    return points_to(o, pointer, o->vertex);
}

/* Do the two point to one object? */
static bool meet(const outside *o, uint32_t p, uint32_t q) {
    if (o->points_to == CFLR_NO_LABEL) return false;
    const cflri_result_label *label = &o->result->label[o->points_to];
    const cflri_relation *relation = &o->result->instance[label->first_instance];
    for (uint32_t i = 0; i < label->n_instances; i++)
        for (uint32_t k = 0; k < label->n_instances; k++)
            if (cflri_relations_meet(&relation[i], p, &relation[k], q, o->failure)) return true;
    return false;
}

/* May `pointer` point to what the outside can point to: the outside, or what it may know? */
static bool may_reach(const outside *o, uint32_t pointer) {
    return points_to(o, pointer, o->vertex) || meet(o, pointer, o->vertex);
}

/* ---- what is not known ---- */

static cflr_vertex_kind kind_of(const outside *o, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(cflr_result_graph(o->result), vertex, &info);
    return info.kind;
}

/* A result may hold aliases only. What is not known is its own address, so that all that points to
 * it is an alias of it; and so is what is stored there. */
static bool holds(const outside *o, uint32_t pointer, uint32_t unknown) {
    if (o->points_to != CFLR_NO_LABEL) return points_to(o, pointer, unknown);
    return o->alias != CFLR_NO_LABEL &&
           cflri_result_has(o->result, o->alias, pointer, unknown, o->failure);
}

/* The first vertex of what is not known, of that kind, that `pointer` may point to, or
 * CFLR_NO_VERTEX. */
static uint32_t first_unknown(const outside *o, uint32_t pointer, cflr_vertex_kind kind) {
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(cflr_result_graph(o->result), &n);
    for (size_t i = 0; i < n; i++)
        if (kind_of(o, unknown[i]) == kind && holds(o, pointer, unknown[i])) return unknown[i];
    return CFLR_NO_VERTEX;
}

/* May code without model know an object that `pointer` points to? */
static bool is_told(const outside *o, uint32_t pointer) {
    size_t n;
    const uint32_t *unknown = cflr_graph_unknowns(cflr_result_graph(o->result), &n);
    for (size_t i = 0; i < n; i++)
        if (kind_of(o, unknown[i]) == CFLR_VERTEX_UNKNOWN && meet(o, unknown[i], pointer))
            return true;
    return false;
}

/* Does code without model give p, and know what q points to? */
static bool meet_in_unknown(const outside *o, uint32_t p, uint32_t q) {
    return o->points_to != CFLR_NO_LABEL &&
           first_unknown(o, p, CFLR_VERTEX_UNKNOWN) != CFLR_NO_VERTEX && is_told(o, q);
}

/* ---- where values of the outside enter ---- */

enum { NEAR = 256 };

/* How far a search has come among the edges of the outside. */
typedef struct entry_search {
    uint32_t label;
    uint64_t at; /* in the row of the label */
    uint32_t n_near;
    uint32_t near[NEAR]; /* values that come to the pointer by assignments, itself first */
} entry_search;

static bool is_near(const entry_search *s, uint32_t vertex) {
    for (uint32_t i = 0; i < s->n_near; i++)
        if (s->near[i] == vertex) return true;
    return false;
}

/* With `steps` also to another place of the same object. */
static bool is_flow(const char *label, bool steps) {
    static const char *const flows[] = {"a", "nonnull", "call", "ret", "f", "any"};
    size_t n = steps ? 6 : 4;
    for (size_t i = 0; i < n; i++)
        if (strcmp(label, flows[i]) == 0) return true;
    return false;
}

/* Where aliases are vertices that are addresses of one place, what comes from outside is the
 * address of none. Then the nearest values that come to the pointer are looked at instead. */
static void find_near(const outside *o, uint32_t pointer, bool steps, entry_search *s) {
    const cflr_graph *graph = cflr_result_graph(o->result);
    *s = (entry_search){.n_near = 1, .near = {pointer}};
    if (cflri_result_meeting(o->result, o->alias) == CFLR_NO_LABEL) return;
    for (uint32_t done = 0; done < s->n_near; done++) {
        for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
            uint64_t n;
            if (!is_flow(cflr_graph_label_name(graph, label), steps)) continue;
            const uint32_t *from = cflr_graph_row(graph, label, CFLR_IN, s->near[done], &n);
            for (uint64_t i = 0; i < n && s->n_near < NEAR; i++)
                if (!is_near(s, from[i])) s->near[s->n_near++] = from[i];
        }
    }
}

/* The next target of an edge called `name` that is an alias of `pointer`, or CFLR_NO_VERTEX. */
static uint32_t next_entry(const outside *o, const char *name, uint32_t pointer, entry_search *s) {
    const cflr_graph *graph = cflr_result_graph(o->result);
    for (; s->label < cflr_graph_labels(graph); s->label++, s->at = 0) {
        uint64_t n;
        if (strcmp(cflr_graph_label_name(graph, s->label), name) != 0) continue;
        const uint32_t *entry = cflr_graph_row(graph, s->label, CFLR_OUT, o->vertex, &n);
        while (s->at < n) {
            uint32_t found = entry[s->at++];
            if (is_near(s, found) ||
                cflri_result_has(o->result, o->alias, pointer, found, o->failure))
                return found;
        }
    }
    return CFLR_NO_VERTEX;
}

static bool has_place(const outside *o, uint32_t pointer) {
    uint32_t place = cflri_result_meeting(o->result, o->alias);
    cflr_result_label info;
    cflr_result_get_label(o->result, place, &info);
    return info.indexes && cflr_result_count(o->result, place, 0, pointer);
}

/* Is one assigned to the other, where no place is known that one is the address of? In a graph of
 * locations. */
static bool is_copy(const outside *o, uint32_t p, uint32_t q) {
    entry_search search;
    const cflr_graph *graph = cflr_result_graph(o->result);
    if (cflri_result_meeting(o->result, o->alias) == CFLR_NO_LABEL) return false;
    if (cflr_graph_find_label(graph, "address", NULL) == CFLR_NO_LABEL) return false;
    if (has_place(o, p) && has_place(o, q)) return false;
    find_near(o, p, false, &search);
    if (is_near(&search, q)) return true;
    find_near(o, q, false, &search);
    return is_near(&search, p);
}

static bool enters(const outside *o, const char *name, uint32_t pointer) {
    entry_search search;
    find_near(o, pointer, true, &search);
    return next_entry(o, name, pointer, &search) != CFLR_NO_VERTEX;
}

static bool has_unknown_code(const outside *o) {
    const cflr_graph *graph = cflr_result_graph(o->result);
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++)
        if (strcmp(cflr_graph_label_name(graph, label), "unknown") == 0) return true;
    return false;
}

static bool is_unknown(const outside *o, uint32_t pointer) {
    return enters(o, "unknown", pointer) || (!enters(o, "caller", pointer) && has_unknown_code(o));
}

/* ---- the questions ---- */

static cflr_through given(const outside *o, uint32_t pointer) {
    bool known = o->vertex != CFLR_NO_VERTEX && o->points_to != CFLR_NO_LABEL;
    if (!known || pointer == o->vertex || !may_give(o, pointer)) return CFLR_THROUGH_NOTHING;
    return is_unknown(o, pointer) ? CFLR_THROUGH_UNKNOWN : CFLR_THROUGH_CALLER;
}

cflr_through cflr_result_given(const cflr_result *result, uint32_t pointer) {
    cflri_failure failure;
    const outside o = outside_of(result, &failure);
    cflr_through through = given(&o, pointer);
    cflri_result_note(result, &failure);
    return through;
}

static cflr_through through_outside(const outside *o, uint32_t p, uint32_t q) {
    if (o->vertex == CFLR_NO_VERTEX || o->points_to == CFLR_NO_LABEL) return CFLR_THROUGH_NOTHING;
    bool by_p = may_give(o, p) && may_reach(o, q), by_q = may_give(o, q) && may_reach(o, p);
    if (!by_p && !by_q) return CFLR_THROUGH_NOTHING;
    bool unknown = (by_p && is_unknown(o, p)) || (by_q && is_unknown(o, q));
    return unknown ? CFLR_THROUGH_UNKNOWN : CFLR_THROUGH_CALLER;
}

static cflr_through alias(const outside *o, uint32_t p, uint32_t q) {
    bool known = o->alias != CFLR_NO_LABEL;
    if (known && (cflri_result_has(o->result, o->alias, p, q, o->failure) || is_copy(o, p, q)))
        return CFLR_THROUGH_PROGRAM;
    cflr_through through = through_outside(o, p, q);
    if (through != CFLR_THROUGH_NOTHING) return through;
    if (meet_in_unknown(o, p, q) || meet_in_unknown(o, q, p)) return CFLR_THROUGH_UNKNOWN;
    bool lost = first_unknown(o, p, CFLR_VERTEX_LOST) != CFLR_NO_VERTEX ||
                first_unknown(o, q, CFLR_VERTEX_LOST) != CFLR_NO_VERTEX;
    return lost ? CFLR_THROUGH_LOST : CFLR_THROUGH_NOTHING;
}

static bool covers_row(const outside *o, uint32_t vertex) {
    return cflr_result_covers(o->result, vertex, CFLR_NO_VERTEX);
}

/* Does the result tell what code outside may do, and what values are that are not followed? */
static bool covers_outside(const outside *o, const uint32_t *unknowns, size_t n) {
    if (o->points_to == CFLR_NO_LABEL) return false;
    if (o->vertex != CFLR_NO_VERTEX && !covers_row(o, o->vertex)) return false;
    for (size_t i = 0; i < n; i++)
        if (!covers_row(o, unknowns[i])) return false;
    return true;
}

/* Does the result have all that a no about the two needs? Where their rows matter, both rows. */
static bool denies(const outside *o, uint32_t p, uint32_t q) {
    size_t n;
    const uint32_t *unknowns = cflr_graph_unknowns(cflr_result_graph(o->result), &n);
    bool has_outside = o->vertex != CFLR_NO_VERTEX || n > 0;
    if (o->alias == CFLR_NO_LABEL || !cflr_result_complete(o->result)) return false;
    if (!has_outside && cflri_result_meeting(o->result, o->alias) == CFLR_NO_LABEL)
        return cflr_result_covers(o->result, p, q);
    if (!covers_row(o, p) || !covers_row(o, q)) return false;
    return !has_outside || covers_outside(o, unknowns, n);
}

cflr_through cflr_result_alias(const cflr_result *result, uint32_t p, uint32_t q) {
    cflri_failure failure;
    const outside o = outside_of(result, &failure);
    cflr_through through = alias(&o, p, q);
    if (through == CFLR_THROUGH_NOTHING && !denies(&o, p, q)) through = CFLR_THROUGH_UNANSWERED;
    cflri_result_note(result, &failure);
    return through;
}

uint32_t cflr_result_lost(const cflr_result *result, uint32_t pointer) {
    cflri_failure failure;
    const outside o = outside_of(result, &failure);
    uint32_t lost = first_unknown(&o, pointer, CFLR_VERTEX_LOST);
    cflri_result_note(result, &failure);
    return lost;
}

cflr_status cflr_result_entries(const cflr_result *result, uint32_t pointer,
                                cflr_vertex_list *entries, cflr_error *error) {
    static const char *const names[] = {"caller", "unknown"};
    cflri_failure failure;
    const outside o = outside_of(result, &failure);
    cflri_numbers found = {0};
    bool known = o.vertex != CFLR_NO_VERTEX && o.alias != CFLR_NO_LABEL;
    for (int i = 0; i < 2 && known; i++) {
        entry_search search;
        uint32_t entry;
        find_near(&o, pointer, true, &search);
        while ((entry = next_entry(&o, names[i], pointer, &search)) != CFLR_NO_VERTEX) {
            if (cflri_vec_push(result->context, &found, entry)) continue;
            cflri_vec_free(result->context, &found);
            *entries = (cflr_vertex_list){0};
            return cflri_fail_memory(result->context, error);
        }
    }
    if (failure.st != CFLR_OK) cflri_vec_free(result->context, &found);
    *entries = (cflr_vertex_list){found.at, found.n};
    return cflri_tell_failure(&failure, error);
}

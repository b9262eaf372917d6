/* SPDX-License-Identifier: Apache-2.0
 *
 * change.c: a graph of C with parts of it changed (cflr/change.h).
 *
 * The edges are copied one by one, but for those that a change takes away:
 *
 *     CUT      u -any label-> v, where one of them is cut
 *     EMPTY    u -a-> v, and all other labels by which v gets a value; (x) -changes-> t
 *     FRESH    the same, and in their place     x -alloc-> &x -a-> v
 *     APART    u -a-> v, where both are to be apart
 *     STILL    v -any label-> v
 *
 * Where memory is locations, the new object x is one that holds anything, and its parts are not
 * told apart:
 *
 *     &x -address-> (x)      (x) -in-> &x      (x) -whole-> (x)
 *     (x) -is-> t            (x) -changes-> anything
 *
 * with a new type t that all types fit. O(E log labels).
 */
#include "cflr/change.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/graph/graph.h"

typedef struct changing {
    const cflr_graph *graph;
    const uint8_t *change;
    cflr_graph_builder *builder;
    uint32_t n;       /* vertices so far */
    uint32_t any;     /* a type that all types fit; CFLR_NO_VERTEX: not made yet, or no types */
    uint32_t changes; /* the type that says that a location may change, or CFLR_NO_VERTEX */
    cflr_error *error;
} changing;

/* ---- what remains ---- */

static bool is_one_of(const char *name, const char *const *list) {
    for (; *list; list++)
        if (strcmp(name, *list) == 0) return true;
    return false;
}

/* By such a label a vertex gets a value from another one. */
static bool assigns(const char *name) {
    static const char *const assigned[] = {"a", "nonnull", "call", "ret", NULL};
    return is_one_of(name, assigned);
}

/* By such a label it gets a value. */
static bool gives(const char *name) {
    static const char *const given[] = {"alloc", "caller", "unknown", NULL};
    return assigns(name) || is_one_of(name, given);
}

static bool remains(const changing *c, const char *label, uint32_t from, uint32_t to) {
    uint8_t at = c->change[from], end = c->change[to];
    if (at == CFLR_CHANGE_CUT || end == CFLR_CHANGE_CUT) return false;
    if (at == CFLR_CHANGE_STILL && from == to) return false;
    if (at == CFLR_CHANGE_EMPTY && strcmp(label, "changes") == 0) return false;
    if (end == CFLR_CHANGE_EMPTY || end == CFLR_CHANGE_FRESH) return !gives(label);
    return end != CFLR_CHANGE_APART || at != CFLR_CHANGE_APART || !assigns(label);
}

static cflr_status copy_label(const changing *c, uint32_t label) {
    cflr_status st = CFLR_OK;
    const char *name = cflr_graph_label_name(c->graph, label);
    const char *index = cflr_graph_label_index(c->graph, label);
    uint64_t cursor = 0, count;
    uint32_t from, number;
    const uint32_t *row;
    CFLR_TRY(
        cflr_graph_builder_label(c->builder, name, index[0] ? index : NULL, &number, c->error));
    while ((row = cflr_graph_next_row(c->graph, label, CFLR_OUT, &cursor, &from, &count)))
        for (uint64_t k = 0; k < count; k++)
            if (remains(c, name, from, row[k]))
                CFLR_TRY(cflr_graph_builder_edge(c->builder, from, row[k], number, c->error));
out:
    return st;
}

/* ---- what is new ---- */

static bool has_label(const changing *c, const char *name) {
    return cflr_graph_find_label(c->graph, name, NULL) != CFLR_NO_LABEL;
}

static cflr_status edge(const changing *c, uint32_t from, uint32_t to, const char *label) {
    uint32_t number;
    cflr_status st = cflr_graph_builder_label(c->builder, label, NULL, &number, c->error);
    return st == CFLR_OK ? cflr_graph_builder_edge(c->builder, from, to, number, c->error) : st;
}

static cflr_status make_type(changing *c) {
    cflr_status st = CFLR_OK;
    uint32_t fits = cflr_graph_find_label(c->graph, "fits", NULL), type;
    uint64_t cursor = 0, count;
    if (fits == CFLR_NO_LABEL || c->any != CFLR_NO_VERTEX) return CFLR_OK;
    c->any = c->n++;
    while (cflr_graph_next_row(c->graph, fits, CFLR_OUT, &cursor, &type, &count))
        CFLR_TRY(edge(c, type, c->any, "fits"));
out:
    return st;
}

static cflr_status make_location(changing *c, uint32_t address) {
    cflr_status st = CFLR_OK;
    uint32_t location = c->n++;
    CFLR_TRY(edge(c, address, location, "address"));
    CFLR_TRY(edge(c, location, address, "in"));
    CFLR_TRY(edge(c, location, location, "whole"));
    CFLR_TRY(make_type(c));
    if (c->any != CFLR_NO_VERTEX) CFLR_TRY(edge(c, location, c->any, "is"));
    if (c->changes != CFLR_NO_VERTEX) CFLR_TRY(edge(c, location, c->changes, "changes"));
out:
    return st;
}

static cflr_status make_object(changing *c, uint32_t holder) {
    cflr_status st = CFLR_OK;
    uint32_t object = c->n++, address = c->n++;
    CFLR_TRY(edge(c, object, address, "alloc"));
    CFLR_TRY(edge(c, address, holder, "a"));
    if (has_label(c, "d")) CFLR_TRY(edge(c, address, object, "d"));
    if (has_label(c, "address")) CFLR_TRY(make_location(c, address));
out:
    return st;
}

/* The first type to which a location may change: there is one. */
static uint32_t find_changes(const cflr_graph *graph) {
    uint32_t changes = cflr_graph_find_label(graph, "changes", NULL), location;
    uint64_t cursor = 0, count;
    if (changes == CFLR_NO_LABEL) return CFLR_NO_VERTEX;
    const uint32_t *row = cflr_graph_next_row(graph, changes, CFLR_OUT, &cursor, &location, &count);
    return row ? row[0] : CFLR_NO_VERTEX;
}

cflr_status cflr_graph_change(const cflr_graph *graph, const uint8_t *change, cflr_graph **changed,
                              cflr_error *error) {
    cflr_status st = CFLR_OK;
    changing c = {.graph = graph,
                  .change = change,
                  .n = graph->n_vertices,
                  .any = CFLR_NO_VERTEX,
                  .changes = find_changes(graph),
                  .error = error};
    const cflr_vertex_info nameless = {0};
    uint32_t made;
    *changed = NULL;
    CFLR_TRY(cflr_graph_builder_new(graph->context, &c.builder, error));
    for (uint32_t v = 0; v < graph->n_vertices; v++)
        CFLR_TRY(cflr_graph_builder_vertex(c.builder, &nameless, &made, error));
    for (uint32_t label = 0; label < graph->n_labels; label++) CFLR_TRY(copy_label(&c, label));
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        assert(change[v] < CFLR_CHANGES);
        if (change[v] == CFLR_CHANGE_FRESH) CFLR_TRY(make_object(&c, v));
    }
    st = cflr_graph_builder_freeze(c.builder, changed, error);
    c.builder = NULL;
out:
    cflr_graph_builder_free(c.builder);
    return st;
}

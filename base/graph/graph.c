/* SPDX-License-Identifier: Apache-2.0
 *
 * graph.c: the frozen graph: completing, reading, freeing.
 */
#include "base/graph/graph.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/files/container.h"
#include "base/sized.h"

const char *cflr_vertex_kind_name(cflr_vertex_kind kind) {
    switch (kind) {
#define CASE(name, number, text) \
    case CFLR_VERTEX_##name:     \
        return text;
        CFLR_VERTEX_KIND_LIST(CASE)
#undef CASE
    }
    return NULL;
}

/* ---- names of labels ---- */

static const char *text_fault(const char *text) {
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte <= ' ' || byte == 0x7f) return "holds white space or a control character";
        if (byte == '[' || byte == ']') return "holds a bracket; an index is given apart";
    }
    return NULL;
}

const char *cflri_label_name_fault(const char *name) {
    if (!*name) return "is empty";
    if (*name == '~') return "is a converse; add the edge the other way round instead";
    return text_fault(name);
}

const char *cflri_label_index_fault(const char *index) {
    return text_fault(index);
}

/* ---- life ---- */

cflr_status cflri_graph_new(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    *graph = NULL;
    cflr_graph *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    cflr_status st = cflri_strings_init(&made->strings, context, error);
    if (st != CFLR_OK) {
        cflri_free(context, made);
        return st;
    }
    *graph = made;
    return CFLR_OK;
}

static void free_relations(cflr_graph *graph, cflri_relation *relations) {
    if (!relations) return;
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        cflri_relation_free(graph->context, &relations[l]);
    }
    cflri_free(graph->context, relations);
}

static void free_attached(cflr_graph *graph) {
    for (size_t i = 0; i < graph->attached.n; i++) {
        cflri_section *section = graph->attached.at[i];
        cflri_free(graph->context, (void *)(uintptr_t)section->packed); /* ours */
        cflri_free(graph->context, section);
    }
    cflri_vec_free(graph->context, &graph->attached);
}

void cflr_graph_free(cflr_graph *graph) {
    if (!graph) return;
    cflr_context *context = graph->context;
    if (graph->shared) {
        cflri_free(context, graph);
        return;
    }
    free_relations(graph, graph->out);
    free_relations(graph, graph->in);
    cflri_seen_free(context, &graph->label_table);
    cflri_free(context, graph->label);
    cflri_free(context, graph->source);
    cflri_free(context, graph->mention);
    cflri_vec_free(context, &graph->unknowns);
    cflri_calls_free(context, &graph->calls);
    free_attached(graph);
    cflri_strings_free(&graph->strings);
    cflri_free(context, graph);
}

cflr_status cflr_graph_share(cflr_context *context, const cflr_graph *graph, cflr_graph **shared,
                             cflr_error *error) {
    *shared = cflri_alloc(context, sizeof **shared);
    if (!*shared) return cflri_fail_memory(context, error);
    **shared = *graph;
    (*shared)->context = context;
    (*shared)->shared = true;
    return CFLR_OK;
}

uint64_t cflri_graph_bytes(const cflr_graph *graph) {
    if (graph->shared) return cflri_block_bytes(graph);
    uint64_t bytes =
        cflri_block_bytes(graph) + cflri_block_bytes(graph->out) + cflri_block_bytes(graph->in) +
        cflri_block_bytes(graph->label_table.slot) + cflri_block_bytes(graph->label) +
        cflri_block_bytes(graph->source) + cflri_block_bytes(graph->mention) +
        cflri_block_bytes(graph->unknowns.at) + cflri_block_bytes(graph->calls.functions.at) +
        cflri_block_bytes(graph->calls.calls.at) + cflri_block_bytes(graph->calls.values.at) +
        cflri_strings_bytes(&graph->strings);
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        if (graph->out) bytes += cflri_relation_bytes(&graph->out[l]);
        if (graph->in) bytes += cflri_relation_bytes(&graph->in[l]);
    }
    return bytes;
}

static cflr_status complete_labels(cflr_graph *graph, cflr_error *error) {
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        cflri_label label = graph->label[l];
        if (!cflri_graph_has_string(graph, label.name) ||
            !cflri_graph_has_string(graph, label.index)) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "label %u has no name", l);
        }
        if (cflri_label_find(&graph->label_table, graph->label, label) != CFLR_NO_LABEL) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "label %u is there twice", l);
        }
        if (!cflri_label_add(graph->context, &graph->label_table, graph->label, l)) {
            return cflri_fail_memory(graph->context, error);
        }
    }
    return CFLR_OK;
}

static cflr_status complete_relations(cflr_graph *graph, cflr_error *error) {
    graph->in = cflri_alloc_array_zero(graph->context, graph->n_labels, sizeof *graph->in);
    if (!graph->in) return cflri_fail_memory(graph->context, error);
    for (uint32_t l = 0; l < graph->n_labels; l++) {
        cflr_status st = cflri_tick(graph->context, "load", l, graph->n_labels);
        if (st != CFLR_OK) return cflri_fail_interrupted(graph->context, st, error);
        if (!cflri_relation_valid(&graph->out[l], graph->n_vertices)) {
            return cflri_fail(error, CFLR_FORMAT, NULL, "the edges of label %u are damaged", l);
        }
        st = cflri_relation_reverse_in_time(graph->context, &graph->out[l], &graph->in[l], error);
        if (st != CFLR_OK) return st;
        graph->n_edges += graph->out[l].n_pairs;
    }
    return CFLR_OK;
}

static bool tells_a_place(const cflri_source *s) {
    return s->kind || s->type || s->function || s->file || s->context || s->line || s->column;
}

/* An unknown vertex is both an object and its address: `alloc` leads from it to itself. */
static cflr_status complete_unknowns(cflr_graph *graph, cflr_error *error) {
    uint32_t label = cflr_graph_find_label(graph, "alloc", NULL), vertex;
    uint64_t cursor = 0, count;
    while (graph->source && label != CFLR_NO_LABEL &&
           cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &vertex, &count)) {
        uint32_t kind = graph->source[vertex].kind;
        bool unknown = (kind == CFLR_VERTEX_UNKNOWN || kind == CFLR_VERTEX_LOST) &&
                       cflri_relation_has(&graph->out[label], vertex, vertex, NULL);
        if (unknown && !cflri_vec_push(graph->context, &graph->unknowns, vertex))
            return cflri_fail_memory(graph->context, error);
    }
    return CFLR_OK;
}

cflr_status cflri_graph_complete(cflr_graph *graph, cflr_error *error) {
    assert(!graph->in && !graph->label_table.n_slots && !graph->n_edges);
    cflr_status st = complete_labels(graph, error);
    if (st == CFLR_OK) st = complete_relations(graph, error);
    if (st == CFLR_OK) st = complete_unknowns(graph, error);
    if (st != CFLR_OK) return st;
    for (uint32_t v = 0; graph->source && v < graph->n_vertices && !graph->has_sources; v++) {
        graph->has_sources = tells_a_place(&graph->source[v]);
    }
    return CFLR_OK;
}

/* ---- reading ---- */

uint32_t cflr_graph_vertices(const cflr_graph *graph) {
    return graph->n_vertices;
}

uint32_t cflr_graph_labels(const cflr_graph *graph) {
    return graph->n_labels;
}

uint64_t cflr_graph_edges(const cflr_graph *graph) {
    return graph->n_edges;
}

/* The end of the label's edges that is always the outside; CFLR_NO_VERTEX: not such a label. */
static uint32_t outside_end(const cflr_graph *graph, uint32_t label) {
    const char *name = cflr_graph_label_name(graph, label);
    bool in = strcmp(name, "escapes") == 0;
    uint64_t cursor = 0, count;
    uint32_t vertex;
    if (!in && strcmp(name, "caller") != 0 && strcmp(name, "unknown") != 0) return CFLR_NO_VERTEX;
    const uint32_t *row =
        cflr_graph_next_row(graph, label, in ? CFLR_IN : CFLR_OUT, &cursor, &vertex, &count);
    return row ? vertex : CFLR_NO_VERTEX;
}

uint32_t cflr_graph_outside(const cflr_graph *graph) {
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        cflr_vertex_info info;
        uint32_t vertex = outside_end(graph, label);
        if (vertex == CFLR_NO_VERTEX) continue;
        cflr_graph_vertex(graph, vertex, &info);
        /* a graph of another make may have labels of these names */
        bool known = info.kind == CFLR_VERTEX_OUTSIDE || !cflr_graph_has_sources(graph);
        return known ? vertex : CFLR_NO_VERTEX;
    }
    return CFLR_NO_VERTEX;
}

const uint32_t *cflr_graph_unknowns(const cflr_graph *graph, size_t *n) {
    *n = graph->unknowns.n;
    return graph->unknowns.at;
}

void cflr_graph_get_rows_sized(const cflr_graph *graph, uint32_t label, cflr_direction direction,
                               cflr_graph_rows *rows, size_t struct_size) {
    assert(label < graph->n_labels);
    const cflri_relation *edges = direction == CFLR_IN ? &graph->in[label] : &graph->out[label];
    const cflr_graph_rows known = {edges->n_rows, edges->row, edges->start, edges->target};
    CFLRI_GIVE(rows, struct_size, known);
}

bool cflr_graph_has_sources(const cflr_graph *graph) {
    return graph->has_sources;
}

const char *cflr_graph_label_name(const cflr_graph *graph, uint32_t label) {
    assert(label < graph->n_labels);
    return cflri_string(&graph->strings, graph->label[label].name);
}

const char *cflr_graph_label_index(const cflr_graph *graph, uint32_t label) {
    assert(label < graph->n_labels);
    return cflri_string(&graph->strings, graph->label[label].index);
}

uint64_t cflr_graph_label_edges(const cflr_graph *graph, uint32_t label) {
    assert(label < graph->n_labels);
    return graph->out[label].n_pairs;
}

uint32_t cflr_graph_find_label(const cflr_graph *graph, const char *name, const char *index) {
    if (!index) index = "";
    cflri_label key = {cflri_strings_find(&graph->strings, name, strlen(name)),
                       cflri_strings_find(&graph->strings, index, strlen(index))};
    if (key.name == CFLRI_NO_STRING || key.index == CFLRI_NO_STRING) return CFLR_NO_LABEL;
    return cflri_label_find(&graph->label_table, graph->label, key);
}

static const cflri_relation *relation_of(const cflr_graph *graph, uint32_t label,
                                         cflr_direction direction) {
    assert(label < graph->n_labels);
    return direction == CFLR_OUT ? &graph->out[label] : &graph->in[label];
}

const uint32_t *cflr_graph_row(const cflr_graph *graph, uint32_t label, cflr_direction direction,
                               uint32_t vertex, uint64_t *count) {
    return cflri_relation_row(relation_of(graph, label, direction), vertex, count);
}

const uint32_t *cflr_graph_next_row(const cflr_graph *graph, uint32_t label,
                                    cflr_direction direction, uint64_t *cursor, uint32_t *vertex,
                                    uint64_t *count) {
    const cflri_relation *relation = relation_of(graph, label, direction);
    if (*cursor >= relation->n_rows) return NULL;
    uint32_t at = (uint32_t)(*cursor)++;
    *vertex = relation->row[at];
    *count = cflri_relation_count(relation, at);
    return cflri_relation_targets(relation, at);
}

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

int cflr_vertex_compare(const cflr_vertex_info *a, const cflr_vertex_info *b) {
    int order = strcmp(a->file, b->file);
    if (!order) order = compare_numbers(a->line, b->line);
    if (!order) order = compare_numbers(a->column, b->column);
    if (!order) order = compare_numbers(a->kind, b->kind);
    if (!order) order = strcmp(a->name, b->name);
    return order ? order : strcmp(a->function, b->function);
}

void cflr_graph_vertex_sized(const cflr_graph *graph, uint32_t vertex, cflr_vertex_info *info,
                             size_t struct_size) {
    assert(vertex < graph->n_vertices);
    cflri_source none = {0};
    const cflri_source *s = graph->source ? &graph->source[vertex] : &none;
    const cflri_strings *strings = &graph->strings;
    const cflr_vertex_info known = {.kind = (cflr_vertex_kind)s->kind,
                                    .line = s->line,
                                    .column = s->column,
                                    .name = cflri_string(strings, s->name),
                                    .type = cflri_string(strings, s->type),
                                    .function = cflri_string(strings, s->function),
                                    .file = cflri_string(strings, s->file),
                                    .context = cflri_string(strings, s->context)};
    CFLRI_GIVE(info, struct_size, known);
}

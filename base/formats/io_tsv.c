/* SPDX-License-Identifier: Apache-2.0
 *
 * io_tsv.c: our own text format.
 *
 *     # vertices 6              at least so many; when vertices are numbers
 *     0    1    a               source, target, label
 *     1    4    f[8]            an index is in brackets
 *     4    2    ~a              the same as 2 4 a
 *
 * Vertices are numbers when all are, otherwise names in the order in which they appear; "#@ name"
 * lines name the next vertex ahead of the edges. A file whose first line has two fields is a plain
 * list of edges: label e. Written with names only when that reads back as the same graph.
 */
#include <assert.h>
#include <string.h>

#include "base/formats/io_edges.h"
#include "base/letters.h"

/* ---- labels ---- */

static const char *decode(cflri_field label, cflri_field index, cflri_label_text *text) {
    assert(!index.size);
    (void)index;
    *text = (cflri_label_text){.name = label, .index = {"", 0}};
    if (label.at[0] == '~') {
        text->converse = true;
        text->name = (cflri_field){label.at + 1, label.size - 1};
    }
    const char *open = memchr(label.at, '[', label.size);
    if (!open) return NULL;
    const char *end = label.at + label.size;
    if (end[-1] != ']') return "a label that has '[' ends in ']'";
    text->name.size = (size_t)(open - text->name.at);
    text->index = (cflri_field){open + 1, (size_t)(end - 1 - (open + 1))};
    return text->index.size ? NULL : "nothing between '[' and ']'";
}

const cflri_edge_format cflri_edges_tsv = {
    .format = CFLR_GRAPH_TSV,
    .two_columns = true,
    .directives = true,
    .decode = decode,
};

/* ---- writing ---- */

static bool is_word(const char *text) {
    for (const char *at = text; *at; at++) {
        if (*at == ' ' || cflri_is_control(at)) return false;
    }
    return *text != '\0';
}

/* Do the vertices have names that no two share and that are words, and nothing else that a text
 * file would lose? */
static cflr_status has_plain_names(const cflr_graph *graph, bool *plain, cflr_error *error) {
    *plain = false;
    if (!graph->source || graph->has_sources || graph->n_mentions) return CFLR_OK;
    bool *seen = cflri_alloc_zero(graph->context, graph->strings.text.n);
    if (!seen) return cflri_fail_memory(graph->context, error);
    *plain = true;
    for (uint32_t v = 0; v < graph->n_vertices && *plain; v++) {
        uint32_t name = graph->source[v].name;
        const char *text = cflri_string(&graph->strings, name);
        *plain = is_word(text) && text[0] != '#' && !seen[name];
        seen[name] = true;
    }
    cflri_free(graph->context, seen);
    return CFLR_OK;
}

/* Would a reader meet the vertices in the order of their numbers? */
static cflr_status meets_in_order(const cflr_graph *graph, bool *in_order, cflr_error *error) {
    cflri_walk walk;
    cflr_status st = cflri_walk_begin(&walk, graph, error);
    if (st != CFLR_OK) return st;
    uint32_t next = 0;
    *in_order = true;
    while (*in_order && cflri_walk_next(&walk)) {
        next += walk.source == next;
        next += walk.target == next;
        *in_order = walk.source < next && walk.target < next;
    }
    *in_order = *in_order && next == graph->n_vertices;
    cflri_walk_end(&walk);
    return CFLR_OK;
}

static const char *name_of(const cflr_graph *graph, uint32_t vertex) {
    return cflri_string(&graph->strings, graph->source[vertex].name);
}

/* Names all vertices ahead of the edges, unless the edges do it as well. */
static cflr_status write_names(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    bool in_order;
    uint64_t number;
    if (!graph->n_vertices) return CFLR_OK;
    cflr_status st = meets_in_order(graph, &in_order, error);
    if (st != CFLR_OK) return st;
    cflri_field first = {name_of(graph, 0), strlen(name_of(graph, 0))};
    /* the first word tells the reader that these are names; a number would not */
    if (in_order && cflri_field_number(first, UINT64_MAX, &number) == CFLRI_NUMBER_NONE) {
        return CFLR_OK;
    }
    for (uint32_t v = 0; v < graph->n_vertices; v++) {
        cflri_output_text(output, "#@ ");
        cflri_output_text(output, name_of(graph, v));
        cflri_output_text(output, "\n");
    }
    return CFLR_OK;
}

static void write_vertex(const cflr_graph *graph, cflri_output *output, bool names,
                         uint32_t vertex) {
    if (names) {
        cflri_output_text(output, name_of(graph, vertex));
    } else {
        cflri_output_u64(output, vertex);
    }
    cflri_output_write(output, "\t", 1);
}

static void write_label(const cflr_graph *graph, cflri_output *output, uint32_t label) {
    const char *index = cflri_label_index(graph, label);
    cflri_output_text(output, cflri_label_name(graph, label));
    if (*index) {
        cflri_output_write(output, "[", 1);
        cflri_output_text(output, index);
        cflri_output_write(output, "]", 1);
    }
    cflri_output_write(output, "\n", 1);
}

static cflr_status write_tsv(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    bool names;
    cflri_walk walk = {0};
    cflr_status st = CFLR_OK;
    CFLR_TRY(has_plain_names(graph, &names, error));
    cflri_output_printf(output, "# vertices %u\n", graph->n_vertices);
    if (names) CFLR_TRY(write_names(graph, output, error));
    CFLR_TRY(cflri_walk_begin(&walk, graph, error));
    while (cflri_walk_next(&walk)) {
        write_vertex(graph, output, names, walk.source);
        write_vertex(graph, output, names, walk.target);
        write_label(graph, output, walk.label);
    }
    st = cflri_walk_stopped(&walk, true, error);
out:
    cflri_walk_end(&walk);
    return st;
}

const cflri_format cflri_format_TSV = {
    .format = CFLR_GRAPH_TSV,
    .endings = {".tsv"},
    .edges = &cflri_edges_tsv,
    .write = write_tsv,
};

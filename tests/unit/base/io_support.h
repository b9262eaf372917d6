/* SPDX-License-Identifier: Apache-2.0
 *
 * io_support.h: graphs as short texts, so that tests of formats can say what they expect.
 *
 *     "4: 0 1 a; 1 3 f[8]"      four vertices, two edges, by label, index, source and target
 *
 * Vertices that have a name are written with it. Everything is asked through the public interface.
 */
#ifndef TEST_IO_SUPPORT_H
#define TEST_IO_SUPPORT_H

#include "base/formats/io.h"
#include "cflr/graph.h"
#include "tests/support/support.h"

static const cflr_graph_format io_format[] = {
#define FORMAT(name, number, word, text) CFLR_GRAPH_##name,
    CFLR_GRAPH_WRITABLE_LIST(FORMAT)
#undef FORMAT
};

enum { IO_FORMATS = sizeof io_format / sizeof *io_format };

static inline bool io_is_directory(cflr_graph_format format) {
    return cflri_format_find(format)->read_path;
}

static inline bool io_is_readable(cflr_graph_format format) {
#define IS(name, number, word, text) format == CFLR_GRAPH_##name ||
    return CFLR_GRAPH_READABLE_LIST(IS) false;
#undef IS
}

typedef struct io_edge {
    const char *name, *index;
    uint32_t source, target;
} io_edge;

static inline int io_edge_compare(const void *left, const void *right) {
    const io_edge *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    if (!order) order = strcmp(a->index, b->index);
    if (!order) order = (a->source > b->source) - (a->source < b->source);
    if (!order) order = (a->target > b->target) - (a->target < b->target);
    return order;
}

/* All edges, sorted; freed with free. Also checks that both directions hold the same. */
static inline io_edge *io_edges(const cflr_graph *graph, size_t *count) {
    io_edge *edges = malloc((size_t)(cflr_graph_edges(graph) + 1) * sizeof *edges);
    size_t n = 0, backwards = 0;
    cr_assert(edges != NULL);
    for (uint32_t l = 0; l < cflr_graph_labels(graph); l++) {
        const uint32_t *row;
        uint32_t vertex;
        uint64_t cursor = 0, size;
        while ((row = cflr_graph_next_row(graph, l, CFLR_OUT, &cursor, &vertex, &size))) {
            for (uint64_t i = 0; i < size; i++) {
                cr_assert_lt(n, cflr_graph_edges(graph));
                edges[n++] = (io_edge){cflr_graph_label_name(graph, l),
                                       cflr_graph_label_index(graph, l), vertex, row[i]};
            }
        }
        cursor = 0;
        while (cflr_graph_next_row(graph, l, CFLR_IN, &cursor, &vertex, &size)) backwards += size;
    }
    cr_assert_eq(n, cflr_graph_edges(graph));
    cr_assert_eq(n, backwards);
    qsort(edges, n, sizeof *edges, io_edge_compare);
    *count = n;
    return edges;
}

static inline void io_put_vertex(FILE *out, const cflr_graph *graph, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    if (*info.name) {
        fprintf(out, "%s ", info.name);
    } else {
        fprintf(out, "%u ", vertex);
    }
}

/* The graph as a text, freed with free. */
static inline char *io_describe(const cflr_graph *graph) {
    char *text = NULL;
    size_t size = 0, n;
    FILE *out = open_memstream(&text, &size);
    cr_assert(out != NULL);
    io_edge *edges = io_edges(graph, &n);
    fprintf(out, "%u:", cflr_graph_vertices(graph));
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s ", i ? ";" : "");
        io_put_vertex(out, graph, edges[i].source);
        io_put_vertex(out, graph, edges[i].target);
        fprintf(out, *edges[i].index ? "%s[%s]" : "%s", edges[i].name, edges[i].index);
    }
    fclose(out);
    free(edges);
    return text;
}

/* Reads from a block of exactly `size` bytes, so that a sanitizer sees any byte read past it. */
static inline cflr_status io_read(cflr_context *context, const char *text, size_t size,
                                  cflr_graph_format format, cflr_graph **graph, cflr_error *error) {
    char *block = malloc(size ? size : 1);
    cr_assert(block != NULL);
    if (size) memcpy(block, text, size);
    cflr_status st = cflri_graph_read(context, block, size, "test", format, graph, error);
    free(block);
    return st;
}

/* Same vertices, edges and what is known of vertices; label numbers may differ. */
static inline void io_assert_same(const cflr_graph *a, const cflr_graph *b, const char *what) {
    size_t n, m;
    io_edge *left = io_edges(a, &n), *right = io_edges(b, &m);
    cr_assert_eq(n, m, "%s: %zu and %zu edges", what, n, m);
    for (size_t i = 0; i < n; i++) {
        cr_assert_eq(io_edge_compare(&left[i], &right[i]), 0,
                     "%s: edge %zu is %u %u %s[%s] and %u %u %s[%s]", what, i, left[i].source,
                     left[i].target, left[i].name, left[i].index, right[i].source, right[i].target,
                     right[i].name, right[i].index);
    }
    free(left);
    free(right);
}

static inline void io_assert_same_vertices(const cflr_graph *a, const cflr_graph *b,
                                           const char *what) {
    cr_assert_eq(cflr_graph_vertices(a), cflr_graph_vertices(b), "%s", what);
    cr_assert_eq(cflr_graph_has_sources(a), cflr_graph_has_sources(b), "%s", what);
    /* graphs of numbers may have billions of vertices, all alike */
    uint32_t n = cflr_graph_vertices(a) < 100000 ? cflr_graph_vertices(a) : 100000;
    for (uint32_t v = 0; v < n; v++) {
        cflr_vertex_info x, y;
        cflr_graph_vertex(a, v, &x);
        cflr_graph_vertex(b, v, &y);
        cr_assert_eq(x.kind, y.kind, "%s: vertex %u", what, v);
        cr_assert_eq(x.line, y.line, "%s: vertex %u", what, v);
        cr_assert_eq(x.column, y.column, "%s: vertex %u", what, v);
        cr_assert_str_eq(x.name, y.name, "%s: vertex %u", what, v);
        cr_assert_str_eq(x.type, y.type, "%s: vertex %u", what, v);
        cr_assert_str_eq(x.function, y.function, "%s: vertex %u", what, v);
        cr_assert_str_eq(x.file, y.file, "%s: vertex %u", what, v);
        cr_assert_str_eq(x.context, y.context, "%s: vertex %u", what, v);
    }
}

#endif

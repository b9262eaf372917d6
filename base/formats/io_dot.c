/* SPDX-License-Identifier: Apache-2.0
 *
 * io_dot.c: the language of Graphviz; written only.
 *
 *     digraph cflr {
 *       3 [label="p\na.c:4:9"];
 *       3 -> 7 [label="f[8]"];
 *     }
 *
 * All edges are written: cut a graph down before drawing it, Graphviz is slow beyond some thousand.
 * Vertices are listed when the graph knows their names.
 */
#include "base/formats/io.h"
#include "base/letters.h"

/* Writes the text as it is shown (letters.h) inside double quotes, where quotes and backslashes are
 * escaped. */
static void write_escaped(cflri_output *output, const char *text) {
    while (*text) {
        char letter[CFLRI_SHOWN];
        size_t n = cflri_show_letter(&text, letter);
        for (size_t i = 0; i < n; i++) {
            if (letter[i] == '"' || letter[i] == '\\') cflri_output_write(output, "\\", 1);
            cflri_output_write(output, &letter[i], 1);
        }
    }
}

static void write_vertex(const cflr_graph *graph, cflri_output *output, uint32_t vertex) {
    cflr_vertex_info info;
    cflr_graph_vertex(graph, vertex, &info);
    cflri_output_printf(output, "  %u", vertex);
    if (*info.name || *info.file) {
        cflri_output_text(output, " [label=\"");
        write_escaped(output, *info.name ? info.name : cflr_vertex_kind_name(info.kind));
        if (*info.file) {
            cflri_output_text(output, "\\n");
            write_escaped(output, info.file);
            if (info.line) cflri_output_printf(output, ":%u:%u", info.line, info.column);
        }
        cflri_output_text(output, "\"]");
    }
    cflri_output_text(output, ";\n");
}

static cflr_status write_dot(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    cflri_walk walk;
    cflr_status st = cflri_walk_begin(&walk, graph, error);
    if (st != CFLR_OK) return st;
    cflri_output_text(output, "digraph cflr {\n");
    for (uint32_t v = 0; graph->source && v < graph->n_vertices; v++) {
        write_vertex(graph, output, v);
    }
    while (cflri_walk_next(&walk)) {
        const char *index = cflri_label_index(graph, walk.label);
        cflri_output_printf(output, "  %u -> %u [label=\"", walk.source, walk.target);
        write_escaped(output, cflri_label_name(graph, walk.label));
        if (*index) {
            cflri_output_text(output, "[");
            write_escaped(output, index);
            cflri_output_text(output, "]");
        }
        cflri_output_text(output, "\"];\n");
    }
    cflri_output_text(output, "}\n");
    st = cflri_walk_stopped(&walk, true, error);
    cflri_walk_end(&walk);
    return st;
}

const cflri_format cflri_format_DOT = {
    .format = CFLR_GRAPH_DOT,
    .endings = {".dot", ".gv"},
    .any_name = true,
    .write = write_dot,
};

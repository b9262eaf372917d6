/* SPDX-License-Identifier: Apache-2.0
 *
 * io_ndjson.c: one JSON object a line for each edge; written only.
 *
 *     {"source":3,"target":7,"label":"f","index":"8","source_vertex":{"kind":"variable","name":"p",
 *      "function":"main","file":"a.c","line":4,"column":9},"target_vertex":{...}}      (one line)
 *
 * "index" is there for indexed labels only; "source_vertex" and "target_vertex" when the graph
 * knows its vertices, with the members that are known.
 */
#include "base/formats/io.h"

static void write_member(cflri_output *output, const char *name, const char *text) {
    if (!*text) return;
    cflri_output_printf(output, ",\"%s\":", name);
    cflri_output_json(output, text);
}

static void write_number(cflri_output *output, const char *name, uint32_t number) {
    if (number) cflri_output_printf(output, ",\"%s\":%u", name, number);
}

static void write_vertex(const cflr_graph *graph, cflri_output *output, const char *member,
                         uint32_t vertex) {
    cflr_vertex_info info;
    if (!graph->source) return;
    cflr_graph_vertex(graph, vertex, &info);
    cflri_output_printf(output, ",\"%s\":{\"kind\":\"%s\"", member,
                        cflr_vertex_kind_name(info.kind));
    write_member(output, "name", info.name);
    write_member(output, "type", info.type);
    write_member(output, "function", info.function);
    write_member(output, "context", info.context);
    write_member(output, "file", info.file);
    write_number(output, "line", info.line);
    write_number(output, "column", info.column);
    cflri_output_text(output, "}");
}

static cflr_status write_ndjson(const cflr_graph *graph, cflri_output *output, cflr_error *error) {
    cflri_walk walk;
    cflr_status st = cflri_walk_begin(&walk, graph, error);
    if (st != CFLR_OK) return st;
    while (cflri_walk_next(&walk)) {
        cflri_output_text(output, "{\"source\":");
        cflri_output_u64(output, walk.source);
        cflri_output_text(output, ",\"target\":");
        cflri_output_u64(output, walk.target);
        write_member(output, "label", cflri_label_name(graph, walk.label));
        write_member(output, "index", cflri_label_index(graph, walk.label));
        write_vertex(graph, output, "source_vertex", walk.source);
        write_vertex(graph, output, "target_vertex", walk.target);
        cflri_output_text(output, "}\n");
    }
    st = cflri_walk_stopped(&walk, true, error);
    cflri_walk_end(&walk);
    return st;
}

const cflri_format cflri_format_NDJSON = {
    .format = CFLR_GRAPH_NDJSON,
    .endings = {".ndjson", ".jsonl"},
    .any_name = true,
    .write = write_ndjson,
};

/* SPDX-License-Identifier: Apache-2.0
 *
 * io_plain.c: what the formats of graphs without labels have in common: label e for all edges.
 */
#include "base/formats/io_plain.h"

#include "base/context.h"

enum { LINES_BETWEEN_TICKS = 1 << 15 };

cflr_status cflri_plain_tick(cflr_context *context, const cflri_scan *scan) {
    if (scan->line & (LINES_BETWEEN_TICKS - 1)) return CFLR_OK;
    cflr_status st = cflri_tick(context, "load", (uint64_t)(scan->at - scan->begin),
                                (uint64_t)(scan->end - scan->begin));
    return st == CFLR_OK ? st : cflri_fail_interrupted(context, st, scan->error);
}

typedef struct labelling {
    cflr_graph_builder *builder;
    uint32_t label;
} labelling;

static cflr_status add_edge(void *user, const cflri_scan *scan, uint32_t source, uint32_t target,
                            unsigned weight) {
    labelling *l = user;
    (void)weight;
    return cflr_graph_builder_edge(l->builder, source, target, l->label, scan->error);
}

cflr_status cflri_plain_graph(cflr_context *context, cflri_plain_reader *reader, cflri_field text,
                              const char *subject, cflr_graph **graph, cflr_error *error) {
    cflr_status st = CFLR_OK;
    labelling l = {NULL, 0};
    cflri_edge_sink sink = {.user = &l, .edge = add_edge};
    CFLR_TRY(cflr_graph_builder_new(context, &l.builder, error));
    CFLR_TRY(cflr_graph_builder_label(l.builder, "e", NULL, &l.label, error));
    CFLR_TRY(reader(context, text, subject, &sink, error));
    cflr_graph_builder *full = l.builder;
    l.builder = NULL;
    CFLR_TRY(cflr_graph_builder_freeze(full, graph, error));
    cflri_graph_raise_vertices(*graph, sink.n_vertices);
out:
    cflr_graph_builder_free(l.builder);
    return st;
}

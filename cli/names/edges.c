/* SPDX-License-Identifier: Apache-2.0
 *
 * edges.c: neighbours of a vertex along a label that is known by its name.
 */
#include "cli/names/names.h"

const uint32_t *edges_of(const cflr_graph *graph, const char *label, const char *index,
                         cflr_direction way, uint32_t vertex, uint64_t *n) {
    uint32_t number = cflr_graph_find_label(graph, label, index);
    *n = 0;
    return number == CFLR_NO_LABEL ? NULL : cflr_graph_row(graph, number, way, vertex, n);
}

uint32_t first_edge(const cflr_graph *graph, const char *label, const char *index,
                    cflr_direction way, uint32_t vertex) {
    uint64_t n;
    const uint32_t *row = edges_of(graph, label, index, way, vertex, &n);
    return n ? row[0] : CFLR_NO_VERTEX;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * call_types.c: which functions a call may enter of those that its values point to, where types
 * count.
 *
 * The graph tells the type of each call, and functions tell the types of the calls that enter them
 * by edges to themselves (docs/reference/labels.md):
 *
 *     h(p), of type v(p)        &f -enters[v(p)]-> &f    &g -enters[i4(p)]-> &g    enters f, not g
 */
#include "cflr/findings.h"

cflr_call_type cflr_graph_call_type(const cflr_graph *graph, const char *type) {
    return (cflr_call_type){.all = !type[0],
                            .alloc = cflr_graph_find_label(graph, "alloc", ""),
                            .enters = cflr_graph_find_label(graph, "enters", type)};
}

bool cflr_call_type_enters(const cflr_graph *graph, const cflr_call_type *type, uint32_t function) {
    uint64_t n = 0, loops = 0;
    const uint32_t *address = NULL;
    if (type->all) return true;
    if (type->enters != CFLR_NO_LABEL && type->alloc != CFLR_NO_LABEL)
        address = cflr_graph_row(graph, type->alloc, CFLR_OUT, function, &n);
    for (uint64_t k = 0; k < n && !loops; k++)
        cflr_graph_row(graph, type->enters, CFLR_OUT, address[k], &loops);
    return loops > 0;
}

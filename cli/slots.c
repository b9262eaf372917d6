/* SPDX-License-Identifier: Apache-2.0
 *
 * slots.c: which functions a called value may enter, where their types count.
 *
 * A value that is called and a function meet in the labels of their slots (docs/labels.md). Where labels tell types, a
 * value may hold the address of a function that none of its calls enters:
 *
 *     &f -s[0:i]->    &g -s[0:ii]->    h -s[0:i]->, h -s[0:*]->        h enters f, and not g
 *
 * Elsewhere all functions count that the value points to.
 */
#include "cli/slots.h"

#include <stdlib.h>
#include <string.h>

static bool is_slot(const cflr_graph *graph, uint32_t label) {
    return strcmp(cflr_graph_label_name(graph, label), "s") == 0;
}

/* Counts the labels of each vertex in start[vertex + 1], or fills them in from start[vertex] on. */
static void each_edge(slots *all, bool fill) {
    const cflr_graph *graph = all->graph;
    for (uint32_t label = 0; label < cflr_graph_labels(graph); label++) {
        uint64_t cursor = 0, count;
        uint32_t vertex;
        if (!is_slot(graph, label)) continue;
        all->typed |= strchr(cflr_graph_label_index(graph, label), ':') != NULL;
        while (cflr_graph_next_row(graph, label, CFLR_OUT, &cursor, &vertex, &count)) {
            if (fill)
                all->label[all->start[vertex]++] = label;
            else
                all->start[vertex + 1]++;
        }
    }
}

bool slots_make(const cflr_graph *graph, slots *all) {
    uint32_t n = cflr_graph_vertices(graph);
    *all = (slots){.graph = graph, .alloc = cflr_graph_find_label(graph, "alloc", "")};
    all->start = calloc((size_t)n + 1, sizeof *all->start);
    all->caller = calloc((size_t)cflr_graph_labels(graph) + 1, sizeof *all->caller);
    if (all->start) {
        each_edge(all, false);
        for (uint32_t v = 0; v < n; v++) all->start[v + 1] += all->start[v];
        all->label = calloc((size_t)all->start[n] + 1, sizeof *all->label);
    }
    if (!all->start || !all->caller || !all->label) {
        fail_memory();
        return false;
    }
    each_edge(all, true);
    memmove(all->start + 1, all->start, n * sizeof *all->start);
    all->start[0] = 0;
    return true;
}

void slots_free(slots *all) {
    free(all->start);
    free(all->label);
    free(all->caller);
}

bool slots_called(const slots *all, uint32_t vertex) {
    return all->start[vertex] < all->start[vertex + 1];
}

void slots_call(slots *all, uint32_t caller, uint32_t vertex) {
    for (uint32_t i = all->start[vertex]; i < all->start[vertex + 1]; i++)
        all->caller[all->label[i]] = caller;
}

bool slots_enters(const slots *all, uint32_t caller, uint32_t function) {
    if (!all->typed) return true;
    uint64_t n = 0;
    const uint32_t *address = NULL;
    if (all->alloc != CFLR_NO_LABEL)
        address = cflr_graph_row(all->graph, all->alloc, CFLR_OUT, function, &n);
    for (uint64_t k = 0; k < n; k++)
        for (uint32_t i = all->start[address[k]]; i < all->start[address[k] + 1]; i++)
            if (all->caller[all->label[i]] == caller) return true;
    return false;
}

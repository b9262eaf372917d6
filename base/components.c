/* SPDX-License-Identifier: Apache-2.0
 *
 * components.c: Tarjan's algorithm (1972) with its two stacks made explicit.
 *
 *     path      the vertices from the start of the search to the current one, each with the next
 *               successor to look at
 *     open      vertices whose component is not known yet, in order of discovery
 *     low[v]    the earliest discovery that v is known to reach inside `open`
 *
 * A vertex that reaches nothing earlier than itself closes a component: everything above it in
 * `open`. Components therefore close in order from those reached up to those that reach them.
 */
#include "base/components.h"

#include <assert.h>

#define NONE UINT32_MAX

typedef struct tarjan {
    const cflri_successors *graph;
    uint32_t *component;
    uint32_t *order; /* of discovery; NONE: not seen */
    uint32_t *low;
    uint64_t *edge; /* next successor to look at */
    uint32_t *path;
    uint32_t *open;
    uint32_t n_path, n_open, n_seen, n_components;
} tarjan;

static void enter(tarjan *t, uint32_t v) {
    t->order[v] = t->low[v] = t->n_seen++;
    t->edge[v] = t->graph->start[v];
    t->path[t->n_path++] = v;
    t->open[t->n_open++] = v;
}

static void lower(tarjan *t, uint32_t v, uint32_t bound) {
    if (bound < t->low[v]) t->low[v] = bound;
}

static void leave(tarjan *t, uint32_t v) {
    t->n_path--;
    if (t->n_path > 0) lower(t, t->path[t->n_path - 1], t->low[v]);
    if (t->low[v] != t->order[v]) return;
    uint32_t member;
    do {
        member = t->open[--t->n_open];
        t->component[member] = t->n_components;
    } while (member != v);
    t->n_components++;
}

static void search_from(tarjan *t, uint32_t start) {
    enter(t, start);
    while (t->n_path > 0) {
        uint32_t v = t->path[t->n_path - 1];
        if (t->edge[v] == t->graph->start[v + 1]) {
            leave(t, v);
            continue;
        }
        uint32_t to = t->graph->target[t->edge[v]++];
        assert(to < t->graph->n);
        if (t->order[to] == NONE)
            enter(t, to);
        else if (t->component[to] == NONE)
            lower(t, v, t->order[to]);
    }
}

cflr_status cflri_components_of(cflr_context *context, const cflri_successors *graph,
                                const uint32_t *vertex, uint32_t n, uint32_t *component,
                                uint32_t *count, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t by_vertex = sizeof(uint64_t) + 2 * sizeof(uint32_t), stacks = 2 * sizeof(uint32_t);
    uint64_t *block = cflri_alloc_array(context, graph->n, by_vertex);
    uint32_t *stack = cflri_alloc_array(context, n, stacks);
    if (!block || !stack) CFLR_TRY(cflri_fail_memory(context, error));
    tarjan t = {.graph = graph, .component = component, .edge = block};
    t.order = (uint32_t *)(block + graph->n);
    t.low = t.order + graph->n;
    t.path = stack;
    t.open = stack + n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = vertex ? vertex[i] : i;
        t.order[v] = component[v] = NONE;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = vertex ? vertex[i] : i;
        if (t.order[v] == NONE) search_from(&t, v);
    }
    *count = t.n_components;
out:
    cflri_free(context, block);
    cflri_free(context, stack);
    return st;
}

cflr_status cflri_components(cflr_context *context, const cflri_successors *graph,
                             uint32_t *component, uint32_t *count, cflr_error *error) {
    return cflri_components_of(context, graph, NULL, graph->n, component, count, error);
}

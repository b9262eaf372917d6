/* SPDX-License-Identifier: Apache-2.0
 *
 * components.c: Tarjan's algorithm (1972) with its two stacks made explicit.
 *
 *     path      the vertices from the start of the search to the current one, each with the next
 *               successor to look at
 *     open      vertices whose component is not known yet, in order of discovery
 *     low       the earliest discovery that a vertex is known to reach inside `open`
 *
 * A vertex that reaches nothing earlier than itself closes a component: everything above it in
 * `open`. Components therefore close in order from those reached up to those that reach them.
 *
 * The search numbers the vertices it is for as they are listed, so what it knows of them stands
 * side by side even when they are few of many. component[v] is that number until all is known.
 */
#include "base/components.h"

#include <assert.h>

/* Of `found`; lesser ones say when. */
#define UNSEEN UINT32_MAX
#define CLOSED (UINT32_MAX - 1)

typedef struct place {
    uint64_t edge;  /* next successor to look at */
    uint32_t found; /* when it was discovered */
    uint32_t low;   /* when it is closed: its component */
} place;

typedef struct tarjan {
    const cflri_successors *graph;
    const uint32_t *vertex;
    uint32_t *component;
    place *at;
    uint32_t *path;
    uint32_t *open;
    uint32_t n; /* vertices that it is for */
    uint32_t n_path, n_open, n_seen, n_components;
} tarjan;

static uint32_t vertex_of(const tarjan *t, uint32_t number) {
    return t->vertex ? t->vertex[number] : number;
}

static void enter(tarjan *t, uint32_t number) {
    uint32_t when = t->n_seen++;
    t->at[number] = (place){t->graph->start[vertex_of(t, number)], when, when};
    t->path[t->n_path++] = number;
    t->open[t->n_open++] = number;
}

static void lower(tarjan *t, uint32_t number, uint32_t bound) {
    if (bound < t->at[number].low) t->at[number].low = bound;
}

static void leave(tarjan *t, uint32_t number) {
    t->n_path--;
    if (t->n_path > 0) lower(t, t->path[t->n_path - 1], t->at[number].low);
    if (t->at[number].low != t->at[number].found) return;
    uint32_t member;
    do {
        member = t->open[--t->n_open];
        t->at[member].found = CLOSED;
        t->at[member].low = t->n_components;
    } while (member != number);
    t->n_components++;
}

static void search_from(tarjan *t, uint32_t start) {
    enter(t, start);
    while (t->n_path > 0) {
        uint32_t number = t->path[t->n_path - 1];
        if (t->at[number].edge == t->graph->start[vertex_of(t, number) + 1]) {
            leave(t, number);
            continue;
        }
        uint32_t target = t->graph->target[t->at[number].edge++];
        assert(target < t->graph->n);
        uint32_t to = t->component[target];
        if (to >= t->n || (t->graph->alone && t->graph->alone[target])) continue;
        if (t->at[to].found == UNSEEN) {
            enter(t, to);
        } else if (t->at[to].found != CLOSED) {
            lower(t, number, t->at[to].found);
        }
    }
}

cflr_status cflri_components_of(cflr_context *context, const cflri_successors *graph,
                                const uint32_t *vertex, uint32_t n, uint32_t *component,
                                uint32_t *count, cflr_error *error) {
    cflr_status st = CFLR_OK;
    place *at = cflri_alloc_array(context, n, sizeof *at);
    uint32_t *stack = cflri_alloc_array(context, n, 2 * sizeof *stack);
    if (!at || !stack) CFLR_TRY(cflri_fail_memory(context, error));
    tarjan t = {graph, vertex, component, at, stack, stack + n, n, 0, 0, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        at[i].found = UNSEEN;
        component[vertex_of(&t, i)] = i;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (at[i].found == UNSEEN) search_from(&t, i);
    }
    for (uint32_t i = 0; i < n; i++) component[vertex_of(&t, i)] = at[i].low;
    *count = t.n_components;
out:
    cflri_free(context, at);
    cflri_free(context, stack);
    return st;
}

cflr_status cflri_components(cflr_context *context, const cflri_successors *graph,
                             uint32_t *component, uint32_t *count, cflr_error *error) {
    return cflri_components_of(context, graph, NULL, graph->n, component, count, error);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * looks.c: what a reader takes for the same.
 *
 * A local that is taken apart by its definitions is several vertices that look the same, and so is
 * each copy of a function for contexts. A name in a question means all of them, so they are one row
 * of a page. An object is listed once for each context, as `cflr query` lists it.
 *
 *     vertex  looks              context     look  thing
 *     4       p at a.c:3                     0     0
 *     9       p at a.c:3         b.c:7       0     1
 *     5       q at a.c:4                     1     2
 *
 * A vertex that is nowhere in the source is a look of its own. O(n log n) for n wanted vertices.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/report/report.h"

typedef struct sight {
    cflr_vertex_info info;
    uint32_t vertex;
} sight;

static int compare_looks(const sight *a, const sight *b) {
    bool x = a->info.file[0], y = b->info.file[0];
    if (x && y) return cflr_vertex_compare(&a->info, &b->info);
    if (x != y) return x ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static int compare_things(const sight *a, const sight *b) {
    int order = compare_looks(a, b);
    return order ? order : strcmp(a->info.context, b->info.context);
}

static int compare_sights(const void *left, const void *right) {
    const sight *a = left, *b = right;
    int order = compare_things(a, b);
    return order ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static sight *see(const cflr_graph *graph, const bool *wanted, uint32_t *n) {
    uint32_t vertices = cflr_graph_vertices(graph), seen = 0;
    for (uint32_t v = 0; v < vertices; v++) seen += wanted[v];
    sight *all = take_room(seen, sizeof *all);
    *n = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        if (!wanted[v]) continue;
        cflr_graph_vertex(graph, v, &all[*n].info);
        all[(*n)++].vertex = v;
    }
    return all;
}

void looks_find(const cflr_graph *graph, const bool *wanted, looks *l) {
    uint32_t n, vertices = cflr_graph_vertices(graph);
    sight *all = see(graph, wanted, &n);
    qsort(all, n, sizeof *all, compare_sights);
    *l = (looks){.start = take_room((size_t)n + 1, sizeof *l->start),
                 .in = take_room(n, sizeof *l->in),
                 .look = take_room(vertices, sizeof *l->look),
                 .thing = take_room(vertices, sizeof *l->thing),
                 .first = take_room(n, sizeof *l->first)};
    memset(l->look, 0xff, vertices * sizeof *l->look);
    memset(l->thing, 0xff, vertices * sizeof *l->thing);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t v = all[i].vertex;
        if (!i || compare_looks(&all[i - 1], &all[i]) != 0) l->start[l->n++] = i;
        if (!i || compare_things(&all[i - 1], &all[i]) != 0) l->first[l->n_things++] = v;
        l->in[i] = v;
        l->look[v] = l->n - 1;
        l->thing[v] = l->n_things - 1;
    }
    l->start[l->n] = n;
    free(all);
}

void looks_free(looks *l) {
    free(l->start);
    free(l->in);
    free(l->look);
    free(l->thing);
    free(l->first);
}

row_rank rank_of(cflr_vertex_kind kind) {
    switch (kind) {
        case CFLR_VERTEX_OTHER:
        case CFLR_VERTEX_VARIABLE:
        case CFLR_VERTEX_PARAMETER:
        case CFLR_VERTEX_RETURN:
            return RANK_VARIABLE;
        case CFLR_VERTEX_DEREFERENCE:
        case CFLR_VERTEX_ALLOCATION:
        case CFLR_VERTEX_STRING:
            return RANK_MEMORY;
        case CFLR_VERTEX_TEMPORARY:
        case CFLR_VERTEX_OUTSIDE:
            return RANK_VALUE;
        case CFLR_VERTEX_ADDRESS:
        case CFLR_VERTEX_FIELD:
            return RANK_ADDRESS;
        default:
            return RANK_NO_ROW;
    }
}

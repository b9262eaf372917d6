/* SPDX-License-Identifier: Apache-2.0
 *
 * things.c: what a reader takes for one thing.
 *
 * A local that is taken apart by its definitions is several vertices that look the same. A list of
 * vertices is printed as a list of things: by sorting what is printed of each. O(n log n).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/names/names.h"

typedef struct thing {
    cflr_vertex_info info;
    size_t position; /* in the list; where all is sorted, the vertex */
} thing;

static int compare_numbers(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_in_context(const cflr_vertex_info *a, const cflr_vertex_info *b) {
    int order = cflr_vertex_compare(a, b);
    return order ? order : strcmp(a->context, b->context);
}

static int compare_things(const void *left, const void *right) {
    const thing *a = left, *b = right;
    int order = compare_in_context(&a->info, &b->info);
    return order ? order : compare_numbers(a->position, b->position);
}

static int compare_looks(const void *left, const void *right) {
    const thing *a = left, *b = right;
    int order = cflr_vertex_compare(&a->info, &b->info);
    return order ? order : compare_numbers(a->position, b->position);
}

int sort_things(const cflr_graph *graph, place_set *set) {
    thing *all = calloc(set->n + 1, sizeof *all);
    if (!all) return fail_memory();
    for (size_t i = 0; i < set->n; i++) {
        cflr_graph_vertex(graph, set->vertex[i], &all[i].info);
        all[i].position = set->vertex[i];
    }
    qsort(all, set->n, sizeof *all, compare_looks);
    for (size_t i = 0; i < set->n; i++) set->vertex[i] = (uint32_t)all[i].position;
    free(all);
    return 0;
}

size_t end_of_thing(const cflr_graph *graph, const place_set *set, size_t at) {
    cflr_vertex_info first, next;
    size_t end = at + 1;
    cflr_graph_vertex(graph, set->vertex[at], &first);
    for (; end < set->n; end++) {
        cflr_graph_vertex(graph, set->vertex[end], &next);
        if (cflr_vertex_compare(&first, &next) != 0) break;
    }
    return end;
}

int keep_things(const cflr_graph *graph, uint32_t *vertices, size_t *n) {
    size_t n_locals = 0, kept = 0;
    thing *locals = calloc(*n + 1, sizeof *locals);
    if (!locals) return fail_memory();
    for (size_t i = 0; i < *n; i++) {
        thing *local = &locals[n_locals];
        cflr_graph_vertex(graph, vertices[i], &local->info);
        local->position = i;
        n_locals += is_variable(&local->info);
    }
    qsort(locals, n_locals, sizeof *locals, compare_things);
    for (size_t i = 1; i < n_locals; i++) {
        bool told = compare_in_context(&locals[i - 1].info, &locals[i].info) == 0;
        if (told) vertices[locals[i].position] = CFLR_NO_VERTEX;
    }
    for (size_t i = 0; i < *n; i++)
        if (vertices[i] != CFLR_NO_VERTEX) vertices[kept++] = vertices[i];
    *n = kept;
    free(locals);
    return 0;
}

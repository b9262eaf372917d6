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
    size_t position; /* in the list */
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

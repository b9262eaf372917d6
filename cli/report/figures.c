/* SPDX-License-Identifier: Apache-2.0
 *
 * figures.c: how precise a relation is: rows by the size of their sets, and things by the rows that
 * have them. O(rows log rows + members of sets).
 */
#include <stdlib.h>

#include "cli/report/report.h"

/* Does the row count? An address leads to what it is the address of, and the outside is none. */
static bool is_counted(const result_page *r, uint32_t look) {
    cflr_vertex_info info;
    if (r->set[look] == NONE) return false;
    cflr_graph_vertex(r->graph, vertex_of(r, look), &info);
    bool pointer = rank_of(info.kind) < RANK_ADDRESS && info.kind != CFLR_VERTEX_OUTSIDE;
    return pointer || !r->points_to;
}

/* 0: 0, 1: 1, 2: 2, 3 and 4: 3, 5 to 8: 4 and so on. */
static size_t bucket_of(size_t size) {
    size_t bucket = 0;
    for (size_t most = 0; size > most; most = most ? 2 * most : 1) bucket++;
    return bucket;
}

static int compare_sizes(const void *x, const void *y) {
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static void find_popularity(result_page *r) {
    figures *f = &r->figures;
    f->popularity = take_room(r->looks.n_things, sizeof *f->popularity);
    for (uint32_t set = 0; set < r->sets.n; set++) {
        size_t n;
        const uint32_t *ids = set_at(r, set, &n);
        for (size_t i = 0; i < n; i++) f->popularity[ids[i]] += f->sharing[set];
    }
}

void figures_find(result_page *r) {
    figures *f = &r->figures;
    uint32_t *size = take_room(r->looks.n, sizeof *size);
    f->sharing = take_room(r->sets.n, sizeof *f->sharing);
    for (uint32_t look = 0; look < r->looks.n; look++) {
        size_t n;
        if (!is_counted(r, look)) continue;
        set_at(r, r->set[look], &n);
        f->sharing[r->set[look]]++;
        f->bucket[bucket_of(n)]++;
        f->pairs += n;
        size[f->rows++] = (uint32_t)n;
    }
    qsort(size, f->rows, sizeof *size, compare_sizes);
    if (f->rows) {
        f->median = size[(f->rows - 1) / 2];
        f->ninetieth = size[(f->rows - 1) * 9 / 10];
        f->largest = size[f->rows - 1];
    }
    free(size);
    find_popularity(r);
}

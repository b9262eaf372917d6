/* SPDX-License-Identifier: Apache-2.0
 *
 * check_centrality.c: betweenness by Brandes' algorithm, one source after the other.
 *
 *     dependency(v) = sum over edges v -> w one hop further of
 *                     paths(v) / paths(w) * (1 + dependency(w))
 *
 * is the share of the shortest paths from the source, to all vertices, that goes through v, its
 * ends not counted. Numbers of paths are added up in the order of hops, dependencies in the
 * opposite order. Parallel edges are paths of their own. O(n + m) a source.
 *
 * In a grid of thousands of rows there are more shortest paths than a double can count. Only ratios
 * are asked for, so rounding does no harm, and the range of long double (1e4932 on most processors)
 * is enough for shortest paths of some sixteen thousand hops with two ways on at each. No term is
 * negative, so the bound is a share, BOUND; FLOOR is for dependencies that are next to nothing.
 *
 * Source: U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical
 * Sociology 2001.
 */
#include <string.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-6, FLOOR = 1e-9;

typedef struct brandes {
    uint32_t *hops, *order;
    long double *paths, *dependency;
    double *centrality;
} brandes;

static void count_paths(const cflri_check *c, const brandes *b, uint32_t reached) {
    const cflr_csr *csr = c->csr;
    b->paths[b->order[0]] = 1;
    for (uint32_t i = 1; i < reached; i++) b->paths[b->order[i]] = 0;
    for (uint32_t i = 0; i < reached; i++) {
        uint32_t v = b->order[i];
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            if (b->hops[csr->target[e]] == b->hops[v] + 1) b->paths[csr->target[e]] += b->paths[v];
    }
}

static void add_dependencies(const cflri_check *c, const brandes *b, uint32_t reached) {
    const cflr_csr *csr = c->csr;
    for (uint32_t i = reached; i-- > 1;) { /* not of the source, which comes first */
        uint32_t v = b->order[i];
        b->dependency[v] = 0;
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            uint32_t w = csr->target[e];
            if (b->hops[w] == b->hops[v] + 1)
                b->dependency[v] += b->paths[v] / b->paths[w] * (1 + b->dependency[w]);
        }
        b->centrality[v] += (double)b->dependency[v];
    }
}

static cflr_status add_source(cflri_check *c, const brandes *b, uint32_t source) {
    uint32_t reached;
    cflr_status st = cflri_check_hops(c, source, b->hops, b->order, &reached);
    if (st != CFLR_OK) return st;
    count_paths(c, b, reached);
    add_dependencies(c, b, reached);
    return CFLR_OK;
}

static cflr_status brandes_new(cflri_check *c, brandes *b) {
    uint32_t n = c->csr->n_vertices;
    b->hops = cflri_alloc_array(c->context, n, sizeof *b->hops);
    b->order = cflri_alloc_array(c->context, n, sizeof *b->order);
    b->paths = cflri_alloc_array(c->context, n, sizeof *b->paths);
    b->dependency = cflri_alloc_array(c->context, n, sizeof *b->dependency);
    b->centrality = cflri_alloc_array_zero(c->context, n, sizeof *b->centrality);
    return cflri_check_have(c, b->hops && b->order && b->paths && b->dependency && b->centrality);
}

cflr_status cflri_check_BC(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const double *found = cflri_check_column(c, "centrality").values;
    const cflri_primitive_task *task = c->t->task;
    brandes b = {0};
    CFLR_TRY(brandes_new(c, &b));
    for (uint32_t i = 0; i < task->n_sources; i++) CFLR_TRY(add_source(c, &b, task->source[i]));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++)
        cflri_check_real(c, "centrality", v, found[v], b.centrality[v],
                         BOUND * b.centrality[v] + FLOOR);
out:
    cflri_free(c->context, b.hops);
    cflri_free(c->context, b.order);
    cflri_free(c->context, b.paths);
    cflri_free(c->context, b.dependency);
    cflri_free(c->context, b.centrality);
    return st;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_split.c: no vertex of many edges: each becomes a tree of vertices of few (Tigr's
 * uniform-degree trees).
 *
 * The targets of a vertex's edges stand in a queue. While it is longer than K, a new vertex takes K
 * from its front and stands at its end itself, one edge away from the vertex that takes it. The
 * targets that are left at last are those of the vertex's edges.
 *
 *     K = 2     a b c d e     a queue of five
 *               c d e x       x: a b
 *               e x y         y: c d
 *               y z           z: e x         v: y z
 *
 * All edges into the vertex stay as they are: it is the root, and its targets are some ceil(log_K
 * d) edges away, all of them new ones but the last. Each new vertex has K edges, the root between 2
 * and K. For d edges there are ceil((d - K) / (K - 1)) new vertices, and as many new edges. Place p
 * of the queue is edge p of the row, or new vertex p - d: so all rows are made at once.
 *
 * O(vertices + edges). Source: A. H. Nodehi Sabet, J. Qiu, Z. Zhao, "Tigr: transforming irregular
 * graphs for GPU-friendly graph processing", ASPLOS 2018.
 */
#include "base/context.h"
#include "base/plain/csr.h"

typedef struct splitting {
    const cflr_csr *csr;
    uint32_t most, weight; /* K; the bits of a new edge's weight */
    uint64_t *before;      /* by vertex: new ones of vertices before it */
} splitting;

static uint64_t new_of(const splitting *s, uint32_t v) {
    uint64_t degree = s->csr->start[v + 1] - s->csr->start[v];
    return degree > s->most ? (degree - s->most + s->most - 2) / (s->most - 1) : 0;
}

/* Whose edge place p of v's queue is. */
static uint32_t owner(const splitting *s, uint32_t v, uint64_t p, uint64_t n_new) {
    uint64_t i = p / s->most;
    return i < n_new ? (uint32_t)(s->csr->n_vertices + s->before[v] + i) : v;
}

static void list_row(const splitting *s, uint32_t v, cflri_edges *edges) {
    const cflr_csr *csr = s->csr;
    uint64_t begin = csr->start[v], degree = csr->start[v + 1] - begin, n_new = new_of(s, v);
    const uint32_t *weight = csr->weight;
    uint64_t at = begin + s->before[v];
    for (uint64_t p = 0; p < degree + n_new; p++, at++) {
        bool old = p < degree;
        uint64_t fresh = csr->n_vertices + s->before[v] + (p - degree);
        edges->source.at[at] = owner(s, v, p, n_new);
        edges->target.at[at] = old ? csr->target[begin + p] : (uint32_t)fresh;
        if (weight) edges->weight.at[at] = old ? weight[begin + p] : s->weight;
    }
}

static cflr_status split(splitting *s, uint64_t n_new, cflr_csr **made, cflr_error *error) {
    const cflr_csr *csr = s->csr;
    uint64_t n = csr->n_vertices + n_new, m = csr->n_edges + n_new;
    if (n > CFLR_MAX_VERTICES)
        return cflri_fail(error, CFLR_LIMIT, NULL,
                          "split into vertices of %u edges the graph has too many vertices",
                          s->most);
    cflri_edges edges = {.n_vertices = (uint32_t)n, .weights = csr->weights};
    cflr_csr_opts opts;
    cflr_csr_opts_init(&opts);
    opts.keep_parallel = true;
    if (!cflri_edges_reserve(csr->context, &edges, m)) {
        cflri_edges_free(csr->context, &edges);
        return cflri_fail_memory(csr->context, error);
    }
    edges.source.n = edges.target.n = m;
    if (csr->weight) edges.weight.n = m;
#pragma omp parallel for num_threads(cflr_context_threads(csr->context)) schedule(dynamic, 1024)
    for (uint32_t v = 0; v < csr->n_vertices; v++) list_row(s, v, &edges);
    return cflri_edges_freeze(csr->context, &edges, &opts, made, error);
}

cflr_status cflri_csr_split(const cflr_csr *csr, uint32_t most, uint32_t weight, cflr_csr **made,
                            cflr_error *error) {
    splitting s = {.csr = csr, .most = most, .weight = weight};
    uint64_t n_new = 0;
    s.before = cflri_alloc_array(csr->context, csr->n_vertices, sizeof *s.before);
    *made = NULL;
    if (!s.before) return cflri_fail_memory(csr->context, error);
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        s.before[v] = n_new;
        n_new += new_of(&s, v);
    }
    cflr_status st = split(&s, n_new, made, error);
    cflri_free(csr->context, s.before);
    return st;
}

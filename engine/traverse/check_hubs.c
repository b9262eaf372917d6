/* SPDX-License-Identifier: Apache-2.0
 *
 * check_hubs.c: hubs and authorities in float64.
 *
 *     HITS     authority(v) = sum over edges u -> v of hub(u)           both brought to length 1:
 *              hub'(u)      = sum over edges u -> v of authority(v)     squares then add up to 1
 *     SALSA    authority(v) = sum over edges u -> v of hub(u) / out-degree(u)
 *              hub'(u)      = sum over edges u -> v of authority(v) / in-degree(v)
 *
 * Hubs begin alike: of all vertices with length 1 (HITS), or of those with edges with sum 1
 * (SALSA), which every step keeps. Without any edge all are 0. Parallel edges count each. O(n + m)
 * a step.
 *
 * A run is held to what the same number of steps gives. No term is negative, so nothing cancels: k
 * steps are off by a factor of at most (1 + e)^k, with e = 2^-21 for two float32 columns, their
 * lengths, and float64 sums. The bound is BOUND = 1e-4 for float32 sums that are made in pieces
 * (check_ranks.c), and as much as that for every step. What fades away, as in components that are
 * not the strongest, gets too small for a float32: FLOOR of the mean is as good as none.
 *
 * Sources: J. Kleinberg, "Authoritative sources in a hyperlinked environment", JACM 1999; R.
 * Lempel, S. Moran, "SALSA: the stochastic approach for link-structure analysis", TOIS 2001.
 */
#include <math.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-4, BOUND_A_STEP = 0x1p-21, FLOOR = 1e-6, SLACK = 1e-5;

typedef struct hubs {
    double *hub, *next, *authority;
    double *in_degree; /* SALSA; NULL for HITS */
    double change;     /* of the last step, in all */
    double change_before;
} hubs;

/* ---- one step ---- */

/* What a vertex hands on over each of its edges. */
static double hub_share(const cflri_check *c, const hubs *h, uint32_t u) {
    return h->in_degree ? h->hub[u] / (double)cflri_check_degree(c, u) : h->hub[u];
}

static double authority_share(const hubs *h, uint32_t v) {
    return h->in_degree ? h->authority[v] / h->in_degree[v] : h->authority[v];
}

static void find_authorities(const cflri_check *c, const hubs *h) {
    const cflr_csr *csr = c->csr;
    for (uint32_t v = 0; v < csr->n_vertices; v++) h->authority[v] = 0;
    for (uint32_t u = 0; u < csr->n_vertices; u++)
        for (uint64_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            h->authority[csr->target[e]] += hub_share(c, h, u);
}

static void find_hubs(const cflri_check *c, const hubs *h) {
    const cflr_csr *csr = c->csr;
    for (uint32_t u = 0; u < csr->n_vertices; u++) {
        h->next[u] = 0;
        for (uint64_t e = csr->start[u]; e < csr->start[u + 1]; e++)
            h->next[u] += authority_share(h, csr->target[e]);
    }
}

/* Brings them to length 1, unless they have none. */
static void bring_to_length(double *at, uint32_t n) {
    double squares = 0;
    for (uint32_t v = 0; v < n; v++) squares += at[v] * at[v];
    for (uint32_t v = 0; v < n && squares > 0; v++) at[v] /= sqrt(squares);
}

static void step(const cflri_check *c, hubs *h) {
    uint32_t n = c->csr->n_vertices;
    double *swap = h->hub;
    find_authorities(c, h);
    if (!h->in_degree) bring_to_length(h->authority, n);
    find_hubs(c, h);
    if (!h->in_degree) bring_to_length(h->next, n);
    h->change_before = h->change;
    h->change = 0;
    for (uint32_t v = 0; v < n; v++) h->change += fabs(h->next[v] - h->hub[v]);
    h->hub = h->next;
    h->next = swap;
}

/* ---- begin ---- */

static void count_edges_in(const cflri_check *c, const hubs *h) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) h->in_degree[v] = 0;
    for (uint64_t e = 0; e < c->csr->n_edges; e++) h->in_degree[c->csr->target[e]]++;
}

static void begin_hits(const cflri_check *c, const hubs *h) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++)
        h->hub[v] = 1 / sqrt((double)c->csr->n_vertices);
}

static void begin_salsa(const cflri_check *c, const hubs *h) {
    uint32_t n = c->csr->n_vertices, with_edges = 0;
    for (uint32_t v = 0; v < n; v++) with_edges += cflri_check_degree(c, v) > 0;
    for (uint32_t v = 0; v < n; v++) h->hub[v] = cflri_check_degree(c, v) ? 1.0 / with_edges : 0;
    count_edges_in(c, h);
}

static cflr_status hubs_new(cflri_check *c, hubs *h, bool salsa) {
    uint32_t n = c->csr->n_vertices;
    h->hub = cflri_alloc_array(c->context, n, sizeof *h->hub);
    h->next = cflri_alloc_array(c->context, n, sizeof *h->next);
    h->authority = cflri_alloc_array_zero(c->context, n, sizeof *h->authority);
    if (salsa) h->in_degree = cflri_alloc_array(c->context, n, sizeof *h->in_degree);
    h->change = h->change_before = INFINITY;
    if (!h->hub || !h->next || !h->authority || (salsa && !h->in_degree))
        return cflri_check_have(c, false);
    if (salsa)
        begin_salsa(c, h);
    else
        begin_hits(c, h);
    return CFLR_OK;
}

static void hubs_free(const cflri_check *c, hubs *h) {
    cflri_free(c->context, h->hub);
    cflri_free(c->context, h->next);
    cflri_free(c->context, h->authority);
    cflri_free(c->context, h->in_degree);
}

/* ---- comparing ---- */

/* `mean`: what a vertex has when all have the same. */
static void compare(cflri_check *c, const char *name, const double *expected, double mean) {
    const float *found = cflri_check_column(c, name).values;
    double bound = BOUND + BOUND_A_STEP * (double)c->t->stats.iterations;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++)
        cflri_check_real(c, name, v, (double)found[v], expected[v],
                         bound * expected[v] + FLOOR * mean);
}

static cflr_status check(cflri_check *c, bool salsa) {
    cflr_status st = CFLR_OK;
    hubs h = {0};
    double n = c->csr->n_vertices, mean = salsa ? 1 / n : 1 / sqrt(n), all = 0;
    CFLR_TRY(hubs_new(c, &h, salsa));
    for (uint64_t k = 0; k < c->t->stats.iterations; k++) {
        step(c, &h);
        CFLR_TRY(cflri_check_worked(c, 2 * (c->csr->n_vertices + c->csr->n_edges)));
    }
    compare(c, "hub", h.hub, mean);
    compare(c, "authority", h.authority, mean);
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) all += h.hub[v];
    cflri_check_end(c, h.change_before, h.change, SLACK * all);
out:
    hubs_free(c, &h);
    return st;
}

cflr_status cflri_check_HITS(cflri_check *c) {
    return check(c, false);
}

cflr_status cflri_check_SALSA(cflri_check *c) {
    return check(c, true);
}

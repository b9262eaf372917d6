/* SPDX-License-Identifier: Apache-2.0
 *
 * check_forest.c: lightest spanning forests by Kruskal's algorithm.
 *
 * Edges by weight, each taken unless its ends are joined already. With weights that are equal there
 * are many lightest forests, but in order of weight all of them have the same weights. So a run's
 * edges must be edges of the graph that close no cycle, as many as Kruskal's, with weights that are
 * in order equal to his.
 *
 * Weights become numbers of 32 bits in the same order, which are sorted digit by digit; O(m) for
 * that, O(m log n) for joining. 24 bytes an edge.
 *
 * The weight in all is exact for integers whose sums float64 can hold. Otherwise it may be off by a
 * share, BOUND, of what all weights are without their signs.
 *
 * Source: J. Kruskal, "On the shortest spanning subtree of a graph and the traveling salesman
 * problem", 1956.
 */
#include <math.h>
#include <string.h>

#include "engine/traverse/check.h"

static const double BOUND = 1e-9, MOST_EXACT = 0x1p53;

/* An edge from its smaller end. */
typedef struct edge {
    uint32_t order; /* of its weight */
    uint32_t source, target;
} edge;

typedef struct edges {
    edge *at, *other; /* `other`: as much room, while they are sorted */
    uint64_t n;
} edges;

typedef struct forest {
    edges all, found; /* Kruskal's, once they are chosen, and the run's */
    uint32_t *up;
} forest;

/* ---- weights in order ---- */

/* -0 and 0 are one weight: adding 0 makes them so. */
static uint32_t order_of(const cflr_csr *csr, uint64_t e) {
    uint32_t bits;
    float real = csr->weights == CFLR_WEIGHTS_FLOAT32 ? ((const float *)csr->weight)[e] + 0 : 0;
    if (csr->weights == CFLR_WEIGHTS_FLOAT32)
        memcpy(&bits, &real, sizeof bits);
    else
        memcpy(&bits, (const int32_t *)csr->weight + e, sizeof bits);
    return cflri_weight_order(csr->weights, bits);
}

static double weight_of(const cflr_csr *csr, uint32_t order) {
    uint32_t bits = cflri_weight_bits(csr->weights, order);
    float real;
    int32_t integer;
    memcpy(&real, &bits, sizeof real);
    memcpy(&integer, &bits, sizeof integer);
    return csr->weights == CFLR_WEIGHTS_FLOAT32 ? (double)real : integer;
}

static void sort_by_digit(edges *list, unsigned shift) {
    uint64_t place[257] = {0};
    for (uint64_t i = 0; i < list->n; i++) place[(list->at[i].order >> shift & 255) + 1]++;
    for (int k = 0; k < 256; k++) place[k + 1] += place[k];
    for (uint64_t i = 0; i < list->n; i++)
        list->other[place[list->at[i].order >> shift & 255]++] = list->at[i];
    edge *swap = list->at;
    list->at = list->other;
    list->other = swap;
}

static void sort(edges *list) {
    for (unsigned shift = 0; shift < 32; shift += 8) sort_by_digit(list, shift);
}

static cflr_status edges_new(cflri_check *c, edges *list, uint64_t room) {
    list->at = cflri_alloc_array(c->context, room, sizeof *list->at);
    list->other = cflri_alloc_array(c->context, room, sizeof *list->other);
    return cflri_check_have(c, list->at && list->other);
}

static void edges_free(const cflri_check *c, edges *list) {
    cflri_free(c->context, list->at);
    cflri_free(c->context, list->other);
}

/* ---- Kruskal's ---- */

static cflr_status list_edges(cflri_check *c, edges *list) {
    const cflr_csr *csr = c->csr;
    cflr_status st = CFLR_OK;
    for (uint32_t v = 0; v < csr->n_vertices && st == CFLR_OK; v++) {
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            if (v < csr->target[e])
                list->at[list->n++] = (edge){order_of(csr, e), v, csr->target[e]};
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    return st;
}

/* Of the sorted edges those that the forest has stay. */
static cflr_status choose(cflri_check *c, forest *f) {
    uint64_t n = f->all.n;
    f->all.n = 0;
    for (uint64_t i = 0; i < n; i++) {
        const edge next = f->all.at[i];
        if (cflri_check_join(f->up, next.source, next.target)) f->all.at[f->all.n++] = next;
        cflr_status st = cflri_check_worked(c, 1);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

static cflr_status find_forest(cflri_check *c, forest *f) {
    cflr_status st = CFLR_OK;
    f->up = cflri_check_alone(c);
    CFLR_TRY(cflri_check_have(c, f->up));
    CFLR_TRY(edges_new(c, &f->all, c->csr->n_edges / 2)); /* the others lead the other way */
    CFLR_TRY(list_edges(c, &f->all));
    sort(&f->all);
    CFLR_TRY(choose(c, f));
out:
    return st;
}

/* ---- the run's ---- */

/* The vertex in whose row the edge is. */
static uint32_t source_of(const cflr_csr *csr, uint64_t e) {
    uint32_t begin = 0, end = csr->n_vertices; /* start[begin] <= e < start[end] */
    while (end - begin > 1) {
        uint32_t middle = begin + (end - begin) / 2;
        if (csr->start[middle] <= e)
            begin = middle;
        else
            end = middle;
    }
    return begin;
}

/* What is wrong with edge `e`, which stands behind edge `before`; NULL: nothing, and it is
 * taken. */
static const char *take(const cflri_check *c, forest *f, uint64_t e, uint64_t before) {
    const cflr_csr *csr = c->csr;
    if (e >= csr->n_edges) return "no edge of the graph";
    if (before != UINT64_MAX && e <= before) return "not greater than the one before it";
    const edge found = {order_of(csr, e), source_of(csr, e), csr->target[e]};
    if (found.source >= found.target) return "not the way from its smaller end";
    if (!cflri_check_join(f->up, found.source, found.target)) return "closing a cycle";
    f->found.at[f->found.n++] = found;
    return NULL;
}

static cflr_status take_edges(cflri_check *c, forest *f) {
    const cflr_column column = cflri_check_column(c, "edge");
    const uint64_t *edge_at = column.values;
    cflr_status st = edges_new(c, &f->found, column.n);
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) f->up[v] = v;
    for (uint64_t i = 0; i < column.n && st == CFLR_OK; i++) {
        const char *wrong = take(c, f, edge_at[i], i ? edge_at[i - 1] : UINT64_MAX);
        cflri_check_that(c, !wrong, "edge %llu of the forest is %llu, which is %s",
                         (unsigned long long)i, (unsigned long long)edge_at[i], wrong);
        st = cflri_check_worked(c, 1);
    }
    if (st == CFLR_OK) sort(&f->found);
    return st;
}

/* ---- comparing ---- */

static void compare_weights(cflri_check *c, const forest *f) {
    uint64_t n = f->all.n < f->found.n ? f->all.n : f->found.n;
    for (uint64_t i = 0; i < n; i++) {
        uint32_t found = f->found.at[i].order, expected = f->all.at[i].order;
        cflri_check_that(
            c, found == expected, "weight %llu of the forest, in order, is %.9g, should be %.9g",
            (unsigned long long)i, weight_of(c->csr, found), weight_of(c->csr, expected));
    }
}

static void compare_sum(cflri_check *c, const forest *f) {
    double sum = 0, size = 0;
    for (uint64_t i = 0; i < f->all.n; i++) {
        double weight = weight_of(c->csr, f->all.at[i].order);
        sum += weight;
        size += fabs(weight);
    }
    bool exact = c->csr->weights == CFLR_WEIGHTS_INT32 && size < MOST_EXACT;
    cflri_check_total(c, "weight", sum, exact ? 0 : BOUND * size);
}

cflr_status cflri_check_MST(cflri_check *c) {
    cflr_status st = CFLR_OK;
    forest f = {0};
    CFLR_TRY(find_forest(c, &f));
    CFLR_TRY(take_edges(c, &f));
    cflri_check_count(c, "edges", f.all.n);
    compare_weights(c, &f);
    compare_sum(c, &f);
out:
    edges_free(c, &f.all);
    edges_free(c, &f.found);
    cflri_free(c->context, f.up);
    return st;
}

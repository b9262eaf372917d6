/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_products.c: rows that follow from finished ones.
 *
 * In a stratum that does not loop, a row is what it holds by itself (DIAGONAL, INPUT, and what is made of
 * the ids of finished rows) and the union of rows that it contains whole (COPY, EDGE, PAIR). Which these
 * are is known before any of them is:
 *
 *     V(1) ---> V(4) ---> A(4)        an arrow: contains
 *      ^  \      ^
 *      |   v     |                    V(1), V(2) contain each other: one row
 *     V(2)      V(7)                  V(7) contains V(4) and nothing else: the same row
 *
 * So nothing is iterated. Here the search for what contains what is prepared: equations by what is on the
 * left, pairs by their second vertex, what rows hold by themselves, and the nodes to begin at. The search
 * itself is batch_search.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch_products.h"

typedef struct products {
    cflri_batch *b;
    cflri_products all;
} products;

/* What one of the threads prepares. */
typedef struct part {
    cflri_batch *b; /* its view */
    const cflri_products *all;
    uint32_t self, threads;
    uint64_t rows; /* that it has gone past */
} part;

static bool refused(const products *p) {
    return cflri_batch_refused(p->b);
}

/* ---- preparing ---- */

static bool find_places(products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n;
    uint32_t n = b->problem->n_vertices;
    p->all.base = cflri_alloc_array(b->context, families + 1, sizeof *p->all.base);
    p->all.copied = cflri_alloc_array_zero(b->context, families + 1, sizeof *p->all.copied);
    if (!p->all.base || !p->all.copied) return refused(p);
    memset(p->all.base, 0xff, families * sizeof *p->all.base);
    for (uint32_t i = 0; i < b->at_place.n; i++) {
        uint32_t family = b->at_place.at[i];
        if (b->equations->family.at[family].stratum != b->number) continue;
        p->all.base[family] = i * n - b->span.first_placed;
    }
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind == CFLRI_COPY) p->all.copied[e->right] += b->place[e->left] == CFLRI_NO_NODE;
    }
    return true;
}

/* By family and kind; INPUT and EDGE as the meeting with ports wants them. */
static int compare_united(const void *a, const void *b, void *all) {
    const cflri_equation *equation = all;
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    const cflri_equation *x = &equation[i], *y = &equation[j];
    if (x->left != y->left) return x->left < y->left ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->by_back != y->by_back) return x->by_back - y->by_back;
    if (x->by != y->by) return x->by < y->by ? -1 : 1;
    return (i > j) - (i < j);
}

static bool index_equations(products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n, n = 0;
    p->all.start = cflri_alloc_array_zero(b->context, families + 2, sizeof *p->all.start);
    p->all.by_left = cflri_alloc_array(b->context, b->stratum.end - b->stratum.first + 1,
                                       sizeof *p->all.by_left);
    if (!p->all.start || !p->all.by_left) return refused(p);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (!cflri_batch_unites(e->kind)) continue;
        p->all.by_left[n++] = (uint32_t)i;
        p->all.start[e->left + 1]++;
    }
    for (size_t f = 0; f < families; f++) p->all.start[f + 1] += p->all.start[f];
    if (n)
        qsort_r(p->all.by_left, n, sizeof *p->all.by_left, compare_united,
                b->equations->equation.at);
    return true;
}

/* The family's pairs (u,v), by v. */
static bool turn(products *p, uint32_t family) {
    cflri_batch *b = p->b;
    CFLRI_VEC(uint64_t) pairs = {0};
    cflri_node_walk walk = cflri_batch_nodes(b, family);
    uint32_t vertex, id;
    cflri_set_number value;
    bool done = true;
    while (done && cflri_batch_next(&walk, &vertex, &value)) {
        cflri_row row = cflri_sets_row(b->sets, value);
        cflri_row_walk ids = cflri_row_begin(&row);
        done = cflri_vec_reserve(b->context, &pairs, row.n);
        while (done && cflri_row_next(&ids, &id)) pairs.at[pairs.n++] = cflri_pair(id, vertex);
    }
    cflri_relation *turned = &p->all.turned[family];
    done = done && cflri_relation_build(b->context, pairs.at, pairs.n, turned, NULL) == CFLR_OK;
    cflri_vec_free(b->context, &pairs);
    return done || refused(p);
}

static bool turn_all(products *p) {
    cflri_batch *b = p->b;
    p->all.turned =
        cflri_alloc_array_zero(b->context, b->equations->family.n + 1, sizeof *p->all.turned);
    if (!p->all.turned) return refused(p);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_PAIR || !e->by_back || p->all.turned[e->by].n_pairs) continue;
        if (!turn(p, e->by)) return false;
    }
    return true;
}

/* ---- what rows hold by themselves ---- */

/* Is the next row the thread's? */
static bool is_own(part *p) {
    return cflri_is_dealt(&p->rows, p->self, p->threads);
}

/* Others may give to the same node. */
static bool give(cflri_batch *b, void *to, uint32_t family, uint32_t vertex,
                 cflri_set_number more) {
    (void)to;
    uint32_t node = cflri_batch_node(b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(b);
    _Atomic cflri_set_number *at = cflri_batch_value_at(b, node);
    cflri_set_number before = atomic_load(at), value;
    do {
        value = cflri_sets_union(b->sets, before, more);
        if (value == CFLRI_NO_SET) return cflri_batch_refused(b);
    } while (!atomic_compare_exchange_weak(at, &before, value));
    b->derivations++;
    cflri_batch_offered(b, value != before);
    return cflri_batch_worked(b, 4);
}

static bool fill(part *p) {
    cflri_batch *b = p->b;
    for (size_t i = 0; i < b->reader.n; i++) {
        uint32_t family = b->reader.at[i], vertex;
        cflri_set_number value;
        if (!cflri_batch_finished(b, family)) continue;
        cflri_node_walk walk = cflri_batch_nodes(b, family);
        while (cflri_batch_next(&walk, &vertex, &value)) {
            if (is_own(p) && !cflri_batch_derive(b, family, vertex, value, give, p)) return false;
        }
    }
    return true;
}

/* ---- where the search begins ---- */

/* Families with places are gone through whole; of the others the nodes are made that contain
 * something. */
static bool add_root(const part *p, uint32_t family, uint32_t vertex) {
    return cflri_products_add_root(p->b, family, vertex);
}

static bool add_roots_at(const part *p, uint32_t family, const uint32_t *vertex, uint64_t n) {
    cflri_share own = cflri_share_of(n, p->self, p->threads);
    for (uint64_t i = own.begin; i < own.end; i++) {
        if (!add_root(p, family, vertex[i])) return false;
    }
    return true;
}

static bool add_edge_roots(const part *p, const cflri_equation *e) {
    const cflri_relation *input = p->b->problem->input[e->by];
    if (!e->by_back) return add_roots_at(p, e->left, input->row, input->n_rows);
    return add_roots_at(p, e->left, input->target, input->n_pairs);
}

static bool add_diagonal_roots(const part *p, const cflri_equation *e) {
    cflri_share own = cflri_share_of(p->b->problem->n_vertices, p->self, p->threads);
    for (uint64_t v = own.begin; v < own.end; v++) {
        if (!add_root(p, e->left, (uint32_t)v)) return false;
    }
    return true;
}

/* A root for each node of the family. */
static bool add_roots_of(part *p, const cflri_equation *e, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(p->b, family);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        if (is_own(p) && !add_root(p, e->left, vertex)) return false;
    }
    return true;
}

static bool add_pair_roots(part *p, const cflri_equation *e) {
    const cflri_relation *turned = &p->all->turned[e->by];
    if (e->by_back) return add_roots_at(p, e->left, turned->row, turned->n_rows);
    return add_roots_of(p, e, e->by);
}

static bool add_roots(part *p) {
    cflri_batch *b = p->b;
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (b->place[e->left] != CFLRI_NO_NODE) continue;
        bool added = true;
        if (e->kind == CFLRI_DIAGONAL) added = add_diagonal_roots(p, e);
        if (e->kind == CFLRI_EDGE || e->kind == CFLRI_INPUT) added = add_edge_roots(p, e);
        if (e->kind == CFLRI_PAIR) added = add_pair_roots(p, e);
        if (e->kind == CFLRI_COPY && cflri_batch_finished(b, e->right)) {
            added = add_roots_of(p, e, e->right);
        }
        if (!added) return false;
    }
    return true;
}

bool cflri_products_begin(cflri_batch *b, const cflri_products *all, uint32_t self,
                          uint32_t threads) {
    part p = {b, all, self, threads, 0};
    return fill(&p) && add_roots(&p);
}

/* ---- all ---- */

static void free_products(products *p) {
    cflr_context *context = p->b->context;
    for (size_t f = 0; p->all.turned && f < p->b->equations->family.n; f++) {
        cflri_relation_free(context, &p->all.turned[f]);
    }
    cflri_free(context, p->all.turned);
    cflri_free(context, p->all.base);
    cflri_free(context, p->all.copied);
    cflri_free(context, p->all.start);
    cflri_free(context, p->all.by_left);
}

bool cflri_batch_products(cflri_batch *b) {
    products p = {.b = b};
    bool done =
        find_places(&p) && index_equations(&p) && turn_all(&p) && cflri_products_search(b, &p.all);
    free_products(&p);
    return done;
}

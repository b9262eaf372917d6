/* SPDX-License-Identifier: Apache-2.0
 *
 * products.c: rows that follow from finished ones.
 *
 * In a stratum that does not loop, a row is what it holds by itself (DIAGONAL, INPUT, and what is
 * made of the ids of finished rows) and the union of rows that it contains whole (COPY, EDGE,
 * PAIR). Which these are is known before any of them is:
 *
 *     V(1) ---> V(4) ---> A(4)        an arrow: contains
 *      ^  \      ^
 *      |   v     |                    V(1), V(2) contain each other: one row
 *     V(2)      V(7)                  V(7) contains V(4) and nothing else: the same row
 *
 * So nothing is iterated. Here the search for what contains what is prepared: equations by what is
 * on the left, and pairs by their second vertex. What rows hold by themselves, and the nodes to
 * begin at, are in roots.c; the search itself is search.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/products/products.h"

typedef struct products {
    cflri_batch *b;
    cflri_products all;
} products;

/* ---- preparing ---- */

static bool find_places(products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n;
    uint32_t n = b->problem->n_vertices;
    p->all.base = cflri_alloc_array(b->context, families + 1, sizeof *p->all.base);
    p->all.copied = cflri_alloc_array_zero(b->context, families + 1, sizeof *p->all.copied);
    if (!p->all.base || !p->all.copied) return cflri_batch_refused(p->b);
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
    cflri_lefts *lefts = &p->all.lefts;
    size_t starts = b->equations->family.n * CFLRI_UNITING, n = 0;
    lefts->start = cflri_alloc_array_zero(b->context, starts + 2, sizeof *lefts->start);
    lefts->equation = cflri_alloc_array(b->context, b->stratum.end - b->stratum.first + 1,
                                        sizeof *lefts->equation);
    if (!lefts->start || !lefts->equation) return cflri_batch_refused(p->b);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (!cflri_batch_unites(e->kind)) continue;
        lefts->equation[n++] = (uint32_t)i;
        lefts->start[(size_t)e->left * CFLRI_UNITING + e->kind + 1]++;
    }
    for (size_t s = 0; s < starts; s++) lefts->start[s + 1] += lefts->start[s];
    if (!n) return true;
    qsort_r(lefts->equation, n, sizeof *lefts->equation, compare_united, b->equations->equation.at);
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
    cflri_relation *turned = &p->all.lefts.turned[family];
    done = done && cflri_relation_build(b->context, pairs.at, pairs.n, turned, NULL) == CFLR_OK;
    cflri_vec_free(b->context, &pairs);
    return done || cflri_batch_refused(p->b);
}

static bool turn_all(products *p) {
    cflri_batch *b = p->b;
    p->all.lefts.turned =
        cflri_alloc_array_zero(b->context, b->equations->family.n + 1, sizeof *p->all.lefts.turned);
    if (!p->all.lefts.turned) return cflri_batch_refused(p->b);
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_PAIR || !e->by_back || p->all.lefts.turned[e->by].n_pairs) continue;
        if (!turn(p, e->by)) return false;
    }
    return true;
}

/* ---- all ---- */

static void free_products(products *p) {
    cflr_context *context = p->b->context;
    for (size_t f = 0; p->all.lefts.turned && f < p->b->equations->family.n; f++) {
        cflri_relation_free(context, &p->all.lefts.turned[f]);
    }
    cflri_free(context, p->all.lefts.turned);
    cflri_free(context, p->all.base);
    cflri_free(context, p->all.copied);
    cflri_free(context, p->all.lefts.start);
    cflri_free(context, p->all.lefts.equation);
}

bool cflri_batch_products(cflri_batch *b) {
    products p = {.b = b};
    bool done =
        find_places(&p) && index_equations(&p) && turn_all(&p) && cflri_products_search(b, &p.all);
    free_products(&p);
    return done;
}

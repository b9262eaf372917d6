/* SPDX-License-Identifier: Apache-2.0
 *
 * products.c: rows that follow from finished rows.
 *
 * In a stratum that does not loop, a row is the union of its own sets (DIAGONAL, INPUT, and
 * equations that look at ids of finished rows) and of the rows that it contains whole (COPY, EDGE,
 * PAIR). It is known which rows these are before any of them is known:
 *
 *     V(1) ---> V(4) ---> A(4)        an arrow: contains
 *      ^  \      ^
 *      |   v     |                    V(1), V(2) contain each other: one row
 *     V(2)      V(7)                  V(7) contains V(4) and nothing else: the same row
 *
 * So nothing is iterated. This file prepares the search through the containment graph: equations by
 * their left sides, and pairs by their second vertex. The own sets of rows, and the nodes at which
 * the search begins, are in roots.c; the search itself is in search.c.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/products/products.h"
#include "engine/closure/batch/slice.h"
#include "engine/closure/batch/turn.h"
#include "engine/closure/question.h"

/* ---- preparing ---- */

static bool find_places(cflri_products *p) {
    cflri_batch *b = p->b;
    size_t families = b->equations->family.n;
    uint32_t n = b->problem->n_vertices;
    p->base = cflri_alloc_array(b->context, families + 1, sizeof *p->base);
    p->copied = cflri_alloc_array_zero(b->context, families + 1, sizeof *p->copied);
    if (!p->base || !p->copied) return cflri_batch_refused(p->b);
    memset(p->base, 0xff, families * sizeof *p->base);
    for (uint32_t i = 0; i < b->at_place.n; i++) {
        uint32_t family = b->at_place.at[i];
        if (b->equations->family.at[family].stratum != b->number) continue;
        p->base[family] = i * n - b->span.first_placed;
    }
    for (size_t i = b->stratum.first; i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind == CFLRI_COPY) p->copied[e->right] += b->place[e->left] == CFLRI_NO_NODE;
    }
    return true;
}

/* Orders by family and kind; INPUT and EDGE as matching them with ports needs it. */
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

static bool index_equations(cflri_products *p) {
    cflri_batch *b = p->b;
    cflri_lefts *lefts = &p->lefts;
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

/* Adds the pairs that other slices have sent to the rows of a family's converse. */
static bool add_received(cflri_batch *b, uint32_t family, cflri_set_number *turned) {
    cflri_set_number *more = NULL;
    bool added = cflri_batch_turn(b, cflri_batch_received(b, family), &more);
    for (uint32_t v = 0; added && v < b->problem->n_vertices; v++) {
        if (more[v]) turned[v] = cflri_sets_union(b->sets, turned[v], more[v]);
        added = turned[v] != CFLRI_NO_SET;
    }
    cflri_free(b->context, more);
    return added;
}

static bool turn_all(cflri_products *p) {
    cflri_batch *b = p->b;
    cflri_set_number **turned = p->lefts.turned =
        cflri_alloc_array_zero(b->context, b->equations->family.n + 1, sizeof *p->lefts.turned);
    bool done = turned;
    for (size_t i = b->stratum.first; done && i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_PAIR || !e->by_back || turned[e->by]) continue;
        done = cflri_batch_turn(b, e->by, &turned[e->by]) &&
               (!b->sliced || add_received(b, e->by, turned[e->by]));
    }
    return done || cflri_batch_refused(b);
}

/* ---- questions ---- */

/* The question of the problem, if it says which rows of the stratum are needed: no other stratum
 * reads them, and no symbol has the pairs of one of them read backwards. */
static const cflri_question *question_of(const cflri_batch *b) {
    const cflri_question *question = b->reduced->original->question;
    const cflri_equations *all = b->equations;
    if (!question || !b->plan->alone || b->number + 1 < all->stratum.n) return NULL;
    for (uint32_t s = 0; s < all->n_symbols; s++) {
        cflri_home home = all->home[s];
        bool turned = home.wanted && home.turned && home.rows != CFLRI_NO_SYMBOL;
        if (turned && all->family.at[home.rows].stratum == b->number) return NULL;
    }
    return question;
}

/* ---- several slices ---- */

static void fill_share(void *what, cflri_crew *crew, uint32_t self) {
    const cflri_views *views = what;
    cflri_products_fill(views->of[self], self, crew->threads);
}

/* Fills rows with their own sets before runs of other slices arrive. */
static void fill_together(cflri_batch *b) {
    cflri_views views = {0};
    if (cflri_views_begin(b, &views)) cflri_crew_run(b->threads, fill_share, &views);
    cflri_views_end(b, &views);
    b->extra_draw = (cflri_draw){0};
}

/* ---- all ---- */

cflri_products *cflri_products_open(cflri_batch *b) {
    cflri_products *p = cflri_alloc_zero(b->context, sizeof *p);
    if (p) *p = (cflri_products){.b = b, .question = question_of(b)};
    if (!p || !find_places(p) || !index_equations(p) || !turn_all(p)) {
        cflri_batch_refused(b);
    } else if (b->sliced) {
        fill_together(b);
    }
    return p;
}

bool cflri_products_close(cflri_products *p, const cflri_boxes *inbox) {
    p->inbox = inbox;
    return cflri_products_search(p->b, p) &&
           (!p->b->sliced || cflri_batch_broadcast_all(p->b, 0, 1));
}

void cflri_products_free(cflri_products *p) {
    if (!p) return;
    cflr_context *context = p->b->context;
    for (size_t f = 0; p->lefts.turned && f < p->b->equations->family.n; f++) {
        cflri_free(context, p->lefts.turned[f]);
    }
    cflri_free(context, (void *)p->lefts.turned);
    cflri_free(context, p->base);
    cflri_free(context, p->copied);
    cflri_free(context, p->lefts.start);
    cflri_free(context, p->lefts.equation);
    cflri_free(context, p);
}

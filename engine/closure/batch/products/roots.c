/* SPDX-License-Identifier: Apache-2.0
 *
 * roots.c: the own sets of the rows of a stratum of products, and the nodes at which its search
 * begins.
 *
 * The search goes through all vertices of a family with a place (search.c). For the other families,
 * which have rows at few vertices, this file makes a node wherever an equation has something on its
 * right side.
 */
#include "engine/closure/batch/products/products.h"
#include "engine/closure/batch/receive.h"

/* The share of one thread. */
typedef struct part {
    cflri_sink sink;
    cflri_batch *b; /* the thread's view */
    const cflri_products *all;
    uint32_t self, threads;
    uint64_t rows;              /* number of rows that it has passed */
    cflri_step_questions steps; /* scratch */
} part;

/* ---- the own sets of rows ---- */

/* Is the next row in the thread's share? */
static bool is_own(part *p) {
    return cflri_is_dealt(&p->rows, p->self, p->threads);
}

/* Other threads may add to the same node. */
static bool row(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set) {
    cflri_batch *b = ((part *)sink)->b;
    uint32_t node = cflri_batch_node(b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(b);
    cflri_set_number before, now;
    if (!cflri_batch_add(b, node, set, &before, &now)) return false;
    b->derivations++;
    cflri_batch_offered(b, now != before);
    return cflri_batch_worked(b, 4);
}

/* Applies the equations that look at ids to some rows of a family. Their steps are asked for
 * together. */
static bool fill_from(part *p, uint32_t family, const uint32_t *vertex,
                      const cflri_set_number *value, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (!cflri_rules_ask(p->b, family, vertex[i], value[i], &p->steps)) return false;
    }
    cflri_batch_step_together(p->b, &p->steps);
    for (uint32_t i = 0; i < n; i++) {
        if (!cflri_rules_ids(p->b, &p->sink, family, vertex[i], value[i])) return false;
    }
    return true;
}

static bool fill_by(part *p, uint32_t family) {
    uint32_t vertex[CFLRI_STEPS_TOGETHER], n = 0;
    cflri_set_number value[CFLRI_STEPS_TOGETHER];
    cflri_node_walk walk = cflri_batch_nodes(p->b, family);
    while (cflri_batch_next(&walk, &vertex[n], &value[n])) {
        if (!is_own(p) || ++n < CFLRI_STEPS_TOGETHER) continue;
        if (!fill_from(p, family, vertex, value, n)) return false;
        n = 0;
    }
    return fill_from(p, family, vertex, value, n);
}

static bool fill(part *p) {
    const cflri_batch *b = p->b;
    bool filled = true;
    for (size_t i = 0; filled && i < b->reader.n; i++) {
        filled = !cflri_batch_finished(b, b->reader.at[i]) || fill_by(p, b->reader.at[i]);
    }
    cflri_vec_free(b->context, &p->steps);
    return filled;
}

/* ---- the nodes to begin at ---- */

/* Makes the node of a family without a place. */
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

/* Makes a node for each node of the family, even if its row came from other slices. */
static bool add_roots_of(part *p, const cflri_equation *e, uint32_t family) {
    cflri_node_walk walk = cflri_batch_nodes(p->b, family);
    uint32_t vertex;
    cflri_set_number value;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        if (is_own(p) && !add_root(p, e->left, vertex)) return false;
    }
    return true;
}

static bool add_turned_roots(const part *p, const cflri_equation *e) {
    const cflri_set_number *turned = p->all->lefts.turned[e->by];
    cflri_share own = cflri_share_of(p->b->problem->n_vertices, p->self, p->threads);
    for (uint64_t v = own.begin; v < own.end; v++) {
        if (turned[v] && !add_root(p, e->left, (uint32_t)v)) return false;
    }
    return true;
}

static bool add_pair_roots(part *p, const cflri_equation *e) {
    if (e->by_back) return add_turned_roots(p, e);
    return add_roots_of(p, e, e->by) &&
           (!p->b->sliced || add_roots_of(p, e, cflri_batch_received(p->b, e->by)));
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

bool cflri_products_fill(cflri_batch *b, uint32_t self, uint32_t threads) {
    part p = {.sink = {.row = row}, .b = b, .self = self, .threads = threads};
    return fill(&p);
}

bool cflri_products_begin(cflri_batch *b, const cflri_products *all, uint32_t self,
                          uint32_t threads) {
    part p = {.sink = {.row = row}, .b = b, .all = all, .self = self, .threads = threads};
    bool filled = b->sliced || fill(&p); /* several slices have filled their rows before */
    return filled && cflri_batch_receive(b, &p.sink, all->inbox, self, threads) && add_roots(&p);
}

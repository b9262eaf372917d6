/* SPDX-License-Identifier: Apache-2.0
 *
 * contain.c: the sets and nodes that a node contains, for the search of search.c: the sink of rules
 * that go backwards.
 *
 *     R(u) contains a set              the search unites the set
 *     R(u) contains S(v)               the search visits its node, or unites its set if finished
 *     R(u) contains S(v), v in Q(u)    one node as well: a hub
 *
 * A hub (state.h) stands for all u with the same set Q(u), if that has more than one vertex:
 *
 *     R(1) --.                  .--> S(5)
 *     R(2) ---> hub {5 6 9} ------> S(6)
 *     R(3) --'                  '--> S(9)
 */
#include "engine/closure/batch/products/products.h"

static bool add_target(cflri_search *s, uint32_t here) {
    cflri_batch_offered(s->b, true);
    return cflri_vec_push(s->b->context, &s->target, here) || cflri_batch_refused(s->b);
}

bool cflri_search_add_set(cflri_search *s, cflri_set_number set) {
    if (!set || !s->path.n) return true;
    size_t first = s->path.at[s->path.n - 1].sum;
    if (s->sum.n > first && s->sum.at[s->sum.n - 1] == set) return true;
    return cflri_vec_push(s->b->context, &s->sum, set) || cflri_batch_refused(s->b);
}

static bool add_part(cflri_search *s, cflri_set_number set) {
    if (set) cflri_batch_offered(s->b, true);
    return cflri_search_add_set(s, set);
}

/* Adds a node, finished or not, that the current node contains. */
static bool contain_node(cflri_search *s, uint32_t node, bool finished) {
    if (!finished) return add_target(s, cflri_batch_here(s->b, node));
    return add_part(s, cflri_batch_value(s->b, node));
}

static bool contain(cflri_search *s, uint32_t family, uint32_t vertex) {
    if (s->all->base[family] != CFLRI_NO_NODE) {
        return add_target(s, s->all->base[family] + vertex);
    }
    bool finished = cflri_batch_finished(s->b, family);
    uint32_t node = finished ? cflri_batch_find(s->b, family, vertex)
                             : cflri_batch_node(s->b, family, vertex, NULL);
    if (node == CFLRI_NO_NODE) return finished || cflri_batch_refused(s->b);
    return contain_node(s, node, finished);
}

static bool contain_all(cflri_search *s, uint32_t family, cflri_set_number set);

/* A hub contains the same rows as the parts of its set. */
static bool contain_parts(cflri_search *s, uint32_t family, cflri_set_number set) {
    cflri_batch *b = s->b;
    s->split.n = 0;
    if (!cflri_batch_split(b, set, &s->split)) return cflri_batch_refused(s->b);
    for (size_t i = 0; i < s->split.n; i++) {
        if (!contain_all(s, family, s->split.at[i])) return false;
    }
    return true;
}

/* A hub that was made before this stratum is finished. */
static bool contain_hub(cflri_search *s, uint32_t family, cflri_set_number set) {
    cflri_batch *b = s->b;
    uint32_t node = cflri_batch_node(b, cflri_batch_hub(b, family), set, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(s->b);
    return contain_node(s, node, cflri_batch_is_old(b, node));
}

/* Adds S(v) for each v of a set. */
static bool contain_all(cflri_search *s, uint32_t family, cflri_set_number set) {
    uint32_t n = cflri_sets_count(s->b->sets, set);
    if (n > 1) return contain_hub(s, family, set);
    return !n || contain(s, family, cflri_sets_row(s->b->sets, set).few[0]);
}

/* Makes nodes for COPY equations of the stratum that copy this row to families without a place. */
static bool follow_copies(cflri_search *s, uint32_t family, uint32_t vertex) {
    cflri_batch *b = s->b;
    if (!s->all->copied[family]) return true;
    const cflri_equation key = {.kind = CFLRI_COPY, .right = family};
    for (size_t i = cflri_equations_seek(b->equations, b->stratum, &key); i < b->stratum.end; i++) {
        const cflri_equation *e = cflri_batch_equation(b, (uint32_t)i);
        if (e->kind != CFLRI_COPY || e->right != family) break;
        if (!cflri_products_add_root(b, e->left, vertex)) return false;
    }
    return true;
}

static bool row(cflri_sink *sink, uint32_t family, uint32_t vertex, cflri_set_number set) {
    (void)family;
    (void)vertex;
    return add_part((cflri_search *)sink, set);
}

static bool flow(cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                 uint32_t from_vertex) {
    (void)family;
    (void)vertex;
    return contain((cflri_search *)sink, from_family, from_vertex);
}

static bool flows(cflri_sink *sink, uint32_t family, uint32_t vertex, uint32_t from_family,
                  cflri_set_number from) {
    (void)family;
    (void)vertex;
    return contain_all((cflri_search *)sink, from_family, from);
}

cflri_sink cflri_search_sink(void) {
    return (cflri_sink){row, flow, flows, NULL};
}

static bool contained_by_row(cflri_search *s, uint32_t family, uint32_t vertex) {
    return cflri_rules_contained(s->b, &s->sink, &s->all->lefts, family, vertex) &&
           follow_copies(s, family, vertex);
}

bool cflri_search_contained(cflri_search *s, uint32_t family, uint32_t vertex) {
    if (!cflri_is_by_set(s->b, family)) return contained_by_row(s, family, vertex);
    return contain_parts(s, family - cflri_batch_hub(s->b, 0), vertex);
}

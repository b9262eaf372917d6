/* SPDX-License-Identifier: Apache-2.0
 *
 * check_triangles.c: triangles by the forward algorithm.
 *
 *     vertices a b c d, those with most edges first
 *     A(v): neighbours of v that come before v and have had their turn
 *     a's turn    A(b) = a   A(c) = a   A(d) = a
 *     b's turn    edge b - c: A(b) and A(c) share a, which makes a triangle; then A(c) = a b
 *
 * Each vertex in turn, and each edge to one that comes later: what both have in A makes a triangle
 * with them. Then the vertex joins A of the other one. While it is a vertex's turn, what it has in
 * A is marked, so that the other's A is looked up in the marks. A triangle is found once, at the
 * edge between its last two. O(m^1.5), since a vertex has at most sqrt(2 m) neighbours that come
 * before it. Edges from a vertex to itself and all but one of parallel ones are left out.
 *
 * Source: T. Schank, D. Wagner, "Finding, counting and listing all triangles in large graphs", WEA
 * 2005.
 */
#include "engine/traverse/check.h"

typedef struct turns {
    uint64_t *begin;  /* of vertices by number of edges: where the next one goes */
    uint32_t *order;  /* vertices by turn */
    uint32_t *turn;   /* by vertex */
    uint32_t *before; /* A(v) as turns, from start[v] on */
    uint64_t *known;  /* length of each A */
    uint8_t *marked;  /* by turn: 1 when it is in A of whose turn it is */
    uint64_t triangles;
} turns;

/* ---- the order of vertices ---- */

/* Those with most edges are class 0. Parallel ones may make them more than there are vertices. */
static uint64_t class_of(const cflri_check *c, uint32_t v) {
    uint64_t n = c->csr->n_vertices, degree = cflri_check_degree(c, v);
    return degree < n ? n - degree : 0;
}

/* A counting sort. */
static void give_turns(const cflri_check *c, const turns *t) {
    uint64_t n = c->csr->n_vertices;
    for (uint32_t v = 0; v < n; v++) t->begin[class_of(c, v) + 1]++;
    for (uint64_t k = 0; k <= n; k++) t->begin[k + 1] += t->begin[k];
    for (uint32_t v = 0; v < n; v++) {
        t->turn[v] = (uint32_t)t->begin[class_of(c, v)]++;
        t->order[t->turn[v]] = v;
    }
}

/* ---- turns ---- */

static void mark(const cflri_check *c, const turns *t, uint32_t v, uint8_t as) {
    const uint32_t *a = t->before + c->csr->start[v];
    for (uint64_t i = 0; i < t->known[v]; i++) t->marked[a[i]] = as;
}

static uint64_t count_marked(const cflri_check *c, const turns *t, uint32_t v) {
    const uint32_t *a = t->before + c->csr->start[v];
    uint64_t marked = 0;
    for (uint64_t i = 0; i < t->known[v]; i++) marked += t->marked[a[i]];
    return marked;
}

static cflr_status take_turn(cflri_check *c, turns *t, uint32_t v) {
    const uint32_t *target = c->csr->target;
    cflr_status st = CFLR_OK;
    uint64_t begin = c->csr->start[v], end = c->csr->start[v + 1];
    mark(c, t, v, 1);
    for (uint64_t e = begin; e < end && st == CFLR_OK; e++) {
        uint32_t to = target[e];
        if (t->turn[to] <= t->turn[v] || (e > begin && to == target[e - 1])) continue;
        t->triangles += count_marked(c, t, to);
        st = cflri_check_worked(c, t->known[to] + 1);
        t->before[c->csr->start[to] + t->known[to]++] = t->turn[v];
    }
    mark(c, t, v, 0);
    return st;
}

static cflr_status turns_new(cflri_check *c, turns *t) {
    uint64_t n = c->csr->n_vertices;
    t->begin = cflri_alloc_array_zero(c->context, n + 2, sizeof *t->begin);
    t->order = cflri_alloc_array(c->context, n, sizeof *t->order);
    t->turn = cflri_alloc_array(c->context, n, sizeof *t->turn);
    t->before = cflri_alloc_array(c->context, c->csr->n_edges, sizeof *t->before);
    t->known = cflri_alloc_array_zero(c->context, n, sizeof *t->known);
    t->marked = cflri_alloc_array_zero(c->context, n, sizeof *t->marked);
    return cflri_check_have(c,
                            t->begin && t->order && t->turn && t->before && t->known && t->marked);
}

cflr_status cflri_check_TC(cflri_check *c) {
    cflr_status st = CFLR_OK;
    turns t = {0};
    CFLR_TRY(turns_new(c, &t));
    give_turns(c, &t);
    for (uint32_t i = 0; i < c->csr->n_vertices; i++) CFLR_TRY(take_turn(c, &t, t.order[i]));
    cflri_check_count(c, "triangles", t.triangles);
out:
    cflri_free(c->context, t.begin);
    cflri_free(c->context, t.order);
    cflri_free(c->context, t.turn);
    cflri_free(c->context, t.before);
    cflri_free(c->context, t.known);
    cflri_free(c->context, t.marked);
    return st;
}

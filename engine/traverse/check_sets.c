/* SPDX-License-Identifier: Apache-2.0
 *
 * check_sets.c: vertices that are separated or joined: components, independent sets,
 * colours, cores.
 *
 * Components: sets that are joined along each edge; O(m log n). Whichever way an edge leads.
 *
 * Independent sets and colours: many are right. A set must have no two neighbours, and a neighbour
 * of every vertex that is not in it. Colours must differ between neighbours, and be no more than
 * the most neighbours that a vertex has, and one. An edge from a vertex to itself makes it no
 * neighbour. O(n + m).
 *
 * Cores: the vertex with the fewest edges left goes, with its edges; its core number is the most
 * edges that any vertex had that went so far. Vertices lie in an array by the number of their
 * edges, and the places where each number begins are known, so a vertex that loses an edge moves
 * one number down by changing places with the first one of its number. O(n + m).
 *
 * Source: V. Batagelj, M. Zaversnik, "An O(m) algorithm for cores decomposition of networks", 2003.
 */
#include <string.h>

#include "engine/traverse/check.h"

/* ---- components ---- */

static cflr_status join_edges(cflri_check *c, uint32_t *up) {
    cflr_status st = CFLR_OK;
    for (uint32_t v = 0; v < c->csr->n_vertices && st == CFLR_OK; v++) {
        for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++)
            cflri_check_join(up, v, c->csr->target[e]);
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    return st;
}

cflr_status cflri_check_CC(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const uint32_t *component = cflri_check_column(c, "component").values;
    uint64_t components = 0;
    uint32_t *up = cflri_check_alone(c);
    CFLR_TRY(cflri_check_have(c, up));
    CFLR_TRY(join_edges(c, up));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        components += up[v] == v;
        cflri_check_number(c, "component", v, component[v], cflri_check_smallest(up, v));
    }
    cflri_check_count(c, "components", components);
out:
    cflri_free(c->context, up);
    return st;
}

/* ---- independent sets ---- */

static bool has_member_beside(const cflri_check *c, const uint8_t *member, uint32_t v) {
    for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++)
        if (c->csr->target[e] != v && member[c->csr->target[e]]) return true;
    return false;
}

/* So a member has none beside it, and a vertex without one is a member. */
cflr_status cflri_check_MIS(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const uint8_t *member = cflri_check_column(c, "member").values;
    uint64_t size = 0;
    for (uint32_t v = 0; v < c->csr->n_vertices && st == CFLR_OK; v++) {
        cflri_check_number(c, "member", v, member[v], !has_member_beside(c, member, v));
        size += member[v] != 0;
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    if (st == CFLR_OK) cflri_check_count(c, "size", size);
    return st;
}

/* ---- colours ---- */

/* Some neighbour of the same colour, or v itself; *neighbours of it, parallel edges once. */
static uint32_t equal_beside(const cflri_check *c, const uint32_t *colour, uint32_t v,
                             uint32_t *neighbours) {
    const uint32_t *target = c->csr->target;
    uint32_t equal = v;
    *neighbours = 0;
    for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++) {
        bool again = e > c->csr->start[v] && target[e] == target[e - 1];
        if (target[e] == v || again) continue;
        ++*neighbours;
        if (colour[target[e]] == colour[v]) equal = target[e];
    }
    return equal;
}

static void check_colour(cflri_check *c, const uint32_t *colour, uint32_t v, uint32_t equal,
                         uint64_t colours) {
    if (colour[v] < colours)
        cflri_check_that(c, equal == v, "colour of vertex %u is %u, should not be, as vertex %u's",
                         v, colour[v], equal);
    else
        cflri_check_that(c, false, "colour of vertex %u is %u, should be below %llu", v, colour[v],
                         (unsigned long long)colours);
}

cflr_status cflri_check_COLOUR(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const uint32_t *colour = cflri_check_column(c, "colour").values;
    uint64_t most = 0, colours = cflri_check_counted(c, "colours");
    for (uint32_t v = 0; v < c->csr->n_vertices && st == CFLR_OK; v++) {
        uint32_t neighbours, equal = equal_beside(c, colour, v, &neighbours);
        check_colour(c, colour, v, equal, colours);
        if (neighbours >= most) most = neighbours + UINT64_C(1);
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    if (st == CFLR_OK)
        cflri_check_that(c, colours <= most, "colours is %llu, should be at most %llu",
                         (unsigned long long)colours, (unsigned long long)most);
    return st;
}

/* ---- cores ---- */

typedef struct cores {
    uint64_t *left;  /* edges of each vertex; its core number once it has gone */
    uint32_t *order; /* vertices by edges left */
    uint32_t *place; /* of each vertex in `order` */
    uint32_t *begin; /* in `order`, of those with so many edges left */
    uint64_t most;   /* edges that a vertex has */
} cores;

static void count_edges(const cflri_check *c, cores *k) {
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        k->left[v] = 0;
        for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++)
            k->left[v] += c->csr->target[e] != v;
        if (k->left[v] > k->most) k->most = k->left[v];
    }
}

static void order_by_edges(const cflri_check *c, const cores *k) {
    uint32_t n = c->csr->n_vertices;
    for (uint32_t v = 0; v < n; v++) k->begin[k->left[v] + 1]++;
    for (uint64_t i = 0; i <= k->most; i++) k->begin[i + 1] += k->begin[i];
    for (uint32_t v = 0; v < n; v++) {
        k->place[v] = k->begin[k->left[v]]++;
        k->order[k->place[v]] = v;
    }
    for (uint64_t i = k->most + 1; i; i--) k->begin[i] = k->begin[i - 1];
    k->begin[0] = 0;
}

/* One edge of v goes. */
static void lose_edge(const cores *k, uint32_t v) {
    uint32_t first_place = k->begin[k->left[v]]++, first = k->order[first_place];
    k->order[k->place[v]] = first;
    k->place[first] = k->place[v];
    k->order[first_place] = v;
    k->place[v] = first_place;
    k->left[v]--;
}

static cflr_status find_cores(cflri_check *c, const cores *k) {
    cflr_status st = CFLR_OK;
    for (uint32_t i = 0; i < c->csr->n_vertices && st == CFLR_OK; i++) {
        uint32_t v = k->order[i];
        for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++)
            if (k->left[c->csr->target[e]] > k->left[v]) lose_edge(k, c->csr->target[e]);
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    return st;
}

static cflr_status cores_new(cflri_check *c, cores *k) {
    uint32_t n = c->csr->n_vertices;
    k->left = cflri_alloc_array(c->context, n, sizeof *k->left);
    k->order = cflri_alloc_array(c->context, n, sizeof *k->order);
    k->place = cflri_alloc_array(c->context, n, sizeof *k->place);
    if (!k->left || !k->order || !k->place) return cflri_check_have(c, false);
    count_edges(c, k);
    k->begin = cflri_alloc_array_zero(c->context, k->most + 2, sizeof *k->begin);
    if (!k->begin) return cflri_check_have(c, false);
    order_by_edges(c, k);
    return CFLR_OK;
}

cflr_status cflri_check_KCORE(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const uint32_t *core = cflri_check_column(c, "core").values;
    uint64_t degeneracy = 0;
    cores k = {0};
    CFLR_TRY(cores_new(c, &k));
    CFLR_TRY(find_cores(c, &k));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        cflri_check_number(c, "core", v, core[v], k.left[v]);
        if (k.left[v] > degeneracy) degeneracy = k.left[v];
    }
    cflri_check_count(c, "degeneracy", degeneracy);
out:
    cflri_free(c->context, k.left);
    cflri_free(c->context, k.order);
    cflri_free(c->context, k.place);
    cflri_free(c->context, k.begin);
    return st;
}

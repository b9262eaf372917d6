/* SPDX-License-Identifier: Apache-2.0
 *
 * check_paths.c: what starts at sources: hops, numbers of paths, least distances, greatest widths,
 * and which sources reach which vertices.
 *
 * Hops and numbers of paths: breadth-first search with a queue. A vertex has as many shortest paths
 * as those that stand one hop before it have together, for each edge from them; O(n + m).
 *
 * Distances and widths: Dijkstra's algorithm with a binary heap, which knows each vertex's place so
 * that a better key moves it up; O((n + m) log n). It needs that a path's key never gets better by
 * an edge, and that of two paths to a vertex the better one stays the better one, or as good, over
 * any edge. Both hold for
 *
 *     integers    key = distance                          key + weight
 *     floats      key = bits of the distance              bits of the rounded sum
 *     widths      key = endless width - width             the greater of key and
 *                                                         endless width - weight
 *
 * Rounding is monotone, so the float distance is exactly the least of what adding up along each
 * path gives. Floats that are not negative are in the same order as their bits.
 *
 * Which sources reach a vertex: strongly connected components, in topological order, hand on
 * the sources that reach them; O(n + m) for all 64 sources.
 *
 * Sources: E. Dijkstra, "A note on two problems in connexion with graphs", 1959; R. Tarjan,
 * "Depth-first search and linear graph algorithms", 1972.
 */
#include <math.h>
#include <string.h>

#include "base/components.h"
#include "engine/traverse/check.h"

/* ---- hops ---- */

/* Vertices behind the bound are not reached. */
static uint32_t keep_near(const cflri_check *c, uint32_t most, uint32_t *hops) {
    uint32_t near = 0;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        if (most && hops[v] > most) hops[v] = UINT32_MAX;
        near += hops[v] != UINT32_MAX;
    }
    return near;
}

cflr_status cflri_check_BFS(cflri_check *c) {
    cflr_status st = CFLR_OK;
    uint32_t n = c->csr->n_vertices, reached;
    const uint32_t *level = cflri_check_column(c, "level").values;
    uint32_t *hops = cflri_alloc_array(c->context, n, sizeof *hops);
    uint32_t *order = cflri_alloc_array(c->context, n, sizeof *order);
    CFLR_TRY(cflri_check_have(c, hops && order));
    CFLR_TRY(cflri_check_hops(c, c->t->task->source[0], hops, order, &reached));
    reached = keep_near(c, c->t->opts.hops, hops);
    for (uint32_t v = 0; v < n; v++) cflri_check_number(c, "level", v, level[v], hops[v]);
    cflri_check_count(c, "reached", reached);
out:
    cflri_free(c->context, hops);
    cflri_free(c->context, order);
    return st;
}

/* ---- numbers of paths ---- */

static uint64_t add_up_to_most(uint64_t a, uint64_t b) {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* In the order of hops: all paths to a vertex are counted when they are handed on. */
static void count_paths(const cflri_check *c, const uint32_t *hops, const uint32_t *order,
                        uint32_t reached, uint64_t *paths) {
    const cflr_csr *csr = c->csr;
    memset(paths, 0, csr->n_vertices * sizeof *paths);
    paths[order[0]] = 1;
    for (uint32_t i = 0; i < reached; i++) {
        uint32_t v = order[i];
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++) {
            uint32_t to = csr->target[e];
            if (hops[to] == hops[v] + 1) paths[to] = add_up_to_most(paths[to], paths[v]);
        }
    }
}

cflr_status cflri_check_SSNSP(cflri_check *c) {
    cflr_status st = CFLR_OK;
    uint32_t n = c->csr->n_vertices, reached;
    const uint64_t *found = cflri_check_column(c, "paths").values;
    uint32_t *hops = cflri_alloc_array(c->context, n, sizeof *hops);
    uint32_t *order = cflri_alloc_array(c->context, n, sizeof *order);
    uint64_t *paths = cflri_alloc_array(c->context, n, sizeof *paths);
    CFLR_TRY(cflri_check_have(c, hops && order && paths));
    CFLR_TRY(cflri_check_hops(c, c->t->task->source[0], hops, order, &reached));
    count_paths(c, hops, order, reached, paths);
    for (uint32_t v = 0; v < n; v++) cflri_check_number(c, "paths", v, found[v], paths[v]);
    cflri_check_count(c, "reached", reached);
out:
    cflri_free(c->context, hops);
    cflri_free(c->context, order);
    cflri_free(c->context, paths);
    return st;
}

/* ---- a heap of vertices, least key first ---- */

static const uint64_t NO_KEY = UINT64_MAX;
static const uint32_t NO_PLACE = UINT32_MAX;

typedef struct heap {
    uint64_t *key;   /* by vertex */
    uint32_t *place; /* of each vertex in `at` */
    uint32_t *at;
    uint32_t n;
} heap;

static void put(heap *h, uint32_t place, uint32_t v) {
    h->at[place] = v;
    h->place[v] = place;
}

static void move_up(heap *h, uint32_t place, uint32_t v) {
    for (; place && h->key[h->at[(place - 1) / 2]] > h->key[v]; place = (place - 1) / 2)
        put(h, place, h->at[(place - 1) / 2]);
    put(h, place, v);
}

static void move_down(heap *h, uint32_t place, uint32_t v) {
    for (uint64_t child; (child = 2 * (uint64_t)place + 1) < h->n; place = (uint32_t)child) {
        if (child + 1 < h->n && h->key[h->at[child + 1]] < h->key[h->at[child]]) child++;
        if (h->key[h->at[child]] >= h->key[v]) break;
        put(h, place, h->at[child]);
    }
    put(h, place, v);
}

static void offer(heap *h, uint32_t v, uint64_t key) {
    if (key >= h->key[v]) return;
    h->key[v] = key;
    move_up(h, h->place[v] == NO_PLACE ? h->n++ : h->place[v], v);
}

static uint32_t take_first(heap *h) {
    uint32_t first = h->at[0], last = h->at[--h->n];
    if (h->n) move_down(h, 0, last);
    h->place[first] = NO_PLACE;
    return first;
}

static cflr_status heap_new(cflri_check *c, heap *h) {
    uint32_t n = c->csr->n_vertices;
    h->key = cflri_alloc_array(c->context, n, sizeof *h->key);
    h->place = cflri_alloc_array(c->context, n, sizeof *h->place);
    h->at = cflri_alloc_array(c->context, n, sizeof *h->at);
    for (uint32_t v = 0; h->key && h->place && v < n; v++) {
        h->key[v] = NO_KEY;
        h->place[v] = NO_PLACE;
    }
    return cflri_check_have(c, h->key && h->place && h->at);
}

static void heap_free(const cflri_check *c, heap *h) {
    cflri_free(c->context, h->key);
    cflri_free(c->context, h->place);
    cflri_free(c->context, h->at);
}

/* ---- keys of paths ---- */

/* Of a path with this key, and edge `e` behind it. */
typedef uint64_t longer_function(const cflr_csr *csr, uint64_t key, uint64_t e);

static uint32_t bits_of(float real) {
    uint32_t bits;
    memcpy(&bits, &real, sizeof bits);
    return bits;
}

static float real_of(uint64_t bits) {
    uint32_t low = (uint32_t)bits;
    float real;
    memcpy(&real, &low, sizeof real);
    return real;
}

static uint64_t longer_sum(const cflr_csr *csr, uint64_t key, uint64_t e) {
    return key + (uint64_t)((const int32_t *)csr->weight)[e];
}

static uint64_t longer_real_sum(const cflr_csr *csr, uint64_t key, uint64_t e) {
    return bits_of(real_of(key) + ((const float *)csr->weight)[e]);
}

/* A weight of -0 is 0: adding 0 makes it so. */
static uint64_t width_of(const cflr_csr *csr, uint64_t e) {
    if (csr->weights == CFLR_WEIGHTS_FLOAT32) return bits_of(((const float *)csr->weight)[e] + 0);
    return (uint64_t)((const int32_t *)csr->weight)[e];
}

static uint64_t endless_width(const cflr_csr *csr) {
    return csr->weights == CFLR_WEIGHTS_FLOAT32 ? bits_of(INFINITY) : UINT32_MAX;
}

static uint64_t longer_narrow(const cflr_csr *csr, uint64_t key, uint64_t e) {
    uint64_t edge = endless_width(csr) - width_of(csr, e);
    return key > edge ? key : edge;
}

static cflr_status find_paths(cflri_check *c, heap *h, longer_function *longer) {
    const cflr_csr *csr = c->csr;
    cflr_status st = CFLR_OK;
    offer(h, c->t->task->source[0], 0);
    while (h->n && st == CFLR_OK) {
        uint32_t v = take_first(h);
        for (uint64_t e = csr->start[v]; e < csr->start[v + 1]; e++)
            offer(h, csr->target[e], longer(csr, h->key[v], e));
        st = cflri_check_worked(c, cflri_check_degree(c, v) + 1);
    }
    return st;
}

/* A column of floats is compared exactly too. */
static void compare_keys(cflri_check *c, const char *name, const uint64_t *expected) {
    cflr_column column = cflri_check_column(c, name);
    const uint32_t *found = column.values;
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        if (column.type == CFLR_COLUMN_FLOAT32)
            cflri_check_real(c, name, v, real_of(found[v]), real_of(expected[v]), 0);
        else
            cflri_check_number(c, name, v, found[v], expected[v]);
    }
}

/* ---- distances ---- */

/* What nothing leads to is endlessly far; so is what lies beyond the greatest float. */
cflr_status cflri_check_SSSP(cflri_check *c) {
    cflr_status st = CFLR_OK;
    bool real = c->csr->weights == CFLR_WEIGHTS_FLOAT32;
    uint64_t endless = real ? bits_of(INFINITY) : UINT32_MAX, reached = 0;
    heap h = {0};
    CFLR_TRY(heap_new(c, &h));
    CFLR_TRY(find_paths(c, &h, real ? longer_real_sum : longer_sum));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        if (h.key[v] == NO_KEY) h.key[v] = endless;
        reached += h.key[v] != endless;
    }
    compare_keys(c, "distance", h.key);
    cflri_check_count(c, "reached", reached);
out:
    heap_free(c, &h);
    return st;
}

/* ---- widths ---- */

/* A path over an edge of width 0 leads nowhere. */
cflr_status cflri_check_SSWP(cflri_check *c) {
    cflr_status st = CFLR_OK;
    uint64_t endless = endless_width(c->csr), reached = 0;
    heap h = {0};
    CFLR_TRY(heap_new(c, &h));
    CFLR_TRY(find_paths(c, &h, longer_narrow));
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        h.key[v] = h.key[v] == NO_KEY ? 0 : endless - h.key[v];
        reached += h.key[v] != 0;
    }
    compare_keys(c, "width", h.key);
    cflri_check_count(c, "reached", reached);
out:
    heap_free(c, &h);
    return st;
}

/* ---- which sources reach a vertex ---- */

typedef struct parts {
    uint32_t *component;
    uint32_t count;
    uint64_t *begin; /* in `order`, of each component's vertices; count + 1 */
    uint32_t *order; /* vertices by component */
    uint64_t *reached;
} parts;

/* A counting sort by component; `begin` has two elements more than there are. */
static void order_by_component(const cflri_check *c, parts *p) {
    uint32_t n = c->csr->n_vertices;
    memset(p->begin, 0, (p->count + UINT64_C(2)) * sizeof *p->begin);
    for (uint32_t v = 0; v < n; v++) p->begin[p->component[v] + UINT64_C(2)]++;
    for (uint64_t k = 1; k <= p->count; k++) p->begin[k + 1] += p->begin[k];
    for (uint32_t v = 0; v < n; v++) p->order[p->begin[p->component[v] + UINT64_C(1)]++] = v;
}

/* All vertices of a component are reached by the same sources. */
static void hand_on(const cflri_check *c, const parts *p, uint32_t component) {
    uint64_t all = 0, begin = p->begin[component], end = p->begin[component + UINT64_C(1)];
    for (uint64_t i = begin; i < end; i++) all |= p->reached[p->order[i]];
    for (uint64_t i = begin; i < end; i++) {
        uint32_t v = p->order[i];
        p->reached[v] = all;
        for (uint64_t e = c->csr->start[v]; e < c->csr->start[v + 1]; e++)
            p->reached[c->csr->target[e]] |= all;
    }
}

static cflr_status parts_new(cflri_check *c, parts *p) {
    uint64_t n = c->csr->n_vertices;
    const cflri_successors graph = {c->csr->n_vertices, c->csr->start, c->csr->target, NULL};
    p->component = cflri_alloc_array(c->context, n, sizeof *p->component);
    p->order = cflri_alloc_array(c->context, n, sizeof *p->order);
    p->begin = cflri_alloc_array(c->context, n + 2, sizeof *p->begin);
    p->reached = cflri_alloc_array_zero(c->context, n, sizeof *p->reached);
    if (!p->component || !p->order || !p->begin || !p->reached) return cflri_check_have(c, false);
    return cflri_components(c->context, &graph, p->component, &p->count, c->error);
}

cflr_status cflri_check_REACH(cflri_check *c) {
    cflr_status st = CFLR_OK;
    const cflri_primitive_task *task = c->t->task;
    const uint64_t *found = cflri_check_column(c, "reached").values;
    uint64_t reached = 0;
    parts p = {0};
    CFLR_TRY(parts_new(c, &p));
    order_by_component(c, &p);
    for (uint32_t i = 0; i < task->n_sources; i++) p.reached[task->source[i]] |= UINT64_C(1) << i;
    for (uint32_t k = p.count; k--;) { /* larger numbers reach smaller ones */
        hand_on(c, &p, k);
        CFLR_TRY(cflri_check_worked(c, p.begin[k + UINT64_C(1)] - p.begin[k]));
    }
    for (uint32_t v = 0; v < c->csr->n_vertices; v++) {
        cflri_check_number(c, "reached", v, found[v], p.reached[v]);
        reached += p.reached[v] != 0;
    }
    cflri_check_count(c, "reached", reached);
out:
    cflri_free(c->context, p.component);
    cflri_free(c->context, p.order);
    cflri_free(c->context, p.begin);
    cflri_free(c->context, p.reached);
    return st;
}

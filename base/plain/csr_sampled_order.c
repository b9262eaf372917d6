/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_sampled_order.c: vertices that are read together get numbers that lie together, found by
 * rounds of sampling (SAGE).
 *
 * Threads read a row's targets in tiles of eight, and what they ask of each lies in sectors of
 * eight numbers. Of a tile, the fewer sectors the better:
 *
 *     tile        3  4  17  18 19 90 91 200 sectors 0 0 2 2 2 11 11 25: four loads for eight values
 *
 * The best order is out of reach; a round makes a better one. Each vertex counts its mates, those
 * that are in a tile with it: how many lie in its own sector; where most of them lie, by halving
 * all numbers until a sector is left, always keeping the half with more of them; and how many that
 * sector has. If those are more than in its own, the vertex wants to go there. All are sorted by
 * where they are or want to be: their ranks are the new numbers. Rows are then made anew, so that
 * the next round sees other tiles.
 *
 * A round looks at a sample of the tiles, not at the same ones each time. Ties stay where they are,
 * and all counts are sums: the order depends on the graph alone.
 *
 * O(rounds x (sample x log(vertices) + vertices + edges)). Source: M. Sha, Y. Li, K.-L. Tan,
 * "Self-adaptive graph traversal on GPUs", SIGMOD 2021.
 */
#include "base/context.h"
#include "base/plain/csr.h"

enum { TILE = 8, SECTOR = 8, ROUNDS = 8, SAMPLE = 1 << 21 }; /* tiles a pass */

typedef struct sampling {
    const cflr_csr *csr;   /* in the order of the round */
    uint64_t apart, first; /* of the tiles of a row one in so many, beginning with this one */
    uint32_t *sector;      /* where a vertex would go: the first one of what is left of all */
    uint32_t width;        /* of what is left, in sectors */
    int32_t *count,
        *own; /* mates: right ones less left ones, or those there; those in its own sector */
} sampling;

static uint32_t sector_of(uint32_t v) {
    return v / SECTOR;
}

/* ---- one pass over the tiles ---- */

typedef int32_t mates_count(const sampling *s, uint32_t v, uint32_t mate);

static int32_t is_in_own(const sampling *s, uint32_t v, uint32_t mate) {
    (void)s;
    return sector_of(v) == sector_of(mate);
}

static int32_t is_to_the_right(const sampling *s, uint32_t v, uint32_t mate) {
    uint32_t from = sector_of(mate) - s->sector[v]; /* wraps around when it is before */
    if (from >= s->width) return 0;
    return from >= s->width / 2 ? 1 : -1;
}

static int32_t is_there(const sampling *s, uint32_t v, uint32_t mate) {
    return sector_of(mate) == s->sector[v];
}

static inline __attribute__((always_inline)) void count_tile(const sampling *s,
                                                             const uint32_t *tile, uint64_t n,
                                                             int32_t *count, mates_count *f) {
    for (uint64_t i = 0; i < n; i++) {
        int32_t all = 0;
        for (uint64_t k = 0; k < n; k++)
            if (k != i) all += f(s, tile[i], tile[k]);
        if (all) __atomic_fetch_add(&count[tile[i]], all, __ATOMIC_RELAXED);
    }
}

static inline __attribute__((always_inline)) void count_mates(const sampling *s, int32_t *count,
                                                              mates_count *f) {
    const cflr_csr *csr = s->csr;
    int threads = cflr_context_threads(csr->context);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint32_t v = 0; v < csr->n_vertices; v++) count[v] = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (uint32_t v = 0; v < csr->n_vertices; v++) {
        uint64_t end = csr->start[v + 1];
        for (uint64_t e = csr->start[v] + (s->first + v) % s->apart * TILE; e < end;
             e += s->apart * TILE)
            count_tile(s, csr->target + e, end - e < TILE ? end - e : TILE, count, f);
    }
}

/* ---- a round ---- */

static void halve(sampling *s) {
    s->width /= 2;
#pragma omp parallel for num_threads(cflr_context_threads(s->csr->context)) schedule(static)
    for (uint32_t v = 0; v < s->csr->n_vertices; v++) {
        bool right = s->count[v] > 0;
        if (s->count[v] == 0) /* where it is */
            right = sector_of(v) - s->sector[v] - s->width < s->width;
        if (right) s->sector[v] += s->width;
    }
}

static void find_sectors(sampling *s) {
    uint32_t n = s->csr->n_vertices, sectors = sector_of(n) + 1;
    for (uint32_t v = 0; v < n; v++) s->sector[v] = 0;
    for (s->width = 1; s->width < sectors; s->width *= 2) {
    }
    while (s->width > 1) {
        count_mates(s, s->count, is_to_the_right);
        halve(s);
    }
}

/* vertex[i]: the number, until now, of the one that gets number i. A counting sort: vertices that
 * want to be at the same place keep their order. begin: one more than there are vertices. */
static void sort_by_wish(const sampling *s, uint32_t *begin, uint32_t *vertex) {
    uint32_t n = s->csr->n_vertices, at = 0;
    for (uint32_t v = 0; v <= n; v++) begin[v] = 0;
    for (uint32_t v = 0; v < n; v++) {
        uint32_t there = s->sector[v] * SECTOR + v % SECTOR;
        bool goes = s->count[v] > s->own[v] && there < n;
        s->sector[v] = goes ? there : v;
        begin[s->sector[v]]++;
    }
    for (uint32_t v = 0; v <= n; v++) {
        uint32_t here = begin[v];
        begin[v] = at;
        at += here;
    }
    for (uint32_t v = 0; v < n; v++) vertex[begin[s->sector[v]]++] = v;
}

static void choose_sample(sampling *s, int round) {
    uint64_t tiles = s->csr->n_edges / TILE;
    s->apart = tiles / SAMPLE + 1;
    s->first = (uint64_t)round;
}

/* ---- all rounds ---- */

typedef struct room {
    uint32_t *sector, *begin, *order, *number;
    int32_t *count, *own;
} room;

static bool make_room(cflr_context *context, uint64_t n, room *r) {
    r->sector = cflri_alloc_array(context, n, sizeof *r->sector);
    r->begin = cflri_alloc_array(context, n + 1, sizeof *r->begin);
    r->order = cflri_alloc_array(context, n, sizeof *r->order);
    r->number = cflri_alloc_array(context, n, sizeof *r->number);
    r->count = cflri_alloc_array(context, n, sizeof *r->count);
    r->own = cflri_alloc_array(context, n, sizeof *r->own);
    return r->sector && r->begin && r->order && r->number && r->count && r->own;
}

static void free_room(cflr_context *context, room *r) {
    cflri_free(context, r->sector);
    cflri_free(context, r->begin);
    cflri_free(context, r->order);
    cflri_free(context, r->number);
    cflri_free(context, r->count);
    cflri_free(context, r->own);
}

/* *now becomes the graph in a better order, and vertex[] whose number each had in the first one. */
static cflr_status make_round(cflr_csr **now, int round, room *r, uint32_t *vertex,
                              cflr_error *error) {
    cflr_csr *made, *before = *now;
    sampling s = {.csr = before, .sector = r->sector, .count = r->count, .own = r->own};
    choose_sample(&s, round);
    count_mates(&s, s.own, is_in_own);
    find_sectors(&s);
    count_mates(&s, s.count, is_there);
    sort_by_wish(&s, r->begin, r->order);
    for (uint32_t i = 0; i < before->n_vertices; i++) r->number[r->order[i]] = i;
    cflr_status st = cflri_csr_remake(before, r->number, false, &made, error);
    if (st != CFLR_OK) return st;
    cflr_csr_free(before);
    *now = made;
    for (uint32_t i = 0; i < made->n_vertices; i++) r->begin[i] = vertex[r->order[i]];
    for (uint32_t i = 0; i < made->n_vertices; i++) vertex[i] = r->begin[i];
    return CFLR_OK;
}

cflr_status cflri_csr_sampled_order(const cflr_csr *csr, uint32_t *vertex, cflr_csr **made,
                                    cflr_error *error) {
    room r = {0};
    cflr_status st = CFLR_OK;
    *made = NULL;
    for (uint32_t v = 0; v < csr->n_vertices; v++) vertex[v] = v;
    if (!make_room(csr->context, csr->n_vertices, &r)) st = cflri_fail_memory(csr->context, error);
    if (st == CFLR_OK) st = cflri_csr_remake(csr, NULL, false, made, error);
    for (int round = 0; round < ROUNDS && st == CFLR_OK; round++) {
        st = cflri_interrupted(csr->context);
        if (st != CFLR_OK)
            st = cflri_fail_interrupted(csr->context, st, error);
        else
            st = make_round(made, round, &r, vertex, error);
    }
    free_room(csr->context, &r);
    if (st == CFLR_OK) return st;
    cflr_csr_free(*made);
    *made = NULL;
    return st;
}

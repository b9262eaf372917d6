/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_build.c: edges in any order to rows in ascending order.
 *
 *     edges    (2, 0) (0, 2) (0, 1) (0, 2)
 *     deal      0: 2 1 2     | 2: 0       arcs (target and weight in 64 bits) by buckets of sources
 *     place     2 1 2 | | 0  |            each bucket by itself: counted, then put into its rows
 *     sort      1 2 2 | | 0  |            each row by itself
 *     close up  1 2 | | 0                 equal arcs once, rows next to each other
 *
 * The edges are cut into shares, one a thread, and every share counts for itself what it has for
 * each bucket. So it knows where its arcs go, and dealing is writing forwards at some hundred
 * places. Placing jumps about, but within a bucket, which fits the cache. Sorted rows are the same
 * for every number of threads.
 *
 * O(edges + vertices); 12 bytes an arc besides the edges and the rows.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/crew.h"
#include "base/graph/relation.h"
#include "base/plain/csr.h"

enum { ROWS_A_TURN = 256, MOST_BUCKETS = 1024, EDGES_A_BUCKET = 1 << 12 };

typedef struct build {
    cflr_context *context;
    const cflr_edge_list *edges;
    cflr_csr_opts opts;
    uint32_t shares; /* of the edges: one a thread */
    unsigned shift;  /* a bucket is 2^shift vertices */
    uint64_t n_buckets;
    uint64_t *place;  /* by bucket, then share: how many arcs; then where the next one goes */
    uint64_t *arc;    /* target << 32 | order of the weight */
    uint32_t *source; /* of each arc */
    uint64_t
        *start; /* while placing: where the next arc of each row goes; then where the row ends */
    uint64_t *kept; /* arcs of each row that stay; then where they begin */
} build;

/* ---- checking ---- */

static bool is_finite(const cflr_edge_list *edges, uint64_t i) {
    return edges->weights != CFLR_WEIGHTS_FLOAT32 || isfinite(((const float *)edges->weight)[i]);
}

/* The first edge that is wrong, or n_edges. */
static uint64_t first_wrong(const cflr_edge_list *edges, uint32_t threads) {
    uint64_t first = edges->n_edges;
#pragma omp parallel for num_threads((int)threads) reduction(min : first)
    for (uint64_t i = 0; i < edges->n_edges; i++) {
        bool good = edges->source[i] < edges->n_vertices && edges->target[i] < edges->n_vertices &&
                    is_finite(edges, i);
        if (!good && i < first) first = i;
    }
    return first;
}

static cflr_status check(const build *b, cflr_error *error) {
    const cflr_edge_list *edges = b->edges;
    if (edges->n_vertices > CFLR_MAX_VERTICES)
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "%u vertices are too many",
                          edges->n_vertices);
    uint64_t wrong = first_wrong(edges, b->shares);
    if (wrong == edges->n_edges) return CFLR_OK;
    unsigned long long number = wrong;
    if (!is_finite(edges, wrong))
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "edge %llu: its weight is not finite",
                          number);
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "edge %llu: %u or %u is no vertex: there are %u",
                      number, edges->source[wrong], edges->target[wrong], edges->n_vertices);
}

/* ---- dealing ---- */

/* Which arcs an edge becomes. */
static bool goes_out(const build *b, uint64_t i) {
    return !b->opts.drop_loops || b->edges->source[i] != b->edges->target[i];
}

static bool goes_back(const build *b, uint64_t i) {
    return b->opts.symmetric && b->edges->source[i] != b->edges->target[i];
}

static void choose_buckets(build *b) {
    uint64_t n = b->edges->n_vertices, enough = b->edges->n_edges / EDGES_A_BUCKET;
    if (enough > MOST_BUCKETS) enough = MOST_BUCKETS;
    while (n >> b->shift > enough) b->shift++;
    b->n_buckets = (n >> b->shift) + 1;
}

static uint64_t *place_of(const build *b, uint32_t source, uint32_t share) {
    return &b->place[((uint64_t)source >> b->shift) * b->shares + share];
}

static void count_share(const build *b, uint32_t share) {
    cflri_share own = cflri_share_of(b->edges->n_edges, share, b->shares);
    for (uint64_t i = own.begin; i < own.end; i++) {
        if (goes_out(b, i)) ++*place_of(b, b->edges->source[i], share);
        if (goes_back(b, i)) ++*place_of(b, b->edges->target[i], share);
    }
}

static void deal_arc(const build *b, uint32_t share, uint32_t source, uint32_t target, uint64_t i) {
    uint32_t bits = 0;
    if (b->edges->weights) memcpy(&bits, (const uint32_t *)b->edges->weight + i, sizeof bits);
    uint64_t at = (*place_of(b, source, share))++;
    b->source[at] = source;
    b->arc[at] = (uint64_t)target << 32 | cflri_weight_order(b->edges->weights, bits);
}

static void deal_share(const build *b, uint32_t share) {
    const uint32_t *source = b->edges->source, *target = b->edges->target;
    cflri_share own = cflri_share_of(b->edges->n_edges, share, b->shares);
    for (uint64_t i = own.begin; i < own.end; i++) {
        if (goes_out(b, i)) deal_arc(b, share, source[i], target[i], i);
        if (goes_back(b, i)) deal_arc(b, share, target[i], source[i], i);
    }
}

static void each_share(const build *b, void (*work)(const build *b, uint32_t share)) {
#pragma omp parallel for num_threads((int)b->shares) schedule(static, 1)
    for (uint32_t share = 0; share < b->shares; share++) work(b, share);
}

/* Counts to places, the first of which is `before`; returns the one behind the last. */
static uint64_t sum_up(uint64_t *count, uint64_t n, uint64_t before) {
    for (uint64_t v = 0; v < n; v++) {
        uint64_t here = count[v];
        count[v] = before;
        before += here;
    }
    return before;
}

/* ---- buckets ---- */

static uint64_t drop_equal(uint64_t *arc, uint64_t n) {
    uint64_t kept = n > 0;
    for (uint64_t i = 1; i < n; i++)
        if (arc[i] != arc[kept - 1]) arc[kept++] = arc[i];
    return kept;
}

/* When all is dealt, the last place of a bucket is its end. */
static cflri_share bucket_arcs(const build *b, uint64_t bucket) {
    const uint64_t *after = b->place + bucket * b->shares;
    return (cflri_share){bucket ? after[-1] : 0, after[b->shares - 1]};
}

static cflri_share bucket_rows(const build *b, uint64_t bucket) {
    uint64_t n = b->edges->n_vertices, begin = bucket << b->shift, end = (bucket + 1) << b->shift;
    return (cflri_share){begin, end < n ? end : n};
}

/* Puts each arc into its row. */
static void place_arcs(const build *b, cflri_share arcs, cflri_share rows, uint64_t *scratch) {
    for (uint64_t i = arcs.begin; i < arcs.end; i++) b->start[b->source[i]]++;
    sum_up(b->start + rows.begin, rows.end - rows.begin, arcs.begin);
    if (arcs.begin < arcs.end)
        memcpy(scratch, b->arc + arcs.begin, (arcs.end - arcs.begin) * sizeof *scratch);
    for (uint64_t i = arcs.begin; i < arcs.end; i++)
        b->arc[b->start[b->source[i]]++] = scratch[i - arcs.begin];
}

typedef CFLRI_VEC(uint64_t) arcs_vec; /* scratch of a thread, as large as its largest bucket */

/* False when memory is refused. */
static bool make_bucket(const build *b, uint64_t bucket, arcs_vec *room) {
    cflri_share arcs = bucket_arcs(b, bucket), rows = bucket_rows(b, bucket);
    uint64_t begin = arcs.begin;
    if (!cflri_vec_reserve(b->context, room, arcs.end - arcs.begin)) return false;
    place_arcs(b, arcs, rows, room->at);
    for (uint64_t v = rows.begin; v < rows.end; begin = b->start[v++]) {
        uint64_t n = b->start[v] - begin;
        if (cflri_sort_pairs(b->context, b->arc + begin, n, room->at, NULL) != CFLR_OK)
            return false;
        b->kept[v] = b->opts.keep_parallel ? n : drop_equal(b->arc + begin, n);
    }
    return true;
}

static bool make_buckets(const build *b) {
    bool refused = false;
#pragma omp parallel num_threads((int)b->shares) reduction(|| : refused)
    {
        arcs_vec room = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint64_t bucket = 0; bucket < b->n_buckets; bucket++)
            refused = !make_bucket(b, bucket, &room) || refused;
        cflri_vec_free(b->context, &room);
    }
    return !refused;
}

/* ---- the rows ---- */

/* Row v lies from the end of the row before it to its own. */
static void close_up(const build *b, cflr_csr *csr) {
    uint32_t *weight = csr->weight;
    bool parallel = false;
#pragma omp parallel for num_threads((int)b->shares) schedule(dynamic, ROWS_A_TURN) \
    reduction(||                                                                    \
              : parallel)
    for (uint64_t v = 0; v < csr->n_vertices; v++) {
        const uint64_t *arc = b->arc + (v ? b->start[v - 1] : 0);
        for (uint64_t at = csr->start[v]; at < csr->start[v + 1]; at++, arc++) {
            csr->target[at] = (uint32_t)(*arc >> 32);
            if (weight) weight[at] = cflri_weight_bits(csr->weights, (uint32_t)*arc);
            parallel = parallel || (at > csr->start[v] && csr->target[at] == csr->target[at - 1]);
        }
    }
    csr->has_parallel = parallel;
}

static cflr_status make_rows(build *b, cflr_csr *csr, cflr_error *error) {
    csr->n_edges = sum_up(b->kept, csr->n_vertices, 0);
    csr->start = b->kept;
    csr->start[csr->n_vertices] = csr->n_edges;
    b->kept = NULL;
    csr->target = cflri_alloc_array(b->context, csr->n_edges, sizeof *csr->target);
    if (csr->weights) csr->weight = cflri_alloc_array(b->context, csr->n_edges, sizeof(uint32_t));
    if (!csr->target || (csr->weights && !csr->weight)) return cflri_fail_memory(b->context, error);
    close_up(b, csr);
    return CFLR_OK;
}

/* Of the three steps over all edges: counting, dealing, making the buckets. */
static cflr_status step_done(const build *b, unsigned step, cflr_error *error) {
    uint64_t n = b->edges->n_edges;
    cflr_status st = cflri_tick(b->context, "load", step * n, 3 * n);
    return st == CFLR_OK ? st : cflri_fail_interrupted(b->context, st, error);
}

static cflr_status make_arcs(build *b, cflr_error *error) {
    uint64_t n = b->edges->n_vertices, places = b->n_buckets * b->shares;
    b->place = cflri_alloc_array_zero(b->context, places, sizeof *b->place);
    b->start = cflri_alloc_array_zero(b->context, n, sizeof *b->start);
    b->kept = cflri_alloc_array_zero(b->context, n + 1, sizeof *b->kept);
    if (!b->place || !b->start || !b->kept) return cflri_fail_memory(b->context, error);
    each_share(b, count_share);
    uint64_t arcs = sum_up(b->place, places, 0);
    b->arc = cflri_alloc_array(b->context, arcs, sizeof *b->arc);
    b->source = cflri_alloc_array(b->context, arcs, sizeof *b->source);
    return b->arc && b->source ? step_done(b, 1, error) : cflri_fail_memory(b->context, error);
}

static cflr_status sort_arcs(build *b, cflr_error *error) {
    cflr_status st = make_arcs(b, error);
    if (st != CFLR_OK) return st;
    each_share(b, deal_share);
    st = step_done(b, 2, error);
    if (st != CFLR_OK) return st;
    if (!make_buckets(b)) return cflri_fail_memory(b->context, error);
    return step_done(b, 3, error);
}

cflr_status cflr_csr_new(cflr_context *context, const cflr_edge_list *edges,
                         const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    cflr_edge_list list = *edges;
    build b = {
        .context = context, .edges = &list, .shares = (uint32_t)cflr_context_threads(context)};
    cflr_csr *made = cflri_alloc_zero(context, sizeof *made);
    *csr = NULL;
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    CFLR_TRY(cflri_csr_opts_take(&b.opts, opts, error));
    if (b.opts.drop_weights) list.weights = CFLR_WEIGHTS_NONE;
    made->n_vertices = edges->n_vertices;
    made->weights = list.weights;
    made->symmetric = b.opts.symmetric;
    made->keeps_parallel = b.opts.keep_parallel;
    CFLR_TRY(check(&b, error));
    choose_buckets(&b);
    CFLR_TRY(sort_arcs(&b, error));
    CFLR_TRY(make_rows(&b, made, error));
    *csr = made;
    made = NULL;
out:
    cflri_free(context, b.place);
    cflri_free(context, b.start);
    cflri_free(context, b.kept);
    cflri_free(context, b.arc);
    cflri_free(context, b.source);
    cflr_csr_free(made);
    return st;
}

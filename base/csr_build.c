/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_build.c: edges in any order to rows in ascending order.
 *
 *     edges   (2, 0) (0, 2) (0, 1) (0, 2)
 *     count    3 . 1           how many start at each vertex
 *     sum      0 3 3 4         where each row begins
 *     deal     2 1 2 | | 0     each edge to the next place of its row: an arc, target and weight in 64 bits
 *     sort     1 2 2 | | 0     each row by itself
 *     keep     1 2   | | 0     equal arcs once, rows closed up
 *
 * Threads count and deal with atomic additions, so the arcs of a row come in any order; sorting makes the result the same
 * for every number of threads. Rows are sorted by insertion when short, else by the bytes in which their arcs differ.
 *
 * O(edges + vertices), 16 bytes an arc: the arcs themselves, and the rows they become.
 */
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/csr.h"

enum { FEW = 32, BYTE_VALUES = 256, ROWS_A_TURN = 256 };

typedef struct build {
    cflr_context *context;
    const cflr_edge_list *edges;
    cflr_csr_opts opts;
    int threads;
    uint64_t *start;  /* while dealing: the next place of each row */
    uint64_t *kept;   /* arcs of each row that stay; then where they begin */
    uint64_t *arc;    /* target << 32 | order of the weight */
    uint64_t longest; /* arcs of a row */
} build;

/* ---- checking ---- */

static bool is_finite(const cflr_edge_list *edges, uint64_t i) {
    return edges->weights != CFLR_WEIGHTS_FLOAT32 || isfinite(((const float *)edges->weight)[i]);
}

/* The first edge that is wrong, or n_edges. */
static uint64_t first_wrong(const cflr_edge_list *edges, int threads) {
    uint64_t first = edges->n_edges;
#pragma omp parallel for num_threads(threads) reduction(min : first)
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
    uint64_t wrong = first_wrong(edges, b->threads);
    if (wrong == edges->n_edges) return CFLR_OK;
    unsigned long long number = wrong;
    if (!is_finite(edges, wrong))
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "edge %llu: its weight is not finite",
                          number);
    return cflri_fail(error, CFLR_ARGUMENT, NULL, "edge %llu: %u or %u is no vertex: there are %u",
                      number, edges->source[wrong], edges->target[wrong], edges->n_vertices);
}

/* ---- counting and dealing ---- */

/* Which arcs an edge becomes. */
static bool goes_out(const build *b, uint64_t i) {
    return !b->opts.drop_loops || b->edges->source[i] != b->edges->target[i];
}

static bool goes_back(const build *b, uint64_t i) {
    return b->opts.symmetric && b->edges->source[i] != b->edges->target[i];
}

static uint64_t take(uint64_t *counter) {
    return __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void count_arcs(const build *b) {
#pragma omp parallel for num_threads(b->threads)
    for (uint64_t i = 0; i < b->edges->n_edges; i++) {
        if (goes_out(b, i)) take(&b->start[b->edges->source[i]]);
        if (goes_back(b, i)) take(&b->start[b->edges->target[i]]);
    }
}

/* Counts to places; returns the sum, which has its own place behind the last. */
static uint64_t sum_up(uint64_t *count, uint64_t n) {
    uint64_t before = 0;
    for (uint64_t v = 0; v < n; v++) {
        uint64_t here = count[v];
        count[v] = before;
        before += here;
    }
    count[n] = before;
    return before;
}

static uint64_t arc_to(const build *b, uint32_t target, uint64_t i) {
    uint32_t bits = 0;
    if (b->edges->weights) memcpy(&bits, (const uint32_t *)b->edges->weight + i, sizeof bits);
    return (uint64_t)target << 32 | cflri_weight_order(b->edges->weights, bits);
}

/* Afterwards start[v] is where row v ends. */
static void deal_arcs(const build *b) {
    const uint32_t *source = b->edges->source, *target = b->edges->target;
#pragma omp parallel for num_threads(b->threads)
    for (uint64_t i = 0; i < b->edges->n_edges; i++) {
        if (goes_out(b, i)) b->arc[take(&b->start[source[i]])] = arc_to(b, target[i], i);
        if (goes_back(b, i)) b->arc[take(&b->start[target[i]])] = arc_to(b, source[i], i);
    }
}

/* ---- sorting rows ---- */

static void sort_few(uint64_t *arc, uint64_t n) {
    for (uint64_t i = 1; i < n; i++) {
        uint64_t moved = arc[i], at = i;
        for (; at > 0 && arc[at - 1] > moved; at--) arc[at] = arc[at - 1];
        arc[at] = moved;
    }
}

/* One pass by one byte, stable. */
static void sort_byte(const uint64_t *from, uint64_t *to, uint64_t n, unsigned shift) {
    uint64_t place[BYTE_VALUES + 1] = {0};
    for (uint64_t i = 0; i < n; i++) place[from[i] >> shift & 0xff]++;
    sum_up(place, BYTE_VALUES);
    for (uint64_t i = 0; i < n; i++) to[place[from[i] >> shift & 0xff]++] = from[i];
}

static void sort_row(uint64_t *arc, uint64_t n, uint64_t *scratch) {
    uint64_t differ = 0, *from = arc, *to = scratch;
    if (n <= FEW) {
        sort_few(arc, n);
        return;
    }
    for (uint64_t i = 1; i < n; i++) differ |= arc[i] ^ arc[0];
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!(differ >> shift & 0xff)) continue;
        sort_byte(from, to, n, shift);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != arc) memcpy(arc, from, n * sizeof *arc);
}

static uint64_t drop_equal(uint64_t *arc, uint64_t n) {
    uint64_t kept = n > 0;
    for (uint64_t i = 1; i < n; i++)
        if (arc[i] != arc[kept - 1]) arc[kept++] = arc[i];
    return kept;
}

/* Row v lies from the end of the row before it to its own. */
static uint64_t row_begin(const build *b, uint64_t v) {
    return v ? b->start[v - 1] : 0;
}

static void find_longest(build *b) {
    uint64_t longest = 0;
    for (uint64_t v = 0; v < b->edges->n_vertices; v++) {
        uint64_t n = b->start[v] - row_begin(b, v);
        if (n > longest) longest = n;
    }
    b->longest = longest;
}

static bool sort_rows(build *b) {
    bool refused = false;
    find_longest(b);
#pragma omp parallel num_threads(b->threads) reduction(|| : refused)
    {
        uint64_t *scratch = cflri_alloc_array(b->context, b->longest, sizeof *scratch);
        refused = !scratch;
#pragma omp for schedule(dynamic, ROWS_A_TURN)
        for (uint64_t v = 0; v < b->edges->n_vertices; v++) {
            uint64_t begin = row_begin(b, v), n = b->start[v] - begin;
            if (!scratch) continue;
            sort_row(b->arc + begin, n, scratch);
            b->kept[v] = b->opts.keep_parallel ? n : drop_equal(b->arc + begin, n);
        }
        cflri_free(b->context, scratch);
    }
    return !refused;
}

/* ---- the rows ---- */

static void close_up(const build *b, cflr_csr *csr) {
    uint32_t *weight = csr->weight;
#pragma omp parallel for num_threads(b->threads) schedule(dynamic, ROWS_A_TURN)
    for (uint64_t v = 0; v < csr->n_vertices; v++) {
        const uint64_t *arc = b->arc + row_begin(b, v);
        for (uint64_t at = csr->start[v]; at < csr->start[v + 1]; at++, arc++) {
            csr->target[at] = (uint32_t)(*arc >> 32);
            if (weight) weight[at] = cflri_weight_bits(csr->weights, (uint32_t)*arc);
        }
    }
}

static cflr_status make_rows(build *b, cflr_csr *csr, cflr_error *error) {
    csr->n_edges = sum_up(b->kept, csr->n_vertices);
    csr->start = b->kept;
    b->kept = NULL;
    csr->target = cflri_alloc_array(b->context, csr->n_edges, sizeof *csr->target);
    if (csr->weights) csr->weight = cflri_alloc_array(b->context, csr->n_edges, sizeof(uint32_t));
    if (!csr->target || (csr->weights && !csr->weight)) return cflri_fail_memory(b->context, error);
    close_up(b, csr);
    return CFLR_OK;
}

/* Of the three steps over all edges: counting, dealing, sorting. */
static cflr_status step_done(const build *b, unsigned step, cflr_error *error) {
    uint64_t n = b->edges->n_edges;
    cflr_status st = cflri_tick(b->context, "load", step * n, 3 * n);
    return st == CFLR_OK ? st : cflri_fail_interrupted(b->context, st, error);
}

static cflr_status sort_arcs(build *b, cflr_error *error) {
    uint64_t n = b->edges->n_vertices;
    b->start = cflri_alloc_array_zero(b->context, n + 1, sizeof *b->start);
    b->kept = cflri_alloc_array_zero(b->context, n + 1, sizeof *b->kept);
    if (!b->start || !b->kept) return cflri_fail_memory(b->context, error);
    count_arcs(b);
    b->arc = cflri_alloc_array(b->context, sum_up(b->start, n), sizeof *b->arc);
    if (!b->arc) return cflri_fail_memory(b->context, error);
    cflr_status st = step_done(b, 1, error);
    if (st != CFLR_OK) return st;
    deal_arcs(b);
    st = step_done(b, 2, error);
    if (st != CFLR_OK) return st;
    if (!sort_rows(b)) return cflri_fail_memory(b->context, error);
    return step_done(b, 3, error);
}

cflr_status cflr_csr_new(cflr_context *context, const cflr_edge_list *edges,
                         const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflr_status st = CFLR_OK;
    build b = {.context = context, .edges = edges, .threads = cflr_context_threads(context)};
    cflr_csr *made = cflri_alloc_zero(context, sizeof *made);
    *csr = NULL;
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    CFLR_TRY(cflri_csr_opts_take(&b.opts, opts, error));
    made->n_vertices = edges->n_vertices;
    made->weights = edges->weights;
    made->symmetric = b.opts.symmetric;
    CFLR_TRY(check(&b, error));
    CFLR_TRY(sort_arcs(&b, error));
    CFLR_TRY(make_rows(&b, made, error));
    *csr = made;
    made = NULL;
out:
    cflri_free(context, b.start);
    cflri_free(context, b.kept);
    cflri_free(context, b.arc);
    cflr_csr_free(made);
    return st;
}

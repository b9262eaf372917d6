/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_generate.c: graphs made by rule, all rows at once, or slice by slice where edges would take
 * much of the memory before they are rows.
 *
 * Every edge is a function of the seed and its own number, so that threads draw them in any order
 * and the graph is the same everywhere (cflri_csr_mix).
 *
 *     rmat   each level of a square of 2^scale x 2^scale is cut in four, and one quarter taken:
 *
 *              0.57 | 0.19      upper half: the source's next bit is 0; left half: the target's
 *              -----+-----
 *              0.19 | 0.05      (Chakrabarti, Zhan and Faloutsos 2004; probabilities of Graph500)
 *
 *            Without shuffling, small numbers would have large degrees. The shuffle is an addition,
 *            which moves 0 too, a multiplication by an odd number and a shift to the right, in
 *            turns, which are permutations of the numbers of so many bits.
 *     world  (Watts and Strogatz 1998)
 *     web    a page has most of its links to its own site, half of the others to sites near it, and
 *            so on; and sites have pages that most links lead to: their first ones
 *
 *              sites of 32 pages, of 128, of 512, ...     chances 1/2, 1/4, 1/8, ...
 *
 *            As graphs of the web it has rows that lie together, degrees far apart, and a diameter
 *            of more than a few hops.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/crew.h"
#include "base/ids.h"
#include "base/plain/csr.h"

enum { MOST_NUMBERS = 4, MOST_SCALE = 31, SHUFFLES = 3, EDGES_A_TURN = 1 << 16 };

/* The parameters from the text, and the edges made so far. */
typedef struct making {
    uint64_t number[MOST_NUMBERS];
    uint64_t n_vertices, n_edges;
    /* what the vertices of rmat are shuffled by; factors are odd */
    uint32_t factor[SHUFFLES], addend[SHUFFLES];
} making;

typedef struct rule {
    const char *name;
    const char *numbers; /* what is written behind the name */
    unsigned least, most;
    uint64_t missing[MOST_NUMBERS]; /* for numbers that are not there */
    bool (*measure)(
        making *m); /* sets n_vertices and n_edges; false when numbers are out of range */
    void (*edge)(const making *m, uint64_t i, uint32_t *source, uint32_t *target);
} rule;

/* ---- random bits ---- */

/* The k-th word of edge i. */
static uint64_t word_of(uint64_t seed, uint64_t i, uint64_t k) {
    uint64_t edge = cflri_csr_mix(cflri_csr_mix(seed + 1) + i);
    return cflri_csr_mix(edge + k * UINT64_C(0x9e3779b97f4a7c15));
}

static uint32_t below(uint32_t bits, uint64_t n) {
    return (uint32_t)(bits * n >> 32);
}

/* ---- rmat, uniform ---- */

static bool measure_scaled(making *m) {
    uint64_t scale = m->number[0], factor = m->number[1];
    if (scale > MOST_SCALE || factor > UINT32_MAX) return false;
    m->n_vertices = UINT64_C(1) << scale;
    m->n_edges = m->n_vertices * factor;
    return true;
}

static bool measure_rmat(making *m) {
    for (uint64_t turn = 0; turn < SHUFFLES; turn++) {
        m->factor[turn] = (uint32_t)word_of(m->number[2], turn, 1) | 1;
        m->addend[turn] = (uint32_t)word_of(m->number[2], turn, 2);
    }
    return measure_scaled(m);
}

static uint32_t shuffled(const making *m, uint32_t v) {
    unsigned scale = (unsigned)m->number[0];
    uint32_t mask = (uint32_t)(m->n_vertices - 1);
    for (int turn = 0; turn < SHUFFLES; turn++) {
        v = (v + m->addend[turn]) * m->factor[turn] & mask;
        v ^= v >> (scale / 2 + 1);
    }
    return v;
}

static void rmat_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    static const uint32_t A = 2448131359, B = 3264175145,
                          C = 4080218931; /* 0.57, 0.76, 0.95 of 2^32 */
    unsigned scale = (unsigned)m->number[0];
    uint64_t seed = m->number[2], bits = 0;
    uint32_t u = 0, v = 0;
    for (unsigned level = 0; level < scale; level++) {
        bits = level % 2 ? bits >> 32 : word_of(seed, i, level);
        uint32_t at = (uint32_t)bits;
        u = u << 1 | (at >= B);
        v = v << 1 | ((at >= A && at < B) || at >= C);
    }
    *source = shuffled(m, u);
    *target = shuffled(m, v);
}

static void uniform_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    uint64_t bits = word_of(m->number[2], i, 0);
    *source = below((uint32_t)bits, m->n_vertices);
    *target = below((uint32_t)(bits >> 32), m->n_vertices);
}

/* ---- regular ones ---- */

/* Edges to the right, row by row, then those downwards. */
static bool measure_grid(making *m) {
    uint64_t rows = m->number[0], columns = m->number[1];
    if (rows > UINT32_MAX || columns > UINT32_MAX) return false;
    m->n_vertices = rows * columns;
    m->n_edges = m->n_vertices ? rows * (columns - 1) + (rows - 1) * columns : 0;
    return true;
}

static void grid_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    uint64_t columns = m->number[1], right = m->number[0] * (columns - 1);
    uint64_t v = i < right ? i / (columns - 1) * columns + i % (columns - 1) : i - right;
    *source = (uint32_t)v;
    *target = (uint32_t)(i < right ? v + 1 : v + columns);
}

static bool measure_line(making *m) {
    m->n_vertices = m->number[0];
    m->n_edges = m->n_vertices ? m->n_vertices - 1 : 0;
    return true;
}

static void chain_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    (void)m;
    *source = (uint32_t)i;
    *target = (uint32_t)i + 1;
}

static void star_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    (void)m;
    *source = 0;
    *target = (uint32_t)i + 1;
}

static bool measure_clique(making *m) {
    m->n_vertices = m->number[0];
    if (m->n_vertices > CFLR_MAX_VERTICES) return false;
    m->n_edges = m->n_vertices ? m->n_vertices * (m->n_vertices - 1) / 2 : 0;
    return true;
}

/* Edge i ends at the largest t with t (t - 1) / 2 <= i. */
static void clique_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    uint64_t behind;
    CFLRI_BISECT(behind, 2, m->n_vertices, behind * (behind - 1) / 2 <= i);
    uint64_t t = behind - 1;
    *source = (uint32_t)(i - t * (t - 1) / 2);
    *target = (uint32_t)t;
}

static bool measure_world(making *m) {
    m->n_vertices = m->number[0];
    if (m->n_vertices > CFLR_MAX_VERTICES || m->number[1] >= m->n_vertices || m->number[2] > 1000)
        return false;
    m->n_edges = m->n_vertices * m->number[1];
    return true;
}

static void world_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    uint64_t v = i / m->number[1], bits = word_of(m->number[3], i, 0);
    bool moved = below((uint32_t)bits, 1000) < m->number[2];
    *source = (uint32_t)v;
    *target = moved ? below((uint32_t)(bits >> 32), m->n_vertices)
                    : (uint32_t)((v + 1 + i % m->number[1]) % m->n_vertices);
}

static bool measure_web(making *m) {
    m->n_vertices = m->number[0];
    if (m->n_vertices > CFLR_MAX_VERTICES || m->number[1] >= CFLR_MAX_VERTICES) return false;
    m->n_edges = m->n_vertices * m->number[1];
    return true;
}

static void web_edge(const making *m, uint64_t i, uint32_t *source, uint32_t *target) {
    uint64_t v = i / m->number[1], bits = word_of(m->number[2], i, 0), pages = 32;
    uint64_t near = bits >> 32, cube = (near * near >> 32) * near >> 32;
    for (; pages < m->n_vertices && bits & 1; bits >>= 1) pages *= 4;
    uint64_t first = v / pages * pages, left = m->n_vertices - first;
    *source = (uint32_t)v;
    *target = (uint32_t)first + below((uint32_t)cube, pages < left ? pages : left);
}

static const rule rules[] = {
    {"rmat", "SCALE[:FACTOR[:SEED]]", 1, 3, {0, 16, 1}, measure_rmat, rmat_edge},
    {"uniform", "SCALE[:FACTOR[:SEED]]", 1, 3, {0, 16, 1}, measure_scaled, uniform_edge},
    {"grid", "ROWS:COLUMNS", 2, 2, {0}, measure_grid, grid_edge},
    {"chain", "N", 1, 1, {0}, measure_line, chain_edge},
    {"star", "N", 1, 1, {0}, measure_line, star_edge},
    {"clique", "N", 1, 1, {0}, measure_clique, clique_edge},
    {"world", "N:K:PERMILLE[:SEED]", 3, 4, {0, 0, 0, 1}, measure_world, world_edge},
    {"web", "N:K[:SEED]", 2, 3, {0, 0, 1}, measure_web, web_edge},
};

enum { N_RULES = sizeof rules / sizeof *rules };

/* ---- the text ---- */

static const rule *find_rule(const char *text, size_t length) {
    for (size_t r = 0; r < N_RULES; r++)
        if (strlen(rules[r].name) == length && memcmp(rules[r].name, text, length) == 0)
            return &rules[r];
    return NULL;
}

/* Numbers behind the name, each after a colon. False when the text is something else. */
static bool read_numbers(const char *at, const rule *r, uint64_t *number) {
    unsigned n = 0;
    memcpy(number, r->missing, sizeof r->missing);
    for (; *at == ':'; n++) {
        char *end;
        errno = 0;
        if (n == r->most || !isdigit((unsigned char)*++at)) return false;
        number[n] = strtoull(at, &end, 10);
        if (errno) return false;
        at = end;
    }
    return *at == '\0' && n >= r->least;
}

static cflr_status read_rule(const char *text, const rule **chosen, making *m, cflr_error *error) {
    size_t length = strcspn(text, ":");
    const rule *r = *chosen = find_rule(text, length);
    if (!r)
        return cflri_fail(
            error, CFLR_ARGUMENT, text,
            "no such rule; there are rmat, uniform, grid, chain, star, clique, world and web");
    if (!read_numbers(text + length, r, m->number))
        return cflri_fail(error, CFLR_ARGUMENT, text, "%s:%s expected", r->name, r->numbers);
    if (!r->measure(m) || m->n_vertices > CFLR_MAX_VERTICES)
        return cflri_fail(error, CFLR_ARGUMENT, text, "%s:%s: a number is out of range", r->name,
                          r->numbers);
    return CFLR_OK;
}

/* ---- all at once ---- */

static cflr_status generate_whole(cflr_context *context, const rule *r, const making *m,
                                  const cflr_csr_opts *opts, cflr_csr **csr, cflr_error *error) {
    cflri_edges edges = {.n_vertices = (uint32_t)m->n_vertices};
    if (!cflri_edges_reserve(context, &edges, m->n_edges)) {
        cflri_edges_free(context, &edges);
        return cflri_fail_memory(context, error);
    }
    edges.source.n = edges.target.n = m->n_edges;
#pragma omp parallel for num_threads(cflr_context_threads(context)) schedule(dynamic, EDGES_A_TURN)
    for (uint64_t i = 0; i < m->n_edges; i++)
        r->edge(m, i, &edges.source.at[i], &edges.target.at[i]);
    return cflri_edges_freeze(context, &edges, opts, csr, error);
}

/* ---- slice by slice ----
 *
 *     slice 0   edges out of vertices 0 .. w - 1          rows, to the end of the graph
 *     slice 1   edges out of vertices w .. 2 w - 1        rows, behind them
 *     ...
 *
 * All edges are drawn anew for each slice, which keeps those that are its own. So the memory that
 * edges need before they are rows is that of one slice. */

typedef struct slicing {
    cflr_context *context;
    const rule *r;
    const making *m;
    cflr_csr_opts opts;
    uint32_t slices, shares; /* of the vertices; of the edges: one a thread */
    unsigned shift;          /* a slice has 2^shift vertices */
    uint32_t row;    /* counters of a share, and a line of memory apart from the next one's */
    uint64_t *count; /* by share and slice: arcs */
} slicing;

/* The arcs that edge i becomes. */
static int arcs_of(const slicing *s, uint64_t i, uint32_t source[2], uint32_t target[2]) {
    s->r->edge(s->m, i, &source[0], &target[0]);
    if (source[0] == target[0]) return !s->opts.drop_loops;
    source[1] = target[0];
    target[1] = source[0];
    return s->opts.symmetric ? 2 : 1;
}

/* As many as are asked for, or some more. */
static void choose_slices(slicing *s, uint64_t n) {
    s->shift = 32;
    while (s->shift > 0 && (n >> s->shift) + 1 < s->slices) s->shift--;
    s->slices = (uint32_t)(n >> s->shift) + 1;
    s->row = s->slices + 16;
}

static void count_share(const slicing *s, uint32_t share) {
    cflri_share own = cflri_share_of(s->m->n_edges, share, s->shares);
    uint64_t *count = s->count + (uint64_t)share * s->row;
    uint32_t source[2], target[2];
    for (uint64_t i = own.begin; i < own.end; i++) {
        int n = arcs_of(s, i, source, target);
        for (int k = 0; k < n; k++) count[source[k] >> s->shift]++;
    }
}

/* Arcs of a slice from `at` on. */
static void draw_share(const slicing *s, uint32_t slice, uint32_t share, uint64_t at,
                       cflri_edges *edges) {
    cflri_share own = cflri_share_of(s->m->n_edges, share, s->shares);
    uint32_t source[2], target[2];
    for (uint64_t i = own.begin; i < own.end; i++) {
        int n = arcs_of(s, i, source, target);
        for (int k = 0; k < n; k++) {
            if (source[k] >> s->shift != slice) continue;
            edges->source.at[at] = source[k];
            edges->target.at[at++] = target[k];
        }
    }
}

static cflr_status make_slice(const slicing *s, uint32_t slice, cflr_csr **csr, cflr_error *error) {
    const cflr_csr_opts *opts = &s->opts;
    cflr_csr_opts plain;
    cflri_edges edges = {.n_vertices = (uint32_t)s->m->n_vertices};
    const uint64_t *count = s->count + slice; /* of the first share; the next one's a row behind */
    uint64_t all = 0;
    cflr_csr_opts_init(&plain);
    plain.keep_parallel = opts->keep_parallel;
    for (uint32_t share = 0; share < s->shares; share++) all += count[(uint64_t)share * s->row];
    if (!cflri_edges_reserve(s->context, &edges, all)) {
        cflri_edges_free(s->context, &edges);
        return cflri_fail_memory(s->context, error);
    }
    edges.source.n = edges.target.n = all;
#pragma omp parallel for num_threads((int)s->shares) schedule(static, 1)
    for (uint32_t share = 0; share < s->shares; share++) {
        uint64_t at = 0;
        for (uint32_t before = 0; before < share; before++) at += count[(uint64_t)before * s->row];
        draw_share(s, slice, share, at, &edges);
    }
    return cflri_edges_freeze(s->context, &edges, &plain, csr, error);
}

/* The rows of a slice behind those of the ones before. */
static cflr_status append(const slicing *s, uint32_t slice, const cflr_csr *part, cflr_csr *csr,
                          cflr_error *error) {
    uint64_t first = (uint64_t)slice << s->shift, last = first + (UINT64_C(1) << s->shift);
    uint64_t n = s->m->n_vertices;
    uint64_t edges = csr->n_edges + part->n_edges;
    uint32_t *target = cflri_realloc(s->context, csr->target, (edges ? edges : 1) * sizeof *target);
    if (!target) return cflri_fail_memory(s->context, error);
    csr->target = target;
    if (part->n_edges) memcpy(target + csr->n_edges, part->target, part->n_edges * sizeof *target);
    for (uint64_t v = first; v < last && v < n; v++)
        csr->start[v + 1] = csr->n_edges + part->start[v + 1];
    csr->n_edges = edges;
    csr->has_parallel = csr->has_parallel || part->has_parallel;
    return CFLR_OK;
}

static cflr_status generate_slices(slicing *s, cflr_csr *csr, cflr_error *error) {
    uint64_t n = s->m->n_vertices;
    choose_slices(s, n);
    s->count = cflri_alloc_array_zero(s->context, (uint64_t)s->row * s->shares, sizeof *s->count);
    csr->start = cflri_alloc_array_zero(s->context, n + 1, sizeof *csr->start);
    if (!s->count || !csr->start) return cflri_fail_memory(s->context, error);
#pragma omp parallel for num_threads((int)s->shares) schedule(static, 1)
    for (uint32_t share = 0; share < s->shares; share++) count_share(s, share);
    for (uint32_t slice = 0; slice < s->slices; slice++) {
        cflr_csr *part = NULL;
        cflr_status st = make_slice(s, slice, &part, error);
        if (st == CFLR_OK) st = append(s, slice, part, csr, error);
        cflr_csr_free(part);
        if (st != CFLR_OK) return st;
    }
    return CFLR_OK;
}

/* ---- both ---- */

/* An arc takes 8 bytes as it is drawn, 12 as it is dealt and 4 in its row. */
enum { BYTES_AN_ARC = 24 };

/* Where more would be asked for, the rows do not fit into memory either. */
enum { MOST_SLICES = 64 };

/* As many as take a quarter of the memory each. */
static uint32_t slices_for(const cflr_context *context, const making *m, bool symmetric) {
    uint64_t room = cflri_memory_to_use(context) / 2 + 1;
    uint64_t slices = m->n_edges * (symmetric ? 2 : 1) * BYTES_AN_ARC / room + 1;
    return slices < MOST_SLICES ? (uint32_t)slices : MOST_SLICES;
}

cflr_status cflri_csr_generate(cflr_context *context, const char *text, const cflr_csr_opts *opts,
                               uint32_t slices, cflr_csr **csr, cflr_error *error) {
    making m = {0};
    slicing s = {.context = context, .shares = (uint32_t)cflr_context_threads(context)};
    *csr = NULL;
    cflr_status st = read_rule(text, &s.r, &m, error);
    if (st == CFLR_OK) st = cflri_csr_opts_take(&s.opts, opts, error);
    if (st != CFLR_OK) return st;
    s.m = &m;
    s.slices = slices ? slices : slices_for(context, &m, s.opts.symmetric);
    if (s.slices == 1) return generate_whole(context, s.r, &m, opts, csr, error);
    cflr_csr *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->n_vertices = (uint32_t)m.n_vertices;
    made->symmetric = s.opts.symmetric;
    made->keeps_parallel = s.opts.keep_parallel;
    st = generate_slices(&s, made, error);
    cflri_free(context, s.count);
    if (st == CFLR_OK)
        *csr = made;
    else
        cflr_csr_free(made);
    return st;
}

cflr_status cflr_csr_generate(cflr_context *context, const char *text, const cflr_csr_opts *opts,
                              cflr_csr **csr, cflr_error *error) {
    return cflri_csr_generate(context, text, opts, 0, csr, error);
}

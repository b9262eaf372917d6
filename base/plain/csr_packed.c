/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed.c: rows into bits, and back.
 *
 * Rows are measured first, so that all threads know where theirs begin, and then written. O(n + m).
 */
#include "base/plain/csr_packed.h"

static uint32_t bits_of(uint32_t number) {
    return number ? 32 - (uint32_t)__builtin_clz(number) : 0;
}

/* ---- how ---- */

cflri_row_code cflri_row_code_of(const cflri_plain_rows *rows, cflr_weights kind, int threads) {
    cflri_row_code how = {.first_bits = bits_of(rows->n ? rows->n - 1 : 0)};
    uint64_t m = rows->start[rows->n];
    how.step = how.first_bits <= 30 ? 2 : 3;
    if (how.first_bits == 0) how.first_bits = 1;
    if (!rows->weight || !m) return how;
    if (kind != CFLR_WEIGHTS_INT32) {
        how.weight_bits = 32;
        return how;
    }
    const int32_t *weight = (const int32_t *)rows->weight;
    int32_t least = weight[0], most = weight[0];
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : most)
    for (uint64_t e = 0; e < m; e++) {
        if (weight[e] < least) least = weight[e];
        if (weight[e] > most) most = weight[e];
    }
    (void)threads;
    how.least_weight = (uint32_t)least;
    how.weight_bits = bits_of((uint32_t)most - (uint32_t)least);
    return how;
}

/* ---- groups ---- */

/* One group's targets: those of edges 0 .. n-1. */
typedef struct group {
    const uint32_t *target, *weight;
    uint32_t n, blocks;
} group;

static group group_of(const uint32_t *target, const uint32_t *weight, uint64_t degree, uint64_t g) {
    uint64_t first = g * CFLRI_PACKED_GROUP, rest = degree - first;
    uint32_t n = rest < CFLRI_PACKED_GROUP ? (uint32_t)rest : CFLRI_PACKED_GROUP;
    return (group){target + first, weight ? weight + first : NULL, n,
                   (n - 1 + CFLRI_PACKED_BLOCK - 1) / CFLRI_PACKED_BLOCK};
}

/* Differences of block b: first .. *end - 1, counted from 1. */
static uint32_t block_of(uint32_t n, uint32_t b, uint32_t *end) {
    uint32_t first = b * CFLRI_PACKED_BLOCK + 1;
    *end = first + CFLRI_PACKED_BLOCK < n ? first + CFLRI_PACKED_BLOCK : n;
    return first;
}

static uint32_t width_of(const group *g, uint32_t b, uint32_t step) {
    uint32_t all = 0, end, i = block_of(g->n, b, &end);
    for (; i < end; i++) all |= g->target[i] - g->target[i - 1];
    return (bits_of(all) + step - 1) / step;
}

static uint64_t words_of_group(const group *g, const cflri_row_code *how) {
    uint64_t bits = how->first_bits + 4 * g->blocks + (uint64_t)g->n * how->weight_bits;
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t end, first = block_of(g->n, b, &end);
        bits += (uint64_t)(end - first) * width_of(g, b, how->step) * how->step;
    }
    return (bits + 31) / 32;
}

static uint64_t groups_of(uint64_t degree) {
    return (degree + CFLRI_PACKED_GROUP - 1) / CFLRI_PACKED_GROUP;
}

/* Words of the row's own table. */
static uint64_t table_of(uint64_t groups) {
    return groups > 1 ? groups : 0;
}

static uint64_t words_of_row(const cflri_plain_rows *rows, const cflri_row_code *how, uint32_t v) {
    uint64_t begin = rows->start[v], degree = rows->start[v + 1] - begin;
    uint64_t groups = groups_of(degree), words = table_of(groups);
    for (uint64_t k = 0; k < groups; k++) {
        group g =
            group_of(rows->target + begin, rows->weight ? rows->weight + begin : NULL, degree, k);
        words += words_of_group(&g, how);
    }
    return words;
}

void cflri_packed_measure(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                          uint64_t *at) {
    uint64_t sum = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (uint32_t v = 0; v < rows->n; v++) at[v] = words_of_row(rows, how, v);
    (void)threads;
    for (uint32_t v = 0; v < rows->n; v++) {
        uint64_t here = at[v];
        at[v] = sum;
        sum += here;
    }
    at[rows->n] = sum;
}

/* ---- writing ---- */

/* Bits are written in their order; words are those of one row, which one thread writes. */
typedef struct writer {
    uint32_t *words;
    uint64_t bits; /* not written yet */
    uint32_t n;    /* of these */
} writer;

static void put(writer *w, uint64_t value, uint32_t width) {
    while (width) {
        uint32_t take = width < 32 ? width : 32;
        w->bits |= (value & (take < 32 ? (UINT64_C(1) << take) - 1 : UINT32_MAX)) << w->n;
        value = take < 32 ? 0 : value >> 32;
        w->n += take;
        width -= take;
        if (w->n < 32) continue;
        *w->words++ = (uint32_t)w->bits;
        w->bits >>= 32;
        w->n -= 32;
    }
}

static void put_rest(writer *w) {
    if (w->n) *w->words++ = (uint32_t)w->bits;
    w->bits = w->n = 0;
}

static void put_group(writer *w, const group *g, const cflri_row_code *how) {
    uint32_t width[CFLRI_PACKED_GROUP / CFLRI_PACKED_BLOCK];
    put(w, g->target[0], how->first_bits);
    for (uint32_t b = 0; b < g->blocks; b++) {
        width[b] = width_of(g, b, how->step);
        put(w, width[b], 4);
    }
    for (uint32_t i = 0; i < g->n && how->weight_bits; i++)
        put(w, g->weight[i] - how->least_weight, how->weight_bits);
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t end, i = block_of(g->n, b, &end);
        for (; i < end; i++) put(w, g->target[i] - g->target[i - 1], width[b] * how->step);
    }
    put_rest(w);
}

static void put_row(const cflri_plain_rows *rows, const cflri_row_code *how, uint32_t v,
                    uint32_t *words) {
    uint64_t begin = rows->start[v], degree = rows->start[v + 1] - begin;
    uint64_t groups = groups_of(degree);
    writer w = {words + table_of(groups), 0, 0};
    for (uint64_t k = 0; k < groups; k++) {
        group g =
            group_of(rows->target + begin, rows->weight ? rows->weight + begin : NULL, degree, k);
        if (groups > 1) words[k] = (uint32_t)(w.words - words);
        put_group(&w, &g, how);
    }
}

void cflri_packed_write(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                        const uint64_t *at, uint32_t *words) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (uint32_t v = 0; v < rows->n; v++) put_row(rows, how, v, words + at[v]);
    (void)threads;
    for (int i = 0; i < CFLRI_PACKED_PAD; i++) words[at[rows->n] + (unsigned)i] = 0;
}

/* ---- reading ---- */

static uint64_t get(const uint32_t *words, uint64_t *at, uint32_t width) {
    uint64_t value = 0;
    for (uint32_t have = 0; have < width;) {
        uint32_t shift = *at % 32, take = 32 - shift < width - have ? 32 - shift : width - have;
        uint64_t bits = words[*at / 32] >> shift;
        value |= (bits & ((UINT64_C(1) << take) - 1)) << have;
        have += take;
        *at += take;
    }
    return value;
}

static void read_group(const cflri_row_code *how, const uint32_t *words, uint32_t n,
                       uint32_t *target, uint32_t *weight) {
    uint32_t blocks = (n - 1 + CFLRI_PACKED_BLOCK - 1) / CFLRI_PACKED_BLOCK;
    uint32_t width[CFLRI_PACKED_GROUP / CFLRI_PACKED_BLOCK];
    uint64_t at = 0;
    target[0] = (uint32_t)get(words, &at, how->first_bits);
    for (uint32_t b = 0; b < blocks; b++) width[b] = (uint32_t)get(words, &at, 4) * how->step;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t above = (uint32_t)get(words, &at, how->weight_bits);
        if (weight) weight[i] = how->least_weight + above;
    }
    for (uint32_t i = 1; i < n; i++)
        target[i] = target[i - 1] + (uint32_t)get(words, &at, width[(i - 1) / CFLRI_PACKED_BLOCK]);
}

void cflri_packed_read(const cflri_row_code *how, const uint32_t *words, uint64_t degree,
                       uint32_t *target, uint32_t *weight) {
    uint64_t groups = groups_of(degree);
    for (uint64_t k = 0; k < groups; k++) {
        uint64_t first = k * CFLRI_PACKED_GROUP, rest = degree - first;
        uint32_t n = rest < CFLRI_PACKED_GROUP ? (uint32_t)rest : CFLRI_PACKED_GROUP;
        read_group(how, words + (groups > 1 ? words[k] : 0), n, target + first,
                   weight ? weight + first : NULL);
    }
}

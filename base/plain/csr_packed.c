/* SPDX-License-Identifier: Apache-2.0
 *
 * csr_packed.c: rows into bits, and back.
 *
 * Rows are measured first, so that all threads know where theirs begin, and then written. What is
 * read is not trusted: a group is measured from its widths, which lie in its first three words,
 * before its other words are looked at; it must begin where the one before ends, and its last
 * target, the greatest, must be a vertex. O(n + m).
 */
#include "base/plain/csr_packed.h"

static uint32_t bits_of(uint32_t number) {
    return number ? 32 - (uint32_t)__builtin_clz(number) : 0;
}

/* ---- how ---- */

cflri_row_code cflri_row_code_without(uint32_t n) {
    uint32_t bits = n > 1 ? bits_of(n - 1) : 1;
    return (cflri_row_code){.first_bits = bits, .step = bits <= 30 ? 2 : 3};
}

cflri_row_code cflri_row_code_of(const cflri_plain_rows *rows, cflr_weights kind, int threads) {
    cflri_row_code how = cflri_row_code_without(rows->n);
    uint64_t m = rows->start[rows->n];
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
    return (group){target ? target + first : NULL, weight ? weight + first : NULL, n,
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

static uint64_t words_of(uint64_t bits) {
    return (bits + 31) / 32;
}

/* All but the differences. */
static uint64_t bits_of_header(const group *g, const cflri_row_code *how) {
    return how->first_bits + 4 * g->blocks + (uint64_t)g->n * how->weight_bits;
}

static uint64_t words_of_group(const group *g, const cflri_row_code *how) {
    uint64_t bits = bits_of_header(g, how);
    for (uint32_t b = 0; b < g->blocks; b++) {
        uint32_t end, first = block_of(g->n, b, &end);
        bits += (uint64_t)(end - first) * width_of(g, b, how->step) * how->step;
    }
    return words_of(bits);
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

void cflri_packed_write_some(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                             const uint64_t *at, uint32_t first, uint32_t end, uint32_t *words) {
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
    for (uint32_t v = first; v < end; v++) put_row(rows, how, v, words + (at[v] - at[first]));
    (void)threads;
}

void cflri_packed_write(const cflri_plain_rows *rows, const cflri_row_code *how, int threads,
                        const uint64_t *at, uint32_t *words) {
    cflri_packed_write_some(rows, how, threads, at, 0, rows->n, words);
    for (int i = 0; i < CFLRI_PACKED_PAD; i++) words[at[rows->n] + (unsigned)i] = 0;
}

/* ---- reading ---- */

/* Differences of 32 bits in steps of 3; with a place in a word these are 64. */
enum { WIDEST = 33 };

uint64_t cflri_packed_least(const cflri_row_code *how, uint64_t degree) {
    uint64_t groups = groups_of(degree);
    if (!groups) return 0;
    uint64_t last = degree - (groups - 1) * CFLRI_PACKED_GROUP;
    group full = group_of(NULL, NULL, CFLRI_PACKED_GROUP, 0), rest = group_of(NULL, NULL, last, 0);
    return table_of(groups) + (groups - 1) * words_of(bits_of_header(&full, how)) +
           words_of(bits_of_header(&rest, how));
}

/* At most WIDEST bits; the word behind the last one is read, too. */
static uint64_t get(const uint32_t *words, uint64_t *at, uint32_t width) {
    const uint32_t *word = words + *at / 32;
    uint64_t bits = (word[0] | (uint64_t)word[1] << 32) >> *at % 32;
    *at += width;
    return bits & ((UINT64_C(1) << width) - 1);
}

/* Widths of the blocks; returns the bits of the group, or 0 when a width is none. The widths end in
 * the third word, so that a group of one word can be looked at without harm. */
static uint64_t read_widths(const cflri_row_code *how, const uint32_t *words, uint32_t n,
                            uint32_t *width) {
    uint32_t blocks = (n - 1 + CFLRI_PACKED_BLOCK - 1) / CFLRI_PACKED_BLOCK;
    uint64_t at = how->first_bits, bits = at + 4 * blocks + (uint64_t)n * how->weight_bits;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t end, first = block_of(n, b, &end);
        width[b] = (uint32_t)get(words, &at, 4) * how->step;
        if (width[b] > WIDEST) return 0;
        bits += (uint64_t)(end - first) * width[b];
    }
    return bits;
}

/* The words that the group has, 0 when it is none. */
static uint64_t read_group(const cflri_row_code *how, const cflri_packed_row *row, uint32_t n,
                           uint32_t *target, uint32_t *weight) {
    uint32_t width[CFLRI_PACKED_GROUP / CFLRI_PACKED_BLOCK];
    const uint32_t *words = row->words + row->place;
    uint64_t bits = read_widths(how, words, n, width), at = 0;
    if (!bits || words_of(bits) > row->n_words - row->place) return 0;
    uint64_t to = get(words, &at, how->first_bits);
    at += 4 * ((n - 1 + CFLRI_PACKED_BLOCK - 1) / CFLRI_PACKED_BLOCK);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t above = (uint32_t)get(words, &at, how->weight_bits);
        if (weight) weight[i] = how->least_weight + above;
    }
    target[0] = (uint32_t)to;
    for (uint32_t i = 1; i < n; i++) {
        to += get(words, &at, width[(i - 1) / CFLRI_PACKED_BLOCK]);
        target[i] = (uint32_t)to;
    }
    return to < row->n ? words_of(bits) : 0;
}

cflri_packed_row cflri_packed_row_of(const uint32_t *words, uint64_t n_words, uint64_t degree,
                                     uint32_t n) {
    return (cflri_packed_row){words, n_words, degree, n, 0, table_of(groups_of(degree))};
}

uint32_t cflri_packed_next(const cflri_row_code *how, cflri_packed_row *row, uint32_t *target,
                           uint32_t *weight) {
    uint64_t k = row->done / CFLRI_PACKED_GROUP, rest = row->degree - row->done;
    uint32_t n = rest < CFLRI_PACKED_GROUP ? (uint32_t)rest : CFLRI_PACKED_GROUP;
    if (!n || row->place >= row->n_words) return 0;
    if (row->degree > CFLRI_PACKED_GROUP && row->words[k] != row->place) return 0;
    uint64_t words = read_group(how, row, n, target, weight);
    if (!words) return 0;
    row->done += n;
    row->place += words;
    return n;
}

bool cflri_packed_is_done(const cflri_packed_row *row) {
    return row->done == row->degree && row->place == row->n_words;
}

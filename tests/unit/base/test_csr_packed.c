/* SPDX-License-Identifier: Apache-2.0
 *
 * test_csr_packed.c: rows into few bits and back.
 */
#include "base/plain/csr_packed.h"
#include "tests/support/support.h"

/* A row comes back, and its words are its own. */
static void read_row(const cflri_row_code *code, cflri_packed_row row, uint32_t *target,
                     uint32_t *weight, const char *what) {
    for (uint32_t n; (n = cflri_packed_next(code, &row, target, weight)) > 0; target += n)
        if (weight) weight += n;
    cr_assert(cflri_packed_is_done(&row), "%s: %llu of %llu edges", what,
              (unsigned long long)row.done, (unsigned long long)row.degree);
    cr_assert_geq(row.n_words, cflri_packed_least(code, row.degree));
}

/* All rows come back, and no word beyond those that were measured is written. */
static void check_rows(const cflri_plain_rows *rows, cflr_weights kind, const char *what) {
    const uint32_t guard = 0xabadcafe;
    uint64_t m = rows->start[rows->n];
    uint64_t *at = malloc(1 + (rows->n + UINT64_C(1)) * sizeof *at);
    uint32_t *target = malloc(1 + m * sizeof *target), *weight = malloc(1 + m * sizeof *weight);
    cflri_row_code code = cflri_row_code_of(rows, kind, 2);
    cflri_packed_measure(rows, &code, 2, at);
    uint64_t words = at[rows->n] + CFLRI_PACKED_PAD;
    uint32_t *packed = malloc(1 + (words + 1) * sizeof *packed);
    memset(packed, 0xff, words * sizeof *packed);
    packed[words] = guard;
    cflri_packed_write(rows, &code, 2, at, packed);
    cr_assert(packed[words] == guard, "%s: written behind the end", what);
    for (uint32_t v = 0; v < rows->n; v++)
        read_row(&code,
                 cflri_packed_row_of(packed + at[v], at[v + 1] - at[v],
                                     rows->start[v + 1] - rows->start[v], rows->n),
                 target + rows->start[v], rows->weight ? weight + rows->start[v] : NULL, what);
    cr_assert(memcmp(target, rows->target, m * sizeof *target) == 0, "%s: targets", what);
    cr_assert(!rows->weight || memcmp(weight, rows->weight, m * sizeof *weight) == 0, "%s: weights",
              what);
    free(at);
    free(target);
    free(weight);
    free(packed);
}

static void check_rule(const char *rule, int32_t least, int32_t most) {
    cflr_csr_opts opts;
    cflr_csr *csr;
    cflr_error error;
    cflr_context *context = test_context();
    cflr_csr_opts_init(&opts);
    opts.symmetric = true;
    opts.keep_parallel = true;
    MUST(cflr_csr_generate(context, rule, &opts, &csr, &error));
    if (least <= most) MUST(cflr_csr_draw_weights(csr, least, most, 3, &error));
    cflri_plain_rows rows = {cflr_csr_vertices(csr), cflr_csr_start(csr), cflr_csr_target(csr),
                             cflr_csr_weight(csr)};
    check_rows(&rows, cflr_csr_weights(csr), rule);
    cflr_csr_free(csr);
    test_context_end(context);
}

Test(csr_packed, rules) {
    static const char *const rule[] = {"chain:1",    "chain:2",    "chain:700", "star:1000",
                                       "clique:300", "grid:30:40", "rmat:12",   "uniform:11:3"};
    for (size_t i = 0; i < sizeof rule / sizeof *rule; i++) {
        check_rule(rule[i], 1, 0);
        check_rule(rule[i], 7, 7);
        check_rule(rule[i], 1, 63);
        check_rule(rule[i], INT32_MIN, INT32_MAX);
    }
}

enum { ROWS = 300, MOST = 700 };

/* Row v has v edges, and the last ten have more; differences have up to so many bits, and some are
 * nothing. */
static void draw_row(uint32_t width, uint32_t v, const uint64_t *begin, uint32_t *target,
                     float *weight) {
    const uint32_t last = UINT32_MAX - 2, mask = width ? UINT32_MAX >> (32 - width) : 0;
    uint32_t to = 0;
    for (uint64_t e = begin[v]; e < begin[v + 1]; e++) {
        uint64_t bits = cflri_csr_mix(e << 6 | width);
        uint32_t step = e % 7 == 3 ? 0 : (uint32_t)bits & mask;
        to = last - to < step ? last : to + step;
        target[e] = to;
        weight[e] = (float)bits;
    }
}

/* Rows of every length around what a block and a group hold; differences of every width, 32 bits
 * included; the same target twice; weights of float32. Ids are of a graph of nearly 2^32 vertices,
 * of which only the first have rows. */
Test(csr_packed, rows_by_hand) {
    uint64_t begin[ROWS + 1] = {0}, at[ROWS + 1];
    for (uint32_t v = 0; v < ROWS; v++)
        begin[v + 1] = begin[v] + (v < ROWS - 10 ? v : v * MOST / ROWS);
    uint32_t *target = malloc(begin[ROWS] * sizeof *target);
    float *weight = malloc(begin[ROWS] * sizeof *weight);
    for (uint32_t width = 0; width <= 32; width++) {
        uint32_t back[MOST], bits[MOST];
        for (uint32_t v = 0; v < ROWS; v++) draw_row(width, v, begin, target, weight);
        cflri_plain_rows rows = {ROWS, begin, target, (const uint32_t *)weight};
        cflri_row_code code = {.first_bits = 32, .step = 3, .weight_bits = 32};
        cflri_packed_measure(&rows, &code, 1, at);
        uint32_t *packed = malloc((at[ROWS] + CFLRI_PACKED_PAD) * sizeof *packed);
        cflri_packed_write(&rows, &code, 1, at, packed);
        for (uint32_t v = 0; v < ROWS; v++) {
            uint64_t degree = begin[v + 1] - begin[v];
            read_row(&code,
                     cflri_packed_row_of(packed + at[v], at[v + 1] - at[v], degree, UINT32_MAX),
                     back, bits, "by hand");
            cr_assert(memcmp(back, target + begin[v], degree * sizeof *back) == 0,
                      "width %u, row %u", width, v);
            cr_assert(memcmp(bits, weight + begin[v], degree * sizeof *bits) == 0);
        }
        free(packed);
    }
    free(target);
    free(weight);
}

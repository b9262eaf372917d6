/* SPDX-License-Identifier: Apache-2.0
 *
 * random_sets.h: random sets of ids, for tests of what is written of sets.
 */
#ifndef TEST_RANDOM_SETS_H
#define TEST_RANDOM_SETS_H

#include "engine/sets/paged_sets.h"
#include "engine/sets/set_writer.h"
#include "tests/support/support.h"

enum { RANDOM_SETS = 60, RANDOM_MOST = 4000 };

typedef struct random_sets {
    uint32_t universe, n;
    uint32_t count[RANDOM_SETS];
    uint32_t *id[RANDOM_SETS];    /* ascending */
    uint32_t set[RANDOM_SETS];    /* as the writer numbered them */
    uint32_t in_row[RANDOM_SETS]; /* as rows of relations have them */
    cflri_set_counts counts;
} random_sets;

static int compare_ids(const void *a, const void *b) {
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return p < q ? -1 : p > q;
}

static uint32_t sort_once(uint32_t *id, uint32_t n) {
    uint32_t kept = 0;
    qsort(id, n, sizeof *id, compare_ids);
    for (uint32_t i = 0; i < n; i++)
        if (!kept || id[kept - 1] != id[i]) id[kept++] = id[i];
    return kept;
}

/* Single ids, short lists, long lists of ids far apart, dense sets, and copies of a former set with
 * some ids more. */
static void random_set(random_sets *r, uint32_t i, uint64_t *random) {
    uint32_t *id = malloc(2 * RANDOM_MOST * sizeof *id), n = 0, first, width;
    cr_assert_not_null(id);
    uint32_t kind = test_random_below(random, 6);
    width = kind < 3 ? r->universe : 1 + test_random_below(random, 3 * RANDOM_MOST);
    if (width > r->universe) width = r->universe;
    first = test_random_below(random, r->universe - width + 1);
    if (kind == 5 && i) {
        uint32_t from = test_random_below(random, i);
        n = r->count[from];
        memcpy(id, r->id[from], n * sizeof *id);
    }
    uint32_t more = kind == 0 ? 1 : kind == 1 ? 1 + test_random_below(random, 40) : RANDOM_MOST - 1;
    if (kind == 5) more = 1 + test_random_below(random, 8);
    if (n + more > RANDOM_MOST) more = RANDOM_MOST - n;
    for (uint32_t k = 0; k < more; k++) id[n++] = first + test_random_below(random, width);
    r->id[i] = id;
    r->count[i] = sort_once(id, n);
}

static random_sets random_sets_make(uint32_t universe, uint64_t seed) {
    random_sets r = {.universe = universe, .n = RANDOM_SETS};
    for (uint32_t i = 0; i < r.n; i++) random_set(&r, i, &seed);
    return r;
}

static void random_sets_free(random_sets *r) {
    for (uint32_t i = 0; i < r->n; i++) free(r->id[i]);
}

/* Writes all sets. */
static cflr_status random_sets_write(random_sets *r, cflr_context *context, cflri_block_sink *sink,
                                     uint32_t piece_words, cflr_error *error) {
    cflri_set_writer *writer;
    cflr_status st = cflri_set_writer_new(context, sink, piece_words, &writer, error);
    for (uint32_t i = 0; st == CFLR_OK && i < r->n; i++) {
        const cflr_row row = {.target = r->id[i], .count = r->count[i]};
        st = cflri_set_writer_put(writer, &row, false, &r->set[i], error);
    }
    if (st == CFLR_OK) st = cflri_set_writer_end(writer, &r->counts, error);
    cflri_set_writer_free(writer);
    return st;
}

/* ---- what was read ---- */

static void same_set(const random_sets *r, const cflri_target_sets *sets, uint32_t i) {
    cflr_error error;
    uint32_t n, row = cflri_paged_set(sets, r->set[i], &n), *ids = calloc(n + 1u, sizeof *ids);
    cr_assert_eq(n, r->count[i]);
    cr_assert_eq((row & CFLRI_ONE_TARGET) != 0, n == 1);
    if (n == 1) {
        cr_assert_eq(row & ~CFLRI_ONE_TARGET, r->id[i][0]);
    } else {
        cr_assert_lt(row, sets->n);
        cr_assert_eq(sets->count(sets, row), n);
        MUST(sets->write(sets, row, ids, &error));
        cr_assert_arr_eq(ids, r->id[i], n * sizeof *ids);
    }
    free(ids);
}

static void same_place(const random_sets *r, const cflri_target_sets *sets, uint32_t i,
                       uint32_t id) {
    uint32_t n, row = cflri_paged_set(sets, r->set[i], &n), before = 0;
    cflri_failure failure = {.st = CFLR_OK};
    uint64_t found;
    if (n == 1) return;
    while (before < n && r->id[i][before] < id) before++;
    bool has = sets->find(sets, row, id, &found, &failure);
    cr_assert_eq(failure.st, CFLR_OK, "%s", failure.error.message);
    cr_assert_eq(has, before < n && r->id[i][before] == id, "set %u, id %u", i, id);
    cr_assert_eq(found, before, "set %u, id %u", i, id);
}

static bool do_meet(const random_sets *r, uint32_t i, uint32_t k) {
    uint32_t p = 0, q = 0;
    while (p < r->count[i] && q < r->count[k] && r->id[i][p] != r->id[k][q]) {
        if (r->id[i][p] < r->id[k][q])
            p++;
        else
            q++;
    }
    return p < r->count[i] && q < r->count[k];
}

static void same_meeting(const random_sets *r, const cflri_target_sets *sets, uint32_t i,
                         uint32_t k) {
    uint32_t n, m;
    uint32_t first = cflri_paged_set(sets, r->set[i], &n);
    uint32_t second = cflri_paged_set(sets, r->set[k], &m);
    cflri_failure failure = {.st = CFLR_OK};
    if (n == 1 || m == 1) return;
    cr_assert_eq(sets->meet(sets, first, second, &failure), do_meet(r, i, k), "%u %u", i, k);
    cr_assert_eq(failure.st, CFLR_OK, "%s", failure.error.message);
}

/* All sets, and some of the other questions. */
static void random_sets_same(const random_sets *r, const cflri_target_sets *sets, uint64_t seed) {
    cr_assert_eq(sets->n, r->counts.n_sets);
    for (uint32_t i = 0; i < r->n; i++) same_set(r, sets, i);
    for (uint32_t i = 0; i < 5 * r->n; i++) {
        uint32_t set = test_random_below(&seed, r->n), other = test_random_below(&seed, r->n);
        uint32_t known = test_random_below(&seed, r->count[other]);
        same_place(r, sets, set, r->id[other][known]);
        same_place(r, sets, set, r->id[set][r->count[set] - 1]);
        same_place(r, sets, set, test_random_below(&seed, r->universe));
        same_meeting(r, sets, set, other);
    }
}

#endif

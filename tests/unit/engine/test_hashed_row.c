/* SPDX-License-Identifier: Apache-2.0
 *
 * test_hashed_row.c: rows of every shape against a bitmap and a list in order of arrival.
 */
#include "engine/closure/hashed_row.h"

#include "tests/support/support.h"

enum { SHAPES = CFLRI_HASHED_ROW_BITS + 1, MOST = 1 << 16 };

typedef struct bench {
    cflr_context *context;
    cflri_hashed_row_store store;
    cflri_hashed_row row;
    bool *there;       /* one a vertex */
    uint32_t *arrived; /* new ids in the order of merging */
    uint32_t n;
    uint64_t random;
    uint64_t refused;
    uint32_t met; /* shapes that the row had, bit by bit */
} bench;

static void bench_begin(bench *b, uint32_t n_vertices, uint64_t seed) {
    memset(b, 0, sizeof *b);
    b->context = test_context();
    b->random = seed;
    b->store.n_vertices = n_vertices;
    cflri_pool_init(&b->store.items, b->context);
    cflri_pool_init(&b->store.sets, b->context);
    b->row = (cflri_hashed_row){.capacity = CFLRI_HASHED_ROW_INSIDE, .shape = CFLRI_HASHED_ROW_FEW};
    b->there = calloc(n_vertices, sizeof *b->there);
    b->arrived = calloc(n_vertices, sizeof *b->arrived);
}

static void bench_end(bench *b) {
    cflri_pool_free(&b->store.sets);
    cflri_pool_free(&b->store.items);
    test_context_end(b->context);
    free(b->there);
    free(b->arrived);
}

/* Distinct random ids, a run of neighbours now and then. */
static uint32_t random_ids(bench *b, uint32_t *ids, uint32_t most) {
    uint32_t n = 1 + test_random_below(&b->random, most), all = b->store.n_vertices;
    if (n > all) n = all;
    uint32_t step =
        test_random_below(&b->random, 3) ? 1 + test_random_below(&b->random, all / n) : 1;
    uint32_t first = test_random_below(&b->random, all - (n - 1) * step);
    for (uint32_t i = 0; i < n; i++) ids[i] = first + i * step;
    for (uint32_t i = n; i > 1; i--) { /* in any order */
        uint32_t k = test_random_below(&b->random, i), id = ids[k];
        ids[k] = ids[i - 1];
        ids[i - 1] = id;
    }
    return n;
}

/* The row holds what arrived, in that order; after a refusal the first part of the new ids. */
static void must_hold(bench *b, bool whole, const uint32_t *ids, uint32_t n) {
    for (uint32_t i = 0; i < n && (whole || b->n < b->row.count); i++) {
        if (b->there[ids[i]]) continue;
        b->there[ids[i]] = true;
        b->arrived[b->n++] = ids[i];
    }
    cr_assert_eq(b->row.count, b->n);
    cr_assert_leq(b->row.count, b->row.capacity);
    cr_assert_arr_eq(cflri_hashed_row_items(&b->row), b->arrived, b->n * sizeof *b->arrived);
}

/* The shape is the one that row.h says for so many items. */
static void must_have_shape(const bench *b) {
    cflri_hashed_row_shape shape = (cflri_hashed_row_shape)b->row.shape;
    if (b->n <= CFLRI_HASHED_ROW_INSIDE) cr_assert_eq(shape, CFLRI_HASHED_ROW_FEW);
    if (b->n > CFLRI_HASHED_ROW_COMPARED)
        cr_assert(shape == CFLRI_HASHED_ROW_SLOTS || shape == CFLRI_HASHED_ROW_BITS);
    if (shape == CFLRI_HASHED_ROW_SLOTS) {
        size_t slots = (size_t)1 << b->row.set_class;
        cr_assert_leq(4 * b->n, 3 * slots);
        cr_assert_lt(slots * 4, ((size_t)b->store.n_vertices + 63) / 64 * 8, "bits are smaller");
    }
}

static void merge_random(bench *b, bool scarce, uint32_t most) {
    static uint32_t ids[MOST];
    uint32_t n = random_ids(b, ids, most);
    uint64_t room = test_random_below(&b->random, 2000);
    b->context->memory_limit = scarce ? cflr_context_memory(b->context) + room : UINT64_MAX;
    bool whole = cflri_hashed_row_merge(&b->store, &b->row, ids, n);
    b->context->memory_limit = UINT64_MAX;
    cr_assert(whole || scarce);
    b->refused += !whole;
    b->met |= 1u << b->row.shape;
    must_hold(b, whole, ids, n);
    must_have_shape(b);
}

/* What arrived is there: merging some of it again changes nothing, and needs no memory. */
static void merge_again(bench *b) {
    uint32_t first = test_random_below(&b->random, b->n) / 2, capacity = b->row.capacity;
    b->context->memory_limit = 0;
    cr_assert(
        cflri_hashed_row_merge(&b->store, &b->row, b->arrived + (b->n > 40 ? first : 0), b->n / 2));
    b->context->memory_limit = UINT64_MAX;
    cr_assert(b->row.count == b->n && b->row.capacity == capacity);
}

/* From few vertices, where bits come at once, to many, where slots grow and grow. */
Test(hashed_row, random_merges_against_a_bitmap) {
    static const struct {
        uint32_t n_vertices, most, merges;
    } cases[] = {{1, 1, 4},           {3, 3, 20},          {17, 9, 60},      {64, 5, 200},
                 {1000, 9, 600},      {2049, 40, 400},     {4097, 100, 400}, {100000, 3, 3000},
                 {100000, 5000, 200}, {5000000, 20000, 60}};
    uint32_t met = 0;
    uint64_t refused = 0;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int scarce = 0; scarce < 2; scarce++) {
            bench b;
            bench_begin(&b, cases[c].n_vertices, c + 1);
            for (uint32_t m = 0; m < cases[c].merges; m++) {
                merge_random(&b, scarce && test_random_below(&b.random, 2), cases[c].most);
                if (b.n) merge_again(&b);
            }
            met |= b.met;
            refused += b.refused;
            bench_end(&b);
        }
    }
    cr_expect_eq(met, (1u << SHAPES) - 1, "shapes met: %x", met);
    cr_expect_gt(refused, 20);
}

/* The first and the last vertex, in every shape. */
Test(hashed_row, ends_of_the_vertices) {
    static const uint32_t sizes[] = {64, 65, 3000, UINT32_MAX - 1};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        cflr_context *context = test_context();
        cflri_hashed_row_store store = {.n_vertices = sizes[s]};
        cflri_hashed_row row = {.capacity = CFLRI_HASHED_ROW_INSIDE, .shape = CFLRI_HASHED_ROW_FEW};
        cflri_pool_init(&store.items, context);
        cflri_pool_init(&store.sets, context);
        for (uint32_t i = 0; i < 30; i++) {
            const uint32_t ids[] = {sizes[s] - 1 - i, i};
            for (int again = 0; again < 2; again++) {
                cr_assert(cflri_hashed_row_merge(&store, &row, ids, 2));
                cr_assert_eq(row.count, 2 * i + 2);
            }
        }
        cflri_pool_free(&store.sets);
        cflri_pool_free(&store.items);
        test_context_end(context);
    }
}

static void fill_row(cflri_hashed_row_store *store, uint32_t n) {
    cflri_hashed_row row = {.capacity = CFLRI_HASHED_ROW_INSIDE, .shape = CFLRI_HASHED_ROW_FEW};
    for (uint32_t id = 0; id < n; id++) cr_assert(cflri_hashed_row_merge(store, &row, &id, 1));
}

/* Blocks that a row outgrew serve the rows behind it. */
Test(hashed_row, blocks_are_recycled) {
    cflr_context *context = test_context();
    cflri_hashed_row_store store = {.n_vertices = UINT32_MAX - 1}; /* slots, whatever the number */
    cflri_pool_init(&store.items, context);
    cflri_pool_init(&store.sets, context);
    fill_row(&store, 2048);
    uint64_t sets = cflri_pool_taken(&store.sets), items = cflri_pool_taken(&store.items);
    fill_row(&store, 512);
    cr_expect(cflri_pool_taken(&store.sets) == sets && cflri_pool_taken(&store.items) == items);
    cflri_pool_free(&store.sets);
    cflri_pool_free(&store.items);
    test_context_end(context);
}

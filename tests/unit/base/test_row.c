/* SPDX-License-Identifier: Apache-2.0
 *
 * test_row.c: rows of every shape and kernel against arrays of flags.
 */
#include "base/row.h"

#include "tests/support/support.h"

enum { ROWS = 5, MOST = 6000 };

/* A small universe of numbers, each with its id: close together, apart, or at the end of all ids. */
typedef struct bench {
    cflr_context *context;
    cflri_rows rows;
    cflri_row row[ROWS];
    bool there[ROWS][MOST];
    uint32_t id[MOST];
    uint32_t n;
    uint64_t random;
    uint32_t met; /* shapes, bit by bit */
    uint32_t refused;
} bench;

typedef enum spread { TOGETHER, APART, MIXED, AT_THE_END, SPREADS } spread;

static bench *bench_begin(spread how, uint32_t n, cflri_row_kernel kernel, uint64_t seed) {
    bench *b = calloc(1, sizeof *b);
    b->context = test_context();
    b->n = n;
    b->random = seed;
    uint32_t id = how == AT_THE_END ? UINT32_MAX - n : 0;
    for (uint32_t i = 0; i < n; i++) {
        bool jump = how == APART || (how == MIXED && i % 200 == 199);
        id += jump ? 1 + test_random_below(&b->random, 2000) : 1;
        b->id[i] = id;
    }
    cflri_rows_init(&b->rows, b->context, kernel);
    return b;
}

static void bench_end(bench *b) {
    for (int r = 0; r < ROWS; r++) cflri_row_clear(&b->rows, &b->row[r]);
    cflri_rows_free(&b->rows);
    test_context_end(b->context);
    free(b);
}

static void must_hold(bench *b, int r) {
    static uint32_t ids[MOST];
    const cflri_row *row = &b->row[r];
    cflri_row_walk walk = cflri_row_begin(row);
    uint32_t n = 0, id;
    cr_assert_leq(row->n, b->n);
    cflri_row_write(row, ids);
    for (uint32_t i = 0; i < b->n; i++) {
        cr_assert_eq(cflri_row_has(row, b->id[i]), b->there[r][i]);
        if (!b->there[r][i]) continue;
        cr_assert_eq(ids[n], b->id[i]);
        cr_assert(cflri_row_next(&walk, &id) && id == b->id[i]);
        n++;
    }
    cr_assert_eq(row->n, n);
    cr_assert_not(cflri_row_next(&walk, &id));
    b->met |= 1u << row->shape;
}

/* After a refusal: goes on from what is there. */
static void resume(bench *b, int r) {
    for (uint32_t i = 0; i < b->n; i++) b->there[r][i] = cflri_row_has(&b->row[r], b->id[i]);
}

static void expect_merge(bench *b, int to, int fresh, const bool *from, bool whole) {
    for (uint32_t i = 0; i < b->n; i++) {
        bool is_new = from[i] && !b->there[to][i];
        if (fresh >= 0 && is_new) b->there[fresh][i] = true;
        if (is_new) b->there[to][i] = true;
    }
    if (!whole) {
        int touched[2] = {to, fresh};
        for (int t = 0; t < 1 + (fresh >= 0); t++) {
            for (uint32_t i = 0; i < b->n; i++) {
                bool has = cflri_row_has(&b->row[touched[t]], b->id[i]);
                cr_assert(!has || b->there[touched[t]][i]);
            }
            resume(b, touched[t]);
        }
    }
    must_hold(b, to);
    if (fresh >= 0) must_hold(b, fresh);
}

static void merge_random(bench *b, bool scarce) {
    static uint32_t ids[MOST];
    bool from[MOST] = {false};
    int to = (int)test_random_below(&b->random, ROWS);
    int other = (to + 1 + (int)test_random_below(&b->random, ROWS - 1)) % ROWS;
    int fresh = (to + 1 + (int)test_random_below(&b->random, ROWS - 1)) % ROWS;
    bool by_ids = test_random_below(&b->random, 2);
    if (fresh == other && !by_ids) fresh = -1;
    if (scarce) {
        uint64_t room = test_random_below(&b->random, 3000);
        b->context->memory_limit = cflr_context_memory(b->context) + room;
    }
    bool whole;
    cflri_row *delta = fresh < 0 ? NULL : &b->row[fresh];
    if (by_ids) {
        uint32_t n = 0, part = 1 + test_random_below(&b->random, 40);
        uint32_t first = test_random_below(&b->random, b->n);
        uint32_t end = first + test_random_below(&b->random, b->n - first) + 1;
        if (test_random_below(&b->random, 3)) end = first + 1 + (end - first) / 50;
        for (uint32_t i = first; i < end; i++) {
            if (test_random_below(&b->random, part)) continue;
            from[i] = true;
            ids[n++] = b->id[i];
        }
        whole = cflri_row_merge_ids(&b->rows, &b->row[to], delta, ids, n);
    } else {
        memcpy(from, b->there[other], sizeof from);
        whole = cflri_row_merge(&b->rows, &b->row[to], delta, &b->row[other]);
    }
    b->context->memory_limit = UINT64_MAX;
    cr_assert(whole || scarce);
    b->refused += !whole;
    expect_merge(b, to, fresh, from, whole);
}

static void add_random(bench *b) {
    int r = (int)test_random_below(&b->random, ROWS);
    uint32_t i = test_random_below(&b->random, b->n);
    bool is_new;
    cr_assert(cflri_row_add(&b->rows, &b->row[r], b->id[i], &is_new));
    cr_assert_eq(is_new, !b->there[r][i]);
    b->there[r][i] = true;
    must_hold(b, r);
}

static void compare_all(bench *b) {
    for (int x = 0; x < ROWS; x++) {
        for (int y = 0; y < ROWS; y++) {
            bool same = memcmp(b->there[x], b->there[y], sizeof b->there[x]) == 0;
            cr_assert_eq(cflri_row_equal(&b->row[x], &b->row[y]), same);
            uint64_t hash_x = cflri_row_hash(&b->row[x]), hash_y = cflri_row_hash(&b->row[y]);
            cr_assert_eq(hash_x == hash_y, same);
        }
    }
}

static void step(bench *b, bool scarce) {
    uint32_t what = test_random_below(&b->random, 20);
    if (what == 0) {
        int r = (int)test_random_below(&b->random, ROWS);
        cflri_row_clear(&b->rows, &b->row[r]);
        memset(b->there[r], 0, sizeof b->there[r]);
    } else if (what < 8) {
        add_random(b);
    } else {
        merge_random(b, scarce && what % 2);
    }
}

Test(row, random_merges_against_flags) {
    static const uint32_t sizes[] = {1, 3, 40, 700, MOST};
    uint32_t met = 0, refused = 0;
    for (int kernel = CFLRI_KERNEL_BEST; kernel <= CFLRI_KERNEL_AVX512; kernel++) {
        for (int how = 0; how < SPREADS; how++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                bench *b = bench_begin((spread)how, sizes[s], (cflri_row_kernel)kernel,
                                       (uint64_t)(kernel * 100 + how * 10) + s);
                for (int i = 0; i < 150; i++) step(b, i % 2);
                compare_all(b);
                met |= b->met;
                refused += b->refused;
                bench_end(b);
            }
        }
    }
    cr_expect_eq(met, 7u, "shapes met: %x", met);
    cr_expect_gt(refused, 20);
}

/* The same set in different shapes is equal and has one hash. */
Test(row, shape_plays_no_part) {
    bench *b = bench_begin(TOGETHER, 2000, CFLRI_KERNEL_BEST, 1);
    bool is_new;
    for (uint32_t i = 0; i < 2000; i++) { /* becomes blocks, and thins out in a second row */
        cr_assert(cflri_row_add(&b->rows, &b->row[0], b->id[i], &is_new));
    }
    cr_assert_eq(b->row[0].shape, CFLRI_ROW_BLOCKS);
    for (uint32_t i = 0; i < 2000; i += 700) {
        cr_assert(cflri_row_add(&b->rows, &b->row[1], b->id[i], &is_new));
    }
    cr_assert_eq(b->row[1].shape, CFLRI_ROW_LIST);
    cflri_row blocks = {.shape = CFLRI_ROW_BLOCKS, .n = b->row[1].n, .n_blocks = 3};
    uint32_t keys[3], ids[3];
    cflri_block bits[3] = {{{0}}};
    cflri_row_write(&b->row[1], ids);
    for (int k = 0; k < 3; k++) {
        keys[k] = ids[k] / CFLRI_BLOCK_IDS;
        bits[k].word[ids[k] % CFLRI_BLOCK_IDS / 64] = (uint64_t)1 << ids[k] % 64;
    }
    blocks.keys = keys;
    blocks.blocks = bits;
    cr_assert(cflri_row_equal(&b->row[1], &blocks));
    cr_assert_eq(cflri_row_hash(&b->row[1]), cflri_row_hash(&blocks));
    bench_end(b);
}

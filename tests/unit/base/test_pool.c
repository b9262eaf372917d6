/* SPDX-License-Identifier: Apache-2.0
 *
 * test_pool.c: blocks that are out do not overlap, and come back.
 */
#include "base/pool.h"

#include "tests/support/support.h"

enum { OUT = 60, CLASSES = CFLRI_POOL_SMALL_CLASSES + 6 };

Test(pool, classes) {
    cr_expect_eq(cflri_pool_bytes(0), 16);
    cr_expect_eq(cflri_pool_bytes(CFLRI_POOL_GROWING), 32);
    for (uint32_t class = 0; class + 1 < CFLRI_POOL_CLASSES; class ++) {
        size_t bytes = cflri_pool_bytes(class), next = cflri_pool_bytes(class + 1);
        cr_expect(bytes < next && next <= bytes * 3 / 2, "class %u", class);
        cr_expect_eq(bytes % 8, 0);
        bool doubled = class > 1 && class + 4 < CFLRI_POOL_CLASSES;
        if (doubled) cr_expect_eq(cflri_pool_bytes(class + 4), 2 * bytes);
        cr_expect_geq(cflri_pool_bytes(cflri_pool_larger(class)), bytes / 4 * 5);
        cr_expect_eq(cflri_pool_class(bytes), class);
        cr_expect_eq(cflri_pool_class(bytes + 1), class + 1);
        cr_expect_eq(cflri_pool_class(next - 1), class + 1);
    }
    cr_expect_eq(cflri_pool_class(0), 0);
    cr_expect_eq(cflri_pool_bytes(CFLRI_POOL_SMALL_CLASSES - 1), 24 << 10);
}

typedef struct held {
    unsigned char *at;
    uint32_t class;
    unsigned char mark;
} held;

/* Every byte still holds the block's own mark. */
static void must_be_own(const held *b) {
    size_t bytes = cflri_pool_bytes(b->class);
    cr_assert_eq(b->at[0], b->mark);
    cr_assert_eq(memcmp(b->at, b->at + 1, bytes - 1), 0, "a block of class %u", b->class);
}

/* Takes and puts at random. Whatever is written into one block shows in no other one, also when a
 * block was another's before; a request that is refused changes nothing. */
Test(pool, blocks_do_not_overlap) {
    cflr_context *context = test_context();
    held out[OUT] = {0};
    uint64_t random = 3, refused = 0;
    cflri_pool pool;
    cflri_pool_init(&pool, context);
    for (int i = 0; i < 6000; i++) {
        held *b = &out[test_random_below(&random, OUT)];
        if (b->at) {
            must_be_own(b);
            cflri_pool_put(&pool, b->at, b->class);
            b->at = NULL;
            continue;
        }
        /* small blocks mostly */
        b->class = test_random_below(&random, test_random_below(&random, 4) ? 10 : CLASSES);
        b->mark = (unsigned char)test_random(&random);
        bool scarce = !test_random_below(&random, 4);
        context->memory_limit = scarce ? cflr_context_memory(context) : UINT64_MAX;
        b->at = cflri_pool_take(&pool, b->class);
        context->memory_limit = UINT64_MAX;
        cr_assert(b->at || scarce);
        refused += !b->at;
        if (!b->at) continue;
        cr_assert_eq((uintptr_t)b->at % 8, 0);
        memset(b->at, b->mark, cflri_pool_bytes(b->class));
    }
    for (size_t i = 0; i < OUT; i++) {
        if (out[i].at) must_be_own(&out[i]);
    }
    cr_expect_gt(refused, 20);
    cflri_pool_free(&pool); /* what is out goes with it */
    test_context_end(context);
}

/* A block that was put back is the next one of its class: small ones stay, large ones are freed. */
Test(pool, blocks_come_back) {
    cflr_context *context = test_context();
    cflri_pool pool;
    cflri_pool_init(&pool, context);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        uint64_t bare = cflr_context_memory(context), counted = cflri_pool_taken(&pool);
        void *first = cflri_pool_take(&pool, class), *second = cflri_pool_take(&pool, class);
        uint64_t used = cflr_context_memory(context);
        cr_assert(first && second && first != second);
        cr_expect_geq(cflri_pool_taken(&pool), counted + 2 * cflri_pool_bytes(class));
        cflri_pool_put(&pool, first, class);
        cflri_pool_put(&pool, second, class);
        if (class >= CFLRI_POOL_SMALL_CLASSES) {
            cr_expect_eq(cflr_context_memory(context), bare, "class %u", class);
            cr_expect_eq(cflri_pool_taken(&pool), counted);
            continue;
        }
        uint64_t once = cflri_pool_taken(&pool);
        void *again[] = {cflri_pool_take(&pool, class), cflri_pool_take(&pool, class)};
        cr_expect((again[0] == first && again[1] == second) ||
                  (again[0] == second && again[1] == first));
        cr_expect_eq(cflr_context_memory(context), used);
        cr_expect_eq(cflri_pool_taken(&pool), once);
    }
    cflri_pool_free(&pool);
    cr_expect_eq(cflri_pool_taken(&pool), 0);
    cr_expect_eq(cflr_context_memory(context), 0);
    void *block = cflri_pool_take(&pool, 0); /* a freed pool is an empty one */
    cr_assert_not_null(block);
    cflri_pool_free(&pool);
    test_context_end(context);
}

/* What one pool gave, another may take. */
Test(pool, blocks_change_pools) {
    cflr_context *context = test_context();
    cflri_pool from, to;
    cflri_pool_init(&from, context);
    cflri_pool_init(&to, context);
    for (uint32_t class = 0; class < CLASSES; class ++) {
        bool large = class >= CFLRI_POOL_SMALL_CLASSES;
        uint64_t before = cflri_pool_taken(&from);
        void *kept = cflri_pool_take(&from, class), *block = cflri_pool_take(&from, class);
        cr_assert(kept && block);
        uint64_t bare = cflr_context_memory(context), taken = cflri_pool_taken(&from);
        cflri_pool_put(&to, block, class);
        if (large) {
            cr_expect_lt(cflr_context_memory(context), bare);
            cr_expect_eq(cflri_pool_taken(&from) - before, taken - cflri_pool_taken(&from));
        } else {
            cr_expect_eq(cflri_pool_take(&to, class), block);
        }
    }
    cr_expect_eq(cflri_pool_taken(&to), 0);
    cflri_pool_free(&from);
    cflri_pool_free(&to);
    test_context_end(context);
}

/* Large blocks are put back in any order. */
Test(pool, large_blocks_in_any_order) {
    static const int orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}, {2, 0, 3, 1}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        cflr_context *context = test_context();
        cflri_pool pool;
        void *block[4];
        cflri_pool_init(&pool, context);
        for (int i = 0; i < 4; i++) block[i] = cflri_pool_take(&pool, CFLRI_POOL_SMALL_CLASSES);
        for (int i = 0; i < 4; i++) {
            cflri_pool_put(&pool, block[orders[o][i]], CFLRI_POOL_SMALL_CLASSES);
        }
        cr_expect_null(pool.large);
        test_context_end(context); /* nothing is left without freeing the pool */
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_arena.c: memory that is nearly used up.
 */
#include "base/arena.h"

#include "base/context.h"
#include "tests/support/support.h"

/* Chunks grow, but a smaller one is asked for where a larger one would not fit the limit any
 * more. */
Test(arena, uses_what_the_limit_leaves) {
    enum { BLOCK = 1000, LIMIT = 3 << 20 };
    cflr_context *context = test_context();
    cflri_arena arena;
    uint64_t got = 0;
    cflri_arena_init(&arena, context);
    context->memory_limit = cflr_context_memory(context) + LIMIT;
    for (char *block; (block = cflri_arena_alloc(&arena, BLOCK)); got += BLOCK)
        block[BLOCK - 1] = 1;
    cr_expect_gt(got, LIMIT / 16 * 15, "%lu bytes", (unsigned long)got);
    cr_expect_leq(cflr_context_memory(context), context->memory_limit);
    context->memory_limit = UINT64_MAX;
    cr_expect_not_null(cflri_arena_alloc(&arena, 2 * LIMIT));
    cflri_arena_reset(&arena);
    test_context_end(context);
}

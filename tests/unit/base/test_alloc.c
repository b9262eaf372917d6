/* SPDX-License-Identifier: Apache-2.0
 *
 * Counted memory, arenas and vectors.
 */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/context.h"
#include "base/vec.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

Test(alloc, counts_exactly) {
    cflr_context *context = test_context();
    char *a = cflri_alloc(context, 100);
    uint64_t one = cflr_context_memory(context);
    cr_assert_geq(one, 100);
    cr_assert_leq(one, 132);
    char *b = cflri_alloc_zero(context, 1000);
    cr_assert_eq(cflr_context_memory(context), one + one + 900);
    for (int i = 0; i < 1000; i++) cr_assert_eq(b[i], 0);
    cflri_free(context, a);
    cr_assert_eq(cflr_context_memory(context), one + 900);
    cr_assert_eq(cflr_context_memory_peak(context), one + one + 900);
    cflri_free(context, b);
    cflri_free(context, NULL);
    test_context_end(context);
}

Test(alloc, zero_size_and_alignment) {
    cflr_context *context = test_context();
    for (size_t size = 0; size < 70; size++) {
        char *block = cflri_alloc(context, size);
        cr_assert_not_null(block);
        cr_assert_eq((uintptr_t)block % 16, 0);
        memset(block, 1, size);
        cflri_free(context, block);
    }
    test_context_end(context);
}

Test(alloc, refuses_what_overflows) {
    cflr_context *context = test_context();
    cr_assert_null(cflri_alloc(context, SIZE_MAX));
    cr_assert_null(cflri_alloc(context, SIZE_MAX / 2 + 1));
    cr_assert_null(cflri_alloc_array(context, SIZE_MAX / 8 + 2, 8));
    cr_assert_null(cflri_alloc_array_zero(context, SIZE_MAX, SIZE_MAX));
    cr_assert_null(cflri_realloc(context, NULL, SIZE_MAX));
    char *block = cflri_alloc_array(context, 0, 8);
    cr_assert_not_null(block);
    cr_assert_null(cflri_realloc(context, block, SIZE_MAX));
    cflri_free(context, block);
    test_context_end(context);
}

Test(alloc, a_refused_request_is_no_peak) {
    fail_alloc f = {.fail_at = 3};
    cflr_allocator allocator = fail_alloc_allocator(&f);
    cflr_context_opts opts;
    cflr_context *context;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    MUST(cflr_context_new(&opts, &context, &error));
    char *block = cflri_alloc(context, 10);
    uint64_t peak = cflr_context_memory_peak(context);
    cr_assert_null(cflri_alloc(context, 1 << 20));
    cr_assert_eq(cflr_context_memory_peak(context), peak);
    cflri_free(context, block);
    test_context_end(context);
}

Test(alloc, realloc_keeps_bytes_and_count) {
    cflr_context *context = test_context();
    uint64_t state = 1;
    size_t size = 0;
    unsigned char *block = NULL;
    for (int i = 0; i < 2000; i++) {
        size_t next = test_random_below(&state, 5000) + 1;
        block = cflri_realloc(context, block, next);
        cr_assert_not_null(block);
        for (size_t at = 0; at < size && at < next; at++) cr_assert_eq(block[at], at % 251);
        for (size_t at = 0; at < next; at++) block[at] = (unsigned char)(at % 251);
        size = next;
        cr_assert_geq(cflr_context_memory(context), size);
        cr_assert_leq(cflr_context_memory(context), size + 32);
    }
    cflri_free(context, block);
    test_context_end(context);
}

Test(alloc, copies_text) {
    cflr_context *context = test_context();
    char *copy = cflri_copy_text(context, "abcdef", 3);
    cr_assert_str_eq(copy, "abc");
    cflri_free(context, copy);
    test_context_end(context);
}

enum { BLOCKS = 3000 };

Test(arena, blocks_stay_apart) {
    cflr_context *context = test_context();
    cflri_arena arena;
    cflri_arena_init(&arena, context);
    static unsigned char *block[BLOCKS];
    static size_t size[BLOCKS];
    uint64_t state = 2;
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < BLOCKS; i++) {
            bool large = i % 500 == 499;
            size[i] = test_random_below(&state, large ? 300000 : 90);
            if (i % 3 == 0) {
                char text[90];
                size[i] %= sizeof text;
                memset(text, 'a' + (int)(i % 26), size[i]);
                block[i] = (unsigned char *)cflri_arena_copy_text(&arena, text, size[i]);
                cr_assert_eq(block[i][size[i]], '\0');
            } else {
                block[i] = i % 2 ? cflri_arena_alloc(&arena, size[i])
                                 : cflri_arena_alloc_zero(&arena, size[i]);
                cr_assert_eq((uintptr_t)block[i] % 8, 0);
                for (size_t at = 0; i % 2 == 0 && at < size[i]; at++) cr_assert_eq(block[i][at], 0);
            }
            memset(block[i], 'a' + (int)(i % 26), size[i]);
        }
        for (unsigned i = 0; i < BLOCKS; i++) {
            for (size_t at = 0; at < size[i]; at++) cr_assert_eq(block[i][at], 'a' + i % 26);
        }
        cflri_arena_reset(&arena);
        cr_assert_eq(cflr_context_memory(context), 0);
    }
    cr_assert_null(cflri_arena_alloc(&arena, SIZE_MAX));
    cr_assert_null(cflri_arena_alloc(&arena, SIZE_MAX - 8));
    test_context_end(context);
}

/* Short texts cost what they are long, not a multiple of the alignment. */
Test(arena, texts_lie_back_to_back) {
    cflr_context *context = test_context();
    cflri_arena arena;
    cflri_arena_init(&arena, context);
    char *first = cflri_arena_copy_text(&arena, "ab", 2);
    char *second = cflri_arena_copy_text(&arena, "c", 1);
    cr_assert_eq(second, first + 3);
    cflri_arena_reset(&arena);
    test_context_end(context);
}

static cflr_status fill_arena(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflri_arena arena;
    cflri_arena_init(&arena, context);
    bool ok = true;
    for (int i = 0; i < 100 && ok; i++) ok = cflri_arena_alloc(&arena, 1000) != NULL;
    cflri_arena_reset(&arena);
    return ok ? CFLR_OK : cflri_fail_memory(context, error);
}

Test(arena, allocation_failures) {
    cr_assert_gt(fail_alloc_sweep(fill_arena, NULL), 4);
}

Test(vec, grows_and_keeps) {
    cflr_context *context = test_context();
    CFLRI_VEC(uint32_t) ids = {0};
    for (uint32_t i = 0; i < 100000; i++) cr_assert(cflri_vec_push(context, &ids, i * 3));
    cr_assert_eq(ids.n, 100000);
    for (uint32_t i = 0; i < 100000; i++) cr_assert_eq(ids.at[i], i * 3);
    cr_assert_leq(ids.capacity, 2 * ids.n);
    cr_assert(cflri_vec_reserve(context, &ids, 500000));
    cr_assert_geq(ids.capacity, 600000);
    cflri_vec_free(context, &ids);
    cr_assert_eq(ids.n, 0);
    cr_assert_null(ids.at);
    test_context_end(context);
}

Test(vec, refuses_what_overflows) {
    cflr_context *context = test_context();
    CFLRI_VEC(uint64_t) v = {0};
    cr_assert(cflri_vec_push(context, &v, 42));
    cr_assert_not(cflri_vec_reserve(context, &v, SIZE_MAX));
    cr_assert_not(cflri_vec_reserve(context, &v, SIZE_MAX / 4));
    cr_assert_not(cflri_vec_reserve(context, &v, SIZE_MAX / 16 + 1));
    cr_assert_eq(v.n, 1);
    cr_assert_eq(v.at[0], 42);
    cflri_vec_free(context, &v);
    test_context_end(context);
}

Test(vec, holds_structs) {
    typedef struct pair {
        uint32_t a, b;
    } pair;
    cflr_context *context = test_context();
    CFLRI_VEC(pair) pairs = {0};
    cr_assert(cflri_vec_push(context, &pairs, (pair){1, 2}));
    cr_assert_eq(pairs.at[0].b, 2);
    cflri_vec_free(context, &pairs);
    test_context_end(context);
}

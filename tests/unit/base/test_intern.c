/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbered strings.
 */
#include "base/intern.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

Test(intern, numbers_in_order_of_appearance) {
    static const char *const texts[] = {"a", "b", "a", "", "ab", "b", "A", "a b", "\xc3\xa4"};
    static const uint32_t ids[] = {1, 2, 1, 0, 3, 2, 4, 5, 6};
    cflr_context *context = test_context();
    cflr_error error;
    cflri_strings strings;
    MUST(cflri_strings_init(&strings, context, &error));
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        uint32_t id;
        MUST(cflri_intern(&strings, texts[i], strlen(texts[i]), &id, &error));
        cr_assert_eq(id, ids[i], "%s", texts[i]);
        cr_assert_str_eq(cflri_string(&strings, id), texts[i]);
        cr_assert_eq(cflri_strings_find(&strings, texts[i], strlen(texts[i])), id);
    }
    cr_assert_eq(strings.text.n, 7);
    cr_assert_eq(cflri_strings_find(&strings, "c", 1), CFLRI_NO_STRING);
    cr_assert_eq(cflri_strings_find(&strings, "ab", 1), 1, "only the given length counts");
    cflri_strings_free(&strings);
    cflri_strings_free(&strings);
    test_context_end(context);
}

Test(intern, zero_bytes_may_be_freed) {
    cflri_strings strings = {0};
    cflri_strings_free(&strings);
}

Test(intern, texts_keep_their_address) {
    enum { MANY = 200000 };
    cflr_context *context = test_context();
    cflr_error error;
    cflri_strings strings;
    MUST(cflri_strings_init(&strings, context, &error));
    static const char *address[MANY];
    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < MANY; i++) {
            char text[32];
            uint32_t id;
            int n = snprintf(text, sizeof text, "%u.v%u", i % 7, i);
            MUST(cflri_intern(&strings, text, (size_t)n, &id, &error));
            cr_assert_eq(id, i + 1);
            if (round == 0) address[i] = cflri_string(&strings, id);
            cr_assert_eq(address[i], cflri_string(&strings, id));
            cr_assert_str_eq(address[i], text);
        }
    }
    cflri_strings_free(&strings);
    test_context_end(context);
}

Test(intern, long_strings) {
    cflr_context *context = test_context();
    cflr_error error;
    cflri_strings strings;
    size_t n = 10 << 20;
    char *text = malloc(n);
    uint32_t a, b;
    memset(text, 'x', n);
    MUST(cflri_strings_init(&strings, context, &error));
    MUST(cflri_intern(&strings, text, n, &a, &error));
    MUST(cflri_intern(&strings, text, n - 1, &b, &error));
    cr_assert_neq(a, b);
    cr_assert_eq(strlen(cflri_string(&strings, a)), n);
    free(text);
    cflri_strings_free(&strings);
    test_context_end(context);
}

/* After a refusal the table answers as before, and goes on when there is memory again. */
static cflr_status intern_many(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflri_strings strings;
    cflr_status failure = cflri_strings_init(&strings, context, error);
    if (failure != CFLR_OK) return failure;
    for (uint32_t i = 0; i < 3000; i++) {
        char text[16];
        int n = snprintf(text, sizeof text, "s%u", i);
        uint32_t id = 77;
        cflr_error detail;
        cflr_status st = cflri_intern(&strings, text, (size_t)n, &id, &detail);
        if (st != CFLR_OK) {
            failure = st;
            *error = detail;
            cr_assert_eq(cflri_strings_find(&strings, text, (size_t)n), CFLRI_NO_STRING);
            cr_assert_eq(strings.text.n, i + 1);
            st = cflri_intern(&strings, text, (size_t)n, &id, &detail);
            if (st != CFLR_OK) break;
        }
        cr_assert_eq(id, i + 1);
    }
    for (uint32_t i = 0; i < strings.text.n; i++) {
        const char *text = cflri_string(&strings, i);
        cr_assert_eq(cflri_strings_find(&strings, text, strlen(text)), i);
    }
    cflri_strings_free(&strings);
    return failure;
}

Test(intern, allocation_failures) {
    cr_assert_gt(fail_alloc_sweep(intern_many, NULL), 10);
}

Test(intern, memory_limit) {
    cflr_context *context = test_context_limited(1 << 20);
    cflr_error error;
    cflri_strings strings;
    cflr_status st = cflri_strings_init(&strings, context, &error);
    for (unsigned i = 0; st == CFLR_OK && i < 1000000; i++) {
        char text[16];
        uint32_t id;
        int n = snprintf(text, sizeof text, "s%u", i);
        st = cflri_intern(&strings, text, (size_t)n, &id, &error);
    }
    cr_assert_eq(st, CFLR_LIMIT);
    cflri_strings_free(&strings);
    test_context_end(context);
}

Test(intern, lists) {
    static const struct {
        const char *bytes;
        size_t size;
        uint32_t n;
        bool good;
    } cases[] = {
        {"\0one\0two", 9, 3, true},  {"", 1, 1, true},
        {"\0\0", 2, 2, true},        {"\0one\0two", 9, 2, false},
        {"\0one\0two", 9, 4, false}, {"\0one\0two", 8, 3, false},
        {"one\0two", 8, 2, false},   {"", 0, 0, false},
        {"", 1, 0, false},
    };
    cflr_context *context = test_context_limited(1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflri_strings strings = {0};
        cflr_error error = {0};
        cflr_status st = cflri_strings_list(&strings, context, cases[i].bytes, cases[i].size,
                                            cases[i].n, &error);
        cr_expect_eq(st, cases[i].good ? CFLR_OK : CFLR_FORMAT, "case %zu", i);
        cr_expect_eq(error.code, st, "case %zu", i);
        if (i == 0) cr_expect_str_eq(cflri_string(&strings, 2), "two");
        cflri_strings_free(&strings);
        cr_expect_eq(cflr_context_memory(context), 0, "case %zu", i);
    }
    test_context_end(context);
}

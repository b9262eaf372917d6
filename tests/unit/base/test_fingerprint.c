/* SPDX-License-Identifier: Apache-2.0
 *
 * Fingerprints: what they are made of, and that those of one list are all different.
 */
#include "base/fingerprint.h"

#include <stdio.h>
#include <string.h>

#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

typedef struct thing {
    int before;
    char text[24];
} thing;

Test(fingerprint, texts_end) {
    uint64_t begin = CFLRI_FINGERPRINT_BEGIN;
    uint64_t ab = cflri_fingerprint_text(cflri_fingerprint_text(begin, "a"), "b");
    cr_expect_neq(ab, cflri_fingerprint_text(begin, "ab"));
    cr_expect_neq(ab, cflri_fingerprint_text(cflri_fingerprint_text(begin, "b"), "a"));
    cr_expect_neq(cflri_fingerprint_text(begin, ""), begin);
}

Test(fingerprint, directories_do_not_count) {
    uint64_t begin = CFLRI_FINGERPRINT_BEGIN, name = cflri_fingerprint_file(begin, "a.c");
    cr_expect_eq(cflri_fingerprint_file(begin, "/home/me/src/a.c"), name);
    cr_expect_eq(cflri_fingerprint_file(begin, "src//a.c"), name);
    cr_expect_neq(cflri_fingerprint_file(begin, "a.h"), name);
}

/* Files of other runs have them: they may not change. */
Test(fingerprint, values_stay) {
    thing list[2];
    uint64_t hash[2];
    for (int i = 0; i < 2; i++)
        hash[i] =
            cflri_fingerprint_text(cflri_fingerprint_text(CFLRI_FINGERPRINT_BEGIN, "null"), "main");
    cr_assert_eq(cflri_fingerprints_write(test_context(), hash, 2, list->text, sizeof *list, NULL),
                 CFLR_OK);
    cr_expect_str_eq(list[0].text, "8810efc83eb01f5b-0");
    cr_expect_str_eq(list[1].text, "8810efc83eb01f5b-1");
}

Test(fingerprint, equal_hashes_are_numbered_in_order) {
    enum { N = 4000, HASHES = 37 };
    static thing list[N];
    static uint64_t hash[N];
    uint32_t seen[HASHES] = {0};
    for (uint32_t i = 0; i < N; i++) hash[i] = i * 7919 % HASHES;
    cr_assert_eq(cflri_fingerprints_write(test_context(), hash, N, list->text, sizeof *list, NULL),
                 CFLR_OK);
    for (uint32_t i = 0; i < N; i++) {
        char expected[32];
        snprintf(expected, sizeof expected, "%016x-%u", (unsigned)hash[i], seen[hash[i]]++);
        cr_assert_str_eq(list[i].text, expected);
    }
}

static cflr_status write_two(cflr_context *context, void *user, cflr_error *error) {
    thing list[2];
    const uint64_t hash[2] = {1, 1};
    (void)user;
    return cflri_fingerprints_write(context, hash, 2, list->text, sizeof *list, error);
}

Test(fingerprint, memory_is_refused) {
    cr_assert_gt(fail_alloc_sweep(write_two, NULL), 0);
    cr_expect_eq(cflri_fingerprints_write(test_context(), NULL, 0, NULL, 0, NULL), CFLR_OK);
}

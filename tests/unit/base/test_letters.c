/* SPDX-License-Identifier: Apache-2.0
 *
 * test_letters.c: characters of UTF-8 against the code points they stand for, and distances of
 * names against the definition.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/letters.h"
#include "tests/support/support.h"

/* The one spelling of a code point; 0 for what has none. */
static size_t spell(uint32_t point, char bytes[4]) {
    if (point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF)) return 0;
    if (point < 0x80) {
        bytes[0] = (char)point;
        return 1;
    }
    size_t n = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; point >>= 6) bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)((0xF00 >> n) | point);
    return n;
}

Test(letters, utf8_of_every_code_point) {
    uint32_t spelled = 0;
    for (uint32_t point = 1; point < 0x110000; point++) {
        char bytes[4];
        size_t n = spell(point, bytes);
        if (!n) continue;
        cr_assert_eq(cflri_utf8_length(bytes, n), n, "%x", point);
        cr_assert_eq(cflri_utf8_length(bytes, n - 1), 0, "%x", point);
        spelled++;
    }
    cr_expect_eq(spelled, 0x10FFFF - 0x800);
}

/* Whatever two bytes begin with, as many sequences are good as there are code points of that
 * length. The third and fourth byte are good or bad for all alike. */
Test(letters, utf8_beginnings) {
    unsigned good[5] = {0};
    for (unsigned first = 0; first < 256; first++) {
        for (unsigned second = 0; second < 256; second++) {
            char bytes[4] = {(char)first, (char)second, (char)0x80, (char)0xBF};
            good[cflri_utf8_length(bytes, 4)]++;
        }
    }
    cr_expect_eq(good[1], 128 * 256);
    cr_expect_eq(good[2], (0x800 - 0x80));
    cr_expect_eq(good[3], (0x10000 - 0x800 - 0x800) / 64);
    cr_expect_eq(good[4], (0x110000 - 0x10000) / 64 / 64);
    cr_expect_eq(cflri_utf8_length("\xC3(", 2), 0);
    cr_expect_eq(cflri_utf8_length("\xE2\x82", 4), 0); /* the NUL ends it */
    cr_expect_eq(cflri_utf8_length("\xE2\x82(", 3), 0);
    cr_expect_eq(cflri_utf8_length("\xF0\x9F\x98(", 4), 0);
}

/* The definition, which tries every way. */
static unsigned distance(const char *a, const char *b) {
    if (!*a || !*b) return (unsigned)(strlen(a) + strlen(b));
    unsigned changed = distance(a + 1, b + 1) + (*a != *b);
    unsigned dropped = distance(a + 1, b) + 1, added = distance(a, b + 1) + 1;
    unsigned moved = dropped < added ? dropped : added;
    return changed < moved ? changed : moved;
}

Test(letters, edits_of_random_names) {
    uint64_t random = 5;
    unsigned seen[4] = {0};
    for (int k = 0; k < 2000; k++) {
        char name[2][7] = {{0}};
        for (int w = 0; w < 2; w++) {
            uint32_t n = test_random_below(&random, 7);
            for (uint32_t i = 0; i < n; i++) {
                name[w][i] = (char)('a' + test_random_below(&random, 3));
            }
        }
        unsigned expected = distance(name[0], name[1]);
        for (unsigned most = 0; most < 4; most++) {
            unsigned d = cflri_edits(name[0], strlen(name[0]), name[1], strlen(name[1]), most);
            cr_assert_eq(d, expected <= most ? expected : most + 1, "%s %s %u", name[0], name[1],
                         most);
        }
        if (expected < 4) seen[expected]++;
    }
    for (int d = 0; d < 4; d++) cr_expect_gt(seen[d], 10);
}

Test(letters, edits_at_the_borders) {
    char longest[CFLRI_LONGEST_ALIKE + 1];
    memset(longest, 'x', sizeof longest);
    cr_expect_eq(cflri_edits("Flow", 4, "fLOW", 4, 2), 0);
    cr_expect_eq(cflri_edits("", 0, "ab", 2, 2), 2);
    cr_expect_eq(cflri_edits(longest, sizeof longest - 1, longest, sizeof longest - 2, 2), 1);
    cr_expect_eq(cflri_edits(longest, sizeof longest, longest, sizeof longest, 2), 3);
}

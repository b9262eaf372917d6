/* SPDX-License-Identifier: Apache-2.0
 *
 * test_io_scan.c: the scanner under the text formats: fields, line ends, numbers, places.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "base/files/text_scan.h"
#include "tests/support/support.h"

/* Scans a copy without a byte behind it; fields are joined by '|', lines by '/', comments have '#'.
 */
static char *scan_all(const char *text, size_t size, char comment, bool tabs, cflr_error *error) {
    char *block = malloc(size ? size : 1), *shown = NULL;
    size_t shown_size;
    FILE *out = open_memstream(&shown, &shown_size);
    cflri_scan scan;
    cflri_line_kind kind;
    cr_assert(block && out);
    memcpy(block, text, size);
    cflri_scan_init(&scan, block, size, "test", error);
    scan.comment = comment;
    scan.tabs_only = tabs;
    while (cflri_scan_line(&scan, &kind) == CFLR_OK && kind != CFLRI_LINE_END) {
        if (kind == CFLRI_LINE_COMMENT) fputc('#', out);
        for (unsigned i = 0; i < scan.n; i++) {
            fprintf(out, "%s%.*s", i ? "|" : "", (int)scan.field[i].size, scan.field[i].at);
        }
        fprintf(out, "@%llu/", (unsigned long long)scan.line);
    }
    fclose(out);
    free(block);
    return shown;
}

Test(io_scan, lines_and_fields) {
    static const struct {
        const char *text, *shown;
        bool tabs;
    } cases[] = {
        {"", "", false},
        {"\n\n  \n\t\r\n", "", false},
        {"1 2 a", "1|2|a@1/", false},
        {"1 2 a\n", "1|2|a@1/", false},
        {"1\t2\ta\r\n3 4 b\r\n", "1|2|a@1/3|4|b@2/", false},
        {"  1 \t 2   a  \n\n 3 4", "1|2|a@1/3|4@3/", false},
        {"a\r", "a@1/", false},
        {"# one two\n1 2\n  #x\n", "#one|two@1/1|2@2/#x@3/", false},
        {"1 2 a#b\n", "1|2|a#b@1/", false},
        {"1 2 3 4 5 6 7 8 9\n", "1|2|3|4|5|6@1/", false},
        {"\xef\xbb\xbf"
         "1 2\n",
         "1|2@1/", false},
        {"f\xc3\xa4r \x7f\xff x\n", "f\xc3\xa4r|\x7f\xff|x@1/", false},
        {"a b\tc\n\td\n\n", "a b|c@1/|d@2/", true},
        {"a\t\tb\t", "a||b|@1/", true},
        {"a\tb\r\n#\tc", "a|b@1/#c@2/", true},
    };
    cflr_error error;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&error, 0, sizeof error);
        char *shown = scan_all(cases[i].text, strlen(cases[i].text), '#', cases[i].tabs, &error);
        cr_expect_str_eq(shown, cases[i].shown, "case %zu: %s", i, shown);
        cr_expect_eq(error.code, CFLR_OK, "case %zu: %s", i, error.message);
        free(shown);
    }
}

Test(io_scan, control_bytes_are_errors_with_a_place) {
    static const struct {
        const char *text;
        size_t size;
        uint32_t line, column;
    } cases[] = {
        {"1 2 a\n1 \0 b\n", 12, 2, 3}, {"\0", 1, 1, 1},
        {"1 2 a\x01\n", 7, 1, 6},      {"a\rb\n", 4, 1, 2},
        {"\n\n a\x1b[0m", 8, 3, 3},    {"# \x02\n", 4, 1, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cflr_error error = {0};
        free(scan_all(cases[i].text, cases[i].size, '#', false, &error));
        cr_expect_eq(error.code, CFLR_SYNTAX, "case %zu", i);
        cr_expect_eq(error.line, cases[i].line, "case %zu: line %u", i, error.line);
        cr_expect_eq(error.column, cases[i].column, "case %zu: column %u", i, error.column);
        cr_expect_str_eq(error.subject, "test");
    }
}

Test(io_scan, numbers) {
    static const struct {
        const char *text;
        uint64_t most;
        cflri_number_kind kind;
        uint64_t number;
    } cases[] = {
        {"0", 0, CFLRI_NUMBER, 0},
        {"1", 0, CFLRI_NUMBER_REFUSED, 0},
        {"0007", 7, CFLRI_NUMBER, 7},
        {"4294967293", 4294967293u, CFLRI_NUMBER, 4294967293u},
        {"4294967294", 4294967293u, CFLRI_NUMBER_REFUSED, 0},
        {"18446744073709551615", UINT64_MAX, CFLRI_NUMBER, UINT64_MAX},
        {"18446744073709551616", UINT64_MAX, CFLRI_NUMBER_REFUSED, 0},
        {"99999999999999999999999", UINT64_MAX, CFLRI_NUMBER_REFUSED, 0},
        {"00000000000000000000000012", UINT64_MAX, CFLRI_NUMBER, 12},
        {"-1", 9, CFLRI_NUMBER_REFUSED, 0},
        {"+1", 9, CFLRI_NUMBER_REFUSED, 0},
        {"-", 9, CFLRI_NUMBER_NONE, 0},
        {"1x", 9, CFLRI_NUMBER_NONE, 0},
        {"x1", 9, CFLRI_NUMBER_NONE, 0},
        {"1.5", 9, CFLRI_NUMBER_NONE, 0},
        {"--1", 9, CFLRI_NUMBER_NONE, 0},
        {"99999999999999999999999x", UINT64_MAX, CFLRI_NUMBER_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t number = 0;
        cflri_field field = {cases[i].text, strlen(cases[i].text)};
        cr_expect_eq(cflri_field_number(field, cases[i].most, &number), cases[i].kind, "%s",
                     cases[i].text);
        cr_expect_eq(number, cases[i].number, "%s", cases[i].text);
    }
    /* against the C library, around every power of ten */
    for (uint64_t power = 1, n = 0; n < 20; power *= 10, n++) {
        for (uint64_t value = power - 1; value <= power + 1; value++) {
            char text[32];
            uint64_t number = 0;
            int size = snprintf(text, sizeof text, "%llu", (unsigned long long)value);
            cr_expect_eq(cflri_field_number((cflri_field){text, (size_t)size}, UINT64_MAX, &number),
                         CFLRI_NUMBER);
            cr_expect_eq(number, value);
        }
    }
}

Test(io_scan, real_numbers) {
    static const char *const good[] = {"0",    "-1.5",   "+.5", "5.",   "1e5",
                                       "1E-5", "-2.e+3", "nan", "-Inf", "12345678901234567890"};
    static const char *const bad[] = {"",    "-",    ".",     "e5", "1e",
                                      "1e+", "0x10", "1.2.3", "in", "1,5"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        cr_expect(cflri_field_is_real((cflri_field){good[i], strlen(good[i])}), "%s", good[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        cr_expect_not(cflri_field_is_real((cflri_field){bad[i], strlen(bad[i])}), "%s", bad[i]);
    }
}

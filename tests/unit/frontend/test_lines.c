/* SPDX-License-Identifier: Apache-2.0
 *
 * test_lines.c: lines and columns, beside a reading of the text from its start.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cflr/context.h"
#include "frontend/clang/lines.h"

/* Counts as an editor does; the \n of \r\n stands in the column of its \r. */
static void count(const char *text, uint32_t offset, uint32_t *line, uint32_t *column) {
    *line = *column = 1;
    for (uint32_t i = 0; i < offset; i++) {
        bool pair = text[i] == '\r' && text[i + 1] == '\n';
        if (text[i] == '\n' || (text[i] == '\r' && !pair)) {
            ++*line;
            *column = 1;
        } else if (!(pair && i + 1 == offset)) {
            ++*column;
        }
    }
}

static void expect_same(cflri_lines *lines, const char *text, uint32_t offset) {
    uint32_t line, column, expected_line, expected_column;
    cflri_lines_find(lines, offset, &line, &column);
    count(text, offset, &expected_line, &expected_column);
    cr_expect(line == expected_line && column == expected_column, "%u of %s: %u:%u, not %u:%u",
              offset, text, line, column, expected_line, expected_column);
}

static void check(cflr_context *context, const char *text) {
    cflri_lines lines = {0};
    size_t n = strlen(text);
    cr_assert(cflri_lines_make(context, &lines, text, n));
    for (uint32_t i = 0; i <= n; i++) expect_same(&lines, text, i);
    for (uint32_t i = (uint32_t)n + 1; i-- > 0;) expect_same(&lines, text, i);
    for (int i = 0; i < 50; i++) expect_same(&lines, text, (uint32_t)rand() % (uint32_t)(n + 1));
    cflri_lines_free(context, &lines);
}

Test(lines, places) {
    static const char *const texts[] = {"",       "a",        "\n",      "a\nb",    "a\n\n\nb\n",
                                        "a\r\nb", "\r\n\r\n", "a\rb\rc", "a\r\r\n", "\n\r\n\r"};
    cflr_context *context;
    cr_assert_eq(cflr_context_new(NULL, &context, NULL), CFLR_OK);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) check(context, texts[i]);
    for (int round = 0; round < 200; round++) {
        char text[200];
        size_t n = (size_t)rand() % (sizeof text - 1);
        for (size_t i = 0; i < n; i++) text[i] = "ab\n\r"[rand() % (round % 2 ? 3 : 4)];
        text[n] = '\0';
        check(context, text);
    }
    cr_expect_eq(cflr_context_memory(context), 0);
    cflr_context_free(context);
}

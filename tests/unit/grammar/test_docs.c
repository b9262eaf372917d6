/* SPDX-License-Identifier: Apache-2.0
 *
 * test_docs.c: the grammars that docs/reference/grammar.md shows are grammars, in the format of
 * their fence.
 */
#include <criterion/criterion.h>

#include "grammar/read/parse.h"
#include "tests/unit/grammar/relations.h"

/* One fenced block; returns where the page goes on, NULL at its end. */
static const char *next_block(const char *page, char word[16], const char **text, size_t *length) {
    const char *fence = strstr(page, "\n```");
    if (!fence) return NULL;
    cr_assert_eq(sscanf(fence, "\n```%15[a-z]", word), 1, "a fence without a word");
    *text = strchr(fence + 1, '\n') + 1;
    const char *end = strstr(*text, "\n```");
    cr_assert_not_null(end);
    *length = (size_t)(end + 1 - *text);
    return end + 4;
}

Test(docs, grammars_are_grammars) {
    cflr_context *context = test_context();
    size_t size, length;
    unsigned grammars = 0;
    char *page = test_read_file(CFLR_SOURCE_DIR "/docs/reference/grammar.md", &size), word[16];
    const char *text, *at = page;
    while ((at = next_block(at, word, &text, &length))) {
        cflr_grammar_format format;
        cflr_grammar *grammar;
        cflr_error error = {0};
        if (!strcmp(word, "text")) continue;
        MUST(cflr_grammar_format_parse(word, &format, &error));
        cflr_status st = cflr_grammar_parse(context, text, length, word, format, &grammar, &error);
        cr_expect_eq(st, CFLR_OK, "%u:%u: %s\n%.*s", error.line, error.column, error.message,
                     (int)length, text);
        cr_expect_eq(cflri_grammar_detect(text, length), format, "%.*s", (int)length, text);
        cflr_grammar_free(grammar);
        grammars++;
    }
    cr_expect_geq(grammars, 9);
    free(page);
    test_context_end(context);
}

/* The normal form that the page prints is that of its first grammar. */
Test(docs, normal_form_is_real) {
    cflr_context *context = test_context();
    size_t size, length;
    char *page = test_read_file(CFLR_SOURCE_DIR "/docs/reference/grammar.md", &size), word[16],
         *shown;
    const char *text;
    cflr_grammar *grammar;
    cflr_error error = {0};
    cr_assert_not_null(next_block(page, word, &text, &length));
    MUST(cflr_grammar_parse(context, text, length, "first", CFLR_GRAMMAR_CFLR, &grammar, &error));
    MUST(cflr_grammar_show(grammar, CFLR_STAGE_NORMAL, NULL, &shown, &error));
    const char *begin = strstr(page, "```cflr\nFlow ::= Flow a");
    cr_assert_not_null(begin);
    begin += strlen("```cflr\n");
    size_t n = (size_t)(strstr(begin, "```") - begin);
    char *part = calloc(1, n + 1);
    memcpy(part, begin, n);
    cr_expect(strstr(shown, part), "%s\n%s", part, shown);
    free(part);
    free(page);
    cflr_text_free(context, shown);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * detect.c: which tool's grammar a text is. The first sign found decides, in this order:
 *
 *     ::=                       ours          (comments of ours may hold anything else)
 *     a line "Productions:"     SVF
 *     a word ->                 CFPQ
 *     "Count:", or a word that ends in _ and one small letter     POCR
 *     anything else             GraCFL and Graspan: columns, all labels expanded
 *
 * A text without any rule is ours, so that an empty file is judged by our own parser.
 */
#include <string.h>

#include "grammar/import.h"
#include "grammar/parse.h"

static bool holds(const char *text, size_t length, const char *sign) {
    return memmem(text, length, sign, strlen(sign)) != NULL;
}

static bool ends_in_variable(const cflri_word *word) {
    size_t n = word->length;
    return n > 2 && word->at[n - 2] == '_' && word->at[n - 1] >= 'a' && word->at[n - 1] <= 'z';
}

cflr_grammar_format cflri_grammar_detect(const char *text, size_t length) {
    cflri_lines lines;
    bool more = true, any = false, arrow = false, pocr = false;
    if (holds(text, length, "::=")) return CFLR_GRAMMAR_CFLR;
    cflri_lines_init(&lines, text, length, "");
    while (cflri_lines_next(&lines, &more, NULL) == CFLR_OK && more) {
        for (uint32_t i = 0; i < lines.n_words; i++) {
            const cflri_word *word = &lines.word[i];
            any = true;
            if (word->at[0] == '%') return CFLR_GRAMMAR_CFLR; /* a directive */
            if (i == 0 && cflri_word_is(word, "Productions:")) return CFLR_GRAMMAR_SVF;
            arrow |= cflri_word_is(word, "->");
            pocr |= cflri_word_is(word, "Count:") || ends_in_variable(word);
        }
    }
    if (!any) return CFLR_GRAMMAR_CFLR;
    return arrow ? CFLR_GRAMMAR_CFPQ : pocr ? CFLR_GRAMMAR_POCR : CFLR_GRAMMAR_GRACFL;
}

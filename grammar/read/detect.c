/* SPDX-License-Identifier: Apache-2.0
 *
 * detect.c: which tool's grammar a text is. The first line of this table that holds decides:
 *
 *     "::=" somewhere, or a word that begins with '%'          ours
 *     a line that begins with "Productions:" or "Start:"       SVF
 *     "->" somewhere                                           CFPQ
 *     one of our signs | ; ( ~ [ or a word = := :              ours (its parser explains what is
 *                                                              wrong)
 *     a line that begins with "Count:" or "Production:",
 *     or a word that ends in _i                                POCR
 *     any word                                                 GraCFL and Graspan: plain columns
 *     nothing                                                  ours (which says that there is no
 *                                                              rule)
 *
 * Comments do not count, except for "::=", so that a grammar of ours may begin with any comment.
 */
#include <string.h>

#include "grammar/read/import.h"
#include "grammar/read/parse.h"

typedef struct signs {
    bool percent, svf, arrow, ours, pocr, any;
} signs;

static bool ends_in_variable(const cflri_word *word) {
    size_t n = word->length;
    return n > 2 && word->at[n - 2] == '_' && word->at[n - 1] == 'i';
}

static bool is_ours(const cflri_word *word) {
    for (size_t i = 0; i < word->length; i++) {
        if (strchr("|;(~[", word->at[i])) return true;
    }
    return cflri_word_is(word, "=") || cflri_word_is(word, ":=") || cflri_word_is(word, ":");
}

static void look_at(signs *s, const cflri_word *word, bool first) {
    s->any = true;
    s->percent |= word->at[0] == '%';
    s->svf |= first && (cflri_word_is(word, "Productions:") || cflri_word_is(word, "Start:"));
    s->arrow |= memmem(word->at, word->length, "->", 2) != NULL;
    s->ours |= is_ours(word);
    bool heading = cflri_word_is(word, "Count:") || cflri_word_is(word, "Production:");
    s->pocr |= (first && heading) || ends_in_variable(word);
}

cflr_grammar_format cflri_grammar_detect(const char *text, size_t length) {
    cflri_lines lines;
    signs s = {0};
    if (memmem(text, length, "::=", 3)) return CFLR_GRAMMAR_CFLR;
    cflri_lines_init(&lines, text, length, "");
    do {
        cflri_word word;
        bool found = true;
        for (bool first = true; found; first = false) {
            if (cflri_lines_word(&lines, &word, &found, NULL) != CFLR_OK) break;
            if (found) look_at(&s, &word, first);
        }
    } while (cflri_lines_next(&lines));
    if (s.percent || !s.any) return CFLR_GRAMMAR_CFLR;
    if (s.svf) return CFLR_GRAMMAR_SVF;
    if (s.arrow) return CFLR_GRAMMAR_CFPQ;
    if (s.ours) return CFLR_GRAMMAR_CFLR;
    return s.pocr ? CFLR_GRAMMAR_POCR : CFLR_GRAMMAR_GRACFL;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * import.h: how the grammars of other tools spell symbols, for their readers.
 *
 * Everything about an occurrence is in its word: `f_i` is indexed by the rule's variable i, `f_12`
 * by the constant 12, `fbar_i` and `-f` are read backwards. The meaning of a suffix depends on the
 * tool and on the other words of the grammar (a nonterminal `Abar` with rules of its own is no
 * converse), so a reader looks at all left sides first.
 */
#ifndef CFLRI_IMPORT_H
#define CFLRI_IMPORT_H

#include "base/files/text_scan.h"
#include "grammar/read/ast.h"

typedef struct cflri_word {
    const char *at; /* in the text, not NUL-terminated */
    size_t length;
    cflri_place place;
} cflri_word;

/* The conventions of one tool. */
typedef struct cflri_spelling {
    const char *converse_suffix; /* "bar", "_r", or NULL */
    bool minus_is_converse;      /* -a */
    const char *variables;       /* letters that are an index variable behind '_', or NULL */
    bool constant_suffix;        /* f_12 */
} cflri_spelling;

/* The findings of the first look at a grammar. */
typedef struct cflri_names_seen {
    cflri_strings left;  /* words that are left sides, as written */
    cflri_strings plain; /* words without a number behind a '_' */
} cflri_names_seen;

cflr_status cflri_names_seen_init(cflri_names_seen *seen, cflr_context *context, cflr_error *error);
void cflri_names_seen_free(cflri_names_seen *seen);
cflr_status cflri_names_seen_add(cflri_names_seen *seen, const cflri_word *word, bool left,
                                 cflr_error *error);

typedef struct cflri_importer {
    struct cflri_ast *ast;
    cflri_spelling spelling;
    cflri_names_seen seen;
    cflri_rule_builder builder;
    cflr_error *error;
} cflri_importer;

cflr_status cflri_importer_init(cflri_importer *importer, struct cflri_ast *ast,
                                cflr_grammar_format format, cflr_error *error);
void cflri_importer_free(cflri_importer *importer);

/* The word as the left side of the builder's rule. */
cflr_status cflri_import_left(cflri_importer *importer, const cflri_word *word);

/* The word as a leaf of the builder's rule, under a CONVERSE node where it is one. */
cflr_status cflri_import_node(cflri_importer *importer, const cflri_word *word, cflri_node **node);

/* The word as the start symbol, unless there is one. Behind a symbol of indexes, a variable means
 * all of them; a converse and a fixed index are not what a symbol's own pairs are, and refused. */
cflr_status cflri_import_start(cflri_importer *importer, const cflri_word *word);

/* The parts of a word. */
typedef struct cflri_parts {
    cflri_field name;
    cflri_field index; /* size 0 for none */
    cflri_index_use use;
    bool converse;
} cflri_parts;

cflri_parts cflri_word_parts(const cflri_spelling *spelling, const cflri_names_seen *seen,
                             const cflri_word *word);

/* How a format spells. */
cflri_spelling cflri_spelling_of(cflr_grammar_format format);

/* Is the word one of the spellings of the empty path? */
bool cflri_word_is_epsilon(const cflri_word *word);
bool cflri_word_is(const cflri_word *word, const char *text);

/* ---- lines ---- */

/* Cuts a text into words, one after the other. Nothing is copied. */
typedef struct cflri_lines {
    const char *at, *end;
    const char *subject;
    uint32_t number; /* of the current line, from 1 */
    uint32_t column; /* of `at`, from 1, in characters */
} cflri_lines;

void cflri_lines_init(cflri_lines *lines, const char *text, size_t length, const char *subject);

/* The next word of the current line; *found is false at its end and at a comment (`#` at the
 * beginning of a word). Fails on control characters. */
cflr_status cflri_lines_word(cflri_lines *lines, cflri_word *word, bool *found, cflr_error *error);

/* Goes to the next line; false at the end of the text. */
bool cflri_lines_next(cflri_lines *lines);

#endif

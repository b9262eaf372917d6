/* SPDX-License-Identifier: Apache-2.0
 *
 * summary_reader.h: what the readers of summaries (summary_parse.c) and of rules (rule_parse.c)
 * share: words, values and entries of one language (docs/reference/summaries.md).
 *
 * An entry is a line and the indented lines below it. It is cut out before it is read, so that no
 * mistake in it can swallow the next one. Whatever fails says so with file, line and column.
 */
#ifndef CFLRI_SUMMARY_READER_H
#define CFLRI_SUMMARY_READER_H

#include <string.h>

#include "frontend/summaries/summary_language.h"

typedef struct cflri_reader {
    cflri_summaries *summaries;
    const char *subject;
    uint32_t layer;
    const char *text; /* all of it */
    const char *at;
    const char *begin; /* of the entry */
    const char *end;   /* of the entry */
    uint32_t line;     /* in which it begins */
    uint32_t n_new;    /* objects made so far by this entry */
    uint32_t n_named;  /* of them have names: which, and their ordinals */
    struct {
        uint32_t name, ordinal;
    } named[CFLRI_SUMMARY_MOST_NAMED];
    bool variable; /* the entry tells of one, which has no arguments */
    cflr_error *error;
} cflri_reader;

/* A run of letters, digits and underscores. */
typedef struct cflri_word {
    const char *at;
    size_t length;
} cflri_word;

uint32_t cflri_line_of(const cflri_reader *r, const char *place);
uint32_t cflri_column_of(const cflri_reader *r, const char *place);

#define CFLRI_FAIL_AT(reader, place, ...)                                               \
    cflri_fail_at((reader)->error, CFLR_SYNTAX, (reader)->subject,                      \
                  cflri_line_of((reader), (place)), cflri_column_of((reader), (place)), \
                  __VA_ARGS__)

/* Blanks, ends of lines inside the entry, and comments. */
void cflri_skip_blanks(cflri_reader *r);
/* Consumes `text` when it stands next. */
bool cflri_take(cflri_reader *r, const char *text);
/* Length 0 when no word stands next. */
cflri_word cflri_take_word(cflri_reader *r);
cflri_word cflri_peek_word(cflri_reader *r);
static inline bool cflri_is_word(cflri_word w, const char *text) {
    return strlen(text) == w.length && memcmp(w.at, text, w.length) == 0;
}
/* Is the word a decimal number below `limit`? */
bool cflri_parse_number(cflri_word word, uint32_t limit, uint32_t *number);
/* Says what stands where something else was expected. */
cflr_status cflri_fail_expected(cflri_reader *r, const char *expected);
cflr_status cflri_expect(cflri_reader *r, const char *text, const char *expected);
/* The string's number, with room in the table of names. */
cflr_status cflri_intern_word(cflri_reader *r, cflri_word w, uint32_t *id);
cflr_status cflri_parse_name(cflri_reader *r, const char *expected, uint32_t *id);
/* Notes in the effect that the value makes it repeat. */
cflr_status cflri_parse_value_of(cflri_reader *r, cflri_summary_effect *effect,
                                 cflri_summary_value *value);

/* Reads the entries of a text one after the other. The function finds the entry between r->at and
 * r->end, and leaves it alone when it is of another kind. */
typedef cflr_status cflri_entry_parser(cflri_reader *r);
cflr_status cflri_parse_entries(cflri_summaries *summaries, const cflri_summary_text *text,
                                cflri_entry_parser *parse_entry, cflr_error *error);

#endif

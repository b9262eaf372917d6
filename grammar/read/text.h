/* SPDX-License-Identifier: Apache-2.0
 *
 * text.h: a growing text, and how names of symbols are spelled.
 *
 * Errors stick: append as much as you like and look at `failed` once, when the text is taken.
 */
#ifndef CFLRI_TEXT_H
#define CFLRI_TEXT_H

#include "base/arena.h"
#include "base/vec.h"

typedef struct cflri_text {
    cflr_context *context;
    CFLRI_VEC(char) bytes; /* not NUL-terminated until taken */
    bool failed;           /* memory was refused once */
} cflri_text;

void cflri_text_init(cflri_text *text, cflr_context *context);
void cflri_text_drop(cflri_text *text);
void cflri_text_add(cflri_text *text, const char *added);
void cflri_text_bytes(cflri_text *text, const char *added, size_t length);
void cflri_text_printf(cflri_text *text, const char *format, ...) CFLRI_PRINTF(2, 3);

/* A symbol's name as the grammar syntax spells it: quoted when it would not read back as one plain
 * symbol. A leading '~' is the converse sign and stays outside the quotes. */
void cflri_text_symbol(cflri_text *text, const char *name);

/* "%12": only auxiliaries are called so. */
bool cflri_is_auxiliary_name(const char *name, size_t length);

/* A quoted string: "..." with \" and \\. */
void cflri_text_quoted(cflri_text *text, const char *bytes);

/* Ends the text with NUL and hands it over: *taken is freed with cflri_free. The text is empty
 * afterwards. */
cflr_status cflri_text_take(cflri_text *text, char **taken, cflr_error *error);

/* The same into an arena; the text stays and is cleared, so that it can be filled again. */
cflr_status cflri_text_keep(cflri_text *text, cflri_arena *arena, const char **kept,
                            cflr_error *error);

/* ---- characters ---- */

/* May this byte begin a plain symbol, and may it go on in one? Bytes of UTF-8 sequences may. */
bool cflri_symbol_begins(char byte);
bool cflri_symbol_goes_on(char byte);

/* "eps", "epsilon", "EPSILON" and the Greek letter: unless quoted, the empty path. */
bool cflri_is_empty_path(const char *text, size_t length);

#endif

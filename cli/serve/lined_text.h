/* SPDX-License-Identifier: Apache-2.0
 *
 * lined_text.h: a text by lines, and columns of a line in the units that clients count in.
 */
#ifndef CFLR_CLI_SERVE_LINED_TEXT_H
#define CFLR_CLI_SERVE_LINED_TEXT_H

#include "cli/run/run.h"

/* What `character` of a position counts. */
typedef enum encoding { ENCODING_UTF16, ENCODING_UTF8, ENCODING_UTF32 } encoding;

typedef struct piece {
    const char *at;
    size_t n;
} piece;

/* UTF-8. Zero bytes are an empty text. */
typedef struct lined_text {
    char *bytes; /* its own */
    size_t n;
    size_t *start; /* of each line; made when it is needed, and NULL before */
    size_t n_lines, capacity;
    bool narrow; /* the file is not UTF-8: each of its bytes has become one character */
} lined_text;

void text_free(lined_text *t);
/* `bytes`, in a block of malloc, are its own from here on. */
void text_take(lined_text *t, char *bytes, size_t n);
/* Reads a file, without a byte order mark; false: it cannot be read. */
bool text_read(lined_text *t, const char *path);
/* Replaces bytes by others. */
void text_replace(lined_text *t, size_t begin, size_t end, const char *bytes, size_t n);

size_t text_lines(lined_text *t); /* one at least */
/* Without its end; an empty one behind the last. */
piece text_line(lined_text *t, size_t line);

/* The byte of the line where so many units end; the end of the line where there are not so many. */
size_t units_to_bytes(piece line, size_t units, encoding in);
size_t bytes_to_units(piece line, size_t bytes, encoding in);

/* Columns of cflr count bytes of the file, here from 0. */
size_t file_to_bytes(const lined_text *t, piece line, size_t column);
size_t bytes_to_file(const lined_text *t, piece line, size_t bytes);

/* The character at *at, which moves behind it; as in a file that is not UTF-8, of which others than
 * ASCII are not told apart. */
uint32_t next_character(piece line, size_t *at, bool narrow);

#endif

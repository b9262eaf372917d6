/* SPDX-License-Identifier: Apache-2.0
 *
 * letters.h: what names are made of: characters of UTF-8, and how far apart two names are.
 */
#ifndef CFLRI_LETTERS_H
#define CFLRI_LETTERS_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes (1 to 4) of the well-formed UTF-8 sequence at `bytes` (RFC 3629: shortest form, no
 * surrogates, nothing above 10FFFF), or 0. Looks at nothing behind `size` bytes or a NUL. */
size_t cflri_utf8_length(const char *bytes, size_t size);

/* Does a character begin here that steers a terminal, or the order in which a line is shown: C0,
 * DEL, C1, the ends of lines and the directions of Unicode (U+061C, U+200E, U+200F, U+2028 to
 * U+202E, U+2066 to U+2069)? */
bool cflri_is_control(const char *text);

/* The next character of a text that goes on at *at, which moves behind it, as cflr_escape shows it:
 * its length in `shown`, which gets no NUL. */
enum { CFLRI_SHOWN = 12 };
size_t cflri_show_letter(const char **at, char shown[CFLRI_SHOWN]);

/* Names longer than this many bytes are like no other. */
enum { CFLRI_LONGEST_ALIKE = 64 };

/* Letters to add, to drop or to change so that one name becomes the other (case is no change), or
 * `most` + 1 for more than `most`. The names need no NUL. */
unsigned cflri_edits(const char *a, size_t a_size, const char *b, size_t b_size, unsigned most);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_words.h: a command line as words: quoting and response files.
 */
#ifndef CFLRI_COMPDB_WORDS_H
#define CFLRI_COMPDB_WORDS_H

#include "base/arena.h"
#include "base/vec.h"

typedef CFLRI_VEC(const char *) cflri_words;

typedef enum cflri_quoting {
    CFLRI_QUOTING_SHELL, /* '...' is literal, "..." keeps a backslash unless before \" \\ \$ \` */
    CFLRI_QUOTING_FILE,  /* of response files, as gcc and clang read them: a backslash always makes
                            the next character literal */
} cflri_quoting;

/* Appends the words of a command: blanks separate, quotes keep together, a backslash outside quotes
 * makes the next character literal. No expansion of any kind. *complete is false when a quote does
 * not end (the rest is then one word). False: no memory. */
bool cflri_words_split(cflri_arena *arena, const char *text, size_t length, cflri_quoting quoting,
                       cflri_words *words, bool *complete);

/* Appends `from` with each @FILE replaced by the words of FILE, which is looked up in `directory`.
 * Files in files are replaced too, up to a bound that stops a file that names itself. A file that
 * cannot be read drops its word, with a warning in the context's log. */
cflr_status cflri_words_expand(cflri_arena *arena, const char *directory, const cflri_words *from,
                               cflri_words *words, cflr_error *error);

/* `path` as seen from `directory`, without "." , ".." and double slashes; by text only, so symbolic
 * links keep their names. NULL: no memory. */
const char *cflri_path_absolute(cflri_arena *arena, const char *directory, const char *path);

/* The part behind the last '/'. */
const char *cflri_path_base(const char *path);

#endif

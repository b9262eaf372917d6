/* SPDX-License-Identifier: Apache-2.0
 *
 * words.h: what a word of an option stands for.
 */
#ifndef CFLRI_WORDS_H
#define CFLRI_WORDS_H

#include <string.h>

#include "base/error.h"

/* Which of words[0] .. words[n - 1] it is. CFLR_NOT_FOUND: "there is no KIND 'WORD'", and *number
 * stays. */
static inline cflr_status cflri_find_word(const char *word, const char *const *words, uint32_t n,
                                          const char *kind, uint32_t *number, cflr_error *error) {
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(word, words[i]) != 0) continue;
        *number = i;
        return CFLR_OK;
    }
    return cflri_fail(error, CFLR_NOT_FOUND, NULL, "there is no %s '%s'", kind, word);
}

#endif

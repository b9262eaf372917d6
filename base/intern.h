/* SPDX-License-Identifier: Apache-2.0
 *
 * intern.h: strings and their numbers, given in order of first appearance.
 *
 * String 0 is always "". Texts live in one arena and keep their address.
 */
#ifndef CFLRI_INTERN_H
#define CFLRI_INTERN_H

#include "base/arena.h"
#include "base/seen.h"
#include "base/vec.h"

#define CFLRI_NO_STRING CFLRI_NOT_SEEN

typedef struct cflri_strings {
    cflr_context *context;
    cflri_arena arena;
    CFLRI_VEC(const char *) text;
    cflri_seen seen;
} cflri_strings;

cflr_status cflri_strings_init(cflri_strings *strings, cflr_context *context, cflr_error *error);
/* A zeroed struct may be freed, and a freed one again. */
void cflri_strings_free(cflri_strings *strings);

/* The number of the string with these bytes (no NUL inside: an assert), made when it is new. When
 * memory is refused the table is as before. O(length). */
cflr_status cflri_intern(cflri_strings *strings, const char *text, size_t length, uint32_t *id,
                         cflr_error *error);

/* Makes room for `extra` more strings, but for their texts; false when memory is refused. */
bool cflri_strings_reserve(cflri_strings *strings, size_t extra);

/* Fills a zeroed struct with n texts that lie back to back in `size` bytes, each ended by NUL, the
 * first "". They are copied and read by number only: such a table takes no further string and finds
 * none. CFLR_FORMAT when the bytes are something else. O(size), without hashing. */
cflr_status cflri_strings_list(cflri_strings *strings, cflr_context *context, const char *texts,
                               size_t size, uint32_t n, cflr_error *error);

/* Bytes of the table and its texts. */
uint64_t cflri_strings_bytes(const cflri_strings *strings);

/* CFLRI_NO_STRING when it is not there. Safe for many readers at once. */
uint32_t cflri_strings_find(const cflri_strings *strings, const char *text, size_t length);

static inline const char *cflri_string(const cflri_strings *strings, uint32_t id) {
    return strings->text.at[id];
}

#endif

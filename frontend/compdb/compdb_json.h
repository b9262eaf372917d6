/* SPDX-License-Identifier: Apache-2.0
 *
 * compdb_json.h: the text of a compilation database, read into entries.
 */
#ifndef CFLRI_COMPDB_JSON_H
#define CFLRI_COMPDB_JSON_H

#include "base/arena.h"
#include "base/vec.h"

/* One object of the database as it stands there; strings belong to the arena. Either `command` or
 * `words` is set; words wins when both are there, as in clang's own reader. */
typedef struct cflri_compdb_entry {
    const char *directory;
    const char *file;
    const char *output; /* NULL: not given */
    const char *command;
    const char **words; /* NULL: not given */
    size_t n_words;
    uint32_t line; /* of the object */
    uint32_t column;
} cflri_compdb_entry;

typedef CFLRI_VEC(cflri_compdb_entry) cflri_compdb_entries;

/* Appends the entries of `data` (not NUL-terminated). CFLR_FORMAT with line and column when it is
 * not JSON, or not an array of objects with "directory", "file" and "command" or "arguments".
 * Unknown keys are skipped; a comma before a closing bracket is let pass, as many generators write
 * it. */
cflr_status cflri_compdb_parse(cflri_arena *arena, const char *data, size_t size,
                               const char *subject, cflri_compdb_entries *entries,
                               cflr_error *error);

#endif

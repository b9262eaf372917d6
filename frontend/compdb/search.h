/* SPDX-License-Identifier: Apache-2.0
 *
 * search.h: the directories in which a compiler may look for the headers of a unit.
 */
#ifndef CFLRI_SEARCH_H
#define CFLRI_SEARCH_H

#include <limits.h>

#include "frontend/compdb/compdb.h"
#include "frontend/facts/buffer.h"

/* Appends the directories, absolute, each ended by NUL: too many rather than too few, and in an
 * order that depends on the unit's flags and the environment only. False when memory is refused. */
bool cflri_search_list(cflr_context *context, const cflri_unit *unit, cflri_buffer *directories);

/* The argument of a flag, written with it or behind it; NULL when word i is another flag. */
const char *cflri_search_argument(const cflri_unit *unit, int i, const char *flag);

/* `name` as seen from `directory`, in `path`: as a compiler joins them, ".." and links as they are.
 * Returns the length, or 0 when no file system takes it. */
size_t cflri_search_join(const char *directory, size_t directory_length, const char *name,
                         size_t name_length, char path[PATH_MAX]);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * sources.h: what source files say to the compiler, as a number each.
 *
 * The digest of a file is equal in two runs when the file has the same bytes and each name that its
 * directives may look for is found in the same places. So a header that appears in front of another
 * changes the digests of the files that ask for it. Each file is read once a run. All functions may
 * be called from any thread.
 */
#ifndef CFLRI_SOURCES_H
#define CFLRI_SOURCES_H

#include "base/digest.h"
#include "frontend/compdb/compdb.h"

typedef struct cflri_sources cflri_sources;

cflr_status cflri_sources_new(cflr_context *context, cflri_sources **sources, cflr_error *error);
void cflri_sources_free(cflri_sources *sources); /* NULL is a no-op */

/* Where the headers of a unit are looked for: a number for cflri_sources_file. Units with the same
 * directories share it. *named stands for where the files that the command line names (-include)
 * are found. False when memory is refused. */
bool cflri_sources_search(cflri_sources *sources, const cflri_unit *unit, uint32_t *search,
                          cflri_digest *named);

/* The digests of an absolute path: of its bytes alone, and of all that it says. False when the file
 * cannot be read, embeds an unknown file, or memory is refused. */
bool cflri_sources_file(cflri_sources *sources, uint32_t search, const char *path,
                        cflri_digest *content, cflri_digest *whole);

#endif

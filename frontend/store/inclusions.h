/* SPDX-License-Identifier: Apache-2.0
 *
 * inclusions.h: which files a parse read.
 */
#ifndef CFLRI_INCLUSIONS_H
#define CFLRI_INCLUSIONS_H

#include "base/intern.h"
#include "frontend/clang/clang.h"
#include "frontend/store/sources.h"

typedef struct cflri_inclusions {
    cflri_strings paths;             /* absolute, from number 1 on, the main file first */
    CFLRI_VEC(cflri_digest) content; /* of each, as it was when it was parsed; [0] is unused */
} cflri_inclusions;

/* Fills a zeroed list. False when memory is refused. */
bool cflri_inclusions_collect(cflri_inclusions *inclusions, cflr_context *context,
                              CXTranslationUnit parsed, const char *directory);

/* Adds a file to a list of several units, zeroed before the first one: what the list has first
 * stays. */
cflr_status cflri_inclusions_add(cflri_inclusions *inclusions, cflr_context *context,
                                 const char *path, cflri_digest content, cflr_error *error);

void cflri_inclusions_free(cflri_inclusions *inclusions, cflr_context *context);

#endif

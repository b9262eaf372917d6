/* SPDX-License-Identifier: Apache-2.0
 *
 * version.h: what a reader says to a file of another version (docs/reference/formats.md, *Versions
 * of files*). A file says its version in front of everything that another version may have in
 * another way, so that a file of another version is never taken for a damaged one.
 */
#ifndef CFLRI_VERSION_H
#define CFLRI_VERSION_H

#include "cflr/status.h"

typedef struct cflri_read_versions {
    uint32_t oldest, newest; /* that are read */
    const char *what;        /* "file format" */
    const char *anew;        /* how such a file is made: "`cflr convert`" */
} cflri_read_versions;

/* CFLR_UNSUPPORTED, with a sentence that names both versions and what can be done, for a version
 * that is not read. */
cflr_status cflri_check_version(const cflri_read_versions *read, uint32_t version,
                                const char *subject, cflr_error *error);

#endif

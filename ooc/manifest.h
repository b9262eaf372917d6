/* SPDX-License-Identifier: Apache-2.0
 *
 * manifest.h: the file form of a checkpoint (docs/reference/work-directory.md).
 *
 *     "CFLW" | format | sequence | digest | program | next | segments | state size   88 bytes
 *     number | 0 | length                                               16 for each segment
 *     state
 *     XXH3 of all above                                                 8
 *
 * Little endian. Every manifest, of whatever format, ends with that checksum: so one of another
 * version is told from one that is damaged.
 */
#ifndef CFLRI_MANIFEST_H
#define CFLRI_MANIFEST_H

#include "base/vec.h"

enum { CFLRI_DIGEST = 16 };

/* Of this build: a digest of all sources that decide what the state of a closure means. */
extern const char cflri_engine_identity[];

typedef struct cflri_manifest_segment {
    uint32_t number; /* ascending */
    uint32_t zero;
    uint64_t length;
} cflri_manifest_segment;

typedef struct cflri_manifest {
    uint64_t sequence;
    unsigned char digest[CFLRI_DIGEST];
    uint32_t next; /* number of the next segment: none is used twice */
    CFLRI_VEC(cflri_manifest_segment) segments;
    const void *state; /* of what was read, or of the caller that writes */
    size_t state_size;
} cflri_manifest;

/* Makes a file, which must not exist, that lies on the disk when this returns. */
cflr_status cflri_manifest_write(cflr_context *context, const char *path,
                                 const cflri_manifest *manifest, cflr_error *error);

/* Checks the bytes of a manifest, which must outlive it, and fills it, to be freed also after a
 * failure. CFLR_FORMAT for damage, CFLR_UNSUPPORTED for another format or build of the
 * program. */
cflr_status cflri_manifest_read(cflr_context *context, const char *data, size_t size,
                                const char *subject, cflri_manifest *manifest, cflr_error *error);
void cflri_manifest_free(cflr_context *context, cflri_manifest *manifest);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * container.h: the file form of .cflg and .cflr: named sections, each packed and checksummed.
 *
 *     "CFLR" version | section: tag, packed size, plain size, XXH3 of the packed bytes | ... | "END "
 *
 * Little endian. A section's payload is one zstd frame. Unknown tags are skipped, so that a newer
 * minor writer can be read. Every size is checked against what is there before it is believed.
 */
#ifndef CFLRI_CONTAINER_H
#define CFLRI_CONTAINER_H

#include "base/stream.h"

typedef struct cflri_section {
    char tag[5]; /* four characters and NUL */
    const void *packed;
    uint64_t packed_size;
    uint64_t size;
    uint64_t offset; /* in the file, for messages */
} cflri_section;

/* Writes the header; then one call a section; then cflri_container_end. */
void cflri_container_begin(cflri_output *output);
cflr_status cflri_container_section(cflr_context *context, cflri_output *output, const char *tag,
                                    const void *data, size_t size, cflr_error *error);
void cflri_container_end(cflri_output *output);

/* Is this the beginning of a container? */
bool cflri_container_is(const char *data, size_t size);

/* Lists the sections of a container in memory after checking header, sizes and checksums.
 * *sections is freed with cflri_free. */
cflr_status cflri_container_open(cflr_context *context, const char *data, size_t size,
                                 const char *subject, cflri_section **sections, size_t *count,
                                 cflr_error *error);

/* Unpacks one section to a new block of section->size bytes (freed with cflri_free). */
cflr_status cflri_container_unpack(cflr_context *context, const cflri_section *section,
                                   const char *subject, void **data, cflr_error *error);

/* The first section with this tag, or NULL. */
const cflri_section *cflri_container_find(const cflri_section *sections, size_t count,
                                          const char *tag);

#endif

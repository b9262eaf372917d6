/* SPDX-License-Identifier: Apache-2.0
 *
 * container.h: the file form of .cflg and .cflr: named sections, each packed and checksummed.
 *
 *     "CFLR" version  | section | section | ... | "END "
 *
 *     section:   tag       4 bytes
 *                0         4
 *                packed    8     bytes of payload
 *                plain     8     bytes that they unpack to
 *                checksum  8     XXH3 of the payload and then of the 24 bytes above
 *                payload   one zstd frame
 *
 * Little endian. "END " has no payload and is the last: what is missing or behind it is damage.
 * Unknown tags are skipped, so that a newer minor writer can be read. Every size is checked against
 * what is there before it is believed; the checksum covers everything but the first 8 bytes, which
 * have one valid value, so no damaged byte goes unnoticed.
 */
#ifndef CFLRI_CONTAINER_H
#define CFLRI_CONTAINER_H

#include "base/files/stream.h"

typedef struct cflri_section {
    char tag[5]; /* four characters and NUL */
    const void *packed;
    uint64_t packed_size;
    uint64_t size;
    uint64_t offset;          /* in the file */
    const cflri_input *input; /* that it is left in: `packed` is NULL */
    uint64_t checksum;        /* of what is left */
} cflri_section;

/* Writes the header; then one call a section; then cflri_container_end. A section needs memory for
 * its packed form; when that is refused it is packed twice instead, once to measure and once to
 * write, so that a result can be kept at the memory limit. The bytes are the same. */
void cflri_container_begin(cflri_output *output);
cflr_status cflri_container_section(cflr_context *context, cflri_output *output, const char *tag,
                                    const void *data, size_t size, cflr_error *error);
void cflri_container_end(cflri_output *output);

/* Packs a section into memory, to be written later: section->packed is a new block, freed with
 * cflri_free. May be called from any thread. */
cflr_status cflri_container_pack(cflr_context *context, const char *tag, const void *data,
                                 size_t size, cflri_section *section, cflr_error *error);
/* Writes a section that is packed. */
void cflri_container_put(cflri_output *output, const cflri_section *section);

/* Is this the beginning of a container? */
bool cflri_container_is(const char *data, size_t size);

/* Lists the sections of a container in memory after checking header, sizes and checksums; they
 * point into `data`. *sections is freed with cflri_free; it may be NULL when there is none.
 * CFLR_FORMAT for damage, CFLR_UNSUPPORTED for another version. */
cflr_status cflri_container_open(cflr_context *context, const char *data, size_t size,
                                 const char *subject, cflri_section **sections, size_t *count,
                                 cflr_error *error);

/* Opens a container to be left in its file, unless it is none: as cflri_input_open_left. */
cflr_status cflri_container_input(cflr_context *context, const char *path, cflri_input *input,
                                  cflr_error *error);
/* The same for what was opened so. Sections that are left are checked when they are unpacked, and
 * each time anew, so that a file may change meanwhile, and no damage goes unnoticed. Sections with
 * one of the tags `later`, a list that ends with NULL, are checked only then; they must be unpacked
 * before anything in the container is believed. The input must live as long as the sections. */
cflr_status cflri_container_list(const cflri_input *input, const char *const *later,
                                 const char *subject, cflri_section **sections, size_t *count,
                                 cflr_error *error);

/* Unpacks one section to a new block of section->size bytes (freed with cflri_free). */
cflr_status cflri_container_unpack(cflr_context *context, const cflri_section *section,
                                   const char *subject, void **data, cflr_error *error);
/* The same to a block of the caller's. */
cflr_status cflri_container_unpack_to(cflr_context *context, const cflri_section *section,
                                      const char *subject, void *plain, cflr_error *error);

/* The section in a block of its own, copy->packed, freed with cflri_free; NULL when this fails. */
cflr_status cflri_container_copy(cflr_context *context, const cflri_section *section,
                                 cflri_section *copy, cflr_error *error);

/* The number of 32-bit words that sections with this tag have: a bound for what counts in a file
 * may claim. */
uint64_t cflri_container_words(const cflri_section *sections, size_t count, const char *tag);

/* The first section with this tag, or NULL. */
const cflri_section *cflri_container_find(const cflri_section *sections, size_t count,
                                          const char *tag);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.h: blocks of bytes with tags, wherever they are kept: written one behind the other, read
 * in any order.
 *
 * A format that is made of blocks is written to a sink and read from a source. So it does not
 * depend on the file that has them: here, sections of a container; in a work directory, extents
 * (ooc/blocks.h).
 */
#ifndef CFLRI_BLOCKS_H
#define CFLRI_BLOCKS_H

#include "base/files/container.h"

typedef struct cflri_block_sink {
    /* Writes a block; a tag has four characters. */
    cflr_status (*put)(struct cflri_block_sink *sink, const char *tag, const void *data,
                       size_t size, cflr_error *error);
} cflri_block_sink;

typedef struct cflri_stored_block {
    const char *tag;
    uint64_t size; /* bytes */
} cflri_stored_block;

/* Any thread may read. A reader gets the bytes that were written, or reading fails. */
typedef struct cflri_block_source {
    const char *subject; /* of messages */
    size_t n;            /* number of blocks */
    cflri_stored_block (*about)(const struct cflri_block_source *source, size_t i);
    /* Reads block i to `to`, which is large enough. CFLR_FORMAT when it is damaged. */
    cflr_status (*read)(const struct cflri_block_source *source, size_t i, void *to,
                        cflr_error *error);
} cflri_block_source;

/* The number of 32-bit words that blocks with this tag have: a bound for what counts in a file may
 * claim. */
uint64_t cflri_block_words(const cflri_block_source *source, const char *tag);

/* ---- sections of a container ---- */

typedef struct cflri_container_sink {
    cflri_block_sink sink;
    cflr_context *context;
    cflri_output *output;
} cflri_container_sink;

typedef struct cflri_container_source {
    cflri_block_source source;
    cflr_context *context;
    const cflri_section *sections;
} cflri_container_source;

/* Between cflri_container_begin and cflri_container_end. */
cflri_container_sink cflri_sink_of_container(cflr_context *context, cflri_output *output);

/* The sections and the subject must live as long. */
cflri_container_source cflri_source_of_container(cflr_context *context,
                                                 const cflri_section *sections, size_t n,
                                                 const char *subject);

#endif

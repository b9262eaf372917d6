/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.c: blocks of bytes that are sections of a container.
 */
#include "base/files/blocks.h"

#include <string.h>

uint64_t cflri_block_words(const cflri_block_source *source, const char *tag) {
    uint64_t words = 0;
    for (size_t i = 0; i < source->n; i++) {
        cflri_stored_block block = source->about(source, i);
        if (strcmp(block.tag, tag) == 0) words += block.size / sizeof(uint32_t);
    }
    return words;
}

static cflr_status put(cflri_block_sink *sink, const char *tag, const void *data, size_t size,
                       cflr_error *error) {
    const cflri_container_sink *to = (const cflri_container_sink *)sink;
    return cflri_container_section(to->context, to->output, tag, data, size, error);
}

cflri_container_sink cflri_sink_of_container(cflr_context *context, cflri_output *output) {
    return (cflri_container_sink){{put}, context, output};
}

static cflri_stored_block about(const cflri_block_source *source, size_t i) {
    const cflri_section *section = &((const cflri_container_source *)source)->sections[i];
    return (cflri_stored_block){section->tag, section->size};
}

static cflr_status read_block(const cflri_block_source *source, size_t i, void *to,
                              cflr_error *error) {
    const cflri_container_source *from = (const cflri_container_source *)source;
    return cflri_container_unpack_to(from->context, &from->sections[i], source->subject, to, error);
}

cflri_container_source cflri_source_of_container(cflr_context *context,
                                                 const cflri_section *sections, size_t n,
                                                 const char *subject) {
    return (cflri_container_source){{subject, n, about, read_block}, context, sections};
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.c: blocks of bytes that are extents of a work's segments.
 */
#include "ooc/blocks.h"

#include <assert.h>
#include <string.h>

static cflr_status put(cflri_block_sink *sink, const char *tag, const void *data, size_t size,
                       cflr_error *error) {
    cflri_work_sink *to = (cflri_work_sink *)sink;
    cflri_work_block block = {.tag = {0}};
    assert(strlen(tag) < CFLRI_TAG);
    memcpy(block.tag, tag, strlen(tag));
    cflr_status st = cflri_spill_append(to->segment, data, size, true, &block.extent, error);
    if (st != CFLR_OK) return st;
    bool kept = cflri_vec_push(to->context, &to->blocks, block);
    return kept ? CFLR_OK : cflri_fail_memory(to->context, error);
}

cflri_work_sink cflri_sink_of_work(cflr_context *context, cflri_spill *segment) {
    return (cflri_work_sink){{put}, context, segment, {0}};
}

static cflri_stored_block about(const cflri_block_source *source, size_t i) {
    const cflri_work_block *block = &((const cflri_work_source *)source)->block[i];
    return (cflri_stored_block){block->tag, block->extent.plain};
}

static cflr_status read_block(const cflri_block_source *source, size_t i, void *to,
                              cflr_error *error) {
    const cflri_work_source *from = (const cflri_work_source *)source;
    return cflri_work_read(from->work, &from->block[i].extent, to, error);
}

cflri_work_source cflri_source_of_work(cflri_work *work, const cflri_work_block *block, size_t n,
                                       const char *subject) {
    return (cflri_work_source){{subject, n, about, read_block}, block, work};
}

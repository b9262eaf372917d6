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
    cflr_status st = CFLR_OK;
    assert(strlen(tag) < CFLRI_TAG);
    memcpy(block.tag, tag, strlen(tag));
    if (!*to->segment) CFLR_TRY(cflri_work_segment(to->work, to->segment, error));
    CFLR_TRY(cflri_spill_append(*to->segment, data, size, true, &block.extent, error));
    if (!cflri_vec_push(to->context, &to->blocks, block)) {
        st = cflri_fail_memory(to->context, error);
    }
out:
    return st;
}

cflri_work_sink cflri_sink_of_work(cflr_context *context, cflri_work *work, cflri_spill **segment) {
    return (cflri_work_sink){{put}, context, work, segment, {0}};
}

static cflri_stored_block about(const cflri_block_source *source, size_t i) {
    const cflri_work_block *block = &((const cflri_work_source *)source)->block[i];
    return (cflri_stored_block){block->tag, block->extent.plain};
}

/* Readers mostly go on with the next block. */
static cflr_status read_block(const cflri_block_source *source, size_t i, void *to,
                              cflr_error *error) {
    const cflri_work_source *from = (const cflri_work_source *)source;
    if (i + 1 < source->n) cflri_work_prefetch(from->work, &from->block[i + 1].extent);
    return cflri_work_read(from->work, &from->block[i].extent, to, error);
}

cflri_work_source cflri_source_of_work(cflri_work *work, const cflri_work_block *block, size_t n,
                                       const char *subject) {
    return (cflri_work_source){{subject, n, about, read_block}, block, work};
}

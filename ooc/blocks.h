/* SPDX-License-Identifier: Apache-2.0
 *
 * blocks.h: blocks of bytes that are extents of a work's segments.
 */
#ifndef CFLRI_WORK_BLOCKS_H
#define CFLRI_WORK_BLOCKS_H

#include "base/files/blocks.h"
#include "ooc/work.h"

enum { CFLRI_TAG = 8 };

/* Plain numbers and letters, which may be kept in the state of a checkpoint. */
typedef struct cflri_work_block {
    cflri_extent extent;
    char tag[CFLRI_TAG]; /* with zeros behind it */
} cflri_work_block;

typedef CFLRI_VEC(cflri_work_block) cflri_work_blocks;

/* Appends blocks to a segment, packed, and keeps in `blocks` where they are. The first block makes
 * the segment, if there is none. */
typedef struct cflri_work_sink {
    cflri_block_sink sink;
    cflr_context *context;
    cflri_work *work;
    cflri_spill **segment;    /* of the caller */
    cflri_work_blocks blocks; /* the caller frees them */
} cflri_work_sink;

cflri_work_sink cflri_sink_of_work(cflr_context *context, cflri_work *work, cflri_spill **segment);

/* Blocks that were written so, in their order, and may lie in several segments. */
typedef struct cflri_work_source {
    cflri_block_source source;
    const cflri_work_block *block;
    cflri_work *work;
} cflri_work_source;

/* The blocks must live as long, and so must the work, which removes no segment that has one, and
 * makes none, while another thread reads. */
cflri_work_source cflri_source_of_work(cflri_work *work, const cflri_work_block *block, size_t n,
                                       const char *subject);

#endif

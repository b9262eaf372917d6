/* SPDX-License-Identifier: Apache-2.0
 *
 * kept_blocks.h: blocks in memory, for tests of what is written as blocks and read from them.
 */
#ifndef TEST_ENGINE_KEPT_BLOCKS_H
#define TEST_ENGINE_KEPT_BLOCKS_H

#include <stdatomic.h>

#include "base/files/blocks.h"
#include "tests/support/support.h"

typedef struct kept_block {
    char tag[5];
    uint32_t *data;
    size_t size;
} kept_block;

/* The sink and the source of the same blocks. Reading fails from so many readings on. */
typedef struct kept_blocks {
    cflri_block_sink sink;
    cflri_block_source source;
    kept_block *at;
    _Atomic uint64_t reads;
    uint64_t fails_at; /* 0: never */
} kept_blocks;

static inline cflr_status keep_block(cflri_block_sink *sink, const char *tag, const void *data,
                                     size_t size, cflr_error *error) {
    kept_blocks *blocks = (kept_blocks *)sink;
    (void)error;
    size_t n = blocks->source.n++;
    blocks->at = realloc(blocks->at, (n + 1) * sizeof *blocks->at);
    cr_assert_not_null(blocks->at);
    kept_block *block = &blocks->at[n];
    memcpy(block->tag, tag, sizeof block->tag);
    block->data = malloc(size);
    block->size = size;
    memcpy(block->data, data, size);
    return CFLR_OK;
}

static inline const kept_blocks *kept_of(const cflri_block_source *source) {
    const char *at = (const char *)source;
    return (const kept_blocks *)(const void *)(at - offsetof(kept_blocks, source));
}

static inline cflri_stored_block about_kept(const cflri_block_source *source, size_t i) {
    const kept_block *block = &kept_of(source)->at[i];
    return (cflri_stored_block){block->tag, block->size};
}

static inline cflr_status read_kept(const cflri_block_source *source, size_t i, void *to,
                                    cflr_error *error) {
    kept_blocks *blocks = (kept_blocks *)(uintptr_t)kept_of(source);
    if (++blocks->reads >= blocks->fails_at && blocks->fails_at) {
        return cflri_fail(error, CFLR_FORMAT, source->subject, "reading fails");
    }
    memcpy(to, blocks->at[i].data, blocks->at[i].size);
    return CFLR_OK;
}

static inline kept_blocks *kept_blocks_new(void) {
    kept_blocks *blocks = calloc(1, sizeof *blocks);
    cr_assert_not_null(blocks);
    blocks->sink.put = keep_block;
    blocks->source = (cflri_block_source){"blocks", 0, about_kept, read_kept};
    return blocks;
}

static inline void kept_blocks_free(kept_blocks *blocks) {
    for (size_t i = 0; i < blocks->source.n; i++) free(blocks->at[i].data);
    free(blocks->at);
    free(blocks);
}

#endif

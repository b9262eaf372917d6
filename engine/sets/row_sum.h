/* SPDX-License-Identifier: Apache-2.0
 *
 * row_sum.h: collects ids into a set.
 *
 *     cflri_row_sum_add(&sum, ids, n);  ...        O(ids)
 *     cflri_row_sum_take(&sum, pool, hand, &row);  O(touched blocks), and the ids of a list
 *
 * A bitmap of all ids, and a bitmap of the blocks that were touched, so that other blocks are never
 * visited. Ids are added in any order; taking them empties the sum. Blocks are counted eight 64-bit
 * words at a time, with AVX-512, AVX2 or plain code, as the processor allows.
 */
#ifndef CFLRI_ROW_SUM_H
#define CFLRI_ROW_SUM_H

#include "engine/sets/row.h"

/* Kernels that count blocks. All return the same result. */
typedef enum cflri_row_kernel {
    CFLRI_KERNEL_BEST, /* the best of this processor */
    CFLRI_KERNEL_PLAIN,
    CFLRI_KERNEL_AVX2,
    CFLRI_KERNEL_AVX512,
} cflri_row_kernel;

typedef struct cflri_bit_block {
    uint64_t word[CFLRI_BLOCK_WORDS];
} cflri_bit_block;

typedef struct cflri_row_sum {
    cflr_context *context;
    uint32_t (*count)(const cflri_bit_block *block);
    cflri_bit_block *block; /* of all ids */
    uint64_t *touched;      /* a bit for each block */
    uint32_t n_words;       /* number of words of `touched` */
    uint32_t low, high;     /* words of `touched` that may not be zero: low <= word < high */
} cflri_row_sum;

/* Makes an empty sum for ids below `universe`. If the processor lacks the kernel, the best one that
 * it has is used. False when memory is refused; the sum can then be freed. */
bool cflri_row_sum_init(cflri_row_sum *sum, cflr_context *context, uint32_t universe,
                        cflri_row_kernel kernel);
void cflri_row_sum_free(cflri_row_sum *sum);

void cflri_row_sum_add_id(cflri_row_sum *sum, uint32_t id);
void cflri_row_sum_add(cflri_row_sum *sum, const uint32_t *ids, uint32_t n);

/* Adds the ids of a block, of which a word is every `stride` words. */
void cflri_row_sum_add_block(cflri_row_sum *sum, uint32_t block, const uint64_t *word,
                             size_t stride);

/* The extent of a sum. */
typedef struct cflri_row_extent {
    uint32_t n, blocks;   /* number of ids, and of touched blocks */
    uint32_t first, last; /* first and last touched block */
} cflri_row_extent;

cflri_row_extent cflri_row_sum_extent(const cflri_row_sum *sum);

/* Writes the ids, ascending, and empties the sum. */
void cflri_row_sum_write(cflri_row_sum *sum, uint32_t *ids);
/* Makes the row and empties the sum. False when memory is refused. */
bool cflri_row_sum_take(cflri_row_sum *sum, cflri_pool *pool, cflri_radix_hand *hand,
                        cflri_row *row);
void cflri_row_sum_clear(cflri_row_sum *sum);

#endif

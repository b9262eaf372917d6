/* SPDX-License-Identifier: Apache-2.0
 *
 * packed_format.h: the words of a set that a device packs for the host.
 *
 *     few ids       | n | id * n |                                             ids ascend
 *     by blocks     | n + 2^31 | k | number * k | before * k | bits * 32 k |   numbers ascend
 *
 * n, below 2^31, is the number of ids. Block b has the ids 1,024 b .. 1,024 b + 1,023, and id i is
 * bit i % 32 of word i % 1,024 / 32 of its block. There are k blocks, of which none is empty, each
 * with its number and with how many ids of the set lie in the blocks before it: so the place of an
 * id is found by bisection, and by counting bits of one block. Words are as the processor has them.
 *
 * A writer chooses the form with fewer words. Readers take either.
 *
 * The library of a device includes this header; so it needs no other one.
 */
#ifndef CFLRI_PACKED_FORMAT_H
#define CFLRI_PACKED_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __CUDACC__
#define CFLRI_PACKED_FUNCTION static inline __host__ __device__
#else
#define CFLRI_PACKED_FUNCTION static inline
#endif

/* Added to n where a row is written by blocks. A macro, since constants of enums are of int. */
#define CFLRI_PACKED_BY_BLOCKS 0x80000000u

enum {
    CFLRI_PACKED_BLOCK_IDS = 1024,
    CFLRI_PACKED_BLOCK_WORDS = CFLRI_PACKED_BLOCK_IDS / 32,
    CFLRI_PACKED_FEW_HEAD = 1,                               /* words before the ids */
    CFLRI_PACKED_BLOCKS_HEAD = 2,                            /* words before numbers of blocks */
    CFLRI_PACKED_BLOCK_WHOLE = 2 + CFLRI_PACKED_BLOCK_WORDS, /* its number, ids before, bits */
};

/* Returns the words of n ids, as few ids. */
CFLRI_PACKED_FUNCTION uint32_t cflri_packed_few_words(uint32_t n) {
    return CFLRI_PACKED_FEW_HEAD + n;
}

/* Returns the words of a row with k blocks, by blocks. */
CFLRI_PACKED_FUNCTION uint32_t cflri_packed_blocks_words(uint32_t k) {
    return CFLRI_PACKED_BLOCKS_HEAD + CFLRI_PACKED_BLOCK_WHOLE * k;
}

/* Is a row of n ids that lie in k blocks written as few ids? */
CFLRI_PACKED_FUNCTION bool cflri_packed_row_is_few(uint32_t n, uint32_t k) {
    return cflri_packed_few_words(n) <= cflri_packed_blocks_words(k);
}

/* Returns the words of such a row. */
CFLRI_PACKED_FUNCTION uint32_t cflri_packed_row_words(uint32_t n, uint32_t k) {
    return cflri_packed_row_is_few(n, k) ? cflri_packed_few_words(n) : cflri_packed_blocks_words(k);
}

#endif

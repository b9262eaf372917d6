/* SPDX-License-Identifier: Apache-2.0
 *
 * row.h: a set of ids, in the shape that its size and spread make cheapest.
 *
 *     few      up to two ids inside the struct
 *     list     ids, ascending
 *     blocks   keys, ascending, and for each key the 512 bits of ids key * 512 and on; none is empty
 *
 *         keys:      0                  3                  7
 *         blocks:  | 1..1..... |      | 11111111 |       | ......1. |        a cache line each
 *
 * A closure moves sets: `to |= from`, and what was new is added to a third row, the delta, in the same
 * pass. Between blocks that is a merge of the keys and eight 64-bit words at a time (AVX-512, AVX2 or
 * plain, whatever the processor has). Ids that lie apart stay a list, which costs 4 bytes an id and
 * not 64; ids that lie together become blocks, at an eighth of a byte when a block is full. Memory
 * comes from a pool: no malloc a row.
 */
#ifndef CFLRI_ROW_H
#define CFLRI_ROW_H

#include "base/pool.h"

enum { CFLRI_BLOCK_IDS = 512, CFLRI_BLOCK_WORDS = CFLRI_BLOCK_IDS / 64, CFLRI_ROW_INSIDE = 2 };

typedef struct cflri_block {
    uint64_t word[CFLRI_BLOCK_WORDS];
} cflri_block;

typedef enum cflri_row_shape {
    CFLRI_ROW_FEW,
    CFLRI_ROW_LIST,
    CFLRI_ROW_BLOCKS,
} cflri_row_shape;

/* Zero bytes are an empty row. */
typedef struct cflri_row {
    uint32_t n;        /* ids */
    uint32_t n_blocks; /* of a row of blocks */
    uint8_t shape;
    uint8_t class;  /* of the pool's block that holds the ids, or blocks and keys */
    uint32_t *keys; /* blocks only; behind them in one block of the pool */
    union {
        uint32_t few[CFLRI_ROW_INSIDE];
        uint32_t *list;
        cflri_block *blocks;
    };
} cflri_row;

/* How blocks are merged: the same result from each. */
typedef enum cflri_row_kernel {
    CFLRI_KERNEL_BEST, /* that this processor has */
    CFLRI_KERNEL_PLAIN,
    CFLRI_KERNEL_AVX2,
    CFLRI_KERNEL_AVX512,
} cflri_row_kernel;

/* A gap in a row of blocks: block `from` of the other row goes before block `before`. */
typedef struct cflri_row_gap {
    uint32_t before, from;
} cflri_row_gap;

/* What one merge of blocks reads and writes. */
typedef struct cflri_block_merge {
    cflri_block *to;
    const uint32_t *to_key;
    uint32_t n_to;
    const cflri_block *from;
    const uint32_t *from_key;
    uint32_t n_from;
    cflri_block *fresh; /* out: bits of `from` that `to` lacked, n_from at most */
    uint32_t *fresh_key;
    uint32_t n_fresh;
    uint64_t n_ids;     /* out: how many bits these are */
    cflri_row_gap *gap; /* out: blocks that `to` lacks; n_from at most */
    uint32_t n_gaps;
} cflri_block_merge;

/* Where rows live. One thread at a time. */
typedef struct cflri_rows {
    cflri_pool pool;
    void (*merge)(cflri_block_merge *merge);
    struct { /* room for one merge */
        cflri_block *fresh, *spread;
        uint32_t *fresh_key, *spread_key;
        cflri_row_gap *gap;
        uint32_t room;
        uint32_t *ids;
        uint32_t ids_room;
    } scratch;
} cflri_rows;

/* A kernel that the processor lacks becomes the best that it has. */
void cflri_rows_init(cflri_rows *rows, cflr_context *context, cflri_row_kernel kernel);
/* Every row in it is gone. */
void cflri_rows_free(cflri_rows *rows);

/* Those that change a row return false when memory is refused; the row then holds some of what was
 * to be added, and the delta some of that. */

/* Adds one id; *is_new tells whether it was not there. O(log n) in blocks, O(n) in a list. */
bool cflri_row_add(cflri_rows *rows, cflri_row *row, uint32_t id, bool *is_new);

/* to |= from, fresh |= from \ to. `fresh` may be NULL; the three are different rows. O(blocks), or O(n)
 * for lists. */
bool cflri_row_merge(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const cflri_row *from);

/* The same from ids that ascend. */
bool cflri_row_merge_ids(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const uint32_t *ids,
                         uint32_t n);

/* Leaves it empty. */
void cflri_row_clear(cflri_rows *rows, cflri_row *row);

bool cflri_row_has(const cflri_row *row, uint32_t id);
bool cflri_row_equal(const cflri_row *a, const cflri_row *b);
uint64_t cflri_row_hash(const cflri_row *row); /* equal rows have equal hashes */

/* Writes the ids, ascending: row->n of them. */
void cflri_row_write(const cflri_row *row, uint32_t *ids);

/* Goes through the ids, ascending. The row must not change meanwhile. */
typedef struct cflri_row_walk {
    const cflri_row *row;
    uint32_t at;   /* of a list: the next id; of blocks: block * 8 + word, one ahead */
    uint32_t base; /* of the bits in `left` */
    uint64_t left;
} cflri_row_walk;

static inline cflri_row_walk cflri_row_begin(const cflri_row *row) {
    return (cflri_row_walk){.row = row};
}

static inline bool cflri_row_next(cflri_row_walk *walk, uint32_t *id) {
    const cflri_row *row = walk->row;
    if (row->shape != CFLRI_ROW_BLOCKS) {
        if (walk->at == row->n) return false;
        *id = (row->shape == CFLRI_ROW_FEW ? row->few : row->list)[walk->at++];
        return true;
    }
    while (!walk->left) {
        if (walk->at == row->n_blocks * CFLRI_BLOCK_WORDS) return false;
        uint32_t block = walk->at / CFLRI_BLOCK_WORDS, word = walk->at % CFLRI_BLOCK_WORDS;
        walk->left = row->blocks[block].word[word];
        walk->base = row->keys[block] * CFLRI_BLOCK_IDS + word * 64;
        walk->at++;
    }
    *id = walk->base + (uint32_t)__builtin_ctzll(walk->left);
    walk->left &= walk->left - 1;
    return true;
}

#endif

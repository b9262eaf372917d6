/* SPDX-License-Identifier: Apache-2.0
 *
 * row.h: a set of ids that does not change, in the shape that its size and spread make cheapest.
 *
 *     few      up to two ids inside the struct
 *     list     ids, ascending
 *     blocks   keys, ascending, and for each key the 512 bits of ids key * 512 and on; none is empty
 *
 *         keys:      0                  3                  7
 *         blocks:  | 1..1..... |      | 11111111 |       | ......1. |        a cache line each
 *
 * The ids alone decide the shape, so equal sets are equal byte for byte. Ids that lie apart are a list,
 * which costs 4 bytes an id and not 64; eight ids to a block or more become blocks, at an eighth of a
 * byte when a block is full. Memory comes from a pool: no malloc a row.
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
    bool loose;     /* of a numbered set: an equal one may be there (sets.h) */
    uint32_t *keys; /* blocks only; behind them in one block of the pool */
    union {
        uint32_t few[CFLRI_ROW_INSIDE];
        uint32_t *list;
        cflri_block *blocks;
    };
} cflri_row;

/* Room for n ids that lie in so many blocks, in the shape that suits them; the caller fills it. False
 * when memory is refused. */
bool cflri_row_make(cflri_pool *pool, uint32_t n, uint32_t blocks, cflri_row *row);
/* The row of ids that ascend. */
bool cflri_row_of(cflri_pool *pool, const uint32_t *ids, uint32_t n, cflri_row *row);
/* Leaves it empty. */
void cflri_row_free(cflri_pool *pool, cflri_row *row);

static inline const uint32_t *cflri_row_ids(const cflri_row *row) { /* not of blocks */
    return row->shape == CFLRI_ROW_FEW ? row->few : row->list;
}

bool cflri_row_has(const cflri_row *row, uint32_t id); /* O(log n) */
bool cflri_row_equal(const cflri_row *a, const cflri_row *b);
uint64_t cflri_row_hash(const cflri_row *row);

/* Writes the ids, ascending: row->n of them. */
void cflri_row_write(const cflri_row *row, uint32_t *ids);

/* Bytes outside the struct. */
size_t cflri_row_bytes(const cflri_row *row);

/* Goes through the ids, ascending. */
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
        *id = cflri_row_ids(row)[walk->at++];
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

/* SPDX-License-Identifier: Apache-2.0
 *
 * row.c: a set of ids that does not change.
 */
#include "base/row.h"

#include <string.h>

#include <xxhash.h>

#include "base/ids.h"

enum {
    IDS_A_BLOCK = 8, /* from this density on, blocks */
    BLOCK_BYTES = sizeof(cflri_block) + sizeof(uint32_t),
};

bool cflri_row_make(cflri_pool *pool, uint32_t n, uint32_t blocks, cflri_row *row) {
    *row = (cflri_row){.n = n};
    if (n <= CFLRI_ROW_INSIDE) return true;
    bool dense = n >= (uint64_t)IDS_A_BLOCK * blocks;
    size_t bytes = dense ? (size_t)blocks * BLOCK_BYTES : (size_t)n * sizeof(uint32_t);
    row->class = (uint8_t)cflri_pool_class(bytes);
    row->shape = dense ? CFLRI_ROW_BLOCKS : CFLRI_ROW_LIST;
    void *memory = cflri_pool_take(pool, row->class);
    if (!memory) {
        *row = (cflri_row){0};
        return false;
    }
    if (dense) {
        row->n_blocks = blocks;
        row->blocks = memory;
        row->keys = (uint32_t *)(void *)(row->blocks + blocks);
    } else {
        row->list = memory;
    }
    return true;
}

static uint32_t count_blocks(const uint32_t *ids, uint32_t n) {
    uint32_t blocks = n > 0;
    for (uint32_t i = 1; i < n; i++) {
        blocks += ids[i] / CFLRI_BLOCK_IDS != ids[i - 1] / CFLRI_BLOCK_IDS;
    }
    return blocks;
}

bool cflri_row_of(cflri_pool *pool, const uint32_t *ids, uint32_t n, cflri_row *row) {
    if (!cflri_row_make(pool, n, count_blocks(ids, n), row)) return false;
    if (row->shape != CFLRI_ROW_BLOCKS) {
        uint32_t *to = row->shape == CFLRI_ROW_FEW ? row->few : row->list;
        if (n) memcpy(to, ids, n * sizeof *to);
        return true;
    }
    memset(row->blocks, 0, row->n_blocks * sizeof *row->blocks);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t key = ids[i] / CFLRI_BLOCK_IDS, bit = ids[i] % CFLRI_BLOCK_IDS;
        if (i && key != row->keys[at]) at++;
        row->keys[at] = key;
        row->blocks[at].word[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return true;
}

void cflri_row_free(cflri_pool *pool, cflri_row *row) {
    if (row->shape == CFLRI_ROW_LIST) cflri_pool_put(pool, row->list, row->class);
    if (row->shape == CFLRI_ROW_BLOCKS) cflri_pool_put(pool, row->blocks, row->class);
    *row = (cflri_row){0};
}

bool cflri_row_has(const cflri_row *row, uint32_t id) {
    if (row->shape != CFLRI_ROW_BLOCKS) {
        const uint32_t *ids = cflri_row_ids(row);
        uint32_t at = (uint32_t)cflri_ids_seek(ids, row->n, id);
        return at < row->n && ids[at] == id;
    }
    uint32_t key = id / CFLRI_BLOCK_IDS, bit = id % CFLRI_BLOCK_IDS;
    uint32_t at = (uint32_t)cflri_ids_seek(row->keys, row->n_blocks, key);
    return at < row->n_blocks && row->keys[at] == key &&
           row->blocks[at].word[bit / 64] >> bit % 64 & 1;
}

bool cflri_row_equal(const cflri_row *a, const cflri_row *b) {
    if (a->n != b->n || a->shape != b->shape || a->n_blocks != b->n_blocks) return false;
    if (a->shape != CFLRI_ROW_BLOCKS) {
        return memcmp(cflri_row_ids(a), cflri_row_ids(b), a->n * sizeof(uint32_t)) == 0;
    }
    return memcmp(a->keys, b->keys, a->n_blocks * sizeof *a->keys) == 0 &&
           memcmp(a->blocks, b->blocks, a->n_blocks * sizeof *a->blocks) == 0;
}

uint64_t cflri_row_hash(const cflri_row *row) {
    if (row->shape != CFLRI_ROW_BLOCKS) {
        return XXH3_64bits(cflri_row_ids(row), row->n * sizeof(uint32_t));
    }
    uint64_t keys = XXH3_64bits(row->keys, row->n_blocks * sizeof *row->keys);
    return XXH3_64bits_withSeed(row->blocks, row->n_blocks * sizeof *row->blocks, keys);
}

void cflri_row_write(const cflri_row *row, uint32_t *ids) {
    if (row->shape != CFLRI_ROW_BLOCKS) {
        memcpy(ids, cflri_row_ids(row), row->n * sizeof *ids);
        return;
    }
    for (uint32_t b = 0; b < row->n_blocks; b++) {
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            uint32_t base = row->keys[b] * CFLRI_BLOCK_IDS + w * 64;
            for (uint64_t left = row->blocks[b].word[w]; left; left &= left - 1) {
                *ids++ = base + (uint32_t)__builtin_ctzll(left);
            }
        }
    }
}

size_t cflri_row_bytes(const cflri_row *row) {
    return row->shape == CFLRI_ROW_FEW ? 0 : cflri_pool_bytes(row->class);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * row.h: a set of ids that does not change, in the cheapest form for its size and density.
 *
 *     few      up to two ids inside the struct
 *     list     ids, ascending
 *     tree     a root of trees that share their parts (radix_tree.h)
 *
 * The form depends on the ids alone, so equal sets are equal byte for byte. A list costs 4 bytes an
 * id; it is used for few ids, and for ids that lie far apart. Many ids are a tree if there are
 * enough of them in a leaf on average. Lists come from a pool, so a row needs no malloc.
 */
#ifndef CFLRI_ROW_H
#define CFLRI_ROW_H

#include "base/pool.h"
#include "engine/sets/radix_tree.h"

enum { CFLRI_ROW_INSIDE = 2 };

typedef enum cflri_row_shape {
    CFLRI_ROW_FEW,
    CFLRI_ROW_LIST,
    CFLRI_ROW_TREE,
} cflri_row_shape;

/* Zero bytes are an empty row. A tree is read with the trees that its nodes are of. */
typedef struct cflri_row {
    uint32_t n; /* number of ids */
    uint8_t shape;
    uint8_t class; /* of a list: class of its block in the pool */
    uint8_t level; /* of a tree */
    bool loose;    /* of a numbered set: an equal one may exist (sets.h) */
    union {
        uint32_t few[CFLRI_ROW_INSIDE];
        uint32_t *list;
        struct {
            uint32_t node, key;
        } root;
    };
} cflri_row;

/* Would n ids in this number of leaves be a tree? */
bool cflri_row_is_tree(uint32_t n, uint32_t leaves);
uint32_t cflri_count_leaves(const uint32_t *ids, uint32_t n); /* of ids that ascend */
/* Allocates a row of n ids, not as a tree; the caller writes them to cflri_row_room. False when
 * memory is refused. */
bool cflri_row_make(cflri_pool *pool, uint32_t n, cflri_row *row);
/* Makes a row of ids that ascend. False when memory is refused. */
bool cflri_row_of(cflri_pool *pool, cflri_radix_hand *hand, const uint32_t *ids, uint32_t n,
                  cflri_row *row);
/* Makes a row of the ids of a tree. False when memory is refused. */
bool cflri_row_of_tree(cflri_pool *pool, const cflri_radix_trees *trees, cflri_radix_tree tree,
                       cflri_row *row);
/* Makes the row empty. The nodes of a tree stay until they are swept. */
void cflri_row_free(cflri_pool *pool, cflri_row *row);

static inline uint32_t *cflri_row_room(cflri_row *row) {
    return row->shape == CFLRI_ROW_FEW ? row->few : row->list;
}

static inline const uint32_t *cflri_row_ids(const cflri_row *row) { /* not of a tree */
    return row->shape == CFLRI_ROW_FEW ? row->few : row->list;
}

static inline cflri_radix_tree cflri_row_tree(const cflri_row *row) { /* of a tree */
    return (cflri_radix_tree){row->root.node, row->level, row->root.key};
}

/* O(log n) */
bool cflri_row_has(const cflri_row *row, const cflri_radix_trees *trees, uint32_t id);
/* Returns the number of ids that are less. */
uint32_t cflri_row_rank(const cflri_row *row, const cflri_radix_trees *trees, uint32_t id);
bool cflri_row_equal(const cflri_row *a, const cflri_row *b);
/* Is there an id in both? */
bool cflri_row_meets(const cflri_row *a, const cflri_row *b, const cflri_radix_trees *trees);
uint64_t cflri_row_hash(const cflri_row *row);

/* Writes the ids, ascending: row->n of them. */
void cflri_row_write(const cflri_row *row, const cflri_radix_trees *trees, uint32_t *ids);

/* Number of bytes outside the struct, without nodes of trees. */
size_t cflri_row_bytes(const cflri_row *row);

/* Visits the ids, ascending. */
typedef struct cflri_row_walk {
    const cflri_row *row;
    const cflri_radix_trees *trees;
    const uint64_t *word; /* words of the current leaf; NULL: none yet */
    uint32_t at;          /* of a list: the next id; of a leaf: the next word */
    uint32_t leaf;        /* number of the current leaf */
    uint32_t base;        /* least id of the bits in `left` */
    uint64_t left;
} cflri_row_walk;

static inline cflri_row_walk cflri_row_begin(const cflri_row *row, const cflri_radix_trees *trees) {
    return (cflri_row_walk){.row = row, .trees = trees};
}

/* Moves to the next leaf. False when there is none. */
bool cflri_row_next_leaf(cflri_row_walk *walk);

static inline bool cflri_row_next(cflri_row_walk *walk, uint32_t *id) {
    const cflri_row *row = walk->row;
    if (row->shape != CFLRI_ROW_TREE) {
        if (walk->at == row->n) return false;
        *id = cflri_row_ids(row)[walk->at++];
        return true;
    }
    while (!walk->left) {
        bool through = !walk->word || walk->at == CFLRI_BLOCK_WORDS;
        if (through && !cflri_row_next_leaf(walk)) return false;
        walk->base = walk->leaf * CFLRI_BLOCK_IDS + walk->at * 64;
        walk->left = walk->word[walk->at++];
    }
    *id = walk->base + (uint32_t)__builtin_ctzll(walk->left);
    walk->left &= walk->left - 1;
    return true;
}

#endif

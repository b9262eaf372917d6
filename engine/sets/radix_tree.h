/* SPDX-License-Identifier: Apache-2.0
 *
 * radix_tree.h: large sets of ids as trees that share their parts.
 *
 *     level 2                      [ . . 7 . . 9 . . ]               16 children a node
 *     level 1             [ 4 . . 5 . . ]   [ . 4 . . . . ]
 *     level 0, leaves     |1..1.|  |.11..|      |1..1.|              512 ids a leaf: a bit each
 *                         4        5            4                    leaves 4 and 4 are one
 *
 * A node does not contain its position, and every node is stored once and known by its number. So
 * equal parts of sets are one node, wherever they are, and equal trees have one root. A tree is the
 * least one that holds its ids: a root, its level, and its position among the parts of that size.
 * So it depends on the ids alone, and two trees are equal when three numbers are. A set that
 * differs from another in one id costs one leaf and the nodes above it, a few hundred bytes.
 *
 * Union and difference descend both trees together and stop at equal or missing nodes, so their
 * cost depends on the difference of the trees. Results for two inner nodes are cached. A tree of
 * 32-bit ids has at most six levels above its leaves.
 *
 * Hash consing is from Ershov (1958); merging radix trees from the root down is from Okasaki and
 * Gill (1998).
 *
 * Several threads may make trees in one store, each with a hand of its own. A thread that gets a
 * number from another thread in a way that orders memory may read the node. Numbers stay valid
 * until a sweep for which they were not marked.
 */
#ifndef CFLRI_RADIX_TREE_H
#define CFLRI_RADIX_TREE_H

#include "base/vec.h"
#include "engine/sets/answers.h"
#include "engine/sets/segments.h"
#include "engine/sets/shards.h"

enum {
    CFLRI_LEAF_BITS = 9,
    CFLRI_BLOCK_IDS = 1 << CFLRI_LEAF_BITS,
    CFLRI_BLOCK_WORDS = CFLRI_BLOCK_IDS / 64,
    CFLRI_BRANCH_BITS = 4,
    CFLRI_BRANCHES = 1 << CFLRI_BRANCH_BITS,
};

#define CFLRI_NO_RADIX_NODE UINT32_MAX /* memory was refused */

/* Inner nodes and leaves have one size. */
typedef struct cflri_radix_node {
    uint32_t n;           /* number of ids below; 0: the number is free */
    uint32_t leaves : 24; /* number of leaves below; 1 for a leaf */
    uint32_t level : 8;   /* 0: a leaf */
    union {
        uint64_t word[CFLRI_BLOCK_WORDS];
        uint32_t child[CFLRI_BRANCHES]; /* numbers; 0: none */
    };
} cflri_radix_node;

/* A set of ids from key << (9 + 4 * level) on, as its node has them. Zero bytes are an empty
 * tree. */
typedef struct cflri_radix_tree {
    uint32_t node; /* 0: empty; CFLRI_NO_RADIX_NODE: memory was refused */
    uint32_t level, key;
} cflri_radix_tree;

typedef struct cflri_radix_trees {
    cflr_context *context;
    cflri_segments node;
    cflri_shards shards;     /* numbers by the content of nodes */
    _Atomic uint8_t *marked; /* by number, while a sweep is prepared */
    cflri_chunks filtering;  /* distributes shards in a sweep */
    cflri_chunks sweeping;   /* distributes numbers in a sweep */
} cflri_radix_trees;

/* The part of the store that one thread owns. */
typedef struct cflri_radix_hand {
    cflri_radix_trees *trees;
    cflri_cache unions, differences; /* of inner nodes */
    cflri_draw draw;
    cflri_numbers spare;  /* free numbers */
    uint64_t made, freed; /* number of nodes */
    uint64_t visited;     /* number of nodes made or searched so far */
} cflri_radix_hand;

void cflri_radix_trees_init(cflri_radix_trees *trees, cflr_context *context);
void cflri_radix_trees_free(cflri_radix_trees *trees);
/* Frees all that only making trees needs. */
void cflri_radix_trees_end(cflri_radix_trees *trees);

/* False when memory is refused; the hand can then be freed. */
bool cflri_radix_hand_init(cflri_radix_hand *hand, cflri_radix_trees *trees);
void cflri_radix_hand_free(cflri_radix_hand *hand);

static inline const cflri_radix_node *cflri_radix_node_at(const cflri_radix_trees *trees,
                                                          uint32_t number) {
    return cflri_segment_at(&trees->node, cflri_radix_node, number);
}

/* Returns the hash of what a node holds, and of whether it is a leaf: it is kept under that. */
uint64_t cflri_radix_node_hash(const cflri_radix_node *node);
/* Returns the number of the leaf with these 512 bits, or 0 if no bit is set. */
uint32_t cflri_radix_tree_leaf(cflri_radix_hand *hand, const uint64_t *word);
/* Puts a child into a node that is being made, and updates its counts. */
void cflri_radix_tree_put_child(const cflri_radix_trees *trees, cflri_radix_node *node, uint32_t at,
                                uint32_t child);
/* Returns the number of an inner node that was made so, or 0 if it has no child. */
uint32_t cflri_radix_tree_inner(cflri_radix_hand *hand, const cflri_radix_node *node);
/* Returns the least place that contains the leaves from `first` to `last`. */
cflri_radix_tree cflri_radix_tree_over(uint32_t first, uint32_t last);

/* Returns the union of trees, none of which is empty. Overwrites the array. The cost is about that
 * of the differences. */
cflri_radix_tree cflri_radix_tree_union(cflri_radix_hand *hand, cflri_radix_tree *all, size_t n);
/* Returns the ids of `a` that `b` does not have. */
cflri_radix_tree cflri_radix_tree_minus(cflri_radix_hand *hand, cflri_radix_tree a,
                                        cflri_radix_tree b);
/* Return the tree with or without ids, which ascend. O(n * levels). */
cflri_radix_tree cflri_radix_tree_with(cflri_radix_hand *hand, cflri_radix_tree tree,
                                       const uint32_t *ids, uint32_t n);
cflri_radix_tree cflri_radix_tree_without(cflri_radix_hand *hand, cflri_radix_tree tree,
                                          const uint32_t *ids, uint32_t n);

bool cflri_radix_tree_has(const cflri_radix_trees *trees, cflri_radix_tree tree,
                          uint32_t id); /* O(levels) */
/* Returns the number of ids of the tree that are less. O(levels * branches). */
uint32_t cflri_radix_tree_rank(const cflri_radix_trees *trees, cflri_radix_tree tree, uint32_t id);
/* Returns the words of the first leaf at or behind *leaf, and sets *leaf to that leaf; a leaf has
 * ids from *leaf * 512 on. NULL: there is none. O(levels), for all leaves together. */
const uint64_t *cflri_radix_tree_seek(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                      uint32_t *leaf);

/* Writes the ids, ascending; returns how many. */
uint32_t cflri_radix_tree_write(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                uint32_t *ids);
/* Returns child `at` of the root of a tree with a level below. Its node is 0 if there is no
 * child. */
cflri_radix_tree cflri_radix_tree_part(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                       uint32_t at);

/* Free the nodes that are not marked, in the steps of sets.h. */
bool cflri_radix_trees_begin_sweep(cflri_radix_trees *trees);
void cflri_radix_trees_mark(const cflri_radix_trees *trees, uint32_t number);
void cflri_radix_trees_sweep(cflri_radix_hand *hand);
void cflri_radix_trees_end_sweep(cflri_radix_trees *trees);

#endif

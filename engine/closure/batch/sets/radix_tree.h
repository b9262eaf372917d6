/* SPDX-License-Identifier: Apache-2.0
 *
 * radix_tree.h: large sets of ids as trees that share their parts.
 *
 *     level 2                      [ . . 7 . . 9 . . ]               16 children a node
 *     level 1             [ 4 . . 5 . . ]   [ . 4 . . . . ]
 *     level 0, leaves     |1..1.|  |.11..|      |1..1.|              512 ids a leaf: a bit each
 *                         4        5            4                    leaves 4 and 4 are one
 *
 * A node says nothing of where it stands, and every node is kept once and known by its number:
 * equal parts of sets are one node, wherever they stand, and equal trees have one root. A tree is
 * the least one that holds its ids: a root with its level, and which of the parts of that size it
 * is. So the ids alone decide, and to compare is to compare three numbers. A set that differs from
 * another in one id costs one leaf and what stands above it, a few hundred bytes.
 *
 * Union and difference go down both trees together and end where they find equal nodes, or none:
 * they cost what differs. Answers for two inner nodes are remembered. A tree of 32-bit ids has at
 * most six levels above its leaves.
 *
 * Hash consing is Ershov's (1958); radix trees that are merged from the root down are Okasaki and
 * Gill's (1998).
 *
 * Several threads may make trees of one store, each with a hand of its own; a thread that hears of
 * a number in a way that orders memory may read the node. Numbers stay valid until a sweep that did
 * not mark them.
 */
#ifndef CFLRI_RADIX_TREE_H
#define CFLRI_RADIX_TREE_H

#include "base/vec.h"
#include "engine/closure/batch/sets/answers.h"
#include "engine/closure/batch/sets/segments.h"
#include "engine/closure/batch/sets/shards.h"

enum {
    CFLRI_LEAF_BITS = 9,
    CFLRI_BLOCK_IDS = 1 << CFLRI_LEAF_BITS,
    CFLRI_BLOCK_WORDS = CFLRI_BLOCK_IDS / 64,
    CFLRI_BRANCH_BITS = 4,
    CFLRI_BRANCHES = 1 << CFLRI_BRANCH_BITS,
};

#define CFLRI_NO_RADIX_NODE UINT32_MAX /* memory was refused */

/* Inner nodes and leaves are of one size. */
typedef struct cflri_radix_node {
    uint32_t n;           /* ids below; 0: the number is free */
    uint32_t leaves : 24; /* below; 1 of a leaf */
    uint32_t level : 8;   /* 0: a leaf */
    union {
        uint64_t word[CFLRI_BLOCK_WORDS];
        uint32_t child[CFLRI_BRANCHES]; /* numbers; 0: none */
    };
} cflri_radix_node;

/* The ids key << (9 + 4 * level) and on, as the node tells them apart. Zero bytes are an empty
 * one. */
typedef struct cflri_radix_tree {
    uint32_t node; /* 0: empty; CFLRI_NO_RADIX_NODE: memory was refused */
    uint32_t level, key;
} cflri_radix_tree;

typedef struct cflri_radix_trees {
    cflr_context *context;
    cflri_segments node;
    cflri_shards shards;     /* numbers by what the nodes hold */
    _Atomic uint8_t *marked; /* by number, while a sweep is prepared */
    cflri_chunks filtering;  /* shards, in a sweep */
    cflri_chunks sweeping;   /* numbers */
} cflri_radix_trees;

/* One thread's hand. */
typedef struct cflri_radix_hand {
    cflri_radix_trees *trees;
    cflri_cache unions, differences; /* of inner nodes */
    cflri_draw draw;
    cflri_numbers spare;  /* free numbers */
    uint64_t made, freed; /* nodes */
    uint64_t visited;     /* nodes that were made or looked for, so far */
} cflri_radix_hand;

void cflri_radix_trees_init(cflri_radix_trees *trees, cflr_context *context);
void cflri_radix_trees_free(cflri_radix_trees *trees);
/* Frees what only the making of trees needs. */
void cflri_radix_trees_end(cflri_radix_trees *trees);

/* False when memory is refused; the hand may then be freed. */
bool cflri_radix_hand_init(cflri_radix_hand *hand, cflri_radix_trees *trees);
void cflri_radix_hand_free(cflri_radix_hand *hand);

static inline const cflri_radix_node *cflri_radix_node_at(const cflri_radix_trees *trees,
                                                          uint32_t number) {
    return cflri_segment_at(&trees->node, cflri_radix_node, number);
}

/* The number of a leaf that holds these 512 bits, or 0. */
uint32_t cflri_radix_tree_leaf(cflri_radix_hand *hand, const uint64_t *word);
/* Puts a child into a node that is being made; counts what it has. */
void cflri_radix_tree_put_child(const cflri_radix_trees *trees, cflri_radix_node *node, uint32_t at,
                                uint32_t child);
/* The number of an inner node that was made so, or 0 when it has no child. */
uint32_t cflri_radix_tree_inner(cflri_radix_hand *hand, const cflri_radix_node *node);
/* The least tree whose leaves may be those from the first to the last. */
cflri_radix_tree cflri_radix_tree_over(uint32_t first, uint32_t last);

/* Of trees, none of them empty; the array is used up. O(what differs), about. */
cflri_radix_tree cflri_radix_tree_union(cflri_radix_hand *hand, cflri_radix_tree *all, size_t n);
/* What a has and b has not. */
cflri_radix_tree cflri_radix_tree_minus(cflri_radix_hand *hand, cflri_radix_tree a,
                                        cflri_radix_tree b);
/* With ids that ascend, and without them. O(n * levels). */
cflri_radix_tree cflri_radix_tree_with(cflri_radix_hand *hand, cflri_radix_tree tree,
                                       const uint32_t *ids, uint32_t n);
cflri_radix_tree cflri_radix_tree_without(cflri_radix_hand *hand, cflri_radix_tree tree,
                                          const uint32_t *ids, uint32_t n);

bool cflri_radix_tree_has(const cflri_radix_trees *trees, cflri_radix_tree tree,
                          uint32_t id); /* O(levels) */
/* The words of the first leaf whose ids are from *leaf * 512 on or later ones; *leaf becomes that
 * leaf. NULL: there is none. O(levels), of all leaves together. */
const uint64_t *cflri_radix_tree_seek(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                      uint32_t *leaf);

/* Writes the ids, ascending; returns how many. */
uint32_t cflri_radix_tree_write(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                uint32_t *ids);
/* What the root of a tree has there, which has a level below; its node is 0 when there is
 * nothing. */
cflri_radix_tree cflri_radix_tree_part(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                       uint32_t at);

/* Nodes that are not marked are freed: steps as those of sets.h. */
bool cflri_radix_trees_begin_sweep(cflri_radix_trees *trees);
void cflri_radix_trees_mark(const cflri_radix_trees *trees, uint32_t number);
void cflri_radix_trees_sweep(cflri_radix_hand *hand);
void cflri_radix_trees_end_sweep(cflri_radix_trees *trees);

#endif

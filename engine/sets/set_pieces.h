/* SPDX-License-Identifier: Apache-2.0
 *
 * set_pieces.h: sets of targets as blocks of bytes: how they lie in .cflr files and work
 * directories.
 *
 *     RNOD   pieces of tree nodes: of a leaf 0 and 512 bits, of an inner node its level and a bit
 *            for each child, then the children, as differences to its own number
 *     RSET   pieces of sets: words, then number and length of each; of a list the words are
 *            differences of targets, of a tree node, level and key
 *
 *     sets    0: 5 6 9      1: tree            2: tree           words  5 1 3 | 7 1 0 | 8 2 0
 *     nodes              7: inner .--> 5 6     8: inner .--> 7 4
 *                              5: leaf 6: leaf       4: leaf
 *
 * Each piece begins with a header. Sets are numbered from 0, as they come; so are nodes.
 *
 * The targets of a large set are a radix tree, as in memory (radix_tree.h), with one difference:
 * nodes are numbered as they are first met, children before the nodes that have them. So a child's
 * number is less than its node's, and levels go down by one: trees end.
 *
 * Pieces are of one size. A list goes on in the next piece where it does not fit; so neither side
 * needs memory for more than a piece.
 */
#ifndef CFLRI_SET_PIECES_H
#define CFLRI_SET_PIECES_H

#include "engine/sets/radix_tree.h"

enum {
    CFLRI_PIECE_WORDS = 1 << 18, /* 1 MiB a piece */
    CFLRI_PIECE_HEADER = 2,
    CFLRI_SET_HEAD = 2,
    CFLRI_TREE_WORDS = 3,
    CFLRI_LEAF_WORDS = 2 * CFLRI_BLOCK_WORDS,
    CFLRI_NODE_WORDS = 1 + CFLRI_LEAF_WORDS, /* at most */
    CFLRI_MASK_SHIFT = 16,                   /* of an inner node's children, above its level */
    CFLRI_PIECE_LEAST = CFLRI_NODE_WORDS,
};

#define CFLRI_SET_IS_TREE 0x80000000u /* with the length of a set: its words are a tree */

_Static_assert(1 + CFLRI_BRANCHES <= CFLRI_NODE_WORDS, "inner nodes are no larger than leaves");

typedef struct cflri_piece_header {
    uint32_t n_words; /* behind the header, without heads */
    uint32_t n;       /* sets, or nodes */
} cflri_piece_header;

_Static_assert(sizeof(cflri_piece_header) == CFLRI_PIECE_HEADER * sizeof(uint32_t), "as written");

#define CFLRI_NODES_TAG "RNOD"
#define CFLRI_SETS_TAG "RSET"

/* What is known of sets beside their pieces. */
typedef struct cflri_set_counts {
    uint32_t n_sets, n_nodes;
} cflri_set_counts;

#endif

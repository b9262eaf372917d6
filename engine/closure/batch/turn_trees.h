/* SPDX-License-Identifier: Apache-2.0
 *
 * turn_trees.h: which sources have a leaf, at each position of leaves (turn.c).
 */
#ifndef CFLRI_BATCH_TURN_TREES_H
#define CFLRI_BATCH_TURN_TREES_H

#include "engine/closure/batch/state.h"

/* A node at some position, and the sources whose sets have it there. */
typedef struct cflri_turned_part {
    uint32_t node;
    cflri_set_number sources;
} cflri_turned_part;

typedef CFLRI_VEC(cflri_turned_part) cflri_turned_parts;

/* A set that is a tree, and its sources. */
typedef struct cflri_turned_tree {
    cflri_radix_tree tree;
    cflri_set_number sources;
} cflri_turned_tree;

typedef CFLRI_VEC(cflri_turned_tree) cflri_turned_trees;

/* Leaves by position: ids from p << CFLRI_LEAF_BITS on are in leaves from begin[p] to begin[p + 1].
 */
typedef struct cflri_turned_leaves {
    cflri_turned_parts leaf;
    uint64_t *begin; /* one more at the end */
    uint32_t n;      /* positions */
} cflri_turned_leaves;

/* Finds the leaves of all trees, for ids below `universe`. Sorts the trees. False when memory is
 * refused. O(different nodes at different positions, and the unions of their sources); 8 bytes for
 * each such leaf. Freed by the function below, also after a failure. */
bool cflri_batch_turn_trees(cflri_batch *batch, cflri_turned_trees *trees, uint32_t universe,
                            cflri_turned_leaves *leaves);
void cflri_turned_leaves_free(cflr_context *context, cflri_turned_leaves *leaves);

#endif

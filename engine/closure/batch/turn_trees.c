/* SPDX-License-Identifier: Apache-2.0
 *
 * turn_trees.c: which sources have a leaf, at each position of leaves (turn.c).
 *
 * A node of a tree stands for all sets that have it at a position. So sources go down from the
 * roots to the leaves, and are united where they meet:
 *
 *     sets       A: root 7, sources {p q}      B: root 9, sources {r}
 *     level 1    7 {p q}             9 {r}                      at position 0
 *     level 0    4 {p q r}    5 {p q}                           at position 0
 *                             4 {p q}    6 {r}                  at positions 1 and 2
 *
 * The positions of a level are visited in order, each with the list of its nodes, and below it the
 * sixteen positions that it has. So leaves come out in order, and lists are those of one path. The
 * root of a small tree joins the list of its own position on the way. The recursion is as deep as a
 * tree: seven levels at most.
 */
#include "engine/closure/batch/turn_trees.h"

#include <stdlib.h>

#include "base/context.h"

typedef struct turning {
    cflri_batch *b;
    const cflri_radix_trees *nodes;
    const cflri_turned_tree *tree; /* in the order of visits */
    size_t n, next;                /* trees, and those that were met */
    cflri_turned_leaves *leaves;
    cflri_set_list sets; /* scratch */
} turning;

static uint64_t first_id(uint32_t level, uint32_t key) {
    return (uint64_t)key << (CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * level);
}

/* In the order of visits: a position comes before those below it. */
static int by_visit(const void *a, const void *b) {
    const cflri_radix_tree *x = &((const cflri_turned_tree *)a)->tree;
    const cflri_radix_tree *y = &((const cflri_turned_tree *)b)->tree;
    uint64_t of_x = first_id(x->level, x->key), of_y = first_id(y->level, y->key);
    if (of_x != of_y) return of_x < of_y ? -1 : 1;
    return (x->level < y->level) - (x->level > y->level);
}

static int by_node(const void *a, const void *b) {
    const cflri_turned_part *x = a, *y = b;
    return (x->node > y->node) - (x->node < y->node);
}

/* ---- one position ---- */

static bool add_roots(turning *t, uint32_t level, uint32_t key, cflri_turned_parts *parts) {
    for (; t->next < t->n; t->next++) {
        const cflri_turned_tree *one = &t->tree[t->next];
        if (one->tree.level != level || one->tree.key != key) return true;
        cflri_turned_part part = {one->tree.node, one->sources};
        if (!cflri_vec_push(t->b->context, parts, part)) return false;
    }
    return true;
}

static cflri_set_number unite(turning *t, const cflri_turned_part *part, size_t n) {
    if (n == 1) return part->sources;
    t->sets.n = 0;
    if (!cflri_vec_reserve(t->b->context, &t->sets, n)) return CFLRI_NO_SET;
    for (size_t i = 0; i < n; i++) t->sets.at[i] = part[i].sources;
    return cflri_sets_union_all(t->b->sets, t->sets.at, n);
}

/* Each node once, with the sources of all. */
static bool merge(turning *t, cflri_turned_parts *parts) {
    size_t kept = 0;
    if (parts->n) qsort(parts->at, parts->n, sizeof *parts->at, by_node);
    for (size_t from = 0, to = 0; from < parts->n; from = to) {
        while (to < parts->n && parts->at[to].node == parts->at[from].node) to++;
        cflri_set_number sources = unite(t, parts->at + from, to - from);
        if (sources == CFLRI_NO_SET) return false;
        parts->at[kept++] = (cflri_turned_part){parts->at[from].node, sources};
    }
    parts->n = kept;
    return true;
}

static bool take_leaves(turning *t, uint32_t position, const cflri_turned_parts *parts) {
    cflri_turned_leaves *leaves = t->leaves;
    if (!cflri_vec_reserve(t->b->context, &leaves->leaf, parts->n)) return false;
    for (size_t i = 0; i < parts->n; i++) leaves->leaf.at[leaves->leaf.n++] = parts->at[i];
    leaves->begin[position + 1] = leaves->leaf.n;
    return true;
}

/* ---- all positions ---- */

static bool list_children(const turning *t, const cflri_turned_parts *parts, uint32_t at,
                          cflri_turned_parts *below) {
    for (size_t i = 0; i < parts->n; i++) {
        uint32_t child = cflri_radix_node_at(t->nodes, parts->at[i].node)->child[at];
        cflri_turned_part part = {child, parts->at[i].sources};
        if (child && !cflri_vec_push(t->b->context, below, part)) return false;
    }
    return true;
}

/* Does the next tree lie in the position? */
static bool begins_there(const turning *t, uint32_t level, uint32_t key) {
    if (t->next == t->n) return false;
    const cflri_radix_tree *tree = &t->tree[t->next].tree;
    uint64_t id = first_id(tree->level, tree->key);
    return id >= first_id(level, key) && id < first_id(level, key) + first_id(level, 1);
}

/* `parts`: nodes that parents have at the position. */
static bool visit(turning *t, uint32_t level, uint32_t key, cflri_turned_parts *parts) {
    bool done = add_roots(t, level, key, parts) && merge(t, parts);
    if (!level) return done && take_leaves(t, key, parts);
    for (uint32_t c = 0; done && c < CFLRI_BRANCHES; c++) {
        cflri_turned_parts below = {0};
        uint32_t at = key * CFLRI_BRANCHES + c;
        done = list_children(t, parts, c, &below);
        if (done && (below.n || begins_there(t, level - 1, at))) {
            done = visit(t, level - 1, at, &below);
        }
        cflri_vec_free(t->b->context, &below);
    }
    return done;
}

/* The level on which one position has all ids. */
static uint32_t top_level(uint32_t universe) {
    uint32_t level = 0;
    while (first_id(level, 1) < universe) level++;
    return level;
}

/* Positions without leaves begin where the one before ends. */
static void close_gaps(cflri_turned_leaves *leaves) {
    for (uint32_t p = 0; p < leaves->n; p++) {
        if (leaves->begin[p + 1] < leaves->begin[p]) leaves->begin[p + 1] = leaves->begin[p];
    }
}

bool cflri_batch_turn_trees(cflri_batch *b, cflri_turned_trees *trees, uint32_t universe,
                            cflri_turned_leaves *leaves) {
    turning t = {.b = b,
                 .nodes = &b->store->sets->trees,
                 .tree = trees->at,
                 .n = trees->n,
                 .leaves = leaves};
    cflri_turned_parts roots = {0};
    *leaves = (cflri_turned_leaves){.n = (universe >> CFLRI_LEAF_BITS) + 1};
    leaves->begin =
        cflri_alloc_array_zero(b->context, leaves->n + (size_t)1, sizeof *leaves->begin);
    if (trees->n) qsort(trees->at, trees->n, sizeof *trees->at, by_visit);
    bool done = leaves->begin && (!t.n || visit(&t, top_level(universe), 0, &roots));
    if (done) close_gaps(leaves);
    cflri_vec_free(b->context, &roots);
    cflri_vec_free(b->context, &t.sets);
    return done;
}

void cflri_turned_leaves_free(cflr_context *context, cflri_turned_leaves *leaves) {
    cflri_vec_free(context, &leaves->leaf);
    cflri_free(context, leaves->begin);
}

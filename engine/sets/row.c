/* SPDX-License-Identifier: Apache-2.0
 *
 * row.c: a set of ids that does not change.
 */
#include "engine/sets/row.h"

#include <string.h>

#include <xxhash.h>

#include "base/ids.h"

enum {
    LISTED = 32,    /* up to this many ids are always a list */
    IDS_A_LEAF = 8, /* least density of a tree */
};

bool cflri_row_is_tree(uint32_t n, uint32_t leaves) {
    return n > LISTED && n >= (uint64_t)IDS_A_LEAF * leaves;
}

bool cflri_row_make(cflri_pool *pool, uint32_t n, cflri_row *row) {
    *row = (cflri_row){.n = n};
    if (n <= CFLRI_ROW_INSIDE) return true;
    row->shape = CFLRI_ROW_LIST;
    row->class = (uint8_t)cflri_pool_class((size_t)n * sizeof(uint32_t));
    row->list = cflri_pool_take(pool, row->class);
    if (row->list) return true;
    *row = (cflri_row){0};
    return false;
}

uint32_t cflri_count_leaves(const uint32_t *ids, uint32_t n) {
    uint32_t leaves = n > 0;
    for (uint32_t i = 1; i < n; i++) {
        leaves += ids[i] / CFLRI_BLOCK_IDS != ids[i - 1] / CFLRI_BLOCK_IDS;
    }
    return leaves;
}

static cflri_row row_of_root(cflri_radix_tree tree, uint32_t n) {
    return (cflri_row){.n = n,
                       .shape = CFLRI_ROW_TREE,
                       .level = (uint8_t)tree.level,
                       .root = {tree.node, tree.key}};
}

bool cflri_row_of(cflri_pool *pool, cflri_radix_hand *hand, const uint32_t *ids, uint32_t n,
                  cflri_row *row) {
    if (n > LISTED && cflri_row_is_tree(n, cflri_count_leaves(ids, n))) {
        cflri_radix_tree tree = cflri_radix_tree_with(hand, (cflri_radix_tree){0}, ids, n);
        *row = row_of_root(tree, n);
        return tree.node != CFLRI_NO_RADIX_NODE;
    }
    if (!cflri_row_make(pool, n, row)) return false;
    if (n) memcpy(cflri_row_room(row), ids, n * sizeof *ids);
    return true;
}

bool cflri_row_of_tree(cflri_pool *pool, const cflri_radix_trees *trees, cflri_radix_tree tree,
                       cflri_row *row) {
    *row = (cflri_row){0};
    if (!tree.node || tree.node == CFLRI_NO_RADIX_NODE) return !tree.node;
    const cflri_radix_node *root = cflri_radix_node_at(trees, tree.node);
    cflri_row whole = row_of_root(tree, root->n);
    if (cflri_row_is_tree(root->n, root->leaves)) {
        *row = whole;
        return true;
    }
    if (!cflri_row_make(pool, root->n, row)) return false;
    cflri_radix_tree_write(trees, tree, cflri_row_room(row));
    return true;
}

void cflri_row_free(cflri_pool *pool, cflri_row *row) {
    if (row->shape == CFLRI_ROW_LIST) cflri_pool_put(pool, row->list, row->class);
    *row = (cflri_row){0};
}

bool cflri_row_has(const cflri_row *row, const cflri_radix_trees *trees, uint32_t id) {
    if (row->shape == CFLRI_ROW_TREE) return cflri_radix_tree_has(trees, cflri_row_tree(row), id);
    const uint32_t *ids = cflri_row_ids(row);
    uint32_t at = (uint32_t)cflri_ids_seek(ids, row->n, id);
    return at < row->n && ids[at] == id;
}

uint32_t cflri_row_rank(const cflri_row *row, const cflri_radix_trees *trees, uint32_t id) {
    if (row->shape == CFLRI_ROW_TREE) return cflri_radix_tree_rank(trees, cflri_row_tree(row), id);
    return (uint32_t)cflri_ids_seek(cflri_row_ids(row), row->n, id);
}

bool cflri_row_equal(const cflri_row *a, const cflri_row *b) {
    if (a->n != b->n || a->shape != b->shape || a->level != b->level) return false;
    if (a->shape == CFLRI_ROW_TREE) {
        return a->root.node == b->root.node && a->root.key == b->root.key;
    }
    return memcmp(cflri_row_ids(a), cflri_row_ids(b), a->n * sizeof(uint32_t)) == 0;
}

bool cflri_row_meets(const cflri_row *a, const cflri_row *b, const cflri_radix_trees *trees) {
    cflri_row_walk first = cflri_row_begin(a, trees), second = cflri_row_begin(b, trees);
    uint32_t i, k;
    bool more = cflri_row_next(&first, &i) && cflri_row_next(&second, &k);
    while (more && i != k) more = i < k ? cflri_row_next(&first, &i) : cflri_row_next(&second, &k);
    return more;
}

uint64_t cflri_row_hash(const cflri_row *row) {
    if (row->shape == CFLRI_ROW_TREE) {
        return XXH3_64bits_withSeed(&row->root, sizeof row->root, 1 + (uint64_t)row->level);
    }
    return XXH3_64bits(cflri_row_ids(row), row->n * sizeof(uint32_t));
}

bool cflri_row_next_leaf(cflri_row_walk *walk) {
    walk->leaf += walk->word != NULL;
    walk->at = 0;
    walk->word = cflri_radix_tree_seek(walk->trees, cflri_row_tree(walk->row), &walk->leaf);
    return walk->word != NULL;
}

void cflri_row_write(const cflri_row *row, const cflri_radix_trees *trees, uint32_t *ids) {
    if (row->shape == CFLRI_ROW_TREE) {
        cflri_radix_tree_write(trees, cflri_row_tree(row), ids);
    } else {
        memcpy(ids, cflri_row_ids(row), row->n * sizeof *ids);
    }
}

size_t cflri_row_bytes(const cflri_row *row) {
    return row->shape == CFLRI_ROW_LIST ? cflri_pool_bytes(row->class) : 0;
}

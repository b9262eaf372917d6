/* SPDX-License-Identifier: Apache-2.0
 *
 * check_sets.c: validates and dumps numbered sets.
 */
#include <stdlib.h>

#include "engine/sets/check.h"

typedef struct checking {
    cflri_faults faults;
    const cflri_set_store *store;
    uint8_t *listed; /* by number: in shards */
    uint8_t *free;   /* by number: a hand may use it */
    uint8_t *node;   /* by number of a node: a hand may use it */
    cflri_set_totals totals;
} checking;

static const cflri_row *row_at(const cflri_set_store *store, uint32_t number) {
    return cflri_segment_at(&store->row, cflri_row, number);
}

bool cflri_sets_known(const cflri_set_store *store, cflri_set_number set) {
    if (cflri_set_is_single(set)) return set != CFLRI_NO_SET;
    return !set || (set < store->row.drawn && row_at(store, set)->n);
}

/* ---- one set ---- */

static void check_list(checking *c, uint32_t number, const cflri_row *row) {
    const uint32_t *ids = cflri_row_ids(row);
    uint32_t leaves = 1;
    for (uint32_t i = 1; i < row->n; i++) {
        if (ids[i - 1] >= ids[i]) {
            cflri_fault(&c->faults, "set %u has id %u behind %u", number, ids[i], ids[i - 1]);
            return;
        }
        leaves += ids[i] / CFLRI_BLOCK_IDS != ids[i - 1] / CFLRI_BLOCK_IDS;
    }
    if (cflri_row_is_tree(row->n, leaves)) {
        cflri_fault(&c->faults, "set %u of %u ids in %u leaves is no tree", number, row->n, leaves);
    }
    if ((row->shape == CFLRI_ROW_FEW) != (row->n <= CFLRI_ROW_INSIDE)) {
        cflri_fault(&c->faults, "set %u of %u ids has shape %u", number, row->n, row->shape);
    }
    if (row->n == 1 && ids[0] < CFLRI_SINGLE_SET - 1) {
        cflri_fault(&c->faults, "set %u has id %u only, which is a number", number, ids[0]);
    }
}

/* The least tree branches at its root, unless that is a leaf. */
static bool is_least(const cflri_radix_node *root) {
    uint32_t children = 0;
    for (int i = 0; root->level && i < CFLRI_BRANCHES; i++) children += root->child[i] != 0;
    return !root->level || children > 1;
}

static void check_tree(checking *c, uint32_t number, const cflri_row *row) {
    const cflri_radix_trees *trees = &c->store->trees;
    if (row->root.node >= trees->node.drawn) {
        cflri_fault(&c->faults, "set %u is a tree of others", number);
        return;
    }
    const cflri_radix_node *root = cflri_radix_node_at(trees, row->root.node);
    uint32_t bits = CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * row->level;
    if (root->n != row->n || root->level != row->level || !is_least(root) ||
        (uint64_t)row->root.key << bits > UINT32_MAX) {
        cflri_fault(&c->faults, "set %u of %u ids: root %u of level %u with %u ids, key %u", number,
                    row->n, row->root.node, root->level, root->n, row->root.key);
    }
    if (!cflri_row_is_tree(root->n, root->leaves)) {
        cflri_fault(&c->faults, "set %u of %u ids in %u leaves is a tree", number, row->n,
                    root->leaves);
    }
}

/* The first set that a search for its ids comes to is the set. */
static bool is_found(const checking *c, uint32_t number, const cflri_row *row) {
    cflri_shard_search search = cflri_shards_look(&c->store->shards, cflri_row_hash(row));
    for (uint32_t other; (other = cflri_shards_next(&search));) {
        if (cflri_row_equal(row_at(c->store, other), row)) return other == number;
    }
    return false;
}

static void check_row(checking *c, uint32_t number) {
    const cflri_row *row = row_at(c->store, number);
    if (!row->n) {
        if (c->listed[number]) cflri_fault(&c->faults, "number %u is in shards, and free", number);
        return;
    }
    c->totals.kept++;
    c->totals.ids += row->n;
    c->totals.bytes += sizeof *row + cflri_row_bytes(row);
    if (c->free[number]) cflri_fault(&c->faults, "set %u has a number to be used again", number);
    if (row->shape == CFLRI_ROW_TREE) {
        check_tree(c, number, row);
    } else {
        check_list(c, number, row);
    }
    if (row->loose == c->listed[number] || (!row->loose && !is_found(c, number, row))) {
        cflri_fault(&c->faults, "set %u is %s, and not found so", number,
                    row->loose ? "loose" : "there once");
    }
}

/* ---- hands ---- */

/* Nodes of trees that are there have no number that a hand may use. */
static void check_hands(checking *c) {
    const cflri_radix_trees *trees = &c->store->trees;
    uint64_t nodes = 0;
    for (uint32_t i = 0; i < c->store->hands; i++) {
        const cflri_sets *hand = &c->store->hand[i];
        cflri_check_spare(&c->faults, c->free, c->store->row.drawn, &hand->spare, hand->draw);
        cflri_check_spare(&c->faults, c->node, trees->node.drawn, &hand->trees.spare,
                          hand->trees.draw);
        if (cflri_row_sum_extent(&hand->sum).blocks) {
            cflri_fault(&c->faults, "the sum of hand %u is not empty", i);
        }
    }
    for (uint32_t number = 1; number < trees->node.drawn; number++) {
        bool kept = cflri_radix_node_at(trees, number)->n;
        nodes += kept;
        if (kept && c->node[number]) {
            cflri_fault(&c->faults, "node %u has a number to be used again", number);
        }
    }
    c->totals.bytes = nodes * sizeof(cflri_radix_node);
}

static void check_totals(checking *c) {
    cflri_set_totals counted = cflri_set_store_totals(c->store);
    if (counted.kept == c->totals.kept && counted.ids == c->totals.ids &&
        counted.bytes == c->totals.bytes)
        return;
    cflri_fault(&c->faults,
                "%llu sets of %llu ids in %llu bytes are counted as %llu of %llu in %llu",
                (unsigned long long)c->totals.kept, (unsigned long long)c->totals.ids,
                (unsigned long long)c->totals.bytes, (unsigned long long)counted.kept,
                (unsigned long long)counted.ids, (unsigned long long)counted.bytes);
}

/* ---- all ---- */

bool cflri_sets_validate(const cflri_set_store *store, FILE *to) {
    uint32_t end = store->row.drawn;
    checking c = {.faults = {.to = to},
                  .store = store,
                  .listed = cflri_fault_room(end, 1),
                  .free = cflri_fault_room(end, 1),
                  .node = cflri_fault_room(store->trees.node.drawn, 1)};
    if (!cflri_radix_trees_validate(&store->trees, to)) c.faults.n++;
    if (!cflri_shards_validate(&store->shards, end, c.listed, to)) c.faults.n++;
    check_hands(&c);
    for (uint32_t number = 1; number < end; number++) check_row(&c, number);
    if (row_at(store, CFLRI_EMPTY_SET)->n) cflri_fault(&c.faults, "the empty set has ids");
    check_totals(&c);
    free(c.listed);
    free(c.free);
    free(c.node);
    return !c.faults.n;
}

void cflri_sets_dump(const cflri_set_store *store, FILE *to) {
    static const char *const shapes[] = {"few", "list", "tree"};
    for (uint32_t number = 1; number < store->row.drawn; number++) {
        const cflri_row *row = row_at(store, number);
        cflri_row_walk walk = cflri_row_begin(row, &store->trees);
        uint32_t id;
        if (!row->n) continue;
        fprintf(to, "set %u, %s%s:", number, shapes[row->shape], row->loose ? ", loose" : "");
        while (cflri_row_next(&walk, &id)) fprintf(to, " %u", id);
        fputc('\n', to);
    }
}

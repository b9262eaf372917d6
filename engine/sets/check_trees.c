/* SPDX-License-Identifier: Apache-2.0
 *
 * check_trees.c: validates and dumps trees that share their parts.
 */
#include <stdlib.h>
#include <string.h>

#include "engine/sets/check.h"

enum { MOST_LEVEL = (32 - CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS - 1) / CFLRI_BRANCH_BITS };

typedef struct checking {
    cflri_faults faults;
    const cflri_radix_trees *trees;
    uint8_t *listed;
} checking;

static uint32_t count_bits(const cflri_radix_node *leaf) {
    uint32_t n = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) n += (uint32_t)__builtin_popcountll(leaf->word[w]);
    return n;
}

/* What stands below an inner node, counted from what its children say. */
static void check_children(checking *c, uint32_t number, const cflri_radix_node *node) {
    uint64_t n = 0, leaves = 0;
    for (int i = 0; i < CFLRI_BRANCHES; i++) {
        uint32_t child = node->child[i];
        if (!child) continue;
        if (child >= c->trees->node.drawn || !c->listed[child]) {
            cflri_fault(&c->faults, "node %u has child %u, which is not kept", number, child);
            return;
        }
        const cflri_radix_node *below = cflri_radix_node_at(c->trees, child);
        if (below->level + 1u != node->level) {
            cflri_fault(&c->faults, "node %u of level %u has child %u of level %u", number,
                        node->level, child, below->level);
        }
        n += below->n;
        leaves += below->leaves;
    }
    if (n != node->n || leaves != node->leaves) {
        cflri_fault(&c->faults, "node %u counts %u ids in %u leaves, and has other children",
                    number, node->n, node->leaves);
    }
}

/* The first node that a search for what it holds comes to is the node. */
static bool is_found(const checking *c, uint32_t number, const cflri_radix_node *node) {
    cflri_shard_search search = cflri_shards_look(&c->trees->shards, cflri_radix_node_hash(node));
    for (uint32_t other; (other = cflri_shards_next(&search));) {
        const cflri_radix_node *at = cflri_radix_node_at(c->trees, other);
        if (!at->level == !node->level && !memcmp(at->word, node->word, sizeof node->word)) {
            return other == number;
        }
    }
    return false;
}

static void check_node(checking *c, uint32_t number) {
    const cflri_radix_node *node = cflri_radix_node_at(c->trees, number);
    if (!node->n != !c->listed[number]) {
        cflri_fault(&c->faults, "node %u has %u ids, and is %s shards", number, node->n,
                    c->listed[number] ? "in" : "not in");
    }
    if (!node->n || !c->listed[number]) return;
    if (!is_found(c, number, node)) {
        cflri_fault(&c->faults, "node %u is not found by what it holds", number);
    }
    if (node->level > MOST_LEVEL) {
        cflri_fault(&c->faults, "node %u has level %u", number, node->level);
    } else if (node->level) {
        check_children(c, number, node);
    } else if (node->leaves != 1 || node->n != count_bits(node)) {
        cflri_fault(&c->faults, "leaf %u counts %u ids in %u leaves", number, node->n,
                    node->leaves);
    }
}

bool cflri_radix_trees_validate(const cflri_radix_trees *trees, FILE *to) {
    uint32_t end = trees->node.drawn;
    checking c = {{.to = to}, trees, cflri_fault_room(end, 1)};
    if (!cflri_shards_validate(&trees->shards, end, c.listed, to)) c.faults.n++;
    for (uint32_t number = 1; number < end; number++) check_node(&c, number);
    free(c.listed);
    return !c.faults.n;
}

void cflri_radix_trees_dump(const cflri_radix_trees *trees, FILE *to) {
    for (uint32_t number = 1; number < trees->node.drawn; number++) {
        const cflri_radix_node *node = cflri_radix_node_at(trees, number);
        if (!node->n) continue;
        fprintf(to, "node %u: level %u, %u ids, %u leaves:", number, node->level, node->n,
                node->leaves);
        for (int i = 0; !node->level && i < CFLRI_BLOCK_WORDS; i++) {
            fprintf(to, " %llx", (unsigned long long)node->word[i]);
        }
        for (int i = 0; node->level && i < CFLRI_BRANCHES; i++) fprintf(to, " %u", node->child[i]);
        fputc('\n', to);
    }
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * radix_tree.c: large sets of ids as trees that share their parts.
 *
 * A new node is a copy of an old one with some children exchanged, so only these children are
 * counted anew. Then an equal node is searched, since most nodes that are made exist already.
 *
 * Recursive functions go down one level at each call, and trees have few levels.
 */
#include "engine/sets/radix_tree.h"

#include <string.h>

#include <xxhash.h>

#include "base/context.h"

enum {
    UNITED = 16,     /* most nodes that are united at once */
    SWEPT = 1 << 12, /* numbers that a thread sweeps at once */
};

/* ---- memory ---- */

void cflri_radix_trees_init(cflri_radix_trees *trees, cflr_context *context) {
    *trees = (cflri_radix_trees){.context = context};
    cflri_segments_init(&trees->node, context, sizeof(cflri_radix_node));
    cflri_shards_init(&trees->shards, context);
}

void cflri_radix_trees_end(cflri_radix_trees *trees) {
    cflri_shards_free(&trees->shards);
}

void cflri_radix_trees_free(cflri_radix_trees *trees) {
    if (!trees->context) return;
    cflri_radix_trees_end(trees);
    cflri_free(trees->context, (void *)trees->marked);
    cflri_segments_free(&trees->node);
    *trees = (cflri_radix_trees){0};
}

bool cflri_radix_hand_init(cflri_radix_hand *hand, cflri_radix_trees *trees) {
    *hand = (cflri_radix_hand){.trees = trees};
    return cflri_cache_init(&hand->unions, trees->context) &&
           cflri_cache_init(&hand->differences, trees->context);
}

void cflri_radix_hand_free(cflri_radix_hand *hand) {
    if (!hand->trees) return;
    cflr_context *context = hand->trees->context;
    cflri_vec_free(context, &hand->spare);
    cflri_cache_free(&hand->unions, context);
    cflri_cache_free(&hand->differences, context);
}

/* ---- nodes, each stored once ---- */

static bool take_number(cflri_radix_hand *hand, uint32_t *number) {
    if (!hand->spare.n) {
        return cflri_draw_number(&hand->trees->node, &hand->draw, CFLRI_NO_RADIX_NODE, number);
    }
    *number = hand->spare.at[--hand->spare.n];
    return true;
}

static uint32_t count_bits(const uint64_t *word) {
    uint32_t n = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) n += (uint32_t)__builtin_popcountll(word[w]);
    return n;
}

/* Returns the number of an equal node, or 0. */
static uint32_t find_equal(const cflri_radix_trees *trees, cflri_shard_search *search,
                           const cflri_radix_node *node) {
    for (;;) {
        uint32_t number = cflri_shards_next(search);
        if (!number) return 0;
        const cflri_radix_node *other = cflri_radix_node_at(trees, number);
        if (!other->level == !node->level &&
            memcmp(other->word, node->word, sizeof node->word) == 0) {
            return number;
        }
    }
}

/* Searches again inside the shard, since another thread may have added an equal node after the
 * first search. */
static uint32_t add_node(cflri_radix_hand *hand, cflri_shard_search *search,
                         const cflri_radix_node *node) {
    cflri_radix_trees *trees = hand->trees;
    uint32_t number = find_equal(trees, search, node);
    if (number) return number;
    if (!cflri_shards_reserve(&trees->shards, search) || !take_number(hand, &number)) {
        return CFLRI_NO_RADIX_NODE;
    }
    cflri_radix_node *at = cflri_segment_at(&trees->node, cflri_radix_node, number);
    *at = *node;
    if (!at->level) {
        at->leaves = 1;
        at->n = count_bits(at->word);
    }
    hand->made++;
    cflri_shards_add(&trees->shards, search, number);
    return number;
}

uint64_t cflri_radix_node_hash(const cflri_radix_node *node) {
    return XXH3_64bits_withSeed(node->word, sizeof node->word, !node->level);
}

static uint32_t keep(cflri_radix_hand *hand, const cflri_radix_node *node) {
    cflri_shards *shards = &hand->trees->shards;
    cflri_shard_search search = cflri_shards_look(shards, cflri_radix_node_hash(node));
    uint32_t number = find_equal(hand->trees, &search, node);
    hand->visited++;
    if (number) return number;
    cflri_shards_enter(shards, &search);
    number = add_node(hand, &search, node);
    cflri_shards_leave(shards, &search);
    return number;
}

uint32_t cflri_radix_tree_leaf(cflri_radix_hand *hand, const uint64_t *word) {
    cflri_radix_node made = {0};
    uint64_t any = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) any |= made.word[w] = word[w];
    return any ? keep(hand, &made) : 0;
}

void cflri_radix_tree_put_child(const cflri_radix_trees *trees, cflri_radix_node *node, uint32_t at,
                                uint32_t child) {
    uint32_t old = node->child[at];
    if (old == child) return;
    node->child[at] = child;
    if (old) {
        node->n -= cflri_radix_node_at(trees, old)->n;
        node->leaves -= cflri_radix_node_at(trees, old)->leaves;
    }
    if (child) {
        node->n += cflri_radix_node_at(trees, child)->n;
        node->leaves += cflri_radix_node_at(trees, child)->leaves;
    }
}

uint32_t cflri_radix_tree_inner(cflri_radix_hand *hand, const cflri_radix_node *node) {
    return node->n ? keep(hand, node) : 0;
}

/* ---- places ---- */

cflri_radix_tree cflri_radix_tree_over(uint32_t first, uint32_t last) {
    cflri_radix_tree over = {.key = first};
    for (; over.key != last; over.level++) {
        over.key >>= CFLRI_BRANCH_BITS;
        last >>= CFLRI_BRANCH_BITS;
    }
    return over;
}

/* Returns the least place that contains both. */
static cflri_radix_tree place_of_both(cflri_radix_tree a, cflri_radix_tree b) {
    uint32_t level = a.level > b.level ? a.level : b.level;
    uint32_t x = a.key >> CFLRI_BRANCH_BITS * (level - a.level);
    cflri_radix_tree over =
        cflri_radix_tree_over(x, b.key >> CFLRI_BRANCH_BITS * (level - b.level));
    over.level += level;
    return over;
}

/* Returns a node of a higher level with the content of the tree. */
static uint32_t lift(cflri_radix_hand *hand, cflri_radix_tree tree, uint32_t level) {
    uint32_t node = tree.node;
    while (node && node != CFLRI_NO_RADIX_NODE && tree.level < level) {
        cflri_radix_node made = {.level = ++tree.level & 0xff};
        cflri_radix_tree_put_child(hand->trees, &made, tree.key % CFLRI_BRANCHES, node);
        tree.key >>= CFLRI_BRANCH_BITS;
        node = cflri_radix_tree_inner(hand, &made);
    }
    return node;
}

/* Returns the node of a tree at a place of the same or a lower level. 0: no node. */
static uint32_t node_within(const cflri_radix_trees *trees, cflri_radix_tree tree,
                            cflri_radix_tree place) {
    uint32_t down = tree.level - place.level, node = tree.node;
    if (place.key >> CFLRI_BRANCH_BITS * down != tree.key) return 0;
    while (node && down--) {
        uint32_t at = place.key >> CFLRI_BRANCH_BITS * down;
        node = cflri_radix_node_at(trees, node)->child[at % CFLRI_BRANCHES];
    }
    return node;
}

/* Returns the least tree that contains the same ids. */
static cflri_radix_tree least(const cflri_radix_trees *trees, cflri_radix_tree tree) {
    if (!tree.node || tree.node == CFLRI_NO_RADIX_NODE)
        return (cflri_radix_tree){.node = tree.node};
    while (tree.level) {
        const cflri_radix_node *root = cflri_radix_node_at(trees, tree.node);
        uint32_t at = 0;
        while (!root->child[at]) at++;
        if (cflri_radix_node_at(trees, root->child[at])->n != root->n) break;
        tree = (cflri_radix_tree){root->child[at], tree.level - 1, tree.key * CFLRI_BRANCHES + at};
    }
    return tree;
}

cflri_radix_tree cflri_radix_tree_part(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                       uint32_t at) {
    uint32_t child = cflri_radix_node_at(trees, tree.node)->child[at];
    return least(trees, (cflri_radix_tree){child, tree.level - 1, tree.key * CFLRI_BRANCHES + at});
}

/* ---- union ---- */

static uint32_t unite_leaves(cflri_radix_hand *hand, const uint32_t *node, uint32_t n) {
    const cflri_radix_trees *trees = hand->trees;
    cflri_radix_node made = {0};
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *word = cflri_radix_node_at(trees, node[i])->word;
        for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) made.word[w] |= word[w];
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *word = cflri_radix_node_at(trees, node[i])->word;
        if (memcmp(word, made.word, sizeof made.word) == 0) return node[i];
    }
    return keep(hand, &made);
}

/* Adds a number to a list of distinct ones, unless it is 0 or in the list. */
static uint32_t add_number(uint32_t *some, uint32_t n, uint32_t number) {
    uint32_t i = 0;
    if (!number) return n;
    while (i < n && some[i] != number) i++;
    some[i] = number;
    return n + (i == n);
}

static uint32_t unite(cflri_radix_hand *hand, uint32_t level, const uint32_t *node, uint32_t n);

static uint32_t unite_inner(cflri_radix_hand *hand, uint32_t level, const uint32_t *node,
                            uint32_t n) {
    const cflri_radix_trees *trees = hand->trees;
    const cflri_radix_node *from[UNITED];
    for (uint32_t i = 0; i < n; i++) from[i] = cflri_radix_node_at(trees, node[i]);
    cflri_radix_node made = *from[0];
    for (uint32_t c = 0; c < CFLRI_BRANCHES; c++) {
        uint32_t child[UNITED], some = 0;
        for (uint32_t i = 0; i < n; i++) some = add_number(child, some, from[i]->child[c]);
        uint32_t whole = unite(hand, level - 1, child, some);
        if (whole == CFLRI_NO_RADIX_NODE) return whole;
        cflri_radix_tree_put_child(trees, &made, c, whole);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (from[i]->n == made.n) return node[i];
    }
    return keep(hand, &made);
}

/* Unites distinct nodes, none of which is 0. */
static uint32_t unite(cflri_radix_hand *hand, uint32_t level, const uint32_t *node, uint32_t n) {
    if (n < 2) return n ? node[0] : 0;
    if (!level) return unite_leaves(hand, node, n);
    if (n > 2) return unite_inner(hand, level, node, n);
    uint32_t a = node[0] < node[1] ? node[0] : node[1], b = node[0] < node[1] ? node[1] : node[0];
    const uint32_t *known = cflri_cache_find(&hand->unions, a, b);
    if (known) return *known;
    uint32_t whole = unite_inner(hand, level, node, n);
    if (whole != CFLRI_NO_RADIX_NODE) {
        cflri_cache_put(&hand->unions, hand->trees->context, (cflri_cached){a, b, whole});
    }
    return whole;
}

/* Unites as many trees at once as `unite` takes. */
static cflri_radix_tree unite_some(cflri_radix_hand *hand, const cflri_radix_tree *all,
                                   uint32_t n) {
    cflri_radix_tree whole = all[0];
    uint32_t node[UNITED], some = 0;
    for (uint32_t i = 1; i < n; i++) whole = place_of_both(whole, all[i]);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lifted = lift(hand, all[i], whole.level);
        if (lifted == CFLRI_NO_RADIX_NODE) return (cflri_radix_tree){.node = lifted};
        some = add_number(node, some, lifted);
    }
    whole.node = unite(hand, whole.level, node, some);
    return whole;
}

/* Unites sixteen trees at a time, then sixteen of the results, until one is left. */
cflri_radix_tree cflri_radix_tree_union(cflri_radix_hand *hand, cflri_radix_tree *all, size_t n) {
    while (n > 1) {
        size_t left = 0;
        for (size_t i = 0; i < n; i += UNITED) {
            all[left] = unite_some(hand, all + i, (uint32_t)(n - i < UNITED ? n - i : UNITED));
            if (all[left++].node == CFLRI_NO_RADIX_NODE) return all[left - 1];
        }
        n = left;
    }
    return n ? all[0] : (cflri_radix_tree){0};
}

/* ---- difference ---- */

static uint32_t subtract(cflri_radix_hand *hand, uint32_t level, uint32_t a, uint32_t b);

static uint32_t subtract_leaf(cflri_radix_hand *hand, uint32_t a, uint32_t b) {
    const uint64_t *x = cflri_radix_node_at(hand->trees, a)->word;
    const uint64_t *y = cflri_radix_node_at(hand->trees, b)->word;
    uint64_t left[CFLRI_BLOCK_WORDS], shared = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) {
        left[w] = x[w] & ~y[w];
        shared |= x[w] & y[w];
    }
    return shared ? cflri_radix_tree_leaf(hand, left) : a;
}

static uint32_t subtract_inner(cflri_radix_hand *hand, uint32_t level, uint32_t a, uint32_t b) {
    const cflri_radix_trees *trees = hand->trees;
    const cflri_radix_node *x = cflri_radix_node_at(trees, a), *y = cflri_radix_node_at(trees, b);
    cflri_radix_node made = *x;
    for (uint32_t c = 0; c < CFLRI_BRANCHES; c++) {
        uint32_t left = subtract(hand, level - 1, x->child[c], y->child[c]);
        if (left == CFLRI_NO_RADIX_NODE) return left;
        cflri_radix_tree_put_child(trees, &made, c, left);
    }
    return made.n == x->n ? a : cflri_radix_tree_inner(hand, &made);
}

static uint32_t subtract(cflri_radix_hand *hand, uint32_t level, uint32_t a, uint32_t b) {
    if (!a || !b || a == b) return a == b ? 0 : a;
    if (!level) return subtract_leaf(hand, a, b);
    const uint32_t *known = cflri_cache_find(&hand->differences, a, b);
    if (known) return *known;
    uint32_t left = subtract_inner(hand, level, a, b);
    if (left != CFLRI_NO_RADIX_NODE) {
        cflri_cache_put(&hand->differences, hand->trees->context, (cflri_cached){a, b, left});
    }
    return left;
}

cflri_radix_tree cflri_radix_tree_minus(cflri_radix_hand *hand, cflri_radix_tree a,
                                        cflri_radix_tree b) {
    if (!a.node || !b.node) return a;
    uint32_t other;
    if (a.level < b.level) {
        other = node_within(hand->trees, b, a);
    } else {
        bool within = b.key >> CFLRI_BRANCH_BITS * (a.level - b.level) == a.key;
        other = within ? lift(hand, b, a.level) : 0;
    }
    if (other == CFLRI_NO_RADIX_NODE) return (cflri_radix_tree){.node = other};
    a.node = subtract(hand, a.level, a.node, other);
    return least(hand->trees, a);
}

/* ---- ids ---- */

static uint32_t change_leaf(cflri_radix_hand *hand, uint32_t node, const uint32_t *ids, uint32_t n,
                            bool with) {
    cflri_radix_node made = {0};
    uint64_t changed = 0;
    if (node) made = *cflri_radix_node_at(hand->trees, node);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *word = &made.word[ids[i] % CFLRI_BLOCK_IDS / 64];
        uint64_t bit = (uint64_t)1 << ids[i] % 64, before = *word;
        *word = with ? *word | bit : *word & ~bit;
        changed |= *word ^ before;
    }
    return changed ? cflri_radix_tree_leaf(hand, made.word) : node;
}

/* Returns the node with the ids, or without them. The ids lie in its part and ascend. */
static uint32_t change(cflri_radix_hand *hand, uint32_t level, uint32_t node, const uint32_t *ids,
                       uint32_t n, bool with) {
    if (!node && !with) return 0;
    if (!level) return change_leaf(hand, node, ids, n, with);
    cflri_radix_node made = {.level = level & 0xff};
    if (node) made = *cflri_radix_node_at(hand->trees, node);
    uint32_t shift = CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * (level - 1), before = made.n;
    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t branch = ids[i] >> shift, at = branch % CFLRI_BRANCHES;
        for (end = i + 1; end < n && ids[end] >> shift == branch;) end++;
        uint32_t child = change(hand, level - 1, made.child[at], ids + i, end - i, with);
        if (child == CFLRI_NO_RADIX_NODE) return child;
        cflri_radix_tree_put_child(hand->trees, &made, at, child);
    }
    return made.n == before ? node : cflri_radix_tree_inner(hand, &made);
}

cflri_radix_tree cflri_radix_tree_with(cflri_radix_hand *hand, cflri_radix_tree tree,
                                       const uint32_t *ids, uint32_t n) {
    if (!n) return tree;
    cflri_radix_tree whole =
        cflri_radix_tree_over(ids[0] / CFLRI_BLOCK_IDS, ids[n - 1] / CFLRI_BLOCK_IDS);
    if (tree.node) whole = place_of_both(tree, whole);
    whole.node = lift(hand, tree, whole.level);
    if (whole.node == CFLRI_NO_RADIX_NODE) return whole;
    whole.node = change(hand, whole.level, whole.node, ids, n, true);
    return whole;
}

/* The ids in the tree's part are adjacent. */
cflri_radix_tree cflri_radix_tree_without(cflri_radix_hand *hand, cflri_radix_tree tree,
                                          const uint32_t *ids, uint32_t n) {
    uint32_t shift = CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * tree.level, first = 0;
    if (shift < 32) {
        while (first < n && ids[first] >> shift < tree.key) first++;
        while (n > first && ids[n - 1] >> shift > tree.key) n--;
    }
    tree.node = change(hand, tree.level, tree.node, ids + first, n - first, false);
    return least(hand->trees, tree);
}

bool cflri_radix_tree_has(const cflri_radix_trees *trees, cflri_radix_tree tree, uint32_t id) {
    const cflri_radix_tree place = {.key = id / CFLRI_BLOCK_IDS};
    uint32_t leaf = node_within(trees, tree, place), bit = id % CFLRI_BLOCK_IDS;
    return leaf && cflri_radix_node_at(trees, leaf)->word[bit / 64] >> bit % 64 & 1;
}

static uint32_t rank_in_leaf(const cflri_radix_node *leaf, uint32_t bit) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < bit / 64; w++) n += (uint32_t)__builtin_popcountll(leaf->word[w]);
    uint64_t below = (UINT64_C(1) << bit % 64) - 1;
    return n + (uint32_t)__builtin_popcountll(leaf->word[bit / 64] & below);
}

uint32_t cflri_radix_tree_rank(const cflri_radix_trees *trees, cflri_radix_tree tree, uint32_t id) {
    uint32_t leaf = id / CFLRI_BLOCK_IDS, key = leaf >> CFLRI_BRANCH_BITS * tree.level, n = 0;
    if (!tree.node || key < tree.key) return 0;
    const cflri_radix_node *node = cflri_radix_node_at(trees, tree.node);
    if (key > tree.key) return node->n;
    while (node->level) {
        uint32_t branch = (leaf >> CFLRI_BRANCH_BITS * (node->level - 1u)) % CFLRI_BRANCHES;
        for (uint32_t i = 0; i < branch; i++) {
            if (node->child[i]) n += cflri_radix_node_at(trees, node->child[i])->n;
        }
        if (!node->child[branch]) return n;
        node = cflri_radix_node_at(trees, node->child[branch]);
    }
    return n + rank_in_leaf(node, id % CFLRI_BLOCK_IDS);
}

/* Goes down from the root to the first child that may contain the leaf. Where there is none, the
 * search continues behind that node, from the root. */
const uint64_t *cflri_radix_tree_seek(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                      uint32_t *leaf) {
    uint32_t bits = CFLRI_BRANCH_BITS * tree.level;
    uint64_t at = (uint64_t)tree.key << bits, end = ((uint64_t)tree.key + 1) << bits;
    if (at < *leaf) at = *leaf;
    while (tree.node && at < end) {
        const cflri_radix_node *node = cflri_radix_node_at(trees, tree.node);
        while (node->level) {
            uint32_t shift = CFLRI_BRANCH_BITS * (node->level - 1u);
            uint32_t branch = (uint32_t)(at >> shift) % CFLRI_BRANCHES, next = branch;
            while (next < CFLRI_BRANCHES && !node->child[next]) next++;
            if (next != branch) at = ((at >> shift) + next - branch) << shift;
            if (next == CFLRI_BRANCHES) break;
            node = cflri_radix_node_at(trees, node->child[next]);
        }
        if (!node->level) {
            *leaf = (uint32_t)at;
            return node->word;
        }
    }
    return NULL;
}

uint32_t cflri_radix_tree_write(const cflri_radix_trees *trees, cflri_radix_tree tree,
                                uint32_t *ids) {
    uint32_t n = 0, leaf = 0;
    for (const uint64_t *word; (word = cflri_radix_tree_seek(trees, tree, &leaf)); leaf++) {
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            uint32_t base = leaf * CFLRI_BLOCK_IDS + w * 64;
            for (uint64_t left = word[w]; left; left &= left - 1) {
                ids[n++] = base + (uint32_t)__builtin_ctzll(left);
            }
        }
    }
    return n;
}

/* ---- sweeping ---- */

bool cflri_radix_trees_begin_sweep(cflri_radix_trees *trees) {
    trees->marked = cflri_alloc_array_zero(trees->context, (size_t)trees->node.drawn + 1,
                                           sizeof *trees->marked);
    trees->filtering = (cflri_chunks){.n = CFLRI_SHARDS, .handful = 1};
    trees->sweeping = (cflri_chunks){.n = trees->node.drawn, .handful = SWEPT};
    return trees->marked != NULL;
}

static bool is_marked(const void *what, uint32_t number) {
    const cflri_radix_trees *trees = what;
    return atomic_load_explicit(&trees->marked[number], memory_order_relaxed);
}

/* A thread that finds a mark may go on before all nodes below are marked: the thread that set the
 * mark marks them before the sweep begins. */
void cflri_radix_trees_mark(const cflri_radix_trees *trees, uint32_t number) {
    if (!number || is_marked(trees, number)) return;
    atomic_store_explicit(&trees->marked[number], 1, memory_order_relaxed);
    const cflri_radix_node *node = cflri_radix_node_at(trees, number);
    for (int c = 0; node->level && c < CFLRI_BRANCHES; c++) {
        cflri_radix_trees_mark(trees, node->child[c]);
    }
}

/* Without memory to note it, the number is not used again. */
static void sweep_node(cflri_radix_hand *hand, uint32_t number) {
    cflri_radix_node *node = cflri_segment_at(&hand->trees->node, cflri_radix_node, number);
    if (!node->n || is_marked(hand->trees, number)) return;
    node->n = 0;
    hand->freed++;
    (void)cflri_vec_push(hand->trees->context, &hand->spare, number);
}

/* A number that is freed belongs to the hand that freed it. */
void cflri_radix_trees_sweep(cflri_radix_hand *hand) {
    cflri_radix_trees *trees = hand->trees;
    size_t at, end;
    cflri_cache_clear(&hand->unions);
    cflri_cache_clear(&hand->differences);
    while (cflri_chunks_next(&trees->filtering, &at, &end)) {
        cflri_shards_filter(&trees->shards, (uint32_t)at, is_marked, trees);
    }
    while (cflri_chunks_next(&trees->sweeping, &at, &end)) {
        for (; at < end; at++) sweep_node(hand, (uint32_t)at);
    }
}

void cflri_radix_trees_end_sweep(cflri_radix_trees *trees) {
    cflri_free(trees->context, (void *)trees->marked);
    trees->marked = NULL;
}

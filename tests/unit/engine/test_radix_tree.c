/* SPDX-License-Identifier: Apache-2.0
 *
 * test_radix_tree.c: trees that share their parts, against arrays of flags.
 */
#include "base/context.h"
#include "base/error.h"
#include "engine/sets/radix_tree.h"

#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

enum { TREES = 8, MOST = 4000 };

/* Numbers of a universe, each with its id: ids ascend, the last is the largest that there is. */
typedef struct bench {
    cflr_context *context;
    cflri_radix_trees trees;
    cflri_radix_hand hand;
    cflri_radix_tree tree[TREES];
    bool there[TREES][MOST];
    uint32_t id[MOST];
    uint64_t random;
    uint32_t refused;
} bench;

static bench *bench_begin(uint32_t widest, uint64_t seed) {
    bench *b = calloc(1, sizeof *b);
    b->context = test_context();
    b->random = seed;
    cflri_radix_trees_init(&b->trees, b->context);
    cr_assert(cflri_radix_hand_init(&b->hand, &b->trees));
    uint32_t id = UINT32_MAX;
    for (uint32_t i = MOST; i--;) {
        b->id[i] = id;
        bool jump = i % 100 == 0;
        id -= jump ? 1 + test_random_below(&b->random, widest) : 1;
    }
    return b;
}

static void bench_end(bench *b) {
    cflri_radix_hand_free(&b->hand);
    cflri_radix_trees_free(&b->trees);
    test_context_end(b->context);
    free(b);
}

static uint32_t count(const bench *b, cflri_radix_tree tree) {
    return tree.node ? cflri_radix_node_at(&b->trees, tree.node)->n : 0;
}

/* Counts of a node are those of what is below it; returns its ids. */
static uint32_t must_count(const bench *b, uint32_t number, uint32_t level) {
    const cflri_radix_node *node = cflri_radix_node_at(&b->trees, number);
    uint32_t n = 0, leaves = 0;
    cr_assert_eq(node->level, level);
    for (int c = 0; level && c < CFLRI_BRANCHES; c++) {
        if (!node->child[c]) continue;
        n += must_count(b, node->child[c], level - 1);
        leaves += cflri_radix_node_at(&b->trees, node->child[c])->leaves;
    }
    for (int w = 0; !level && w < CFLRI_BLOCK_WORDS; w++) {
        n += (uint32_t)__builtin_popcountll(node->word[w]);
    }
    cr_assert_eq(node->n, n);
    cr_assert_eq(node->leaves, level ? leaves : 1);
    cr_assert_gt(n, 0);
    return n;
}

static void must_hold(const bench *b, int t) {
    static uint32_t ids[MOST];
    cflri_radix_tree tree = b->tree[t];
    uint32_t n = 0, written = cflri_radix_tree_write(&b->trees, tree, ids);
    cr_assert_leq(written, MOST);
    for (uint32_t i = 0; i < MOST; i++) {
        bool has = tree.node && cflri_radix_tree_has(&b->trees, tree, b->id[i]);
        cr_assert_eq(has, b->there[t][i]);
        if (has) cr_assert_eq(ids[n++], b->id[i]);
    }
    cr_assert_eq(n, written);
    cr_assert_eq(n, count(b, tree));
    if (!tree.node) return;
    must_count(b, tree.node, tree.level);
    cr_assert_not(cflri_radix_tree_has(&b->trees, tree, b->id[0] - 1));
    cflri_radix_tree least =
        cflri_radix_tree_over(ids[0] / CFLRI_BLOCK_IDS, ids[n - 1] / CFLRI_BLOCK_IDS);
    cr_assert(least.level == tree.level && least.key == tree.key);
}

static bool is_same(cflri_radix_tree x, cflri_radix_tree y) {
    return x.node == y.node && x.level == y.level && x.key == y.key;
}

/* Equal flags and equal trees are the same. */
static void compare_all(const bench *b) {
    for (int x = 0; x < TREES; x++) {
        must_hold(b, x);
        for (int y = 0; y < TREES; y++) {
            bool same = memcmp(b->there[x], b->there[y], sizeof b->there[x]) == 0;
            cr_assert_eq(is_same(b->tree[x], b->tree[y]), same);
        }
    }
}

/* Ids by chance, few or many, here or all over. */
static uint32_t some(bench *b, bool *there, uint32_t *ids) {
    uint32_t n = 0, part = 1 + test_random_below(&b->random, 60);
    uint32_t first = test_random_below(&b->random, MOST);
    uint32_t end = first + test_random_below(&b->random, MOST - first) + 1;
    if (test_random_below(&b->random, 2)) end = first + 1 + (end - first) / 100;
    memset(there, 0, MOST * sizeof *there);
    for (uint32_t i = first; i < end; i++) {
        if (test_random_below(&b->random, part)) continue;
        there[i] = true;
        ids[n++] = b->id[i];
    }
    return n;
}

static void step(bench *b, bool scarce) {
    static bool there[MOST];
    static uint32_t ids[MOST];
    cflri_radix_tree all[3 * TREES], tree;
    uint32_t what = test_random_below(&b->random, 5), n = some(b, there, ids);
    int to = (int)test_random_below(&b->random, TREES);
    int x = (int)test_random_below(&b->random, TREES),
        y = (int)test_random_below(&b->random, TREES);
    if (scarce) {
        uint64_t room = test_random_below(&b->random, 2000);
        b->context->memory_limit = cflr_context_memory(b->context) + room;
    }
    if (what == 0) {
        tree = cflri_radix_tree_with(&b->hand, b->tree[x], ids, n);
        for (uint32_t i = 0; i < MOST; i++) there[i] |= b->there[x][i];
    } else if (what == 1) {
        tree = cflri_radix_tree_without(&b->hand, b->tree[x], ids, n);
        for (uint32_t i = 0; i < MOST; i++) there[i] = b->there[x][i] && !there[i];
    } else if (what == 2) {
        tree = cflri_radix_tree_minus(&b->hand, b->tree[x], b->tree[y]);
        for (uint32_t i = 0; i < MOST; i++) there[i] = b->there[x][i] && !b->there[y][i];
    } else {
        size_t united = 0, most = what == 3 ? 2 : 3 * TREES; /* more than at once */
        memset(there, 0, sizeof there);
        for (size_t k = 0; k < most; k++) {
            uint32_t t = test_random_below(&b->random, TREES);
            if (b->tree[t].node) all[united++] = b->tree[t];
            for (uint32_t i = 0; i < MOST; i++) there[i] |= b->there[t][i];
        }
        tree = cflri_radix_tree_union(&b->hand, all, united);
    }
    b->context->memory_limit = UINT64_MAX;
    if (tree.node == CFLRI_NO_RADIX_NODE) {
        cr_assert(scarce);
        b->refused++;
        return;
    }
    b->tree[to] = tree;
    memcpy(b->there[to], there, sizeof there);
}

/* How many nodes the trees have, each once. */
static uint64_t count_marked(const bench *b) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < b->trees.node.drawn; i++) n += b->trees.marked[i];
    return n;
}

static void sweep(bench *b) {
    cr_assert(cflri_radix_trees_begin_sweep(&b->trees));
    for (int t = 0; t < TREES; t++) cflri_radix_trees_mark(&b->trees, b->tree[t].node);
    uint64_t kept = count_marked(b);
    cflri_radix_trees_sweep(&b->hand);
    cflri_radix_trees_end_sweep(&b->trees);
    cr_assert_eq(b->hand.made - b->hand.freed, kept);
}

Test(radix_tree, random_algebra_against_flags) {
    static const uint32_t widest[] = {1, 500, 40000, 100000000};
    uint32_t refused = 0;
    for (size_t w = 0; w < sizeof widest / sizeof *widest; w++) {
        bench *b = bench_begin(widest[w], w);
        for (int i = 0; i < 600; i++) {
            step(b, i % 3 == 2);
            if (i % 20 == 19) compare_all(b);
            if (i % 90 == 89) sweep(b);
        }
        compare_all(b);
        refused += b->refused;
        bench_end(b);
    }
    cr_expect_gt(refused, 0, "%u", refused);
}

/* A set that differs from another in one id has a leaf of its own, and what stands above it. */
Test(radix_tree, what_is_alike_is_there_once) {
    enum { WIDE = 200000 };
    bench *b = bench_begin(1, 1);
    uint32_t *ids = calloc(WIDE, sizeof *ids), n = 0;
    for (uint32_t id = 0; id < WIDE; id += 1 + id % 7) ids[n++] = id;
    cflri_radix_tree whole = cflri_radix_tree_with(&b->hand, (cflri_radix_tree){0}, ids, n);
    uint64_t made = b->hand.made;
    for (uint32_t i = 1; i <= 100; i++) {
        cflri_radix_tree less = cflri_radix_tree_without(&b->hand, whole, &ids[i * 97], 1);
        cr_assert_eq(count(b, less), n - 1);
        cr_assert(is_same(cflri_radix_tree_with(&b->hand, less, &ids[i * 97], 1), whole));
        cr_assert_leq(b->hand.made - made, i * (whole.level + 1));
    }
    free(ids);
    bench_end(b);
}

/* ---- refused memory ---- */

static cflr_status build_and_sweep(cflr_context *context, void *user, cflr_error *error) {
    (void)user;
    cflri_radix_trees trees;
    cflri_radix_hand hand;
    cflri_radix_tree tree[2] = {{0}, {0}}, both[2];
    cflri_radix_trees_init(&trees, context);
    bool done = cflri_radix_hand_init(&hand, &trees);
    for (uint32_t id = 0; done && id < 200000; id += 331) {
        tree[id % 2] = cflri_radix_tree_with(&hand, tree[id % 2], &id, 1);
        done = tree[id % 2].node != CFLRI_NO_RADIX_NODE;
    }
    memcpy(both, tree, sizeof both);
    if (done) done = cflri_radix_tree_union(&hand, both, 2).node != CFLRI_NO_RADIX_NODE;
    if (done && cflri_radix_trees_begin_sweep(&trees)) {
        cflri_radix_trees_mark(&trees, tree[1].node);
        cflri_radix_trees_sweep(&hand);
        cflri_radix_trees_end_sweep(&trees);
    } else if (done) {
        done = false;
    }
    cflri_radix_hand_free(&hand);
    cflri_radix_trees_free(&trees);
    if (done) return CFLR_OK;
    return cflri_fail_memory(context, error);
}

Test(radix_tree, refused_memory) {
    cr_assert_gt(fail_alloc_sweep(build_and_sweep, NULL), 10);
}

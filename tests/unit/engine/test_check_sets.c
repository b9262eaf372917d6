/* SPDX-License-Identifier: Apache-2.0
 *
 * test_check_sets.c: the functions that validate sets and trees find no fault after random
 * operations, and report each thing that a test has broken.
 */
#include "check_support.h"
#include "engine/sets/check.h"

enum { UNIVERSE = 1 << 20, SETS = 60, MOST_IDS = 2000, HANDS = 2 };

typedef struct bench {
    cflr_context *context;
    cflri_set_store store;
    cflri_set_number set[SETS];
} bench;

/* Few ids, ids that lie apart, and ids close together. */
static cflri_set_number random_set(bench *b, uint64_t *random) {
    static uint32_t ids[MOST_IDS];
    cflri_sets *hand = &b->store.hand[test_random_below(random, HANDS)];
    uint32_t gap = test_random_below(random, 3) ? 5 : 400;
    uint32_t n = test_random_below(random, test_random_below(random, 2) ? 5 : MOST_IDS), id = 0;
    for (uint32_t i = 0; i < n; i++) ids[i] = id += 1 + test_random_below(random, gap);
    return n == 1 ? cflri_sets_single(hand, ids[0]) : cflri_sets_of(hand, ids, n);
}

static void begin(bench *b, uint64_t seed) {
    uint64_t random = seed;
    *b = (bench){.context = test_context()};
    cr_assert(cflri_set_store_init(&b->store, b->context, UNIVERSE, CFLRI_KERNEL_BEST, HANDS));
    for (int i = 0; i < SETS; i++) b->set[i] = random_set(b, &random);
    for (int i = 0; i < 3 * SETS; i++) {
        cflri_sets *hand = &b->store.hand[test_random_below(&random, HANDS)];
        cflri_set_number *to = &b->set[test_random_below(&random, SETS)];
        cflri_set_number x = b->set[test_random_below(&random, SETS)];
        cflri_set_number y = b->set[test_random_below(&random, SETS)], all[3] = {x, y, *to};
        uint32_t what = test_random_below(&random, 3);
        *to = what == 0   ? cflri_sets_union(hand, x, y)
              : what == 1 ? cflri_sets_minus(hand, x, y)
                          : cflri_sets_union_loose(hand, all, 3);
        cr_assert_neq(*to, CFLRI_NO_SET);
    }
}

static void sweep(bench *b) {
    cr_assert(cflri_sets_begin_sweep(&b->store));
    for (int i = 0; i < SETS; i += 2) cflri_sets_keep(&b->store, b->set[i]);
    for (uint32_t i = 0; i < HANDS; i++) cflri_sets_sweep(&b->store.hand[i]);
    cflri_sets_end_sweep(&b->store);
}

static void end(bench *b) {
    cflri_set_store_free(&b->store);
    test_context_end(b->context);
}

static bool validate(const void *store, FILE *to) {
    return cflri_sets_validate(store, to);
}

static void dump(const void *store, FILE *to) {
    cflri_sets_dump(store, to);
    cflri_radix_trees_dump(&((const cflri_set_store *)store)->trees, to);
}

Test(check_sets, nothing_wrong) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        bench b;
        begin(&b, seed);
        must_be_right(validate, &b.store);
        sweep(&b);
        must_be_right(validate, &b.store);
        end(&b);
    }
}

/* Memory ends in the middle of all kinds of work, and of a sweep. */
Test(check_sets, nothing_wrong_when_memory_ends) {
    for (uint64_t seed = 1; seed <= 30; seed++) {
        bench b;
        uint64_t random = seed;
        begin(&b, seed);
        for (int i = 0; i < 200; i++) {
            uint64_t room = test_random_below(&random, 3000);
            b.context->memory_limit = cflr_context_memory(b.context) + room;
            cflri_sets *hand = &b.store.hand[i % HANDS];
            (void)random_set(&b, &random);
            (void)cflri_sets_union_all(hand, (cflri_set_number[]){b.set[1], b.set[2], b.set[3]}, 3);
            b.context->memory_limit = UINT64_MAX;
        }
        must_be_right(validate, &b.store);
        cr_assert(cflri_sets_begin_sweep(&b.store));
        b.context->memory_limit = cflr_context_memory(b.context);
        for (uint32_t i = 0; i < HANDS; i++) cflri_sets_sweep(&b.store.hand[i]);
        b.context->memory_limit = UINT64_MAX;
        cflri_sets_end_sweep(&b.store);
        must_be_right(validate, &b.store);
        end(&b);
    }
}

/* ---- what is broken ---- */

static cflri_row *row_at(bench *b, uint32_t number) {
    return cflri_segment_at(&b->store.row, cflri_row, number);
}

static cflri_row *row_of_shape(bench *b, cflri_row_shape shape) {
    for (uint32_t number = 1;; number++) {
        cr_assert_lt(number, b->store.row.drawn);
        cflri_row *row = row_at(b, number);
        if (row->n > 1 && row->shape == shape && !row->loose) return row;
    }
}

static cflri_radix_node *node_of(bench *b, bool leaf) {
    for (uint32_t number = 1;; number++) {
        cr_assert_lt(number, b->store.trees.node.drawn);
        cflri_radix_node *node = cflri_segment_at(&b->store.trees.node, cflri_radix_node, number);
        if (node->n && !node->level == leaf) return node;
    }
}

static void swap_ids(void *what) {
    uint32_t *ids = row_of_shape(what, CFLRI_ROW_LIST)->list, first = ids[0];
    ids[0] = ids[1];
    ids[1] = first;
}

static void change_id(void *what) {
    row_of_shape(what, CFLRI_ROW_LIST)->list[0] -= 1;
}

static void miscount_ids(void *what) {
    row_of_shape(what, CFLRI_ROW_TREE)->n++;
}

static void move_tree(void *what) {
    row_of_shape(what, CFLRI_ROW_TREE)->root.key ^= 1;
}

static void free_set(void *what) {
    *row_of_shape(what, CFLRI_ROW_FEW) = (cflri_row){0};
}

static void make_loose(void *what) {
    row_of_shape(what, CFLRI_ROW_FEW)->loose = true;
}

/* A second set of the same ids, as a thread would add it that has not looked again. */
static void keep_twice(void *what) {
    bench *b = what;
    cflri_sets *hand = &b->store.hand[0];
    cflri_row *row = row_of_shape(b, CFLRI_ROW_FEW);
    cflri_shard_search search = cflri_shards_look(&b->store.shards, cflri_row_hash(row));
    uint32_t number = hand->draw.next++;
    *row_at(b, number) = *row;
    hand->more.kept++;
    hand->more.ids += row->n;
    hand->more.bytes += sizeof *row;
    cr_assert(cflri_shards_reserve(&b->store.shards, &search));
    cflri_shards_add(&b->store.shards, &search, number);
}

static void spare_used(void *what) {
    bench *b = what;
    uint32_t number = 1;
    while (!row_at(b, number)->n) number++;
    cr_assert(cflri_vec_push(b->context, &b->store.hand[1].spare, number));
}

static void draw_twice(void *what) {
    bench *b = what;
    b->store.hand[1].draw = b->store.hand[0].draw;
}

static void leave_sum(void *what) {
    cflri_row_sum_add_id(&((bench *)what)->store.hand[1].sum, 77);
}

static void miscount_kept(void *what) {
    ((bench *)what)->store.hand[1].more.kept++;
}

static void lose_slot(void *what) {
    cflri_shards *shards = &((bench *)what)->store.shards;
    for (uint32_t s = 0; s < CFLRI_SHARDS; s++) {
        for (uint32_t i = 0; shards->table[s] && i <= shards->table[s]->mask; i++) {
            if (!shards->table[s]->slot[i]) continue;
            shards->table[s]->slot[i] = 0;
            return;
        }
    }
}

static void add_bit(void *what) {
    uint64_t *word = node_of(what, true)->word;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) word[w] |= 1;
    word[0] |= 2;
}

static void miscount_leaves(void *what) {
    node_of(what, false)->leaves++;
}

static void lift_node(void *what) {
    node_of(what, false)->level++;
}

static void lose_child(void *what) {
    bench *b = what;
    cflri_radix_node *node = node_of(b, false);
    int at = 0;
    while (!node->child[at]) at++;
    node->child[at] = b->store.trees.node.drawn - 1;
}

static void have_ids_in_none(void *what) {
    *row_at(what, CFLRI_EMPTY_SET) = *row_of_shape(what, CFLRI_ROW_FEW);
}

Test(check_sets, what_is_broken_is_told) {
    static const breakage broken[] = {
        {swap_ids, "behind"},
        {change_id, "not found so"},
        {miscount_ids, "root"},
        {move_tree, "not found so"},
        {free_set, "in shards, and free"},
        {make_loose, "is loose, and not found so"},
        {keep_twice, "is there once, and not found so"},
        {spare_used, "to be used again"},
        {draw_twice, "was drawn, and is not free"},
        {leave_sum, "the sum of hand 1 is not empty"},
        {miscount_kept, "are counted as"},
        {lose_slot, "and counts"},
        {add_bit, "leaf"},
        {miscount_leaves, "has other children"},
        {lift_node, "has child"},
        {lose_child, "which is not kept"},
        {have_ids_in_none, "the empty set has ids"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        bench b;
        begin(&b, 5);
        broken[i].damage(&b);
        must_tell(validate, &b.store, broken[i].tells);
        end(&b);
    }
}

Test(check_sets, dumps) {
    bench b;
    begin(&b, 5);
    b.set[0] = cflri_sets_of(&b.store.hand[0], (const uint32_t[]){70, 80, 90}, 3);
    must_dump(dump, &b.store, "list: 70 80 90\n");
    must_dump(dump, &b.store, ": level 1, ");
    end(&b);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * sets.c: sets of ids, each stored once.
 */
#include "engine/sets/sets.h"

#include <string.h>

#include "base/context.h"

enum {
    SHORT = 32,      /* up to this many ids in all are merged without a sum */
    LOOSE = 8,       /* sets of up to this many ids may be stored twice */
    WORD_BITS = 6,   /* a word of a leaf has 2^this ids */
    BRANCH = 4,      /* least number of ids of a branch that become a part */
    UNSPLIT = 8,     /* a set of up to this many ids is split into single ids */
    NODE_WORK = 4,   /* number of ids that are as much work as a node */
    SWEPT = 1 << 12, /* numbers that a thread sweeps at once */
};

/* ---- memory ---- */

static bool init_hand(cflri_set_store *store, uint32_t self, uint32_t universe,
                      cflri_row_kernel kernel) {
    cflri_sets *sets = &store->hand[self];
    *sets = (cflri_sets){.store = store, .context = store->context, .self = self};
    cflri_pool_init(&sets->pool, store->context);
    return cflri_radix_hand_init(&sets->trees, &store->trees) &&
           cflri_row_sum_init(&sets->sum, store->context, universe, kernel) &&
           cflri_cache_init(&sets->unions, store->context) &&
           cflri_cache_init(&sets->differences, store->context);
}

static bool init_hands(cflri_set_store *store, uint32_t hands, uint32_t universe,
                       cflri_row_kernel kernel) {
    store->hand = cflri_alloc_array_zero(store->context, hands, sizeof *store->hand);
    if (!store->hand) return false;
    while (store->hands < hands) {
        if (!init_hand(store, store->hands++, universe, kernel)) return false;
    }
    return true;
}

bool cflri_set_store_init(cflri_set_store *store, cflr_context *context, uint32_t universe,
                          cflri_row_kernel kernel, uint32_t hands) {
    *store = (cflri_set_store){.context = context};
    cflri_radix_trees_init(&store->trees, context);
    cflri_segments_init(&store->row, context, sizeof(cflri_row));
    cflri_shards_init(&store->shards, context);
    return cflri_segments_reach(&store->row, 1) && /* the empty set */
           init_hands(store, hands, universe, kernel);
}

static void free_making(cflri_sets *sets) {
    cflri_radix_hand_free(&sets->trees);
    cflri_row_sum_free(&sets->sum);
    cflri_vec_free(sets->context, &sets->spare);
    cflri_vec_free(sets->context, &sets->part);
    cflri_vec_free(sets->context, &sets->tree);
    cflri_once_free(&sets->once, sets->context);
    cflri_cache_free(&sets->unions, sets->context);
    cflri_cache_free(&sets->differences, sets->context);
}

void cflri_set_store_end(cflri_set_store *store) {
    if (!store->context) return;
    for (uint32_t i = 0; i < store->hands; i++) free_making(&store->hand[i]);
    cflri_shards_free(&store->shards);
    cflri_radix_trees_end(&store->trees);
}

void cflri_set_store_share(cflri_set_store *store, bool shared) {
    cflri_shards_share(&store->shards, shared);
    cflri_shards_share(&store->trees.shards, shared);
}

void cflri_set_store_free(cflri_set_store *store) {
    cflr_context *context = store->context;
    if (!context) return;
    cflri_set_store_end(store);
    for (uint32_t i = 0; i < store->hands; i++) cflri_pool_free(&store->hand[i].pool);
    cflri_free(context, store->hand);
    cflri_free(context, (void *)store->marked);
    cflri_segments_free(&store->row);
    cflri_radix_trees_free(&store->trees);
    *store = (cflri_set_store){0};
}

cflri_set_totals cflri_set_store_totals(const cflri_set_store *store) {
    cflri_set_totals all = {0};
    for (uint32_t i = 0; i < store->hands; i++) {
        const cflri_sets *hand = &store->hand[i];
        all.kept += hand->more.kept - hand->less.kept;
        all.bytes += cflri_sets_made(hand) - hand->less.bytes;
        all.bytes -= hand->trees.freed * sizeof(cflri_radix_node);
        all.ids += hand->more.ids - hand->less.ids;
    }
    return all;
}

static void add_hand(const cflri_sets *hand, cflri_set_bytes *bytes) {
    bytes->lists += cflri_pool_all_bytes(&hand->pool);
    bytes->answers += cflri_block_bytes(hand->unions.at) + cflri_block_bytes(hand->differences.at) +
                      cflri_block_bytes(hand->trees.unions.at) +
                      cflri_block_bytes(hand->trees.differences.at);
    bytes->sums += cflri_block_bytes(hand->sum.block) + cflri_block_bytes(hand->sum.touched);
    bytes->scratch += cflri_block_bytes(hand->spare.at) + cflri_block_bytes(hand->trees.spare.at) +
                      cflri_block_bytes(hand->part.at) + cflri_block_bytes(hand->tree.at) +
                      cflri_block_bytes(hand->once.slot);
}

cflri_set_bytes cflri_set_store_bytes(const cflri_set_store *store) {
    const cflri_shards *rows = &store->shards, *nodes = &store->trees.shards;
    cflri_set_bytes bytes = {
        .headers = cflri_segments_bytes(&store->row),
        .trees = cflri_segments_bytes(&store->trees.node),
        .tables = cflri_shards_bytes(rows) + cflri_shards_bytes(nodes),
        .older = cflri_shards_older_bytes(rows) + cflri_shards_older_bytes(nodes),
        .scratch = cflri_block_bytes(store->hand),
    };
    for (uint32_t i = 0; i < store->hands; i++) add_hand(&store->hand[i], &bytes);
    return bytes;
}

/* ---- storing ---- */

static cflri_row *row_at(const cflri_sets *sets, uint32_t number) {
    return cflri_segment_at(&sets->store->row, cflri_row, number);
}

/* Takes a number that no set has. */
static bool take_number(cflri_sets *sets, uint32_t *number) {
    if (!sets->spare.n) {
        return cflri_draw_number(&sets->store->row, &sets->draw, CFLRI_SINGLE_SET - 1, number);
    }
    *number = sets->spare.at[--sets->spare.n];
    return true;
}

static void count_row(cflri_set_totals *totals, const cflri_row *row) {
    totals->kept++;
    totals->bytes += sizeof *row + cflri_row_bytes(row);
    totals->ids += row->n;
}

/* Gives the row a number. CFLRI_NO_SET: memory is refused, and the row is freed. */
static cflri_set_number number_row(cflri_sets *sets, cflri_row *row) {
    uint32_t number;
    if (!take_number(sets, &number)) {
        cflri_row_free(&sets->pool, row);
        return CFLRI_NO_SET;
    }
    *row_at(sets, number) = *row;
    count_row(&sets->more, row);
    return number;
}

/* Returns the number of an equal set, or 0. */
static uint32_t find_equal(const cflri_sets *sets, cflri_shard_search *search,
                           const cflri_row *row) {
    uint32_t number;
    do {
        number = cflri_shards_next(search);
    } while (number && !cflri_row_equal(row_at(sets, number), row));
    return number;
}

/* Searches again inside the shard, since another thread may have added an equal set after the first
 * search. */
static cflri_set_number add_row(cflri_sets *sets, cflri_shard_search *search, cflri_row *row) {
    cflri_set_store *store = sets->store;
    uint32_t number = find_equal(sets, search, row);
    if (number || !cflri_shards_reserve(&store->shards, search)) {
        cflri_row_free(&sets->pool, row);
        return number ? number : CFLRI_NO_SET;
    }
    number = number_row(sets, row);
    if (number != CFLRI_NO_SET) cflri_shards_add(&store->shards, search, number);
    return number;
}

/* Returns the number of a row that was just made. The row is stored, or freed if an equal one
 * exists. */
static cflri_set_number keep_row(cflri_sets *sets, cflri_row *row, bool loose) {
    uint32_t single = row->few[0];
    if (!row->n) return CFLRI_EMPTY_SET;
    if (row->n == 1 && single < CFLRI_SINGLE_SET - 1) return CFLRI_SINGLE_SET | single;
    if (loose && row->n <= LOOSE) {
        row->loose = true;
        return number_row(sets, row);
    }
    cflri_shards *shards = &sets->store->shards;
    cflri_shard_search search = cflri_shards_look(shards, cflri_row_hash(row));
    cflri_set_number number = find_equal(sets, &search, row);
    if (number) {
        cflri_row_free(&sets->pool, row);
        return number;
    }
    cflri_shards_enter(shards, &search);
    number = add_row(sets, &search, row);
    cflri_shards_leave(shards, &search);
    return number;
}

static void count_work(cflri_sets *sets, uint64_t ids) {
    sets->worked += ids + NODE_WORK * sets->trees.visited;
    sets->trees.visited = 0;
}

static cflri_set_number keep_ids(cflri_sets *sets, const uint32_t *ids, uint32_t n, bool loose) {
    cflri_row row;
    bool made = cflri_row_of(&sets->pool, &sets->trees, ids, n, &row);
    count_work(sets, n);
    if (!made) return CFLRI_NO_SET;
    return keep_row(sets, &row, loose);
}

cflri_set_number cflri_sets_of(cflri_sets *sets, const uint32_t *ids, uint32_t n) {
    return keep_ids(sets, ids, n, false);
}

cflri_set_number cflri_sets_single(cflri_sets *sets, uint32_t id) {
    if (id < CFLRI_SINGLE_SET - 1) return CFLRI_SINGLE_SET | id;
    return cflri_sets_of(sets, &id, 1);
}

cflri_set_number cflri_sets_take(cflri_sets *sets) {
    cflri_row row;
    bool made = cflri_row_sum_take(&sets->sum, &sets->pool, &sets->trees, &row);
    count_work(sets, row.shape == CFLRI_ROW_TREE ? 0 : row.n);
    if (!made) return CFLRI_NO_SET;
    return keep_row(sets, &row, false);
}

/* ---- algebra ---- */

/* Returns the set of a tree, or CFLRI_NO_SET if memory was refused. When it has as many ids as
 * `same`, it is `same`, since one of the two contains the other. */
static cflri_set_number keep_tree(cflri_sets *sets, cflri_radix_tree tree, cflri_set_number same) {
    cflri_row row;
    count_work(sets, 0);
    if (tree.node == CFLRI_NO_RADIX_NODE) return CFLRI_NO_SET;
    uint32_t n = tree.node ? cflri_radix_node_at(sets->trees.trees, tree.node)->n : 0;
    if (n == cflri_sets_count(sets, same)) return same;
    if (!cflri_row_of_tree(&sets->pool, sets->trees.trees, tree, &row)) return CFLRI_NO_SET;
    return keep_row(sets, &row, false);
}

cflri_set_number cflri_sets_of_tree(cflri_sets *sets, cflri_radix_tree tree) {
    return keep_tree(sets, tree, CFLRI_EMPTY_SET);
}

/* Merges few ids in an array, without a sum. CFLRI_EMPTY_SET: there are too many ids. */
static cflri_set_number merge_few(cflri_sets *sets, const cflri_set_number *all, size_t n,
                                  bool loose) {
    uint32_t merged[SHORT], used = 0, most = 0;
    cflri_set_number largest = CFLRI_EMPTY_SET;
    for (size_t i = 0; i < n; i++) {
        cflri_row row = cflri_sets_row(sets, all[i]);
        const uint32_t *ids = row.shape == CFLRI_ROW_TREE ? NULL : cflri_row_ids(&row);
        if (!ids || row.n > SHORT - used) return CFLRI_EMPTY_SET;
        if (row.n > most) {
            most = row.n;
            largest = all[i];
        }
        for (uint32_t k = 0, from = 0; k < row.n; k++) {
            while (from < used && merged[from] < ids[k]) from++;
            if (from < used && merged[from] == ids[k]) continue;
            for (uint32_t to = used++; to > from; to--) merged[to] = merged[to - 1];
            merged[from] = ids[k];
        }
    }
    sets->worked += used;
    return used == most ? largest : keep_ids(sets, merged, used, loose);
}

/* First, lists are united: a single list as it is, several lists in the sum. */
typedef struct adding {
    cflri_row list;
    uint32_t lists;
    uint32_t most; /* number of ids of the largest set */
    cflri_set_number largest;
} adding;

static bool add(cflri_sets *sets, adding *a, cflri_set_number set) {
    cflri_row row = cflri_sets_row(sets, set);
    if (row.n > a->most) {
        a->most = row.n;
        a->largest = set;
    }
    if (row.shape == CFLRI_ROW_TREE) {
        return cflri_vec_push(sets->context, &sets->tree, cflri_row_tree(&row));
    }
    sets->worked += row.n;
    if (!a->lists++) {
        a->list = row;
        return true;
    }
    if (a->lists == 2) cflri_row_sum_add(&sets->sum, cflri_row_ids(&a->list), a->list.n);
    cflri_row_sum_add(&sets->sum, cflri_row_ids(&row), row.n);
    return true;
}

static cflri_set_number take_lists(cflri_sets *sets, const adding *a) {
    if (cflri_row_sum_extent(&sets->sum).n > a->most) return cflri_sets_take(sets);
    cflri_row_sum_clear(&sets->sum);
    return a->largest;
}

/* Then trees are united, and the ids of the lists are added to the result. */
static cflri_set_number take_trees(cflri_sets *sets, const adding *a) {
    const uint32_t *ids = a->lists ? cflri_row_ids(&a->list) : NULL;
    uint32_t n = a->lists ? a->list.n : 0;
    if (a->lists > 1) {
        n = cflri_row_sum_extent(&sets->sum).n;
        sets->part.n = 0;
        if (!cflri_vec_reserve(sets->context, &sets->part, n)) return CFLRI_NO_SET;
        cflri_row_sum_write(&sets->sum, sets->part.at);
        ids = sets->part.at;
    }
    cflri_radix_tree tree = cflri_radix_tree_union(&sets->trees, sets->tree.at, sets->tree.n);
    if (tree.node != CFLRI_NO_RADIX_NODE) tree = cflri_radix_tree_with(&sets->trees, tree, ids, n);
    return keep_tree(sets, tree, a->largest);
}

/* Unites two or more sets. */
static cflri_set_number unite(cflri_sets *sets, const cflri_set_number *all, size_t n) {
    adding a = {0};
    bool added = true;
    sets->tree.n = 0;
    for (size_t i = 0; added && i < n; i++) added = add(sets, &a, all[i]);
    cflri_set_number set = CFLRI_NO_SET;
    if (added) set = sets->tree.n ? take_trees(sets, &a) : take_lists(sets, &a);
    cflri_row_sum_clear(&sets->sum);
    return set;
}

cflri_set_number cflri_sets_union(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    if (a == b || !b) return a;
    if (!a) return b;
    if (a > b) {
        cflri_set_number swap = a;
        a = b;
        b = swap;
    }
    const uint32_t *known = cflri_cache_find(&sets->unions, a, b);
    if (known) return *known;
    const cflri_set_number both[2] = {a, b};
    cflri_set_number set = merge_few(sets, both, 2, false);
    if (!set) set = unite(sets, both, 2);
    if (set != CFLRI_NO_SET) {
        cflri_cache_put(&sets->unions, sets->context, (cflri_cached){a, b, set});
    }
    return set;
}

/* Keeps each number once, without the empty set. Without memory for it, some remain more than
 * once. */
static size_t each_once(cflri_sets *sets, cflri_set_number *all, size_t n) {
    size_t kept = 0;
    bool once = n > 2 && cflri_once_begin(&sets->once, sets->context, n);
    for (size_t i = 0; i < n; i++) {
        if (!all[i] || (kept && all[i] == all[kept - 1])) continue;
        if (once && !cflri_once_add(&sets->once, all[i])) continue;
        all[kept++] = all[i];
    }
    return kept;
}

static cflri_set_number unite_all(cflri_sets *sets, cflri_set_number *all, size_t n, bool loose) {
    n = each_once(sets, all, n);
    if (n < 2) return n ? all[0] : CFLRI_EMPTY_SET;
    cflri_set_number largest = merge_few(sets, all, n, loose);
    if (largest) return largest;
    if (n == 2) return cflri_sets_union(sets, all[0], all[1]);
    return unite(sets, all, n);
}

cflri_set_number cflri_sets_union_all(cflri_sets *sets, cflri_set_number *all, size_t n) {
    return unite_all(sets, all, n, false);
}

cflri_set_number cflri_sets_union_loose(cflri_sets *sets, cflri_set_number *all, size_t n) {
    return unite_all(sets, all, n, true);
}

/* Returns the ids of a list that a row does not have. */
static cflri_set_number left_of_list(cflri_sets *sets, const cflri_row *list,
                                     const cflri_row *row) {
    const uint32_t *ids = cflri_row_ids(list);
    const uint32_t *others = row->shape == CFLRI_ROW_TREE ? NULL : cflri_row_ids(row);
    sets->part.n = 0;
    if (!cflri_vec_reserve(sets->context, &sets->part, list->n)) return CFLRI_NO_SET;
    for (uint32_t i = 0, k = 0; i < list->n; i++) {
        while (others && k < row->n && others[k] < ids[i]) k++;
        bool there =
            others ? k < row->n && others[k] == ids[i] : cflri_sets_have(sets, row, ids[i]);
        if (!there) sets->part.at[sets->part.n++] = ids[i];
    }
    return cflri_sets_of(sets, sets->part.at, (uint32_t)sets->part.n);
}

static cflri_set_number subtract(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    cflri_row x = cflri_sets_row(sets, a), y = cflri_sets_row(sets, b);
    if (x.shape != CFLRI_ROW_TREE) return left_of_list(sets, &x, &y);
    cflri_radix_tree tree = cflri_row_tree(&x);
    if (y.shape == CFLRI_ROW_TREE) {
        tree = cflri_radix_tree_minus(&sets->trees, tree, cflri_row_tree(&y));
    } else {
        tree = cflri_radix_tree_without(&sets->trees, tree, cflri_row_ids(&y), y.n);
    }
    return keep_tree(sets, tree, a);
}

cflri_set_number cflri_sets_minus(cflri_sets *sets, cflri_set_number a, cflri_set_number b) {
    if (a == b) return CFLRI_EMPTY_SET;
    if (!a || !b) return a;
    const uint32_t *known = cflri_cache_find(&sets->differences, a, b);
    if (known) return *known;
    cflri_set_number set = subtract(sets, a, b);
    if (set != CFLRI_NO_SET) {
        cflri_cache_put(&sets->differences, sets->context, (cflri_cached){a, b, set});
    }
    return set;
}

/* ---- parts ---- */

/* The branch of an id is id >> this: as trees branch, and as words and bits of a leaf do. */
static uint32_t branching(const cflri_sets *sets, const cflri_row *row) {
    cflri_row_walk walk = cflri_sets_begin(sets, row);
    uint32_t first = 0, last = 0;
    cflri_row_next(&walk, &first);
    while (cflri_row_next(&walk, &last)) {
    }
    uint32_t bit = 31 - (uint32_t)__builtin_clz((first ^ last) | 1);
    if (bit >= CFLRI_LEAF_BITS) return bit - (bit - CFLRI_LEAF_BITS) % CFLRI_BRANCH_BITS;
    return bit >= WORD_BITS ? WORD_BITS : 0;
}

static bool end_branch(cflri_sets *sets, cflri_set_list *parts) {
    size_t n = sets->part.n, single = n < BRANCH ? n : 0;
    bool pushed = true;
    for (size_t i = 0; pushed && i < single; i++) {
        cflri_set_number set = cflri_sets_single(sets, sets->part.at[i]);
        pushed = set != CFLRI_NO_SET && cflri_vec_push(sets->context, parts, set);
    }
    if (n && !single) {
        cflri_set_number set = cflri_sets_of(sets, sets->part.at, (uint32_t)n);
        pushed = set != CFLRI_NO_SET && cflri_vec_push(sets->context, parts, set);
    }
    sets->part.n = 0;
    return pushed;
}

static bool split_ids(cflri_sets *sets, const cflri_row *row, cflri_set_list *parts) {
    uint32_t shift = row->n <= UNSPLIT ? 0 : branching(sets, row), branch = 0, id;
    cflri_row_walk walk = cflri_sets_begin(sets, row);
    sets->part.n = 0; /* a call that failed may have left ids */
    while (cflri_row_next(&walk, &id)) {
        if (id >> shift != branch && !end_branch(sets, parts)) return false;
        branch = id >> shift;
        if (!cflri_vec_push(sets->context, &sets->part, id)) return false;
    }
    return end_branch(sets, parts);
}

static bool split_off(cflri_sets *sets, cflri_radix_tree child, cflri_set_list *parts) {
    const cflri_radix_trees *trees = &sets->store->trees;
    cflri_row row;
    if (cflri_radix_node_at(trees, child.node)->n < BRANCH) {
        if (!cflri_vec_reserve(sets->context, &sets->part, BRANCH)) return false;
        sets->part.n = cflri_radix_tree_write(trees, child, sets->part.at);
        return end_branch(sets, parts);
    }
    if (!cflri_row_of_tree(&sets->pool, trees, child, &row)) return false;
    cflri_set_number set = keep_row(sets, &row, false);
    return set != CFLRI_NO_SET && cflri_vec_push(sets->context, parts, set);
}

/* A tree needs no search for parts: they are its root's children. */
bool cflri_sets_split(cflri_sets *sets, cflri_set_number set, cflri_set_list *parts) {
    cflri_row row = cflri_sets_row(sets, set);
    if (row.shape != CFLRI_ROW_TREE || !row.level) return split_ids(sets, &row, parts);
    sets->part.n = 0; /* a call that failed may have left ids */
    for (uint32_t c = 0; c < CFLRI_BRANCHES; c++) {
        cflri_radix_tree child =
            cflri_radix_tree_part(&sets->store->trees, cflri_row_tree(&row), c);
        if (child.node && !split_off(sets, child, parts)) return false;
    }
    return true;
}

/* ---- sweeping ---- */

bool cflri_sets_begin_sweep(cflri_set_store *store) {
    store->marked =
        cflri_alloc_array_zero(store->context, (size_t)store->row.drawn + 1, sizeof *store->marked);
    store->filtering = (cflri_chunks){.n = CFLRI_SHARDS, .handful = 1};
    store->sweeping = (cflri_chunks){.n = store->row.drawn, .handful = SWEPT};
    if (!store->marked) return false;
    if (cflri_radix_trees_begin_sweep(&store->trees)) return true;
    cflri_sets_end_sweep(store);
    return false;
}

static bool is_kept(const void *what, uint32_t number) {
    const cflri_set_store *store = what;
    return atomic_load_explicit(&store->marked[number], memory_order_relaxed);
}

void cflri_sets_keep(cflri_set_store *store, cflri_set_number set) {
    if (cflri_set_is_single(set) || is_kept(store, set)) return;
    atomic_store_explicit(&store->marked[set], 1, memory_order_relaxed);
    const cflri_row *row = cflri_segment_at(&store->row, cflri_row, set);
    if (row->shape == CFLRI_ROW_TREE) cflri_radix_trees_mark(&store->trees, row->root.node);
}

/* Without memory to note it, the number is not used again. */
static void sweep_row(cflri_sets *sets, uint32_t number) {
    cflri_row *row = row_at(sets, number);
    if (!row->n || is_kept(sets->store, number)) return;
    count_row(&sets->less, row);
    cflri_row_free(&sets->pool, row);
    (void)cflri_vec_push(sets->context, &sets->spare, number);
}

/* Memory and numbers that are freed belong to the hand that freed them. */
void cflri_sets_sweep(cflri_sets *sets) {
    cflri_set_store *store = sets->store;
    size_t at, end;
    cflri_cache_clear(&sets->unions);
    cflri_cache_clear(&sets->differences);
    cflri_radix_trees_sweep(&sets->trees);
    while (cflri_chunks_next(&store->filtering, &at, &end)) {
        cflri_shards_filter(&store->shards, (uint32_t)at, is_kept, store);
    }
    while (cflri_chunks_next(&store->sweeping, &at, &end)) {
        for (; at < end; at++) sweep_row(sets, (uint32_t)at);
    }
}

void cflri_sets_end_sweep(cflri_set_store *store) {
    cflri_free(store->context, (void *)store->marked);
    store->marked = NULL;
    cflri_radix_trees_end_sweep(&store->trees);
}

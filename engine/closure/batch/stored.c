/* SPDX-License-Identifier: Apache-2.0
 *
 * stored.c: the state of a slice as blocks on a shelf: its rows, with trees that share their nodes.
 *
 *     NODE    leaves: 0 and 512 bits; then inner nodes, level by level: the level and a bit for
 *             each child, and the children
 *     SETS    lists: length and ids; trees: TREE, node, level, key
 *     ROWS    label | vertex, set | vertex, set | ...       one label a block
 *
 *     node    1: leaf   2: leaf   3: inner 1 2          numbered as they are written, from 1
 *     set     1: {5 6}  2: tree 3                       likewise; a set of one id is its own number
 *     row     A(7): 2   A(9): 1   B(7): .4
 *
 * A node stands behind its children, because levels ascend; so a reader makes each node from nodes
 * that it has made. Only what rows reach is written. A shelf that a batch reads has states of
 *
 *     this attempt    a single one: that of the slice, with the ids that it has sent and received
 *     the former      those of all slices, which may have been others: the slice takes the ids
 *                     that are its own now. It has sent nothing yet. From finished rows by which
 *                     PAIR goes it also takes the ids of others as if it had received them.
 *
 * Rows of the current stratum are stored where it loops. Without a loop they follow from finished
 * rows, and a slice that has some of them makes all of them again.
 *
 * Cost: the nodes and sets that rows reach, the rows, and for each level one pass over all nodes.
 * Memory: 4 bytes for each node and set, and a block.
 */
#include "engine/closure/batch/stored.h"

#include <string.h>

#include "base/context.h"
#include "engine/closure/batch/slice.h"

enum {
    BLOCK_WORDS = 1 << 18, /* 1 MiB; a longer list makes a longer block */
    LEAF_WORDS = 2 * CFLRI_BLOCK_WORDS,
    MASK_SHIFT = 16,
    TREE_WORDS = 4,
    ROW_WORDS = 2,
};

#define TREE 0x80000000u /* in the place of a list's length */
#define WANTED UINT32_MAX

static const char node_tag[] = "NODE", set_tag[] = "SETS", row_tag[] = "ROWS";

/* ---- blocks ---- */

typedef struct storing {
    cflri_batch *b;
    cflri_block_sink *sink;
    uint32_t stratum; /* strata before it are finished */
    const char *tag;  /* of the block */
    CFLRI_VEC(uint32_t) block;
    uint32_t *node, *set; /* by number: the number that it has in the state; WANTED: not yet */
    uint32_t nodes, sets; /* written so far */
    cflr_status failed;
    cflr_error *error;
} storing;

static bool refused(storing *s) {
    s->failed = cflri_fail_memory(s->b->context, s->error);
    return false;
}

static bool flush(storing *s) {
    if (!s->block.n) return true;
    s->failed =
        s->sink->put(s->sink, s->tag, s->block.at, s->block.n * sizeof *s->block.at, s->error);
    s->block.n = 0;
    return s->failed == CFLR_OK;
}

/* Makes room for n words in a block with the tag. NULL when that fails. */
static uint32_t *room(storing *s, const char *tag, uint32_t n) {
    bool fits = s->tag == tag && s->block.n + n <= BLOCK_WORDS;
    if (!fits && !flush(s)) return NULL;
    s->tag = tag;
    if (!cflri_vec_reserve(s->b->context, &s->block, n)) {
        refused(s);
        return NULL;
    }
    s->block.n += n;
    return s->block.at + s->block.n - n;
}

/* ---- what rows reach ---- */

/* The families whose rows are stored, with the ids that slices exchange. Rows of a stratum without
 * a loop are made again from finished ones. */
static bool is_stored(const storing *s, uint32_t label) {
    const cflri_equations *all = s->b->equations;
    uint32_t n = (uint32_t)all->family.n, stratum = all->family.at[label % n].stratum;
    if (cflri_is_by_set(s->b, label) || (label >= n && !s->b->sliced)) return false;
    return stratum < s->stratum ||
           (stratum == s->stratum && (label >= n || all->stratum.at[stratum].loops));
}

static uint32_t labels_of(const cflri_batch *b) {
    return 5 * (uint32_t)b->equations->family.n;
}

static void want_row(storing *s, cflri_set_number set) {
    if (cflri_set_is_single(set) || s->set[set]) return;
    cflri_row row = cflri_sets_row(s->b->sets, set);
    s->set[set] = WANTED;
    if (row.shape == CFLRI_ROW_TREE) s->node[row.root.node] = WANTED;
}

static void want_rows(storing *s) {
    uint32_t vertex;
    cflri_set_number value;
    for (uint32_t label = 0; label < labels_of(s->b); label++) {
        if (!is_stored(s, label)) continue;
        cflri_node_walk walk = cflri_batch_nodes(s->b, label);
        while (cflri_batch_next(&walk, &vertex, &value)) want_row(s, value);
    }
}

static const cflri_radix_node *node_at(const storing *s, uint32_t number) {
    return cflri_radix_node_at(&s->b->store->sets->trees, number);
}

/* Wants the children of all nodes of a level that are wanted. Returns the largest level. */
static uint32_t want_children(storing *s, uint32_t level) {
    uint32_t n = s->b->store->sets->trees.node.drawn, most = 0;
    for (uint32_t i = 1; i < n; i++) {
        if (s->node[i] != WANTED) continue;
        const cflri_radix_node *node = node_at(s, i);
        if (node->level > most) most = node->level;
        if (node->level != level) continue;
        for (int c = 0; c < CFLRI_BRANCHES; c++) {
            if (node->child[c]) s->node[node->child[c]] = WANTED;
        }
    }
    return most;
}

static uint32_t want_nodes(storing *s) {
    uint32_t most = want_children(s, UINT32_MAX);
    for (uint32_t level = most; level; level--) want_children(s, level);
    return most;
}

/* ---- storing ---- */

static bool store_node(storing *s, const cflri_radix_node *node) {
    uint32_t words[1 + LEAF_WORDS] = {node->level}, n = 1;
    if (!node->level) {
        memcpy(words + n, node->word, sizeof node->word);
        n += LEAF_WORDS;
    }
    for (int c = 0; node->level && c < CFLRI_BRANCHES; c++) {
        if (!node->child[c]) continue;
        words[0] |= 1u << (MASK_SHIFT + c);
        words[n++] = s->node[node->child[c]];
    }
    uint32_t *to = room(s, node_tag, n);
    if (to) memcpy(to, words, n * sizeof *to);
    return to;
}

static bool store_level(storing *s, uint32_t level) {
    uint32_t n = s->b->store->sets->trees.node.drawn;
    for (uint32_t i = 1; i < n; i++) {
        if (s->node[i] != WANTED || node_at(s, i)->level != level) continue;
        if (!store_node(s, node_at(s, i))) return false;
        s->node[i] = ++s->nodes;
    }
    return true;
}

static bool store_set(storing *s, cflri_set_number set) {
    cflri_row row = cflri_sets_row(s->b->sets, set);
    bool tree = row.shape == CFLRI_ROW_TREE;
    uint32_t *to = room(s, set_tag, tree ? TREE_WORDS : 1 + row.n);
    if (!to) return false;
    if (tree) {
        const uint32_t words[] = {TREE, s->node[row.root.node], row.level, row.root.key};
        memcpy(to, words, sizeof words);
    } else {
        to[0] = row.n;
        memcpy(to + 1, cflri_row_ids(&row), row.n * sizeof *to);
    }
    s->set[set] = ++s->sets;
    return true;
}

static bool store_sets(storing *s) {
    uint32_t n = s->b->store->sets->row.drawn;
    for (uint32_t i = 1; i < n; i++) {
        if (s->set[i] == WANTED && !store_set(s, i)) return false;
    }
    return true;
}

/* A block begins with the label. */
static bool store_label(storing *s, uint32_t label) {
    cflri_node_walk walk = cflri_batch_nodes(s->b, label);
    uint32_t vertex;
    cflri_set_number value;
    if (!flush(s)) return false;
    while (cflri_batch_next(&walk, &vertex, &value)) {
        bool full = s->block.n + ROW_WORDS > BLOCK_WORDS;
        if (full && !flush(s)) return false;
        uint32_t *to = room(s, row_tag, s->block.n ? ROW_WORDS : 1 + ROW_WORDS);
        if (!to) return false;
        if (to == s->block.at) *to++ = label;
        to[0] = vertex;
        to[1] = cflri_set_is_single(value) ? value : s->set[value];
    }
    return true;
}

static bool store_rows(storing *s) {
    for (uint32_t label = 0; label < labels_of(s->b); label++) {
        if (is_stored(s, label) && !store_label(s, label)) return false;
    }
    return true;
}

static bool store_nodes(storing *s) {
    uint32_t most = want_nodes(s);
    for (uint32_t level = 0; level <= most; level++) {
        if (!store_level(s, level)) return false;
    }
    return true;
}

static bool store_all(storing *s) {
    const cflri_set_store *sets = s->b->store->sets;
    cflr_context *context = s->b->context;
    s->node =
        cflri_alloc_array_zero(context, sets->trees.node.drawn + UINT64_C(1), sizeof *s->node);
    s->set = cflri_alloc_array_zero(context, sets->row.drawn + UINT64_C(1), sizeof *s->set);
    if (!s->node || !s->set) return refused(s);
    want_rows(s);
    return store_nodes(s) && store_sets(s) && store_rows(s) && flush(s);
}

cflr_status cflri_batch_store_rows(cflri_batch *b, cflri_shelf *shelf, uint32_t stratum,
                                   cflr_error *error) {
    cflri_block_sink *sink = shelf->write(shelf, b->slice.self);
    storing s = {.b = b, .sink = sink, .stratum = stratum, .error = error};
    store_all(&s);
    cflri_vec_free(b->context, &s.block);
    cflri_free(b->context, s.node);
    cflri_free(b->context, s.set);
    return s.failed;
}

/* ---- loading ---- */

typedef struct loading {
    cflri_batch *b;
    bool former; /* the states are those of all slices of the former attempt */
    uint32_t stratum;
    bool finished;                   /* rows that were complete before it are taken, not others */
    cflri_numbers node;              /* by number in the state */
    CFLRI_VEC(cflri_set_number) set; /* likewise */
    const uint32_t *word, *end;      /* the rest of the block */
} loading;

static bool damaged(const loading *l) {
    cflri_batch *b = l->b;
    if (b->end == CFLR_OK)
        b->end = cflri_fail(b->error, CFLR_FORMAT, NULL, "damaged work directory");
    return cflri_batch_refused(b);
}

static bool has_words(const loading *l, uint64_t n) {
    return n <= (uint64_t)(l->end - l->word) || damaged(l);
}

static bool make_leaf(loading *l, uint32_t *number) {
    uint64_t word[CFLRI_BLOCK_WORDS];
    if (!has_words(l, LEAF_WORDS)) return false;
    memcpy(word, l->word, sizeof word);
    l->word += LEAF_WORDS;
    *number = cflri_radix_tree_leaf(&l->b->sets->trees, word);
    return true;
}

static bool make_inner(loading *l, uint32_t head, uint32_t *number) {
    cflri_radix_trees *trees = &l->b->store->sets->trees;
    cflri_radix_node node = {.level = (uint8_t)head};
    for (uint32_t c = 0; c < CFLRI_BRANCHES; c++) {
        if (!(head >> (MASK_SHIFT + c) & 1)) continue;
        if (!has_words(l, 1)) return false;
        uint32_t child = *l->word++;
        if (!child || child >= l->node.n) return damaged(l);
        cflri_radix_tree_put_child(trees, &node, c, l->node.at[child]);
    }
    *number = cflri_radix_tree_inner(&l->b->sets->trees, &node);
    return true;
}

static bool load_nodes(loading *l) {
    while (l->word < l->end) {
        uint32_t head = *l->word++, number = 0;
        if (!(head ? make_inner(l, head, &number) : make_leaf(l, &number))) return false;
        if (!number) return damaged(l);
        if (number == CFLRI_NO_RADIX_NODE || !cflri_vec_push(l->b->context, &l->node, number)) {
            return cflri_batch_refused(l->b);
        }
    }
    return true;
}

static bool make_tree(loading *l, cflri_set_number *set) {
    if (!has_words(l, TREE_WORDS)) return false;
    uint32_t node = l->word[1];
    if (!node || node >= l->node.n) return damaged(l);
    cflri_radix_tree tree = {l->node.at[node], l->word[2], l->word[3]};
    *set = cflri_sets_of_tree(l->b->sets, tree);
    l->word += TREE_WORDS;
    return true;
}

static bool make_list(loading *l, cflri_set_number *set) {
    uint32_t n = l->word[0];
    if (!has_words(l, UINT64_C(1) + n)) return false;
    *set = cflri_sets_of(l->b->sets, l->word + 1, n);
    l->word += 1 + (size_t)n;
    return true;
}

static bool load_sets(loading *l) {
    while (l->word < l->end) {
        cflri_set_number set = CFLRI_NO_SET;
        if (!(l->word[0] == TREE ? make_tree(l, &set) : make_list(l, &set))) return false;
        if (set == CFLRI_NO_SET || !cflri_vec_push(l->b->context, &l->set, set)) {
            return cflri_batch_refused(l->b);
        }
    }
    return true;
}

static bool add(cflri_batch *b, uint32_t label, uint32_t vertex, cflri_set_number set) {
    cflri_set_number before, now;
    if (set == CFLRI_EMPTY_SET) return true;
    uint32_t node = cflri_batch_node(b, label, vertex, NULL);
    if (node == CFLRI_NO_NODE) return cflri_batch_refused(b);
    return cflri_batch_add(b, node, set, &before, &now);
}

/* The slice takes its own ids of a row of all, and the others where it has to know them. */
static bool add_own(loading *l, uint32_t family, uint32_t vertex, cflri_set_number set) {
    cflri_batch *b = l->b;
    bool guarded = b->equations->family.at[family].guarded;
    cflri_set_number others = cflri_sets_minus(b->sets, set, b->own[guarded]);
    if (others == CFLRI_NO_SET) return cflri_batch_refused(b);
    cflri_set_number own = others ? cflri_sets_minus(b->sets, set, others) : set;
    if (own == CFLRI_NO_SET) return cflri_batch_refused(b);
    if (!add(b, family, vertex, own)) return false;
    bool known = l->finished && b->plan->broadcast[family];
    return !known || add(b, cflri_batch_received(b, family), vertex, others);
}

static bool load_row(loading *l, uint32_t label) {
    cflri_set_number set = l->word[1];
    if (!cflri_set_is_single(set)) {
        if (!set || set >= l->set.n) return damaged(l);
        set = l->set.at[set];
    }
    uint32_t vertex = l->word[0];
    if (vertex >= l->b->problem->n_vertices) return damaged(l);
    l->word += ROW_WORDS;
    bool whole = l->former && l->b->sliced;
    return whole ? add_own(l, label, vertex, set) : add(l->b, label, vertex, set);
}

static bool load_rows(loading *l, uint32_t label) {
    uint32_t n = (uint32_t)l->b->equations->family.n;
    if (label >= 5 * n) return damaged(l);
    if (l->former && label >= n) return true;
    uint32_t stratum = l->b->equations->family.at[label % n].stratum;
    if (l->finished ? stratum >= l->stratum : stratum != l->stratum) return true;
    while (l->word < l->end) {
        if (!has_words(l, ROW_WORDS) || !load_row(l, label)) return false;
        if (!cflri_batch_worked(l->b, 1)) return false;
    }
    return true;
}

static bool load_words(loading *l, const char *tag) {
    if (strcmp(tag, node_tag) == 0) return load_nodes(l);
    if (strcmp(tag, set_tag) == 0) return load_sets(l);
    if (strcmp(tag, row_tag) != 0 || !has_words(l, 1)) return damaged(l);
    uint32_t label = *l->word++;
    return load_rows(l, label);
}

static bool load_block(loading *l, const cflri_block_source *source, size_t i) {
    cflri_batch *b = l->b;
    cflri_stored_block block = source->about(source, i);
    uint64_t n = block.size / sizeof *l->word;
    if (block.size % sizeof *l->word) return damaged(l);
    uint32_t *word = cflri_alloc_array(b->context, n, sizeof *word);
    if (!word) return cflri_batch_refused(b);
    cflr_status st = source->read(source, i, word, b->error);
    if (st != CFLR_OK) b->end = st;
    l->word = word;
    l->end = word + n;
    bool loaded = st == CFLR_OK ? load_words(l, block.tag) : cflri_batch_refused(b);
    cflri_free(b->context, word);
    return loaded;
}

/* Numbers begin with 1. */
static bool load_state(loading *l, const cflri_block_source *source) {
    cflri_batch *b = l->b;
    l->node.n = l->set.n = 0;
    if (!cflri_vec_push(b->context, &l->node, 0) || !cflri_vec_push(b->context, &l->set, 0)) {
        return cflri_batch_refused(b);
    }
    for (size_t i = 0; i < source->n; i++) {
        if (!load_block(l, source, i)) return false;
    }
    return true;
}

bool cflri_batch_load_rows(cflri_batch *b, cflri_shelf *shelf, bool former, uint32_t stratum,
                           bool finished) {
    loading l = {.b = b, .former = former, .stratum = stratum, .finished = finished};
    uint32_t first = former ? 0 : b->slice.self, end = former ? shelf->former.slices : first + 1;
    bool loaded = true;
    for (uint32_t i = first; loaded && i < end; i++) {
        loaded = load_state(&l, shelf->read(shelf, former, i));
    }
    cflri_vec_free(b->context, &l.node);
    cflri_vec_free(b->context, &l.set);
    return loaded;
}

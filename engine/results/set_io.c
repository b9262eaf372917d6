/* SPDX-License-Identifier: Apache-2.0
 *
 * set_io.c: sets of targets in a .cflr file.
 *
 *     RNOD   pieces of tree nodes: of a leaf 0 and 512 bits, of an inner node its level and a bit
 *            for each child, then the children, as differences to its own number
 *     RSET   pieces of sets: words, then number and length of each; of a list the words are
 *            differences of targets, of a tree node, level and key
 *
 *     sets    0: 5 6 9      1: tree            2: tree           words  5 1 3 | 7 1 0 | 8 2 0
 *     nodes              7: inner .--> 5 6     8: inner .--> 7 4
 *                              5: leaf 6: leaf       4: leaf
 *
 * The targets of a large set are a radix tree, as in memory (engine/sets/radix_tree.h), with one
 * difference: nodes are numbered as they are first met, children before the nodes that have them.
 * Equal sets and equal nodes are written once, so the file depends on the targets alone, however
 * the sets are kept: trees are built from the targets of a row, leaves first, then level by level.
 * An equal set or node is found by a hash of 128 bits, which is believed. Where memory for it is
 * refused, equal ones may be written again: a larger file of the same sets.
 *
 * Pieces are of one size. A list goes on in the next piece where it does not fit; so neither side
 * needs memory for more than a piece.
 *
 * Reading believes no count: room is only made for as much as the pieces can hold. A child's number
 * is less than its node's, and levels go down by one, so trees end.
 *
 * Cost: the targets of different sets, and their hashes.
 */
#include "engine/results/set_io.h"

#include <string.h>

#include "base/context.h"
#include "base/numbered.h"
#include "base/vec.h"

enum {
    HEADER_WORDS = CFLRI_PIECE_HEADER,
    HEAD_WORDS = CFLRI_SET_HEAD,
    TREE_WORDS = CFLRI_TREE_WORDS,
    NODE_WORDS = CFLRI_NODE_WORDS,
    MASK_SHIFT = CFLRI_MASK_SHIFT,
};

#define TREE CFLRI_SET_IS_TREE
typedef cflri_piece_header piece_header;

cflr_status cflri_result_damaged(const char *subject, const char *what, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, subject, "damaged result: %s", what);
}

/* ---- reading ---- */

typedef struct reader {
    cflr_context *context;
    const cflri_section *sections;
    size_t n_sections;
    const cflri_set_counts *counts;
    uint32_t n_vertices;
    const char *subject;
    cflri_stored_sets *stored;
    uint32_t n_sets, n_nodes; /* so far; numbers 0 stand for the empty set, and no node */
    uint32_t *open;           /* ids of the list that was read last, */
    uint32_t length, room;    /* its length, and room; it may go on in the next piece */
    cflr_error *error;
} reader;

static cflr_status damaged(const reader *r, const char *what) {
    return cflri_result_damaged(r->subject, what, r->error);
}

static cflri_radix_node *node_at(const reader *r, uint32_t number) {
    return cflri_segment_at(&r->stored->store.trees.node, cflri_radix_node, number);
}

static cflr_status read_leaf(const reader *r, const uint32_t *word, cflri_radix_node *node) {
    memcpy(node->word, word + 1, sizeof node->word);
    for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
        node->n += (uint32_t)__builtin_popcountll(node->word[w]);
    }
    node->leaves = 1;
    return node->n ? CFLR_OK : damaged(r, "a node of a set is empty");
}

/* Children have numbers below `number`. */
static cflr_status read_inner(const reader *r, const uint32_t *word, uint32_t number,
                              cflri_radix_node *node) {
    uint32_t mask = word[0] >> MASK_SHIFT, level = word[0] & ((1u << MASK_SHIFT) - 1), n = 1;
    uint64_t ids = 0, leaves = 0;
    if (level > 8) return damaged(r, "a node of a set has a wrong level");
    node->level = level & 0xff;
    for (uint32_t branch = 0; branch < CFLRI_BRANCHES; branch++) {
        if (!(mask >> branch & 1)) continue;
        uint32_t back = word[n++];
        if (!back || back >= number) return damaged(r, "a node of a set is missing");
        const cflri_radix_node *child = node_at(r, number - back);
        if (child->level + 1u != level) return damaged(r, "a node of a set has a wrong level");
        node->child[branch] = number - back;
        ids += child->n;
        leaves += child->leaves;
    }
    if (!ids || ids > UINT32_MAX || leaves >= 1u << 24) {
        return damaged(r, "a node of a set has a wrong size");
    }
    node->n = (uint32_t)ids;
    node->leaves = (uint32_t)leaves & 0xffffff;
    return CFLR_OK;
}

static cflr_status read_nodes(reader *r, const uint32_t *word, piece_header header) {
    cflr_status st = CFLR_OK;
    uint32_t at = 0;
    for (uint32_t i = 0; i < header.n; i++) {
        uint32_t left = header.n_words - at, first = left ? word[at] : 0, n = NODE_WORDS;
        if (first) n = 1 + (uint32_t)__builtin_popcount(first >> MASK_SHIFT);
        if (n > left) return damaged(r, "a piece of nodes is too short");
        if (r->n_nodes == r->counts->n_nodes) return damaged(r, "nodes are more than promised");
        cflri_radix_node *node = node_at(r, ++r->n_nodes);
        memset(node, 0, sizeof *node);
        CFLR_TRY(first ? read_inner(r, word + at, r->n_nodes, node)
                       : read_leaf(r, word + at, node));
        at += n;
    }
    if (at != header.n_words) st = damaged(r, "a piece of nodes is too long");
out:
    return st;
}

static cflri_row *row_at(const reader *r, uint32_t number) {
    return cflri_segment_at(&r->stored->store.row, cflri_row, number);
}

static cflr_status read_tree(reader *r, const uint32_t *word) {
    uint32_t level = word[1], key = word[2];
    if (word[0] >= r->n_nodes) return damaged(r, "a set has no node");
    const cflri_radix_node *root = node_at(r, word[0] + 1);
    uint32_t bits = CFLRI_LEAF_BITS + CFLRI_BRANCH_BITS * level;
    bool fits = root->level == level && bits < 64 && (uint64_t)key << bits < r->n_vertices;
    if (!fits) return damaged(r, "a set has the wrong place");
    cflri_row *row = row_at(r, ++r->n_sets);
    *row = (cflri_row){
        .n = root->n, .shape = CFLRI_ROW_TREE, .level = (uint8_t)level, .root = {word[0] + 1, key}};
    return CFLR_OK;
}

/* The last id of a tree is below the number of vertices. */
static bool tree_ends_below(const cflri_row *row, const cflri_radix_trees *trees,
                            uint32_t n_vertices) {
    return cflri_row_rank(row, trees, n_vertices) == row->n;
}

/* Makes the row of the list that was read last. */
static cflr_status close_list(reader *r) {
    if (!r->length) return CFLR_OK;
    cflri_row *row = row_at(r, r->n_sets);
    bool made = cflri_row_make(&r->stored->store.hand[0].pool, r->length, row);
    if (made) memcpy(cflri_row_room(row), r->open, r->length * sizeof *r->open);
    r->length = 0;
    return made ? CFLR_OK : cflri_fail_memory(r->context, r->error);
}

static bool reserve(reader *r, uint32_t more) {
    uint64_t needed = (uint64_t)r->length + more, room = 2 * (uint64_t)r->room;
    if (needed <= r->room) return true;
    if (room < needed) room = needed;
    if (room > UINT32_MAX) room = UINT32_MAX;
    uint32_t *grown =
        needed > room ? NULL : cflri_realloc(r->context, r->open, room * sizeof *grown);
    if (!grown) return false;
    r->open = grown;
    r->room = (uint32_t)room;
    return true;
}

static cflr_status read_list(reader *r, const uint32_t *word, uint32_t n) {
    if (!reserve(r, n)) return cflri_fail_memory(r->context, r->error);
    uint64_t last = r->length ? r->open[r->length - 1] : 0, id = 0;
    bool first = !r->length;
    for (uint32_t i = 0; i < n; i++) {
        id += word[i];
        if ((!first && id <= last) || id >= r->n_vertices) {
            return damaged(r, "the targets of a set are wrong");
        }
        r->open[r->length++] = (uint32_t)id;
        last = id;
        first = false;
    }
    return CFLR_OK;
}

/* A list goes on where the number is that of the set before. */
static cflr_status read_set(reader *r, uint32_t number, const uint32_t *word, uint32_t n,
                            bool tree) {
    cflr_status st = CFLR_OK;
    bool goes_on = r->length && !tree && r->n_sets && number == r->n_sets - 1;
    if (goes_on) return read_list(r, word, n);
    CFLR_TRY(close_list(r));
    if (number != r->n_sets || number >= r->counts->n_sets) {
        st = damaged(r, "a set has the wrong number");
        goto out;
    }
    if (tree) {
        CFLR_TRY(read_tree(r, word));
        if (!tree_ends_below(row_at(r, r->n_sets), &r->stored->store.trees, r->n_vertices)) {
            st = damaged(r, "the targets of a set are wrong");
        }
        goto out;
    }
    r->n_sets++;
    st = read_list(r, word, n);
out:
    return st;
}

static cflr_status read_sets(reader *r, const uint32_t *word, piece_header header) {
    cflr_status st = CFLR_OK;
    const uint32_t *head = word + header.n_words;
    uint32_t left = header.n_words;
    for (uint32_t i = 0; i < header.n; i++, head += HEAD_WORDS) {
        bool tree = head[1] & TREE;
        uint32_t n = head[1] & ~TREE;
        if (!n || n > left || (tree && n != TREE_WORDS)) {
            st = damaged(r, "a set has the wrong length");
            goto out;
        }
        CFLR_TRY(read_set(r, head[0], word, n, tree));
        word += n;
        left -= n;
    }
    if (left) st = damaged(r, "a piece has targets outside its sets");
out:
    return st;
}

static cflr_status read_piece(reader *r, const cflri_section *section, bool nodes) {
    void *data = NULL;
    piece_header header;
    uint64_t words = section->size / sizeof(uint32_t);
    cflr_status st = cflri_container_unpack(r->context, section, r->subject, &data, r->error);
    if (st != CFLR_OK) return st;
    bool whole = section->size % sizeof(uint32_t) == 0 && words >= HEADER_WORDS;
    if (whole) memcpy(&header, data, sizeof header);
    uint64_t heads = nodes ? 0 : HEAD_WORDS;
    if (!whole || words - HEADER_WORDS != header.n_words + heads * header.n) {
        st = damaged(r, "a piece of sets has the wrong size");
    } else {
        const uint32_t *word = (const uint32_t *)data + HEADER_WORDS;
        st = nodes ? read_nodes(r, word, header) : read_sets(r, word, header);
    }
    cflri_free(r->context, data);
    return st;
}

static cflr_status read_pieces(reader *r, const char *tag, bool nodes) {
    cflr_status st = CFLR_OK;
    for (size_t i = 0; i < r->n_sections; i++) {
        if (strcmp(r->sections[i].tag, tag) != 0) continue;
        CFLR_TRY(read_piece(r, &r->sections[i], nodes));
        st = cflri_tick(r->context, "load", i, r->n_sections);
        if (st != CFLR_OK) CFLR_TRY(cflri_fail_interrupted(r->context, st, r->error));
    }
out:
    return st;
}

static cflr_status make_store(reader *r) {
    const cflri_set_counts *counts = r->counts;
    cflri_set_store *store = &r->stored->store;
    if (counts->n_sets > cflri_container_words(r->sections, r->n_sections, "RSET") / HEAD_WORDS ||
        counts->n_nodes > cflri_container_words(r->sections, r->n_sections, "RNOD") / 2) {
        return damaged(r, "more sets are promised than the file holds");
    }
    bool made = cflri_set_store_init(store, r->context, 0, CFLRI_KERNEL_PLAIN, 1) &&
                cflri_segments_reach(&store->row, counts->n_sets + 1) &&
                cflri_segments_reach(&store->trees.node, counts->n_nodes + 1);
    if (!made) return cflri_fail_memory(r->context, r->error);
    store->row.drawn = counts->n_sets + 1;
    store->trees.node.drawn = counts->n_nodes + 1;
    for (uint32_t i = 0; i <= counts->n_sets; i++) *row_at(r, i) = (cflri_row){0};
    return CFLR_OK;
}

static cflr_status read_all(reader *r) {
    cflr_status st = CFLR_OK;
    CFLR_TRY(make_store(r));
    CFLR_TRY(read_pieces(r, "RNOD", true));
    CFLR_TRY(read_pieces(r, "RSET", false));
    CFLR_TRY(close_list(r));
    if (r->n_sets != r->counts->n_sets || r->n_nodes != r->counts->n_nodes) {
        st = damaged(r, "sets are fewer than promised");
    } else if (!cflri_stored_sets_end(r->stored, NULL, 0)) {
        st = cflri_fail_memory(r->context, r->error);
    }
out:
    return st;
}

cflr_status cflri_sets_read(cflr_context *context, const cflri_section *sections, size_t n_sections,
                            const cflri_set_counts *counts, uint32_t n_vertices,
                            const char *subject, cflri_stored_sets **stored, cflr_error *error) {
    reader r = {.context = context,
                .sections = sections,
                .n_sections = n_sections,
                .counts = counts,
                .n_vertices = n_vertices,
                .subject = subject,
                .stored = cflri_stored_sets_new(context),
                .error = error};
    *stored = NULL;
    if (!r.stored) return cflri_fail_memory(context, error);
    cflr_status st = read_all(&r);
    cflri_free(context, r.open);
    if (st == CFLR_OK) {
        *stored = r.stored;
    } else {
        r.stored->sets.free(context, &r.stored->sets);
    }
    return st;
}

uint32_t cflri_read_set(const cflri_stored_sets *stored, uint32_t i, uint32_t *n_targets) {
    cflri_row row = *cflri_segment_at(&stored->store.row, cflri_row, i + 1);
    *n_targets = row.n;
    bool one = row.shape == CFLRI_ROW_FEW && row.n == 1;
    return one ? CFLRI_ONE_TARGET | row.few[0] : i + 1;
}

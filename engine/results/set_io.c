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
    PIECE_WORDS = 1 << 18, /* 1 MiB a piece */
    HEADER_WORDS = 2,
    HEAD_WORDS = 2,
    TREE_WORDS = 3,
    LEAF_WORDS = 2 * CFLRI_BLOCK_WORDS,
    NODE_WORDS = 1 + LEAF_WORDS, /* at most */
    MASK_SHIFT = 16,             /* of an inner node's children, above its level */
};

#define TREE 0x80000000u /* with the length of a set: its words are a tree */

_Static_assert(1 + CFLRI_BRANCHES <= NODE_WORDS, "inner nodes are no larger than leaves");

typedef struct piece_header {
    uint32_t n_words; /* behind the header, without heads */
    uint32_t n;       /* sets, or nodes */
} piece_header;

cflr_status cflri_result_damaged(const char *subject, const char *what, cflr_error *error) {
    return cflri_fail(error, CFLR_FORMAT, subject, "damaged result: %s", what);
}

/* ---- memory that makes a file smaller ---- */

/* A heap has pages that no block fills, which the context does not count. */
bool cflri_spares(const cflr_context *context, uint64_t bytes) {
    enum { WRITING = 4 << 20, UNCOUNTED = 16 }; /* the last as a part of all memory */
    uint64_t left = cflri_memory_left(context);
    return bytes <= left && left - bytes >= WRITING + cflr_context_memory(context) / UNCOUNTED;
}

static void note(cflr_context *context, cflri_numbered *known, XXH128_hash_t hash,
                 uint32_t number) {
    if (cflri_spares(context, cflri_numbered_more(known))) {
        cflri_numbered_add(context, known, hash, number);
    }
}

/* ---- writing ---- */

typedef struct piece {
    const char *tag;
    uint32_t *word; /* header, words; heads of sets grow from the end, the first set last */
    uint32_t n_words, n;
    uint32_t heads; /* words of a head */
} piece;

/* A node with its place among those of its level. */
typedef struct placed {
    uint32_t place, node;
} placed;

struct cflri_set_writer {
    cflr_context *context;
    cflri_output *output;
    bool plain;        /* equal sets are not looked for */
    piece sets, nodes; /* memory for nodes is there when the first one is written */
    cflri_numbered known_sets, known_nodes;
    cflri_set_counts counts;
    CFLRI_VEC(placed) level; /* nodes of the level that was built last */
};

static uint32_t *new_piece(cflr_context *context) {
    return cflri_alloc_array(context, HEADER_WORDS + PIECE_WORDS, sizeof(uint32_t));
}

static cflr_status flush(cflri_set_writer *w, piece *p, cflr_error *error) {
    if (!p->n) return CFLR_OK;
    piece_header header = {p->n_words, p->n};
    uint32_t *heads = p->word + HEADER_WORDS + p->n_words, n_heads = p->heads * p->n;
    const uint32_t *last = p->word + HEADER_WORDS + PIECE_WORDS - n_heads;
    memcpy(p->word, &header, sizeof header);
    memmove(heads, last, n_heads * sizeof *heads);
    for (uint32_t i = 0, j = n_heads; i + p->heads < j; i += p->heads) {
        j -= p->heads;
        for (uint32_t k = 0; k < p->heads; k++) {
            uint32_t word = heads[i + k];
            heads[i + k] = heads[j + k];
            heads[j + k] = word;
        }
    }
    size_t size = (HEADER_WORDS + p->n_words + n_heads) * sizeof *heads;
    p->n_words = p->n = 0;
    return cflri_container_section(w->context, w->output, p->tag, p->word, size, error);
}

/* Room for at least `least` words and a head in the piece. */
static cflr_status make_room(cflri_set_writer *w, piece *p, uint32_t least, uint32_t *room,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (p->n_words + p->heads * (p->n + 1) + least > PIECE_WORDS) st = flush(w, p, error);
    *room = PIECE_WORDS - p->n_words - p->heads * (p->n + 1);
    return st;
}

static uint32_t *next_words(const piece *p) {
    return p->word + HEADER_WORDS + p->n_words;
}

static void end_set(cflri_set_writer *w, uint32_t n_words, uint32_t number, uint32_t length) {
    piece *p = &w->sets;
    p->n_words += n_words;
    p->n++;
    uint32_t *head = p->word + HEADER_WORDS + PIECE_WORDS - HEAD_WORDS * (size_t)p->n;
    head[0] = number;
    head[1] = length;
}

/* Writes a node, unless an equal one was written. */
static cflr_status put_node(cflri_set_writer *w, const uint32_t *word, uint32_t n, uint32_t *number,
                            cflr_error *error) {
    uint32_t room;
    XXH128_hash_t hash = XXH3_128bits(word, n * sizeof *word);
    if (cflri_numbered_find(&w->known_nodes, hash, number)) return CFLR_OK;
    if (w->counts.n_nodes == UINT32_MAX - 2) {
        return cflri_fail(error, CFLR_LIMIT, NULL, "the result has too many sets for a file");
    }
    if (!w->nodes.word) w->nodes.word = new_piece(w->context);
    if (!w->nodes.word) return cflri_fail_memory(w->context, error);
    cflr_status st = make_room(w, &w->nodes, n, &room, error);
    if (st != CFLR_OK) return st;
    *number = w->counts.n_nodes++;
    uint32_t *to = next_words(&w->nodes);
    memcpy(to, word, n * sizeof *word);
    for (uint32_t i = 1; word[0] && i < n; i++) to[i] = *number - word[i];
    w->nodes.n_words += n;
    w->nodes.n++;
    note(w->context, &w->known_nodes, hash, *number);
    return CFLR_OK;
}

static cflr_status put_leaves(cflri_set_writer *w, const cflr_row *row, cflr_error *error) {
    cflr_status st = CFLR_OK;
    w->level.n = 0;
    for (uint64_t i = 0; i < row->count;) {
        uint64_t bits[CFLRI_BLOCK_WORDS] = {0};
        uint32_t word[NODE_WORDS] = {0};
        placed leaf = {.place = row->target[i] / CFLRI_BLOCK_IDS};
        for (; i < row->count && row->target[i] / CFLRI_BLOCK_IDS == leaf.place; i++) {
            uint32_t bit = row->target[i] % CFLRI_BLOCK_IDS;
            bits[bit / 64] |= UINT64_C(1) << bit % 64;
        }
        memcpy(word + 1, bits, sizeof bits);
        CFLR_TRY(put_node(w, word, NODE_WORDS, &leaf.node, error));
        if (!cflri_vec_push(w->context, &w->level, leaf)) {
            CFLR_TRY(cflri_fail_memory(w->context, error));
        }
    }
out:
    return st;
}

/* Replaces the nodes of a level by those of the level above. */
static cflr_status put_level(cflri_set_writer *w, uint32_t level, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t kept = 0;
    for (size_t i = 0; i < w->level.n;) {
        uint32_t word[NODE_WORDS] = {0}, n = 1, mask = 0;
        placed inner = {.place = w->level.at[i].place / CFLRI_BRANCHES};
        for (; i < w->level.n && w->level.at[i].place / CFLRI_BRANCHES == inner.place; i++) {
            mask |= 1u << w->level.at[i].place % CFLRI_BRANCHES;
            word[n++] = w->level.at[i].node;
        }
        word[0] = mask << MASK_SHIFT | level;
        CFLR_TRY(put_node(w, word, n, &inner.node, error));
        w->level.at[kept++] = inner;
    }
    w->level.n = kept;
out:
    return st;
}

/* Finds a set among those that were written, or gives it the next number. */
static cflr_status number_set(cflri_set_writer *w, XXH128_hash_t hash, uint32_t *number,
                              bool *is_new, cflr_error *error) {
    *is_new = w->plain || !cflri_numbered_find(&w->known_sets, hash, number);
    if (!*is_new) return CFLR_OK;
    if (w->counts.n_sets == CFLRI_ONE_TARGET - 2) {
        return cflri_fail(error, CFLR_LIMIT, NULL, "the result has too many sets for a file");
    }
    *number = w->counts.n_sets++;
    if (!w->plain) note(w->context, &w->known_sets, hash, *number);
    return CFLR_OK;
}

static cflr_status put_tree(cflri_set_writer *w, const cflr_row *row, uint32_t *number,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool is_new;
    uint32_t room, level = 0;
    CFLR_TRY(put_leaves(w, row, error));
    while (w->level.n > 1) CFLR_TRY(put_level(w, ++level, error));
    const uint32_t tree[TREE_WORDS] = {w->level.at[0].node, level, w->level.at[0].place};
    CFLR_TRY(number_set(w, XXH3_128bits_withSeed(tree, sizeof tree, 1), number, &is_new, error));
    if (!is_new) goto out;
    CFLR_TRY(make_room(w, &w->sets, TREE_WORDS, &room, error));
    memcpy(next_words(&w->sets), tree, sizeof tree);
    end_set(w, TREE_WORDS, *number, TREE | TREE_WORDS);
out:
    return st;
}

static cflr_status put_list(cflri_set_writer *w, const cflr_row *row, uint32_t *number,
                            cflr_error *error) {
    cflr_status st = CFLR_OK;
    bool is_new;
    XXH128_hash_t hash = XXH3_128bits(row->target, row->count * sizeof *row->target);
    CFLR_TRY(number_set(w, hash, number, &is_new, error));
    for (uint64_t at = 0; is_new && at < row->count;) {
        uint32_t room, before = 0;
        CFLR_TRY(make_room(w, &w->sets, 1, &room, error));
        uint64_t left = row->count - at;
        uint32_t n = left < room ? (uint32_t)left : room, *difference = next_words(&w->sets);
        for (uint32_t i = 0; i < n; i++, at++) {
            difference[i] = row->target[at] - before;
            before = row->target[at];
        }
        end_set(w, n, *number, n);
    }
out:
    return st;
}

cflr_status cflri_set_writer_put(cflri_set_writer *w, const cflr_row *row, bool plain,
                                 uint32_t *number, cflr_error *error) {
    w->plain = plain;
    uint32_t n = (uint32_t)row->count;
    if (cflri_row_is_tree(n, cflri_count_leaves(row->target, n))) {
        return put_tree(w, row, number, error);
    }
    return put_list(w, row, number, error);
}

cflr_status cflri_set_writer_end(cflri_set_writer *w, cflri_set_counts *counts, cflr_error *error) {
    cflr_status st = flush(w, &w->nodes, error);
    *counts = w->counts;
    return st == CFLR_OK ? flush(w, &w->sets, error) : st;
}

cflr_status cflri_set_writer_new(cflr_context *context, cflri_output *output,
                                 cflri_set_writer **writer, cflr_error *error) {
    cflri_set_writer *w = *writer = cflri_alloc_zero(context, sizeof *w);
    if (!w) return cflri_fail_memory(context, error);
    *w = (cflri_set_writer){.context = context, .output = output};
    w->sets = (piece){.tag = "RSET", .heads = HEAD_WORDS};
    w->nodes = (piece){.tag = "RNOD"};
    w->sets.word = new_piece(context);
    return w->sets.word ? CFLR_OK : cflri_fail_memory(context, error);
}

void cflri_set_writer_free(cflri_set_writer *w) {
    if (!w) return;
    cflri_free(w->context, w->sets.word);
    cflri_free(w->context, w->nodes.word);
    cflri_numbered_free(w->context, &w->known_sets);
    cflri_numbered_free(w->context, &w->known_nodes);
    cflri_vec_free(w->context, &w->level);
    cflri_free(w->context, w);
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
    *row = (cflri_row){.n = root->n,
                       .shape = CFLRI_ROW_TREE,
                       .level = (uint8_t)level,
                       .root = {word[0] + 1, key},
                       .trees = &r->stored->store.trees};
    return CFLR_OK;
}

/* The last id of a tree is below the number of vertices. */
static bool tree_ends_below(const cflri_row *row, uint32_t n_vertices) {
    return cflri_row_rank(row, n_vertices) == row->n;
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
        if (!tree_ends_below(row_at(r, r->n_sets), r->n_vertices)) {
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

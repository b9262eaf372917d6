/* SPDX-License-Identifier: Apache-2.0
 *
 * set_writer.c: writes sets of targets as pieces (set_pieces.h).
 *
 * Equal sets and equal nodes are written once, so what is written depends on the targets alone,
 * however the sets are kept: trees are built from the targets of a row, leaves first, then level by
 * level. An equal set or node is found by a hash of 128 bits, which is believed. Where memory for
 * it is refused, equal ones may be written again: more bytes for the same sets.
 *
 * Cost: the targets of different sets, and their hashes.
 */
#include "engine/sets/set_writer.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/numbered.h"
#include "base/vec.h"
#include "engine/sets/row.h"

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
    cflri_block_sink *sink;
    uint32_t piece_words; /* of a piece, with heads */
    bool plain;           /* equal sets are not looked for */
    piece sets, nodes;    /* memory for nodes is there when the first one is written */
    cflri_numbered known_sets, known_nodes;
    cflri_set_counts counts;
    CFLRI_VEC(placed) level; /* nodes of the level that was built last */
};

static uint32_t *new_piece(const cflri_set_writer *w) {
    return cflri_alloc_array(w->context, CFLRI_PIECE_HEADER + (size_t)w->piece_words,
                             sizeof(uint32_t));
}

static cflr_status flush(cflri_set_writer *w, piece *p, cflr_error *error) {
    if (!p->n) return CFLR_OK;
    cflri_piece_header header = {p->n_words, p->n};
    uint32_t *heads = p->word + CFLRI_PIECE_HEADER + p->n_words, n_heads = p->heads * p->n;
    const uint32_t *last = p->word + CFLRI_PIECE_HEADER + w->piece_words - n_heads;
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
    size_t size = (CFLRI_PIECE_HEADER + p->n_words + n_heads) * sizeof *heads;
    p->n_words = p->n = 0;
    return w->sink->put(w->sink, p->tag, p->word, size, error);
}

/* Room for at least `least` words and a head in the piece. */
static cflr_status make_room(cflri_set_writer *w, piece *p, uint32_t least, uint32_t *room,
                             cflr_error *error) {
    cflr_status st = CFLR_OK;
    if (p->n_words + p->heads * (p->n + 1) + least > w->piece_words) st = flush(w, p, error);
    *room = w->piece_words - p->n_words - p->heads * (p->n + 1);
    return st;
}

static uint32_t *next_words(const piece *p) {
    return p->word + CFLRI_PIECE_HEADER + p->n_words;
}

static void end_set(cflri_set_writer *w, uint32_t n_words, uint32_t number, uint32_t length) {
    piece *p = &w->sets;
    p->n_words += n_words;
    p->n++;
    uint32_t *head = p->word + CFLRI_PIECE_HEADER + w->piece_words - CFLRI_SET_HEAD * (size_t)p->n;
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
    if (!w->nodes.word) w->nodes.word = new_piece(w);
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
        uint32_t word[CFLRI_NODE_WORDS] = {0};
        placed leaf = {.place = row->target[i] / CFLRI_BLOCK_IDS};
        for (; i < row->count && row->target[i] / CFLRI_BLOCK_IDS == leaf.place; i++) {
            uint32_t bit = row->target[i] % CFLRI_BLOCK_IDS;
            bits[bit / 64] |= UINT64_C(1) << bit % 64;
        }
        memcpy(word + 1, bits, sizeof bits);
        CFLR_TRY(put_node(w, word, CFLRI_NODE_WORDS, &leaf.node, error));
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
        uint32_t word[CFLRI_NODE_WORDS] = {0}, n = 1, mask = 0;
        placed inner = {.place = w->level.at[i].place / CFLRI_BRANCHES};
        for (; i < w->level.n && w->level.at[i].place / CFLRI_BRANCHES == inner.place; i++) {
            mask |= 1u << w->level.at[i].place % CFLRI_BRANCHES;
            word[n++] = w->level.at[i].node;
        }
        word[0] = mask << CFLRI_MASK_SHIFT | level;
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
    const uint32_t tree[CFLRI_TREE_WORDS] = {w->level.at[0].node, level, w->level.at[0].place};
    CFLR_TRY(number_set(w, XXH3_128bits_withSeed(tree, sizeof tree, 1), number, &is_new, error));
    if (!is_new) goto out;
    CFLR_TRY(make_room(w, &w->sets, CFLRI_TREE_WORDS, &room, error));
    memcpy(next_words(&w->sets), tree, sizeof tree);
    end_set(w, CFLRI_TREE_WORDS, *number, CFLRI_SET_IS_TREE | CFLRI_TREE_WORDS);
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

cflr_status cflri_set_writer_new(cflr_context *context, cflri_block_sink *sink,
                                 uint32_t piece_words, cflri_set_writer **writer,
                                 cflr_error *error) {
    assert(piece_words >= CFLRI_PIECE_LEAST);
    cflri_set_writer *w = *writer = cflri_alloc_zero(context, sizeof *w);
    if (!w) return cflri_fail_memory(context, error);
    *w = (cflri_set_writer){.context = context, .sink = sink, .piece_words = piece_words};
    w->sets = (piece){.tag = CFLRI_SETS_TAG, .heads = CFLRI_SET_HEAD};
    w->nodes = (piece){.tag = CFLRI_NODES_TAG};
    w->sets.word = new_piece(w);
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

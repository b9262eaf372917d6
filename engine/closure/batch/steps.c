/* SPDX-License-Identifier: Apache-2.0
 *
 * steps.c: where the edges of a label lead from the ids of a set, of one or of 64 sets at once.
 *
 * One set: its ids are visited one by one, or the edges, where these are few.
 *
 * Many large sets: an id gets a word in which each bit stands for one of up to 64 sets. Words of
 * ids move along edges, so an edge is visited once for all sets:
 *
 *               ids 0..63 of a block                   sets 0..63
 *     set 0     1 1 . . . 1            id 0            1 . . . 1
 *     set 1     . . 1 . . 1    turn    id 1            1 . . . .    edge 1 -> 7: to[7] |= from[1]
 *     ...                     ----->   ...
 *     set 63    1 . . . . .            id 63           1 1 . . .
 *
 * Bits are turned 64 by 64 (Warren, Hacker's Delight, section 7-3), from blocks to words and back.
 * That costs about as much as ten ids of one set, whatever is in the 4,096 bits. So it pays where
 * the sets have many ids for each block that one of them touches, and the label many edges.
 *
 * O(ids and edges of one set), or O(blocks + distinct ids and their edges) for all.
 */
#include "engine/closure/batch/steps.h"

#include <stdlib.h>
#include <string.h>

#include "base/context.h"

enum {
    LANES = CFLRI_STEPS_TOGETHER,
    DENSE = 128, /* least number of visits for each block */
};

static uint32_t label_of(cflri_edge_kind kind) {
    return kind / 8;
}
static bool is_back(cflri_edge_kind kind) {
    return kind & 4;
}
static bool is_from_guards(cflri_edge_kind kind) {
    return kind & 2;
}
static bool is_to_guards(cflri_edge_kind kind) {
    return kind & 1;
}

/* The vertex that an id stands for. */
static uint32_t vertex_of(const cflri_batch *b, cflri_edge_kind kind, uint32_t id) {
    return is_from_guards(kind) ? b->guard[id] : id;
}

static cflri_port_range ports_of(const cflri_batch *b, cflri_edge_kind kind, uint32_t id) {
    cflri_direction ahead = cflri_port_ahead(is_back(kind));
    cflri_port_range all = cflri_ports_at(b->ports, ahead, vertex_of(b, kind, id));
    return all.n ? cflri_ports_of(all, label_of(kind)) : all;
}

/* Keeps the answer, unless it is CFLRI_NO_SET, and returns it. */
static cflri_set_number keep_answer(cflri_batch *b, cflri_set_number set, uint32_t question,
                                    cflri_set_number answer) {
    if (answer != CFLRI_NO_SET) {
        cflri_cache_put(&b->steps, b->context, (cflri_cached){set, question, answer});
    }
    return answer;
}

/* ---- one set ---- */

cflri_set_number cflri_batch_guards(cflri_batch *b, cflri_set_number set) {
    const uint32_t question = UINT32_MAX; /* no kind of edge has this number */
    const uint32_t *known = cflri_cache_find(&b->steps, set, question);
    if (known) return *known;
    cflri_row row = cflri_sets_row(b->sets, set);
    cflri_row_walk walk = cflri_sets_begin(b->sets, &row);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) cflri_batch_sum(b, true, id);
    b->work += row.n;
    return keep_answer(b, set, question, cflri_sets_take(b->sets));
}

/* When few edges have the label, tests for each whether the set contains its source. */
static void step_by_edges(cflri_batch *b, const cflri_row *row, cflri_edge_kind kind,
                          const cflri_relation *input) {
    for (uint32_t r = 0; r < input->n_rows; r++) {
        uint32_t id = is_from_guards(kind) ? b->guard_of[input->row[r]] : input->row[r];
        if (id == CFLRI_NO_GUARD || !cflri_sets_have(b->sets, row, id)) continue;
        for (uint64_t i = input->start[r]; i < input->start[r + 1]; i++) {
            cflri_batch_sum(b, is_to_guards(kind), input->target[i]);
        }
    }
}

static void step_by_ids(cflri_batch *b, const cflri_row *row, cflri_edge_kind kind) {
    cflri_row_walk walk = cflri_sets_begin(b->sets, row);
    bool guarded = is_to_guards(kind);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        cflri_port_range ports = ports_of(b, kind, id);
        for (uint32_t p = 0; p < ports.n; p++) cflri_batch_sum(b, guarded, ports.at[p].vertex);
    }
}

static bool has_few_edges(const cflri_row *row, cflri_edge_kind kind, const cflri_relation *input) {
    return !is_back(kind) && input->n_rows < row->n / 2;
}

/* Ids or edges that one set takes. */
static uint32_t visits_of(const cflri_row *row, cflri_edge_kind kind, const cflri_relation *input) {
    return has_few_edges(row, kind, input) ? input->n_rows : row->n;
}

cflri_set_number cflri_batch_step(cflri_batch *b, cflri_set_number set, cflri_edge_kind kind) {
    const uint32_t *known = cflri_cache_find(&b->steps, set, kind);
    if (known) return *known;
    const cflri_relation *input = b->problem->input[label_of(kind)];
    cflri_row row = cflri_sets_row(b->sets, set);
    if (!input) return CFLRI_EMPTY_SET;
    b->work += visits_of(&row, kind, input);
    if (has_few_edges(&row, kind, input)) {
        step_by_edges(b, &row, kind, input);
    } else {
        step_by_ids(b, &row, kind);
    }
    return keep_answer(b, set, kind, cflri_sets_take(b->sets));
}

/* ---- bits ---- */

/* Bit j of word i becomes bit i of word j. */
static void turn(uint64_t *word) {
    uint64_t low = UINT64_C(0x00000000ffffffff);
    for (uint32_t j = LANES / 2; j; j /= 2, low ^= low << j) {
        for (uint32_t k = 0; k < LANES; k += 2 * j) {
            for (uint32_t i = k; i < k + j; i++) {
                uint64_t moved = ((word[i] >> j) ^ word[i + j]) & low;
                word[i] ^= moved << j;
                word[i + j] ^= moved;
            }
        }
    }
}

/* ---- many sets ---- */

/* A word for each id that edges lead to. All are zero, but in blocks that are touched. */
struct cflri_step_words {
    uint64_t *to;
    uint8_t *touched; /* by block */
};

/* The sets that are answered together. */
typedef struct lanes {
    cflri_batch *b;
    cflri_edge_kind kind;
    uint32_t n;
    cflri_set_number set[LANES];
    cflri_radix_tree tree[LANES];
    const uint64_t *leaf[LANES]; /* the next leaf of each; NULL: there is none */
    uint32_t block[LANES];       /* which one it is */
    uint64_t visits;             /* of ids or edges, that all sets take one by one */
} lanes;

static bool make_words(cflri_batch *b) {
    uint32_t n = b->problem->n_vertices, blocks = n / CFLRI_BLOCK_IDS + 1;
    struct cflri_step_words *words = cflri_alloc_zero(b->context, sizeof *words);
    if (!words) return false;
    words->to =
        cflri_alloc_array_zero(b->context, (size_t)blocks * CFLRI_BLOCK_IDS, sizeof *words->to);
    words->touched = cflri_alloc_array_zero(b->context, blocks, sizeof *words->touched);
    b->words = words;
    if (words->to && words->touched) return true;
    cflri_batch_free_steps(b);
    return false;
}

void cflri_batch_free_steps(cflri_batch *b) {
    if (!b->words) return;
    cflri_free(b->context, b->words->to);
    cflri_free(b->context, b->words->touched);
    cflri_free(b->context, b->words);
    b->words = NULL;
}

uint64_t cflri_batch_steps_bytes(const cflri_batch *b) {
    uint64_t bytes = cflri_block_bytes(b->steps.at);
    if (!b->words) return bytes;
    return bytes + cflri_block_bytes(b->words->to) + cflri_block_bytes(b->words->touched);
}

/* Moves a lane to its first leaf from a block on. */
static void seek(lanes *l, uint32_t lane, uint32_t block) {
    l->block[lane] = block;
    l->leaf[lane] =
        cflri_radix_tree_seek(&l->b->sets->store->trees, l->tree[lane], &l->block[lane]);
}

static void begin_lanes(lanes *l) {
    for (uint32_t i = 0; i < l->n; i++) seek(l, i, 0);
}

/* The next block of some lane; UINT32_MAX: there is none. */
static uint32_t next_block(const lanes *l) {
    uint32_t block = UINT32_MAX;
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->leaf[i] && l->block[i] < block) block = l->block[i];
    }
    return block;
}

/* Turns the leaves that lanes have for a block to a word for each of its ids, and goes on behind
 * it. */
static void turn_leaves(lanes *l, uint32_t block, uint64_t *word) {
    const uint64_t *leaf[LANES] = {0};
    for (uint32_t i = 0; i < l->n; i++) {
        if (l->block[i] == block) leaf[i] = l->leaf[i];
    }
    for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++, word += LANES) {
        for (uint32_t i = 0; i < LANES; i++) word[i] = leaf[i] ? leaf[i][w] : 0;
        turn(word);
    }
    for (uint32_t i = 0; i < l->n; i++) {
        if (leaf[i]) seek(l, i, block + 1);
    }
}

/* Moves the word of an id along its edges. */
static void move_word(const lanes *l, uint32_t id, uint64_t word) {
    cflri_batch *b = l->b;
    bool guarded = is_to_guards(l->kind);
    cflri_port_range ports = ports_of(b, l->kind, id);
    for (uint32_t p = 0; p < ports.n; p++) {
        uint32_t vertex = ports.at[p].vertex, to = guarded ? b->guard_of[vertex] : vertex;
        if (guarded && to == CFLRI_NO_GUARD) continue;
        b->words->to[to] |= word;
        b->words->touched[to / CFLRI_BLOCK_IDS] = 1;
    }
}

static void move_all(lanes *l) {
    uint64_t word[CFLRI_BLOCK_IDS];
    for (uint32_t block; (block = next_block(l)) != UINT32_MAX;) {
        turn_leaves(l, block, word);
        for (uint32_t i = 0; i < CFLRI_BLOCK_IDS; i++) {
            if (word[i]) move_word(l, block * CFLRI_BLOCK_IDS + i, word[i]);
        }
        l->b->work += CFLRI_BLOCK_IDS;
    }
}

/* Turns the words of each touched block back: word 64 * w + i is word w of the block of lane i. */
static void turn_back(const cflri_batch *b, uint32_t blocks) {
    for (uint32_t k = 0; k < blocks; k++) {
        uint64_t *word = b->words->to + (size_t)k * CFLRI_BLOCK_IDS;
        if (!b->words->touched[k]) continue;
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) turn(word + (size_t)w * LANES);
    }
}

static void take_lane(const lanes *l, uint32_t lane, uint32_t blocks) {
    cflri_batch *b = l->b;
    for (uint32_t k = 0; k < blocks; k++) {
        const uint64_t *word = b->words->to + (size_t)k * CFLRI_BLOCK_IDS + lane;
        if (b->words->touched[k]) cflri_row_sum_add_block(&b->sets->sum, k, word, LANES);
    }
    keep_answer(b, l->set[lane], l->kind, cflri_sets_take(b->sets));
}

static void clear_words(const cflri_batch *b, uint32_t blocks) {
    for (uint32_t k = 0; k < blocks; k++) {
        if (!b->words->touched[k]) continue;
        memset(b->words->to + (size_t)k * CFLRI_BLOCK_IDS, 0,
               CFLRI_BLOCK_IDS * sizeof *b->words->to);
    }
    memset(b->words->touched, 0, blocks);
}

/* Number of blocks that some lane has. */
static uint64_t count_blocks(lanes *l) {
    uint64_t n = 0;
    begin_lanes(l);
    for (uint32_t block; (block = next_block(l)) != UINT32_MAX; n++) {
        for (uint32_t i = 0; i < l->n; i++) {
            if (l->leaf[i] && l->block[i] == block) seek(l, i, block + 1);
        }
    }
    return n;
}

static bool is_worth_it(lanes *l) {
    uint64_t n = l->b->problem->n_vertices;
    return l->n > 1 && l->visits > n / 16 && l->visits > DENSE * count_blocks(l);
}

static void step_lanes(lanes *l) {
    cflri_batch *b = l->b;
    uint32_t n = is_to_guards(l->kind) ? b->plan->n_guards : b->problem->n_vertices;
    uint32_t blocks = n / CFLRI_BLOCK_IDS + 1;
    if (!is_worth_it(l) || (!b->words && !make_words(b))) return;
    begin_lanes(l);
    move_all(l);
    turn_back(b, blocks);
    for (uint32_t i = 0; i < l->n; i++) take_lane(l, i, blocks);
    clear_words(b, blocks);
}

/* ---- questions ---- */

static int compare_steps(const void *a, const void *b) {
    const cflri_step_question *x = a, *y = b;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return (x->set > y->set) - (x->set < y->set);
}

/* Adds a question that is new, and about a tree. */
static void add_lane(lanes *l, cflri_step_question step) {
    cflri_row row = cflri_sets_row(l->b->sets, step.set);
    bool known = cflri_cache_find(&l->b->steps, step.set, step.kind);
    if (known || row.shape != CFLRI_ROW_TREE) return;
    l->kind = step.kind;
    l->set[l->n] = step.set;
    l->tree[l->n++] = cflri_row_tree(&row);
    l->visits += visits_of(&row, step.kind, l->b->problem->input[label_of(step.kind)]);
}

void cflri_batch_step_together(cflri_batch *b, cflri_step_questions *steps) {
    lanes l = {.b = b};
    if (!(b->context->techniques & CFLR_TECHNIQUE_TOGETHER)) steps->n = 0;
    if (steps->n) qsort(steps->at, steps->n, sizeof *steps->at, compare_steps);
    for (size_t i = 0; i < steps->n; i++) {
        bool again = i && compare_steps(&steps->at[i - 1], &steps->at[i]) == 0;
        if (l.n && (l.n == LANES || l.kind != steps->at[i].kind)) {
            step_lanes(&l);
            l = (lanes){.b = b};
        }
        if (!again && b->problem->input[label_of(steps->at[i].kind)]) add_lane(&l, steps->at[i]);
    }
    if (l.n) step_lanes(&l);
    steps->n = 0;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * batch_hubs.c: rows that would get the same from a PAIR equation get it once.
 *
 * In R >= Q . S the row R(y) is fed by the row S(z) of each z in Q(y). Relations such as memory
 * aliases are made of large classes: thousands of y with nearly one and the same Q(y). Then every
 * delta of every S(z) goes to every y, and all but the first of a class's deltas brings nothing:
 *
 *     S(z1) -+-> R(y1)          S(z1) -.         .-> R(y1)
 *     S(z2) -+-> R(y2)          S(z2) --> a hub ---> R(y2)
 *     S(z3) -+-> R(y3)          S(z3) -'         '-> R(y3)
 *      k * k merges                      k + k
 *
 * So from time to time vertices that have a block of 512 targets of Q in common, bit for bit, are put
 * into a group. (Whole rows are seldom equal while they grow; most of their blocks are.) A group's
 * hub is one more row: it has S(z) for each z of the block, and what is new in it goes to all
 * members. Pairs that Q gets later are followed one by one, until the next time. Grouping is due
 * when merges that brought nothing have cost more than the hubs would.
 *
 * What holds between two turns: a pair Q(y,z) that was worked off is followed from z, by the list of
 * its vertices or by that of its groups; and R(y) has all of S(z) but what waits in a delta, of S(z)
 * or of a hub.
 */
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "engine/closure/batch.h"

enum { MEMBERS = 3, IDS = 4 }; /* a group has so many at least */

/* One block of the settled part of a row of Q. */
typedef struct candidate {
    uint64_t hash;
    uint32_t key;
    uint32_t node;
    cflri_block block;
} candidate;

typedef CFLRI_VEC(candidate) candidates;

static int compare_candidates(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool same_block(const candidate *a, const candidate *b) {
    return a->key == b->key && memcmp(&a->block, &b->block, sizeof a->block) == 0;
}

/* What is new in a hub goes to the members of its group. */
bool cflri_batch_feed_group(cflri_batch *b, uint32_t hub_family, uint32_t group,
                            const cflri_row *row) {
    uint32_t equation = b->hub_equation[hub_family - b->equations->n_rows];
    const cflri_equation *e = &b->equations->equation.at[equation];
    const cflri_group *to = &b->hubs[e->by].group.at[group];
    for (size_t m = 0; m < to->member.n; m++) {
        if (!cflri_batch_add_row(b, e->left, to->member.at[m], row)) return false;
    }
    return true;
}

/* Empties the hubs of one equation; what waits in them goes to the members first. */
static bool flush(cflri_batch *b, uint32_t hub_family, size_t n_groups) {
    for (uint32_t g = 0; g < n_groups; g++) {
        uint32_t hub = cflri_batch_find(b, hub_family, g);
        if (hub == CFLRI_NO_NODE) continue;
        cflri_row_clear(&b->rows, &b->node.at[hub].all);
        uint32_t waiting = b->node.at[hub].delta;
        if (waiting == CFLRI_NO_NODE) continue;
        cflri_row row = b->delta.at[waiting].row;
        b->delta.at[waiting].row = (cflri_row){0}; /* it stays queued */
        bool fed = cflri_batch_feed_group(b, hub_family, g, &row);
        cflri_row_clear(&b->rows, &row);
        if (!fed) return false;
    }
    return true;
}

static void forget_groups(cflri_batch *b, uint32_t family) {
    cflri_hubs *hubs = &b->hubs[family];
    for (size_t g = 0; g < hubs->group.n; g++) {
        cflri_vec_free(b->context, &hubs->group.at[g].member);
    }
    hubs->group.n = 0;
    for (uint32_t v = 0; v < b->problem->n_vertices; v++) {
        b->sources[family][v].vertex.n = 0;
        b->sources[family][v].group.n = 0;
    }
}

static bool note_ids(cflri_batch *b, cflri_sources *sources, uint32_t vertex, uint32_t base,
                     const cflri_block *block) {
    for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
        for (uint64_t left = block->word[w]; left; left &= left - 1) {
            uint32_t id = base + w * 64 + (uint32_t)__builtin_ctzll(left);
            if (!cflri_vec_push(b->context, &sources[id].vertex, vertex)) return false;
        }
    }
    return true;
}

/* The pairs of a short row are followed one by one: all but those that still wait. */
static bool note_short(cflri_batch *b, const cflri_node *node, const cflri_row *waiting) {
    cflri_sources *sources = b->sources[node->family];
    cflri_row_walk walk = cflri_row_begin(&node->all);
    uint32_t id;
    while (cflri_row_next(&walk, &id)) {
        if (waiting && cflri_row_has(waiting, id)) continue;
        if (!cflri_vec_push(b->context, &sources[id].vertex, node->vertex)) return false;
    }
    return true;
}

/* Takes ids that wait out of the blocks of one node, which begin at `first`. */
static void take_waiting(candidates *blocks, size_t first, const cflri_row *waiting) {
    cflri_row_walk walk = cflri_row_begin(waiting);
    uint32_t id;
    for (size_t at = first; cflri_row_next(&walk, &id);) {
        while (blocks->at[at].key < id / CFLRI_BLOCK_IDS) at++;
        blocks->at[at].block.word[id % CFLRI_BLOCK_IDS / 64] &= ~((uint64_t)1 << id % 64);
    }
}

static uint64_t hash_block(uint32_t key, const cflri_block *block) {
    uint64_t hash = key;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) {
        hash = (hash ^ block->word[w]) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return hash;
}

static bool add_candidates(cflri_batch *b, uint32_t number, candidates *blocks) {
    const cflri_node *node = &b->node.at[number];
    const cflri_row *waiting = node->delta == CFLRI_NO_NODE ? NULL : &b->delta.at[node->delta].row;
    if (node->all.shape != CFLRI_ROW_BLOCKS) return note_short(b, node, waiting);
    size_t first = blocks->n;
    if (!cflri_vec_reserve(b->context, blocks, node->all.n_blocks)) return false;
    for (uint32_t k = 0; k < node->all.n_blocks; k++) {
        blocks->at[blocks->n++] =
            (candidate){.key = node->all.keys[k], .node = number, .block = node->all.blocks[k]};
    }
    if (waiting) take_waiting(blocks, first, waiting);
    for (size_t i = first; i < blocks->n; i++) {
        blocks->at[i].hash = hash_block(blocks->at[i].key, &blocks->at[i].block);
    }
    return true;
}

/* The rows of S at the ids of the block go into the hub. */
static bool fill_hub(cflri_batch *b, const cflri_equation *e, uint32_t hub_family, uint32_t group,
                     const candidate *of) {
    cflri_row view = {.n_blocks = 1, .shape = CFLRI_ROW_BLOCKS};
    uint32_t key = of->key, id;
    cflri_block block = of->block;
    view.keys = &key;
    view.blocks = &block;
    cflri_row_walk walk = cflri_row_begin(&view);
    while (cflri_row_next(&walk, &id)) {
        uint32_t from = cflri_batch_find(b, e->right, id);
        if (from == CFLRI_NO_NODE || !b->node.at[from].all.n) continue;
        if (cflri_batch_node(b, hub_family, group) == CFLRI_NO_NODE) return false;
        if (!cflri_batch_add_row(b, hub_family, group, &b->node.at[from].all)) return false;
    }
    return true;
}

/* n nodes have the block. */
static bool make_group(cflri_batch *b, uint32_t family, const candidate *first, size_t n,
                       uint32_t n_ids) {
    cflri_hubs *hubs = &b->hubs[family];
    cflri_group made = {0};
    uint32_t group = (uint32_t)hubs->group.n;
    if (!cflri_vec_push(b->context, &hubs->group, made)) return false;
    for (size_t m = 0; m < n; m++) {
        uint32_t vertex = b->node.at[first[m].node].vertex;
        if (!cflri_vec_push(b->context, &hubs->group.at[group].member, vertex)) return false;
    }
    for (uint32_t i = 0; i < CFLRI_BLOCK_IDS; i++) {
        if (!(first->block.word[i / 64] >> i % 64 & 1)) continue;
        cflri_sources *at = &b->sources[family][first->key * CFLRI_BLOCK_IDS + i];
        if (!cflri_vec_push(b->context, &at->group, group)) return false;
    }
    const cflri_readers *r = &b->readers[family];
    for (size_t i = 0; i < r->pair_by.n; i++) {
        uint32_t number = r->pair_by.at[i];
        const cflri_equation *e = &b->equations->equation.at[number];
        if (e->by_back) continue;
        if (!fill_hub(b, e, b->hub[number], group, first)) return false;
        hubs->patience += 2 * ((uint64_t)n_ids + n);
    }
    return true;
}

/* Blocks that few have, or that hold little, are followed id by id. */
static bool group_all(cflri_batch *b, uint32_t family, const candidates *blocks) {
    for (size_t i = 0, next; i < blocks->n; i = next) {
        const candidate *first = &blocks->at[i];
        uint32_t n_ids = 0;
        for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            n_ids += (uint32_t)__builtin_popcountll(first->block.word[w]);
        }
        next = i + 1;
        while (next < blocks->n && same_block(&blocks->at[next], first)) next++;
        if (next - i >= MEMBERS && n_ids >= IDS) {
            if (!make_group(b, family, first, next - i, n_ids)) return false;
            continue;
        }
        for (size_t alone = i; n_ids && alone < next; alone++) {
            const candidate *c = &blocks->at[alone];
            if (!note_ids(b, b->sources[family], b->node.at[c->node].vertex,
                          c->key * CFLRI_BLOCK_IDS, &c->block)) {
                return false;
            }
        }
    }
    return true;
}

static bool group_family(cflri_batch *b, uint32_t family, candidates *blocks) {
    for (uint32_t i = 0; i < b->node.n; i++) {
        const cflri_node *node = &b->node.at[i];
        if (node->family != family || !node->all.n) continue;
        if (!add_candidates(b, i, blocks)) return false;
    }
    if (blocks->n) qsort(blocks->at, blocks->n, sizeof *blocks->at, compare_candidates);
    return group_all(b, family, blocks);
}

bool cflri_batch_regroup(cflri_batch *b, uint32_t family) {
    const cflri_readers *r = &b->readers[family];
    cflri_hubs *hubs = &b->hubs[family];
    for (size_t i = 0; i < r->pair_by.n; i++) {
        uint32_t hub_family = b->hub[r->pair_by.at[i]];
        if (hub_family == CFLRI_NO_SYMBOL) continue;
        if (!flush(b, hub_family, hubs->group.n)) return false;
    }
    forget_groups(b, family);
    hubs->useless = 0;
    hubs->patience = b->context->patience;
    candidates blocks = {0};
    bool done = group_family(b, family, &blocks);
    cflri_vec_free(b->context, &blocks);
    return done;
}

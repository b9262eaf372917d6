/* SPDX-License-Identifier: Apache-2.0
 *
 * packed_rows.c: sets that lie packed in one block of words, as those of relations.
 *
 * A device that closes a graph has its rows as bits. It packs each different row once, and one copy
 * brings all of them to the host (packed_format.h):
 *
 *     set      0: {}   1               2
 *     start    0       0               4                                40
 *     word             | 3 | 3 ids     | n + 2^31 | 1 | its one block   |
 *
 * Nothing is unpacked before it is read. An id is looked for by bisection of ids, or of numbers of
 * blocks; a block has the number of ids before it, so that its bits alone are counted. Two sets are
 * merged by ids or by blocks, whichever they have: the one that is behind leaps to where the other
 * one is, in steps that double, so a small set is not compared with all of a large one.
 *
 * Cost: looking for an id is logarithmic in the ids, or blocks, of the set. Merging is linear in
 * those of the smaller set, times the logarithm of how many times larger the other one is.
 *
 * vertex_ids.h tells which vertices the ids stand for.
 */
#include "engine/sets/packed_rows.h"

#include <string.h>

#include "base/ids.h"

enum { IDS = CFLRI_PACKED_BLOCK_IDS, WORDS = CFLRI_PACKED_BLOCK_WORDS };

/* ---- a row ---- */

typedef struct row {
    uint32_t n;         /* ids */
    uint32_t k;         /* blocks */
    const uint32_t *id; /* NULL: by blocks */
    const uint32_t *number, *before, *bits;
} row;

static bool is_by_blocks(const uint32_t *word) {
    return *word & CFLRI_PACKED_BY_BLOCKS;
}

static row blocks_at(const uint32_t *word) {
    row r = {.n = word[0] - CFLRI_PACKED_BY_BLOCKS, .k = word[1]};
    r.number = word + CFLRI_PACKED_BLOCKS_HEAD;
    r.before = r.number + r.k;
    r.bits = r.before + r.k;
    return r;
}

static row row_of(const cflri_target_sets *sets, uint32_t set) {
    const cflri_packed_sets *rows = (const cflri_packed_sets *)sets;
    static const uint32_t none[] = {0};
    const uint32_t *word = set ? rows->word + rows->start[set] : none;
    if (is_by_blocks(word)) return blocks_at(word);
    return (row){.n = *word, .id = word + CFLRI_PACKED_FEW_HEAD};
}

static const uint32_t *bits_of(const row *r, uint32_t block) {
    return r->bits + (size_t)WORDS * block;
}

static bool has_bit(const uint32_t *bits, uint32_t id) {
    return bits[id % IDS / 32] >> id % 32 & 1;
}

static uint32_t count_bits(const uint32_t *bits, uint32_t words) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < words; w++) n += (uint32_t)__builtin_popcount(bits[w]);
    return n;
}

/* Counts the ids of a block that are less. */
static uint32_t count_less(const uint32_t *bits, uint32_t id) {
    uint32_t w = id % IDS / 32, below = (1u << id % 32) - 1;
    return count_bits(bits, w) + (uint32_t)__builtin_popcount(bits[w] & below);
}

/* ---- reading ---- */

static uint32_t count(const cflri_target_sets *sets, uint32_t set) {
    return row_of(sets, set).n;
}

static uint32_t *write_block(uint32_t number, const uint32_t *bits, uint32_t *ids) {
    for (uint32_t w = 0; w < WORDS; w++) {
        for (uint32_t left = bits[w]; left; left &= left - 1)
            *ids++ = number * IDS + w * 32 + (uint32_t)__builtin_ctz(left);
    }
    return ids;
}

static cflr_status write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                         cflr_error *error) {
    const cflri_packed_sets *rows = (const cflri_packed_sets *)sets;
    row r = row_of(sets, set);
    uint32_t *end = ids;
    (void)error;
    if (r.id) memcpy(ids, r.id, r.n * sizeof *ids);
    for (uint32_t b = 0; b < r.k; b++) end = write_block(r.number[b], bits_of(&r, b), end);
    cflri_vertex_ids_write_in_order(&rows->ids, ids, r.n);
    return CFLR_OK;
}

/* Is the id in the row? *before becomes the number of ids that are less. */
static bool find_id(const row *r, uint32_t id, uint64_t *before) {
    if (r->id) {
        *before = cflri_ids_seek(r->id, r->n, id);
        return *before < r->n && r->id[*before] == id;
    }
    uint32_t b = (uint32_t)cflri_ids_seek(r->number, r->k, id / IDS);
    *before = b < r->k ? r->before[b] : r->n;
    if (b == r->k || r->number[b] != id / IDS) return false;
    *before += count_less(bits_of(r, b), id);
    return has_bit(bits_of(r, b), id);
}

static bool find(const cflri_target_sets *sets, uint32_t set, uint32_t vertex, uint64_t *before,
                 cflri_failure *failure) {
    const cflri_packed_sets *rows = (const cflri_packed_sets *)sets;
    row r = row_of(sets, set);
    uint32_t id = cflri_vertex_ids_id_of(&rows->ids, vertex);
    uint64_t place;
    (void)failure;
    bool found = find_id(&r, id, &place);
    if (before) *before = place;
    return found && cflri_vertex_ids_is(&rows->ids, id, vertex);
}

/* ---- rows that meet ---- */

/* Returns the first of the ascending numbers, from `from` on, that is not below `least`, or n. */
static uint32_t leap(const uint32_t *number, uint32_t n, uint32_t from, uint32_t least) {
    uint32_t step = 1;
    while (step <= n - from && number[from + step - 1] < least) {
        from += step;
        step *= 2;
    }
    uint32_t left = n - from < step ? n - from : step;
    return from + (uint32_t)cflri_ids_seek(number + from, left, least);
}

static bool ids_meet(const row *a, const row *b) {
    for (uint32_t i = 0, k = 0; i < a->n;) {
        k = leap(b->id, b->n, k, a->id[i]);
        if (k == b->n) return false;
        if (b->id[k] == a->id[i]) return true;
        i = leap(a->id, a->n, i, b->id[k]);
    }
    return false;
}

static bool ids_meet_blocks(const row *ids, const row *blocks) {
    for (uint32_t i = 0, b = 0; i < ids->n;) {
        uint32_t id = ids->id[i];
        b = leap(blocks->number, blocks->k, b, id / IDS);
        if (b == blocks->k) return false;
        uint32_t number = blocks->number[b];
        if (number != id / IDS)
            i = leap(ids->id, ids->n, i, number * IDS);
        else if (has_bit(bits_of(blocks, b), id))
            return true;
        else
            i++;
    }
    return false;
}

static bool bits_meet(const uint32_t *a, const uint32_t *b) {
    uint32_t some = 0;
    for (uint32_t w = 0; w < WORDS; w++) some |= a[w] & b[w];
    return some;
}

static bool blocks_meet(const row *a, const row *b) {
    for (uint32_t i = 0, k = 0; i < a->k;) {
        k = leap(b->number, b->k, k, a->number[i]);
        if (k == b->k) return false;
        if (b->number[k] != a->number[i])
            i = leap(a->number, a->k, i, b->number[k]);
        else if (bits_meet(bits_of(a, i), bits_of(b, k)))
            return true;
        else
            i++;
    }
    return false;
}

static bool meet(const cflri_target_sets *sets, uint32_t a, uint32_t b, cflri_failure *failure) {
    row first = row_of(sets, a), second = row_of(sets, b);
    (void)failure;
    if (first.id && second.id) return ids_meet(&first, &second);
    if (first.id) return ids_meet_blocks(&first, &second);
    if (second.id) return ids_meet_blocks(&second, &first);
    return blocks_meet(&first, &second);
}

/* ---- making ---- */

static void free_packed(cflr_context *context, cflri_target_sets *sets) {
    cflri_packed_sets *rows = (cflri_packed_sets *)sets;
    cflri_free(context, rows->word);
    cflri_free(context, rows->start);
    cflri_vertex_ids_free(&rows->ids, context);
    cflri_free(context, rows);
}

cflri_packed_sets *cflri_packed_rows_new(cflr_context *context) {
    cflri_packed_sets *made = cflri_alloc_zero(context, sizeof *made);
    if (made) {
        made->sets = (cflri_target_sets){
            .count = count, .write = write, .find = find, .meet = meet, .free = free_packed};
    }
    return made;
}

bool cflri_packed_rows_reserve(cflr_context *context, cflri_packed_sets *rows, uint32_t n_sets,
                               uint64_t n_words) {
    rows->start = cflri_alloc_array(context, n_sets + (size_t)1, sizeof *rows->start);
    rows->word = cflri_alloc_array(context, n_words, sizeof *rows->word);
    if (!rows->start || !rows->word) return false;
    rows->n = n_sets;
    rows->n_words = n_words;
    return true;
}

bool cflri_packed_rows_end(cflr_context *context, cflri_packed_sets *rows, const uint32_t *vertex,
                           uint32_t n_ids, uint32_t n_vertices) {
    rows->sets.n = rows->n;
    bool made = cflri_vertex_ids_init(&rows->ids, context, vertex, n_ids, n_vertices);
    rows->sets.reordered = cflri_vertex_ids_reordered(&rows->ids);
    rows->sets.room = cflri_vertex_ids_room(&rows->ids);
    return made;
}

/* ---- checking ---- */

/* Has the block ids, all below `universe`? */
static bool is_block_valid(uint32_t number, const uint32_t *bits, uint32_t universe) {
    uint32_t w = WORDS;
    while (w && !bits[w - 1]) w--;
    if (!w) return false;
    uint32_t last = 31 - (uint32_t)__builtin_clz(bits[w - 1]);
    return (uint64_t)number * IDS + (w - 1) * 32 + last < universe;
}

static bool are_blocks_valid(const uint32_t *word, uint64_t n_words, uint32_t universe) {
    const uint64_t head = CFLRI_PACKED_BLOCKS_HEAD, block = CFLRI_PACKED_BLOCK_WHOLE;
    uint64_t n = 0;
    if (n_words < head || n_words - head != block * word[1]) return false;
    row r = blocks_at(word);
    if (!cflri_ids_ascend(r.number, r.k, UINT32_MAX)) return false;
    for (uint32_t b = 0; b < r.k; b++) {
        if (r.before[b] != n || !is_block_valid(r.number[b], bits_of(&r, b), universe))
            return false;
        n += count_bits(bits_of(&r, b), WORDS);
    }
    return r.n == n;
}

static bool is_row_valid(const uint32_t *word, uint64_t n_words, uint32_t universe) {
    if (!n_words) return false;
    if (is_by_blocks(word)) return are_blocks_valid(word, n_words, universe);
    return n_words - CFLRI_PACKED_FEW_HEAD == *word &&
           cflri_ids_ascend(word + CFLRI_PACKED_FEW_HEAD, *word, universe);
}

bool cflri_packed_rows_valid(const cflri_packed_sets *rows, uint32_t universe) {
    const uint64_t *start = rows->start;
    if (!rows->n || rows->n > CFLRI_ONE_TARGET || start[0] || start[1]) return false;
    for (uint32_t s = 1; s < rows->n; s++) {
        if (start[s] > start[s + 1] || start[s + 1] > rows->n_words) return false;
        if (!is_row_valid(rows->word + start[s], start[s + 1] - start[s], universe)) return false;
    }
    return start[rows->n] == rows->n_words;
}

/* ---- writing ---- */

static uint32_t count_blocks(const uint32_t *ids, uint32_t n) {
    uint32_t k = n > 0;
    for (uint32_t i = 1; i < n; i++) k += ids[i] / IDS != ids[i - 1] / IDS;
    return k;
}

static void write_blocks(const uint32_t *ids, uint32_t n, uint32_t k, uint32_t *word) {
    uint32_t *number = word + CFLRI_PACKED_BLOCKS_HEAD, *before = number + k, *bits = before + k;
    word[0] = n + CFLRI_PACKED_BY_BLOCKS;
    word[1] = k;
    memset(bits, 0, (size_t)WORDS * k * sizeof *bits);
    for (uint32_t i = 0; i < n; number++, bits += WORDS) {
        *number = ids[i] / IDS;
        *before++ = i;
        for (; i < n && ids[i] / IDS == *number; i++) bits[ids[i] % IDS / 32] |= 1u << ids[i] % 32;
    }
}

uint32_t cflri_packed_row_write(const uint32_t *ids, uint32_t n, uint32_t *word) {
    uint32_t k = count_blocks(ids, n);
    if (cflri_packed_row_is_few(n, k)) {
        *word = n;
        if (n) memcpy(word + CFLRI_PACKED_FEW_HEAD, ids, n * sizeof *ids);
    } else {
        write_blocks(ids, n, k, word);
    }
    return cflri_packed_row_words(n, k);
}

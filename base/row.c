/* SPDX-License-Identifier: Apache-2.0
 *
 * row.c: sets of ids that are merged whole.
 *
 * A merge of blocks takes two passes. The first goes through the keys of both rows: where `to` has the
 * block, the new bits go in at once; where it has not, the place is noted as a gap; what was new
 * lies in scratch afterwards, already a row of blocks. The second, only when there are gaps, opens
 * them from the back, so that each block moves once. The delta then gets the scratch row in the same
 * way.
 *
 * Shapes change in one direction only, few to list to blocks. A list becomes blocks when it is full
 * and its ids lie 8 to a block or denser; looked at only when the list would have to grow, which
 * keeps the cost of looking below that of growing.
 */
#include "base/row.h"

#include <string.h>

#include "base/context.h"

enum {
    IDS_A_BLOCK = 8, /* from this density on, blocks */
    FAR = 16,        /* this many times more blocks in one row: search, do not walk */
    BLOCK_BYTES = sizeof(cflri_block) + sizeof(uint32_t),
};

/* ---- kernels ---- */

/* The first place from `at` on whose key is not below `key`. */
static inline uint32_t seek(const uint32_t *keys, uint32_t at, uint32_t n, uint32_t key, bool far) {
    if (!far) {
        while (at < n && keys[at] < key) at++;
        return at;
    }
    uint32_t step = 1, low = at;
    while (low + step < n && keys[low + step] < key) {
        low += step;
        step *= 2;
    }
    uint32_t high = low + step < n ? low + step : n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static inline __attribute__((always_inline)) uint64_t count_bits(const uint64_t *block) {
    uint64_t n = 0;
    for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) n += (uint64_t)__builtin_popcountll(block[w]);
    return n;
}

static inline __attribute__((always_inline)) void merge_blocks(cflri_block_merge *m) {
    uint32_t at = 0, n_fresh = 0, n_gaps = 0;
    uint64_t n_ids = 0;
    bool far = m->n_to / FAR > m->n_from;
    for (uint32_t f = 0; f < m->n_from; f++) {
        uint32_t key = m->from_key[f];
        const uint64_t *from = m->from[f].word;
        uint64_t *fresh = m->fresh[n_fresh].word;
        at = seek(m->to_key, at, m->n_to, key, far);
        if (at == m->n_to || m->to_key[at] != key) {
            memcpy(fresh, from, sizeof(cflri_block));
            m->gap[n_gaps++] = (cflri_row_gap){at, f};
        } else {
            uint64_t *to = m->to[at++].word, any = 0;
            for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) {
                uint64_t lacked = from[w] & ~to[w];
                fresh[w] = lacked;
                any |= lacked;
            }
            if (!any) continue;
            for (int w = 0; w < CFLRI_BLOCK_WORDS; w++) to[w] |= from[w];
        }
        n_ids += count_bits(fresh);
        m->fresh_key[n_fresh++] = key;
    }
    m->n_fresh = n_fresh;
    m->n_gaps = n_gaps;
    m->n_ids = n_ids;
}

static void merge_plain(cflri_block_merge *m) {
    merge_blocks(m);
}

#ifdef __x86_64__
__attribute__((target("avx2,popcnt"))) static void merge_avx2(cflri_block_merge *m) {
    merge_blocks(m);
}

__attribute__((target("avx512f,avx512vpopcntdq,popcnt"))) static void merge_avx512(
    cflri_block_merge *m) {
    merge_blocks(m);
}
#endif

static void (*kernel_for(cflri_row_kernel kernel))(cflri_block_merge *) {
#ifdef __x86_64__
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq");
    bool avx2 = __builtin_cpu_supports("avx2");
    bool best = kernel == CFLRI_KERNEL_BEST;
    if (avx512 && (best || kernel == CFLRI_KERNEL_AVX512)) return merge_avx512;
    if (avx2 && kernel != CFLRI_KERNEL_PLAIN) return merge_avx2;
#else
    (void)kernel;
#endif
    return merge_plain;
}

/* ---- memory ---- */

void cflri_rows_init(cflri_rows *rows, cflr_context *context, cflri_row_kernel kernel) {
    memset(rows, 0, sizeof *rows);
    cflri_pool_init(&rows->pool, context);
    rows->merge = kernel_for(kernel);
}

void cflri_rows_free(cflri_rows *rows) {
    if (!rows->pool.context) return;
    cflri_free(rows->pool.context, rows->scratch.fresh);
    cflri_free(rows->pool.context, rows->scratch.ids);
    cflri_pool_free(&rows->pool);
    memset(rows, 0, sizeof *rows);
}

static uint32_t list_room(uint32_t class) {
    return (uint32_t)(cflri_pool_bytes(class) / sizeof(uint32_t));
}

static uint32_t blocks_room(uint32_t class) {
    return (uint32_t)(cflri_pool_bytes(class) / BLOCK_BYTES);
}

static const uint32_t *ids_of(const cflri_row *row) {
    return row->shape == CFLRI_ROW_FEW ? row->few : row->list;
}

/* Scratch for merges of so many blocks. One piece of memory, arrays behind one another. */
static bool scratch_blocks(cflri_rows *rows, uint32_t n) {
    enum { EACH = 2 * BLOCK_BYTES + sizeof(cflri_row_gap) };
    cflr_context *context = rows->pool.context;
    if (n <= rows->scratch.room) return true;
    uint64_t room = (uint64_t)n + n / 2 + 16;
    char *all = cflri_alloc_array(context, (size_t)room, EACH);
    if (!all) return false;
    cflri_free(context, rows->scratch.fresh);
    rows->scratch.fresh = (cflri_block *)(void *)all;
    rows->scratch.spread = rows->scratch.fresh + room;
    rows->scratch.gap = (cflri_row_gap *)(void *)(rows->scratch.spread + room);
    rows->scratch.fresh_key = (uint32_t *)(void *)(rows->scratch.gap + room);
    rows->scratch.spread_key = rows->scratch.fresh_key + room;
    rows->scratch.room = (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX);
    return true;
}

static bool scratch_ids(cflri_rows *rows, uint32_t n) {
    if (n <= rows->scratch.ids_room) return true;
    uint64_t room = (uint64_t)n + n / 2 + 16;
    uint32_t *ids = cflri_alloc_array(rows->pool.context, (size_t)room, sizeof *ids);
    if (!ids) return false;
    cflri_free(rows->pool.context, rows->scratch.ids);
    rows->scratch.ids = ids;
    rows->scratch.ids_room = (uint32_t)(room < UINT32_MAX ? room : UINT32_MAX);
    return true;
}

static void put_back(cflri_rows *rows, cflri_row *row) {
    if (row->shape == CFLRI_ROW_LIST) cflri_pool_put(&rows->pool, row->list, row->class);
    if (row->shape == CFLRI_ROW_BLOCKS) cflri_pool_put(&rows->pool, row->blocks, row->class);
}

void cflri_row_clear(cflri_rows *rows, cflri_row *row) {
    put_back(rows, row);
    *row = (cflri_row){0};
}

/* ---- blocks ---- */

/* Room for n blocks; those there stay. The row is one of blocks. */
static bool grow_blocks(cflri_rows *rows, cflri_row *row, uint32_t n) {
    if (row->shape == CFLRI_ROW_BLOCKS && n <= blocks_room(row->class)) return true;
    uint32_t class = cflri_pool_class((size_t)n * BLOCK_BYTES);
    cflri_block *blocks = cflri_pool_take(&rows->pool, class);
    if (!blocks) return false;
    uint32_t *keys = (uint32_t *)(void *)(blocks + blocks_room(class));
    if (row->shape == CFLRI_ROW_BLOCKS) {
        memcpy(blocks, row->blocks, row->n_blocks * sizeof *blocks);
        memcpy(keys, row->keys, row->n_blocks * sizeof *keys);
    } else {
        row->n_blocks = 0;
    }
    put_back(rows, row);
    row->shape = CFLRI_ROW_BLOCKS;
    row->class = (uint8_t) class;
    row->blocks = blocks;
    row->keys = keys;
    return true;
}

/* Ascending ids as blocks; `key` and `block` have room for n. How many blocks. */
static uint32_t spread_ids(const uint32_t *ids, uint32_t n, uint32_t *key, cflri_block *block) {
    uint32_t blocks = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = ids[i] / CFLRI_BLOCK_IDS, bit = ids[i] % CFLRI_BLOCK_IDS;
        if (!blocks || key[blocks - 1] != k) {
            memset(&block[blocks], 0, sizeof *block);
            key[blocks++] = k;
        }
        block[blocks - 1].word[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    return blocks;
}

static uint32_t count_keys(const uint32_t *ids, uint32_t n) {
    uint32_t keys = n > 0;
    for (uint32_t i = 1; i < n; i++) {
        keys += ids[i] / CFLRI_BLOCK_IDS != ids[i - 1] / CFLRI_BLOCK_IDS;
    }
    return keys;
}

/* A row of few ids or a list becomes one of blocks. */
static bool make_blocks(cflri_rows *rows, cflri_row *row) {
    cflri_row made = {.n = row->n};
    const uint32_t *ids = ids_of(row);
    uint32_t keys = count_keys(ids, row->n);
    if (!grow_blocks(rows, &made, keys ? keys : 1)) return false;
    made.n_blocks = spread_ids(ids, row->n, made.keys, made.blocks);
    put_back(rows, row);
    *row = made;
    return true;
}

/* Opens the gaps of the merge and fills them; the row has room. Each block moves once. */
static void fill_gaps(cflri_row *row, const cflri_block_merge *m) {
    uint32_t end = row->n_blocks, to = row->n_blocks + m->n_gaps;
    row->n_blocks = to;
    for (uint32_t g = m->n_gaps; g-- > 0;) {
        uint32_t before = m->gap[g].before, n = end - before;
        to -= n;
        memmove(row->blocks + to, row->blocks + before, n * sizeof *row->blocks);
        memmove(row->keys + to, row->keys + before, n * sizeof *row->keys);
        end = before;
        to--;
        row->blocks[to] = m->from[m->gap[g].from];
        row->keys[to] = m->from_key[m->gap[g].from];
    }
}

/* After a merge: opens its gaps. When memory is refused the blocks that were there are merged. */
static bool settle(cflri_rows *rows, cflri_row *row, const cflri_block_merge *m) {
    if (m->n_gaps && !grow_blocks(rows, row, row->n_blocks + m->n_gaps)) {
        uint64_t n = 0;
        for (uint32_t b = 0; b < row->n_blocks; b++) n += count_bits(row->blocks[b].word);
        row->n = (uint32_t)n;
        return false;
    }
    if (m->n_gaps) fill_gaps(row, m);
    row->n += (uint32_t)m->n_ids;
    return true;
}

/* `from` as blocks: its own, or spread into scratch. */
static cflri_block_merge against(cflri_rows *rows, const cflri_row *from) {
    cflri_block_merge m = {.from = from->blocks, .from_key = from->keys, .n_from = from->n_blocks};
    if (from->shape != CFLRI_ROW_BLOCKS) {
        m.from = rows->scratch.spread;
        m.from_key = rows->scratch.spread_key;
        m.n_from =
            spread_ids(ids_of(from), from->n, rows->scratch.spread_key, rows->scratch.spread);
    }
    return m;
}

/* The new blocks of a merge, which lie in scratch, into the delta. */
static bool add_fresh(cflri_rows *rows, cflri_row *fresh, const cflri_block_merge *m) {
    if (m->n_ids <= (uint64_t)IDS_A_BLOCK * m->n_fresh && fresh->shape != CFLRI_ROW_BLOCKS) {
        cflri_row view = {.n = (uint32_t)m->n_ids, .n_blocks = m->n_fresh};
        view.shape = CFLRI_ROW_BLOCKS;
        view.blocks = m->fresh;
        view.keys = m->fresh_key;
        if (!scratch_ids(rows, view.n)) return false;
        cflri_row_write(&view, rows->scratch.ids);
        return cflri_row_merge_ids(rows, fresh, NULL, rows->scratch.ids, view.n);
    }
    if (fresh->shape != CFLRI_ROW_BLOCKS && !make_blocks(rows, fresh)) return false;
    cflri_block_merge into = {.to = fresh->blocks,
                              .to_key = fresh->keys,
                              .n_to = fresh->n_blocks,
                              .from = m->fresh,
                              .from_key = m->fresh_key,
                              .n_from = m->n_fresh,
                              .fresh = rows->scratch.spread,
                              .fresh_key = rows->scratch.spread_key,
                              .gap = rows->scratch.gap};
    rows->merge(&into);
    return settle(rows, fresh, &into);
}

/* `to` is a row of blocks. */
static bool into_blocks(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const cflri_row *from) {
    uint32_t most = from->shape == CFLRI_ROW_BLOCKS ? from->n_blocks : from->n;
    if (!scratch_blocks(rows, most)) return false;
    cflri_block_merge m = against(rows, from);
    m.to = to->blocks;
    m.to_key = to->keys;
    m.n_to = to->n_blocks;
    m.fresh = rows->scratch.fresh;
    m.fresh_key = rows->scratch.fresh_key;
    m.gap = rows->scratch.gap;
    rows->merge(&m);
    return settle(rows, to, &m) && (!fresh || !m.n_fresh || add_fresh(rows, fresh, &m));
}

/* ---- lists ---- */

/* Ids of `from` that `to` lacks, into `missing`, which may be `from`. */
static uint32_t find_missing(const uint32_t *to, uint32_t n_to, const uint32_t *from,
                             uint32_t n_from, uint32_t *missing) {
    uint32_t at = 0, n = 0;
    bool far = n_to / FAR > n_from;
    for (uint32_t f = 0; f < n_from; f++) {
        at = seek(to, at, n_to, from[f], far);
        if (at == n_to || to[at] != from[f]) missing[n++] = from[f];
    }
    return n;
}

/* Moves a row that is no row of blocks to a list with room for n ids. */
static bool grow_list(cflri_rows *rows, cflri_row *row, uint32_t n) {
    if (row->shape == CFLRI_ROW_FEW ? n <= CFLRI_ROW_INSIDE : n <= list_room(row->class)) {
        return true;
    }
    uint32_t class = cflri_pool_class((size_t)n * sizeof(uint32_t));
    uint32_t *list = cflri_pool_take(&rows->pool, class);
    if (!list) return false;
    memcpy(list, ids_of(row), row->n * sizeof *list);
    put_back(rows, row);
    row->shape = CFLRI_ROW_LIST;
    row->class = (uint8_t) class;
    row->list = list;
    return true;
}

/* Ascending ids that the row lacks, into a list with room for them. */
static void insert_missing(cflri_row *row, const uint32_t *missing, uint32_t n) {
    uint32_t *ids = row->shape == CFLRI_ROW_FEW ? row->few : row->list;
    uint32_t old = row->n, to = old + n;
    row->n = to;
    while (n) {
        if (old && ids[old - 1] > missing[n - 1]) {
            ids[--to] = ids[--old];
        } else {
            ids[--to] = missing[--n];
        }
    }
}

/* Would the row, a full list, be better off as blocks? */
static bool dense(const cflri_row *row, const uint32_t *more, uint32_t n) {
    uint64_t ids = (uint64_t)row->n + n;
    uint64_t keys = (uint64_t)count_keys(ids_of(row), row->n) + count_keys(more, n);
    return ids >= IDS_A_BLOCK * keys;
}

bool cflri_row_merge_ids(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const uint32_t *ids,
                         uint32_t n) {
    cflri_row from = {.n = n, .shape = CFLRI_ROW_LIST};
    from.list = (uint32_t *)(uintptr_t)ids; /* only read */
    return cflri_row_merge(rows, to, fresh, &from);
}

static bool into_list(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const uint32_t *from,
                      uint32_t n_from) {
    if (!scratch_ids(rows, n_from)) return false;
    uint32_t *missing = rows->scratch.ids;
    uint32_t n = find_missing(ids_of(to), to->n, from, n_from, missing);
    if (!n) return true;
    bool full = to->shape == CFLRI_ROW_LIST && to->n + n > list_room(to->class);
    if ((full || n > 4 * IDS_A_BLOCK) && dense(to, missing, n)) {
        cflri_row list = {.n = n, .shape = CFLRI_ROW_LIST};
        list.list = missing;
        return make_blocks(rows, to) && into_blocks(rows, to, fresh, &list);
    }
    if (!grow_list(rows, to, to->n + n)) return false;
    insert_missing(to, missing, n);
    return !fresh || cflri_row_merge_ids(rows, fresh, NULL, missing, n);
}

/* ---- rows ---- */

bool cflri_row_merge(cflri_rows *rows, cflri_row *to, cflri_row *fresh, const cflri_row *from) {
    if (!from->n) return true;
    if (to->shape == CFLRI_ROW_BLOCKS) return into_blocks(rows, to, fresh, from);
    if (from->shape != CFLRI_ROW_BLOCKS) {
        return into_list(rows, to, fresh, ids_of(from), from->n);
    }
    return make_blocks(rows, to) && into_blocks(rows, to, fresh, from);
}

static bool add_to_blocks(cflri_rows *rows, cflri_row *row, uint32_t id, bool *is_new) {
    uint32_t key = id / CFLRI_BLOCK_IDS, bit = id % CFLRI_BLOCK_IDS;
    uint32_t at = seek(row->keys, 0, row->n_blocks, key, true);
    if (at == row->n_blocks || row->keys[at] != key) {
        if (!grow_blocks(rows, row, row->n_blocks + 1)) return false;
        uint32_t behind = row->n_blocks++ - at;
        memmove(row->blocks + at + 1, row->blocks + at, behind * sizeof *row->blocks);
        memmove(row->keys + at + 1, row->keys + at, behind * sizeof *row->keys);
        memset(&row->blocks[at], 0, sizeof *row->blocks);
        row->keys[at] = key;
    }
    uint64_t *word = &row->blocks[at].word[bit / 64], mask = (uint64_t)1 << bit % 64;
    *is_new = !(*word & mask);
    *word |= mask;
    row->n += *is_new;
    return true;
}

bool cflri_row_add(cflri_rows *rows, cflri_row *row, uint32_t id, bool *is_new) {
    if (row->shape == CFLRI_ROW_BLOCKS) return add_to_blocks(rows, row, id, is_new);
    const uint32_t *ids = ids_of(row);
    uint32_t at = seek(ids, 0, row->n, id, true);
    *is_new = at == row->n || ids[at] != id;
    if (!*is_new) return true;
    if (row->shape == CFLRI_ROW_LIST && row->n == list_room(row->class) && dense(row, &id, 1)) {
        return make_blocks(rows, row) && add_to_blocks(rows, row, id, is_new);
    }
    if (!grow_list(rows, row, row->n + 1)) return false;
    uint32_t *to = row->shape == CFLRI_ROW_FEW ? row->few : row->list;
    memmove(to + at + 1, to + at, (row->n - at) * sizeof *to);
    to[at] = id;
    row->n++;
    return true;
}

bool cflri_row_has(const cflri_row *row, uint32_t id) {
    if (row->shape != CFLRI_ROW_BLOCKS) {
        const uint32_t *ids = ids_of(row);
        uint32_t at = seek(ids, 0, row->n, id, true);
        return at < row->n && ids[at] == id;
    }
    uint32_t key = id / CFLRI_BLOCK_IDS, bit = id % CFLRI_BLOCK_IDS;
    uint32_t at = seek(row->keys, 0, row->n_blocks, key, true);
    return at < row->n_blocks && row->keys[at] == key &&
           row->blocks[at].word[bit / 64] >> bit % 64 & 1;
}

bool cflri_row_equal(const cflri_row *a, const cflri_row *b) {
    if (a->n != b->n) return false;
    if (a->shape == CFLRI_ROW_BLOCKS && b->shape == CFLRI_ROW_BLOCKS) {
        return a->n_blocks == b->n_blocks &&
               memcmp(a->keys, b->keys, a->n_blocks * sizeof *a->keys) == 0 &&
               memcmp(a->blocks, b->blocks, a->n_blocks * sizeof *a->blocks) == 0;
    }
    cflri_row_walk in_a = cflri_row_begin(a), in_b = cflri_row_begin(b);
    uint32_t x, y;
    while (cflri_row_next(&in_a, &x) && cflri_row_next(&in_b, &y)) {
        if (x != y) return false;
    }
    return true;
}

/* Over (number of word, word) of the words that are not zero, so that the shape plays no part. */
uint64_t cflri_row_hash(const cflri_row *row) {
    uint64_t hash = row->n, word = 0;
    uint32_t id, at = 0;
    cflri_row_walk walk = cflri_row_begin(row);
    const uint64_t odd = UINT64_C(0x9E3779B97F4A7C15);
#define STIR(value) (hash = (hash ^ (value)) * odd, hash ^= hash >> 29)
    if (row->shape == CFLRI_ROW_BLOCKS) {
        for (uint32_t b = 0; b < row->n_blocks; b++) {
            for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
                if (!row->blocks[b].word[w]) continue;
                STIR(row->keys[b] * CFLRI_BLOCK_WORDS + w);
                STIR(row->blocks[b].word[w]);
            }
        }
        return hash;
    }
    while (cflri_row_next(&walk, &id)) {
        if (word && id / 64 != at) {
            STIR(at);
            STIR(word);
            word = 0;
        }
        at = id / 64;
        word |= (uint64_t)1 << id % 64;
    }
    if (word) {
        STIR(at);
        STIR(word);
    }
#undef STIR
    return hash;
}

void cflri_row_write(const cflri_row *row, uint32_t *ids) {
    if (row->shape != CFLRI_ROW_BLOCKS) {
        memcpy(ids, ids_of(row), row->n * sizeof *ids);
        return;
    }
    for (uint32_t b = 0; b < row->n_blocks; b++) {
        for (uint32_t w = 0; w < CFLRI_BLOCK_WORDS; w++) {
            uint32_t base = row->keys[b] * CFLRI_BLOCK_IDS + w * 64;
            for (uint64_t left = row->blocks[b].word[w]; left; left &= left - 1) {
                *ids++ = base + (uint32_t)__builtin_ctzll(left);
            }
        }
    }
}

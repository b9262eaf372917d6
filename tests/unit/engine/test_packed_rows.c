/* SPDX-License-Identifier: Apache-2.0
 *
 * test_packed_rows.c: packed sets of both forms, against plain arrays of ids and against the sets
 * of a store; and blocks of words that are no packed sets.
 */
#include "engine/sets/packed_rows.h"

#include "base/ids.h"
#include "engine/sets/stored_sets.h"
#include "tests/support/fail_alloc.h"

enum { SETS = 50, MOST = 5000 };

typedef enum form { SMALLER, FEW, BLOCKS, FORMS } form;
typedef enum order { SAME, ASCENDING, REORDERED, ORDERS } order;

/* Ids of the universe, each with its vertex: every third one or so of the graph, or the same. */
typedef struct bench {
    cflr_context *context;
    uint64_t random;
    uint32_t universe, n_vertices;
    uint32_t n[SETS], id[SETS][MOST]; /* set 0 is empty */
    uint32_t *vertex;
    bool *known; /* vertices that ids stand for; NULL: the universe */
    order how;
    cflri_packed_sets *rows;
} bench;

/* ---- random sets ---- */

/* A few ids or many, all over or close together; or all ids of a range. */
static uint32_t some(bench *b, uint32_t *ids) {
    uint32_t what = test_random_below(&b->random, 5);
    uint32_t n = 1 + test_random_below(&b->random, what % 2 ? MOST : 40);
    uint32_t width = what < 2 ? UINT32_MAX : 1 + test_random_below(&b->random, 2 * MOST);
    if (what == 4) width = n;
    if (width > b->universe) width = b->universe;
    uint32_t first = test_random_below(&b->random, b->universe - width + 1);
    for (uint32_t i = 0; i < n; i++)
        ids[i] = first + (what == 4 ? i % width : test_random_below(&b->random, width));
    return (uint32_t)cflri_ids_sort_once(ids, n);
}

/* Sets that differ from an earlier one in one id, or share one id with it, too. */
static void random_set(bench *b, uint32_t s) {
    uint32_t like = 1 + test_random_below(&b->random, s), how = test_random_below(&b->random, 6);
    b->n[s] = some(b, b->id[s]);
    if (s == 1 || like == s || how > 1) return;
    uint32_t shared = b->id[like][test_random_below(&b->random, b->n[like])];
    if (how) {
        b->n[s] = b->n[like];
        memcpy(b->id[s], b->id[like], b->n[s] * sizeof *b->id[s]);
        shared = test_random_below(&b->random, b->universe);
    }
    b->id[s][test_random_below(&b->random, b->n[s])] = shared;
    b->n[s] = (uint32_t)cflri_ids_sort_once(b->id[s], b->n[s]);
}

static void random_vertices(bench *b, order how) {
    b->how = how;
    if (how == SAME) return;
    b->vertex = calloc(b->universe, sizeof *b->vertex);
    for (uint32_t i = 0, v = 0; i < b->universe; i++) {
        b->vertex[i] = v += 1 + test_random_below(&b->random, 5);
        b->n_vertices = v + 3;
    }
    b->known = calloc(b->n_vertices, sizeof *b->known);
    for (uint32_t i = 0; i < b->universe; i++) b->known[b->vertex[i]] = true;
    for (uint32_t i = b->universe - 1; i && how == REORDERED; i--) {
        uint32_t other = test_random_below(&b->random, i + 1), vertex = b->vertex[i];
        b->vertex[i] = b->vertex[other];
        b->vertex[other] = vertex;
    }
}

static bench *bench_begin(uint32_t universe, order how, uint64_t seed) {
    bench *b = calloc(1, sizeof *b);
    b->context = test_context();
    b->random = seed;
    b->universe = b->n_vertices = universe;
    random_vertices(b, how);
    for (uint32_t s = 1; s < SETS; s++) random_set(b, s);
    return b;
}

static void rows_end(bench *b) {
    b->rows->sets.free(b->context, &b->rows->sets);
    b->rows = NULL;
}

static void bench_end(bench *b) {
    test_context_end(b->context);
    free(b->vertex);
    free(b->known);
    free(b);
}

/* ---- packing ---- */

/* By the picture of packed_format.h; returns how many words. */
static uint32_t pack(form how, const uint32_t *ids, uint32_t n, uint32_t *word) {
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) k += !i || ids[i] / 1024 != ids[i - 1] / 1024;
    if (how == SMALLER) how = 1 + n <= 2 + 34 * k ? FEW : BLOCKS;
    if (how == FEW) {
        *word = n;
        for (uint32_t i = 0; i < n; i++) word[1 + i] = ids[i];
        return 1 + n;
    }
    memset(word, 0, (2 + 34 * (size_t)k) * sizeof *word);
    word[0] = n + (1u << 31);
    word[1] = k;
    for (uint32_t i = 0, block = 0; i < n; i++) {
        block += i && ids[i] / 1024 != ids[i - 1] / 1024;
        if (!i || ids[i] / 1024 != ids[i - 1] / 1024) word[2 + k + block] = i;
        word[2 + block] = ids[i] / 1024;
        word[2 + 2 * k + 32 * block + ids[i] % 1024 / 32] |= 1u << ids[i] % 32;
    }
    return 2 + 34 * k;
}

/* Rows of one form, or, where `how` is FORMS, of all. */
static bool pack_all(bench *b, form how) {
    uint64_t at = 0, most = (uint64_t)35 * MOST * SETS;
    b->rows = cflri_packed_rows_new(b->context);
    if (!b->rows || !cflri_packed_rows_reserve(b->context, b->rows, SETS, most)) return false;
    cr_assert(b->rows->n == SETS && b->rows->n_words == most);
    for (uint32_t s = 0; s < SETS; s++) {
        form of = how == FORMS ? (form)test_random_below(&b->random, FORMS) : how;
        b->rows->start[s] = at;
        if (s) at += pack(of, b->id[s], b->n[s], b->rows->word + at);
    }
    b->rows->start[SETS] = b->rows->n_words = at;
    uint32_t n_vertices = b->how == REORDERED ? b->n_vertices : 0;
    return cflri_packed_rows_end(b->context, b->rows, b->vertex, b->universe, n_vertices);
}

/* ---- reading ---- */

static uint32_t vertex_of(const bench *b, uint32_t id) {
    return b->vertex ? b->vertex[id] : id;
}

static void must_write(const bench *b, uint32_t s) {
    const cflri_target_sets *sets = &b->rows->sets;
    uint32_t n = b->n[s], *expected = calloc(n + 1u, sizeof *expected);
    uint32_t *ids = calloc(n + sets->room + 1u, sizeof *ids);
    cr_assert_eq(sets->count(sets, s), n);
    for (uint32_t i = 0; i < n; i++) expected[i] = vertex_of(b, b->id[s][i]);
    cflri_ids_sort_once(expected, n);
    cr_assert_eq(sets->write(sets, s, ids, NULL), CFLR_OK);
    cr_assert_arr_eq(ids, expected, n * sizeof *ids);
    free(ids);
    free(expected);
}

/* Asks for the vertex of an id. */
static void must_find(const bench *b, uint32_t s, uint32_t id) {
    const cflri_target_sets *sets = &b->rows->sets;
    cflri_failure failure = {.st = CFLR_OK};
    uint64_t before, place = cflri_ids_seek(b->id[s], b->n[s], id);
    bool there = place < b->n[s] && b->id[s][place] == id;
    cr_assert_eq(sets->find(sets, s, vertex_of(b, id), &before, &failure), there);
    cr_assert_eq(sets->find(sets, s, vertex_of(b, id), NULL, &failure), there);
    cr_assert_eq(before, place, "set %u, id %u", s, id);
}

/* Asks for vertices that no id stands for: just before that of one, if none does, and far
 * away. */
static void must_not_find(const bench *b, uint32_t s, uint32_t id) {
    const cflri_target_sets *sets = &b->rows->sets;
    uint32_t vertex[] = {vertex_of(b, id) - 1, b->n_vertices, UINT32_MAX};
    for (int i = 0; i < 3; i++) {
        uint64_t before, less = cflri_ids_seek(b->id[s], b->n[s], id);
        if (!i && (!b->known || b->known[vertex[i]])) continue;
        cr_assert_not(sets->find(sets, s, vertex[i], &before, NULL));
        cr_assert_eq(before, i || b->how == REORDERED ? b->n[s] : less);
    }
}

static bool do_meet(const bench *b, uint32_t x, uint32_t y) {
    for (uint32_t i = 0, k = 0; i < b->n[x] && k < b->n[y];) {
        if (b->id[x][i] == b->id[y][k]) return true;
        if (b->id[x][i] < b->id[y][k])
            i++;
        else
            k++;
    }
    return false;
}

static void must_hold(bench *b) {
    const cflri_target_sets *sets = &b->rows->sets;
    uint32_t meeting = 0;
    cr_assert(cflri_packed_rows_valid(b->rows, b->universe));
    cr_assert_eq(sets->n, SETS);
    cr_assert_eq(sets->reordered, b->how == REORDERED);
    for (uint32_t s = 0; s < SETS; s++) {
        must_write(b, s);
        for (uint32_t i = 0; i < 50; i++) {
            uint32_t id = test_random_below(&b->random, b->universe);
            must_find(b, s, id);
            must_not_find(b, s, id);
            if (b->n[s]) must_find(b, s, b->id[s][test_random_below(&b->random, b->n[s])]);
        }
        for (uint32_t other = 0; other < SETS; other++) {
            bool expected = do_meet(b, s, other);
            cr_assert_eq(sets->meet(sets, s, other, NULL), expected, "%u, %u", s, other);
            meeting += expected;
        }
    }
    if (b->universe > 1) cr_assert(meeting > SETS && meeting < SETS * SETS);
}

Test(packed_rows, random_rows_against_arrays) {
    static const uint32_t universes[] = {1, 40, 1024, 5000, 200000, 1u << 31, UINT32_MAX - 1};
    uint64_t seeds = TEST_SANITIZED ? 1 : 4, seed = 0;
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        for (int how = SAME; how < (universes[u] > 200000 ? ASCENDING : ORDERS); how++) {
            for (uint64_t end = seed + seeds; seed < end; seed++) {
                bench *b = bench_begin(universes[u], (order)how, seed);
                for (int of = SMALLER; of <= FORMS; of++) {
                    cr_assert(pack_all(b, (form)of));
                    must_hold(b);
                    rows_end(b);
                }
                bench_end(b);
            }
        }
    }
}

/* ---- ids at the borders of blocks ---- */

enum { BORDERS = 7, SUBSETS = 1 << BORDERS };

static const uint32_t border[BORDERS] = {0, 1023, 1024, 2047, 2048, 7 * 1024, 9 * 1024 - 1};

/* Set 1 + i has the ids whose bits i has, as few ids; set 1 + SUBSETS + i has them by blocks. */
static cflri_packed_sets *pack_subsets(cflr_context *context) {
    enum { N = 1 + 2 * SUBSETS };
    cflri_packed_sets *rows = cflri_packed_rows_new(context);
    uint64_t at = 0;
    cr_assert(cflri_packed_rows_reserve(context, rows, N, (uint64_t)N * (2 + 34 * BORDERS)));
    rows->start[0] = 0;
    for (uint32_t s = 1; s < N; s++) {
        uint32_t ids[BORDERS], n = 0, of = (s - 1) % SUBSETS;
        for (uint32_t i = 0; i < BORDERS; i++) {
            if (of >> i & 1) ids[n++] = border[i];
        }
        rows->start[s] = at;
        at += pack(s > SUBSETS ? BLOCKS : FEW, ids, n, rows->word + at);
    }
    rows->start[N] = rows->n_words = at;
    cr_assert(cflri_packed_rows_end(context, rows, NULL, 0, 0));
    return rows;
}

Test(packed_rows, ids_at_borders_of_blocks) {
    cflr_context *context = test_context();
    cflri_packed_sets *rows = pack_subsets(context);
    const cflri_target_sets *sets = &rows->sets;
    cr_assert(cflri_packed_rows_valid(rows, border[BORDERS - 1] + 1));
    for (uint32_t s = 1; s < rows->n; s++) {
        uint32_t of = (s - 1) % SUBSETS;
        for (uint32_t i = 0; i < BORDERS; i++) {
            uint64_t before, less = (uint64_t)__builtin_popcount(of & ((1u << i) - 1));
            cr_assert_eq(sets->find(sets, s, border[i], &before, NULL), of >> i & 1);
            cr_assert_eq(before, less);
        }
        for (uint32_t other = 1; other < rows->n; other++) {
            bool common = of & (other - 1) % SUBSETS;
            cr_assert_eq(sets->meet(sets, s, other, NULL), common, "%u, %u", s, other);
        }
    }
    rows->sets.free(context, &rows->sets);
    test_context_end(context);
}

/* ---- as the sets of a store ---- */

static cflri_stored_sets *store_all(const bench *b, uint32_t *set) {
    cflri_stored_sets *stored = cflri_stored_sets_new(b->context);
    cr_assert(cflri_set_store_init(&stored->store, b->context, b->universe, CFLRI_KERNEL_BEST, 1));
    for (uint32_t s = 0; s < SETS; s++) {
        set[s] = CFLRI_EMPTY_SET;
        if (b->n[s] > 1) set[s] = cflri_sets_of(&stored->store.hand[0], b->id[s], b->n[s]);
    }
    cr_assert(cflri_stored_sets_end(stored, b->vertex, b->universe,
                                    b->how == REORDERED ? b->n_vertices : 0));
    return stored;
}

static void same_answers(const bench *b, const cflri_target_sets *stored, const uint32_t *set) {
    const cflri_target_sets *packed = &b->rows->sets;
    cflri_failure failure = {.st = CFLR_OK};
    cr_assert(packed->room == stored->room && packed->reordered == stored->reordered);
    for (uint32_t s = 0; s < SETS; s++) {
        if (b->n[s] == 1) continue;
        for (uint32_t v = 0; v < b->n_vertices + 5; v++) {
            uint64_t before, expected;
            bool has = packed->find(packed, s, v, &before, &failure);
            cr_assert_eq(has, stored->find(stored, set[s], v, &expected, &failure));
            cr_assert_eq(before, expected, "set %u, vertex %u", s, v);
        }
    }
}

Test(packed_rows, same_answers_as_stored_sets) {
    static const uint32_t universes[] = {40, 3000, 20000};
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        for (int how = SAME; how < ORDERS; how++) {
            uint32_t set[SETS];
            bench *b = bench_begin(universes[u], (order)how, 100 + u);
            cflri_stored_sets *stored = store_all(b, set);
            cr_assert(pack_all(b, FORMS));
            same_answers(b, &stored->sets, set);
            rows_end(b);
            stored->sets.free(b->context, &stored->sets);
            bench_end(b);
        }
    }
}

/* ---- the writer ---- */

Test(packed_rows, writer_takes_the_smaller_form) {
    static const uint32_t universes[] = {1, 1024, 5000, 200000, UINT32_MAX - 1};
    uint32_t *word = calloc(35 * MOST, sizeof *word), *expected = calloc(35 * MOST, sizeof *word);
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        bench *b = bench_begin(universes[u], SAME, 200 + u);
        for (uint32_t s = 0; s < SETS; s++) {
            uint32_t n = pack(SMALLER, b->id[s], b->n[s], expected);
            memset(word, 0xa5, (n + 1) * sizeof *word);
            cr_assert_eq(cflri_packed_row_write(b->id[s], b->n[s], word), n);
            cr_assert_arr_eq(word, expected, n * sizeof *word);
            cr_assert_eq(word[n], 0xa5a5a5a5);
        }
        bench_end(b);
    }
    free(word);
    free(expected);
}

Test(packed_rows, words_of_both_forms) {
    for (uint32_t k = 1; k < 100; k++) {
        uint32_t even = 1 + 34 * k; /* so many ids take the same words in both */
        cr_assert_eq(cflri_packed_few_words(even), cflri_packed_blocks_words(k));
        cr_assert(cflri_packed_row_is_few(even, k));
        cr_assert_not(cflri_packed_row_is_few(even + 1, k));
        cr_assert_eq(cflri_packed_row_words(even - 1, k), even);
        cr_assert_eq(cflri_packed_row_words(even, k), even + 1);
        cr_assert_eq(cflri_packed_row_words(even + 1, k), even + 1);
    }
    cr_assert_eq(cflri_packed_row_words(0, 0), 1);
}

/* ---- no packed sets ---- */

enum { SMALL_UNIVERSE = 3000, SMALL_SETS = 3, SMALL_WORDS = 74 };

/* 3 ids as few ids in words 0 .. 3, and by blocks: n, k in words 4 and 5, numbers 0 and 2 of blocks
 * in 6 and 7, ids before them in 8 and 9, and bits from 10 and from 42 on. */
static cflri_packed_sets *small_rows(cflr_context *context) {
    static const uint32_t few[] = {3, 7, 900}, many[] = {5, 2048, 2050, 2999};
    cflri_packed_sets *rows = cflri_packed_rows_new(context);
    cr_assert(cflri_packed_rows_reserve(context, rows, SMALL_SETS, 2 * SMALL_WORDS));
    memset(rows->word, 0, 2 * SMALL_WORDS * sizeof *rows->word);
    rows->n_words = SMALL_WORDS;
    rows->start[0] = rows->start[1] = 0;
    rows->start[2] = pack(FEW, few, 3, rows->word);
    rows->start[3] = 4 + pack(BLOCKS, many, 4, rows->word + 4);
    cr_assert_eq(rows->start[3], SMALL_WORDS);
    cr_assert(cflri_packed_rows_valid(rows, SMALL_UNIVERSE));
    return rows;
}

Test(packed_rows, words_that_are_no_rows_are_found) {
    static const struct {
        uint32_t at, word;
    } bad[] = {
        {0, 2},
        {0, 4},
        {0, 3 + CFLRI_PACKED_BY_BLOCKS},
        {0, UINT32_MAX},
        {1, 7},
        {1, 8},
        {3, 7},
        {3, 0},
        {3, SMALL_UNIVERSE},
        {4, 4},
        {4, 3 + CFLRI_PACKED_BY_BLOCKS},
        {4, 0},
        {4, 5 + CFLRI_PACKED_BY_BLOCKS},
        {5, 0},
        {5, 1},
        {5, 3},
        {5, UINT32_MAX},
        {6, 2},
        {6, 3},
        {7, 0},
        {7, 3},
        {7, 1 << 22},
        {7, UINT32_MAX},
        {8, 1},
        {9, 0},
        {9, 2},
        {10, 0},
        {10, 3},
        {71, 1u << 24}, /* the first id behind the universe, in place of the last one in it */
        {73, 1},
    };
    cflr_context *context = test_context();
    cflri_packed_sets *rows = small_rows(context);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t word = rows->word[bad[i].at];
        rows->word[bad[i].at] = bad[i].word;
        cr_assert_not(cflri_packed_rows_valid(rows, SMALL_UNIVERSE), "word %u is %u", bad[i].at,
                      bad[i].word);
        rows->word[bad[i].at] = word;
    }
    cr_assert(cflri_packed_rows_valid(rows, SMALL_UNIVERSE));
    cr_assert_not(cflri_packed_rows_valid(rows, SMALL_UNIVERSE - 1));
    cr_assert_not(cflri_packed_rows_valid(rows, 0));
    rows->word[4]--; /* all is well but that the first block is empty */
    rows->word[9] = rows->word[10] = 0;
    cr_assert_not(cflri_packed_rows_valid(rows, SMALL_UNIVERSE));
    rows->sets.free(context, &rows->sets);
    test_context_end(context);
}

Test(packed_rows, wrong_borders_of_rows_are_found) {
    static const struct {
        uint32_t at;
        uint64_t start;
    } bad[] = {{0, 1},
               {1, 1},
               {1, 4},
               {2, 0},
               {2, 3},
               {2, 5},
               {2, 74},
               {2, UINT64_MAX},
               {3, SMALL_WORDS - 1},
               {3, SMALL_WORDS + 1},
               {3, 4},
               {3, 0},
               {3, UINT64_MAX}};
    cflr_context *context = test_context();
    cflri_packed_sets *rows = small_rows(context);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t start = rows->start[bad[i].at];
        rows->start[bad[i].at] = bad[i].start;
        cr_assert_not(cflri_packed_rows_valid(rows, SMALL_UNIVERSE), "row %u begins at %llu",
                      bad[i].at, (unsigned long long)bad[i].start);
        rows->start[bad[i].at] = start;
    }
    for (uint64_t n = 0; n < 2 * SMALL_WORDS; n++) {
        rows->n_words = n;
        cr_assert_eq(cflri_packed_rows_valid(rows, SMALL_UNIVERSE), n == SMALL_WORDS);
        rows->start[SMALL_SETS] = n;
        cr_assert_eq(cflri_packed_rows_valid(rows, SMALL_UNIVERSE), n == SMALL_WORDS);
        rows->start[SMALL_SETS] = SMALL_WORDS;
    }
    rows->n_words = SMALL_WORDS;
    for (uint32_t n = 0; n < SMALL_SETS; n++) {
        rows->n = n;
        cr_assert_not(cflri_packed_rows_valid(rows, SMALL_UNIVERSE));
    }
    rows->sets.free(context, &rows->sets);
    test_context_end(context);
}

/* A set besides the empty one, with these words, in a block that ends with them. */
static bool is_valid_alone(const uint32_t *word, uint32_t n_words, uint64_t start, uint64_t end) {
    cflr_context *context = test_context();
    cflri_packed_sets *rows = cflri_packed_rows_new(context);
    cr_assert(cflri_packed_rows_reserve(context, rows, 2, n_words));
    for (uint32_t i = 0; i < n_words; i++) rows->word[i] = word[i];
    rows->start[0] = 0;
    rows->start[1] = start;
    rows->start[2] = end;
    bool valid = cflri_packed_rows_valid(rows, SMALL_UNIVERSE);
    rows->sets.free(context, &rows->sets);
    test_context_end(context);
    return valid;
}

/* Nothing behind the words is read. */
Test(packed_rows, words_that_end_early_are_found) {
    static const uint32_t none[] = {0}, blocks[] = {1 + CFLRI_PACKED_BY_BLOCKS, 1},
                          few[] = {2, 1, 5};
    cr_assert(is_valid_alone(few, 3, 0, 3));
    cr_assert(is_valid_alone(none, 1, 0, 1));
    cr_assert_not(is_valid_alone(few, 2, 0, 2));
    cr_assert_not(is_valid_alone(few, 2, 0, 3));
    cr_assert_not(is_valid_alone(few, 1, 0, 1));
    cr_assert_not(is_valid_alone(none, 0, 0, 0));
    cr_assert_not(is_valid_alone(none, 0, 0, 1));
    cr_assert_not(is_valid_alone(blocks, 1, 0, 1));
    cr_assert_not(is_valid_alone(blocks, 2, 0, 2));
    cr_assert_not(is_valid_alone(blocks, 2, 0, 36));
    const uint32_t behind[] = {0, 2, 1, 5}; /* a word of no row */
    cr_assert_not(is_valid_alone(behind, 4, 1, 4));
}

Test(packed_rows, without_sets) {
    cflr_context *context = test_context();
    cflri_packed_sets *rows = cflri_packed_rows_new(context);
    cr_assert(cflri_packed_rows_reserve(context, rows, 1, 0));
    rows->start[0] = rows->start[1] = 0;
    cr_assert(cflri_packed_rows_valid(rows, 0));
    cr_assert(cflri_packed_rows_end(context, rows, NULL, 0, 0));
    cr_assert_eq(rows->sets.count(&rows->sets, 0), 0);
    cr_assert_not(rows->sets.meet(&rows->sets, 0, 0, NULL));
    rows->n = 0; /* not even the empty one */
    cr_assert_not(cflri_packed_rows_valid(rows, 0));
    rows->sets.free(context, &rows->sets);
    test_context_end(context);
}

/* A bit that is changed in a row by blocks shows, unless it moves a block to a free place. Rows
 * that are still valid can be read. */
Test(packed_rows, changed_bits_are_found) {
    bench *b = bench_begin(5000, SAME, 300);
    cr_assert(pack_all(b, FORMS));
    uint32_t *ids = calloc(b->universe, sizeof *ids), found = 0;
    for (uint32_t i = 0; i < (TEST_SANITIZED ? 1000 : 20000); i++) {
        uint32_t s = 1 + test_random_below(&b->random, SETS - 1), *row, k;
        row = b->rows->word + b->rows->start[s];
        k = *row & CFLRI_PACKED_BY_BLOCKS ? row[1] : 0;
        uint32_t n_words = (uint32_t)(b->rows->start[s + 1] - b->rows->start[s]);
        uint32_t at = test_random_below(&b->random, n_words);
        uint32_t bit = 1u << test_random_below(&b->random, 32);
        row[at] ^= bit;
        bool valid = cflri_packed_rows_valid(b->rows, b->universe);
        cr_assert(!valid || (k ? at >= 2 && at < 2 + k : at >= 1), "set %u, word %u", s, at);
        if (valid) {
            cr_assert_eq(b->rows->sets.count(&b->rows->sets, s), b->n[s]);
            cr_assert_eq(b->rows->sets.write(&b->rows->sets, s, ids, NULL), CFLR_OK);
            cr_assert(cflri_ids_ascend(ids, b->n[s], b->universe));
        }
        found += !valid;
        row[at] ^= bit;
    }
    cr_assert_gt(found, 500);
    must_hold(b);
    free(ids);
    rows_end(b);
    bench_end(b);
}

/* ---- memory ---- */

static cflr_status make_and_read(cflr_context *context, void *user, cflr_error *error) {
    bench *b = user;
    cflr_context *own = b->context;
    b->context = context;
    cflr_status st = pack_all(b, SMALLER) ? CFLR_OK : cflri_fail_memory(context, error);
    if (st == CFLR_OK) must_write(b, SETS - 1);
    if (b->rows) rows_end(b);
    b->context = own;
    return st;
}

Test(packed_rows, memory_that_is_refused) {
    bench *b = bench_begin(3000, REORDERED, 400);
    cr_assert_geq(fail_alloc_sweep(make_and_read, b), 5);
    bench_end(b);
}

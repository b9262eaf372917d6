/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets that are written as blocks and read piece by piece, with as few pages as there can be, by
 * several threads, from blocks that fail or are damaged.
 */
#include <pthread.h>

#include "tests/support/fail_alloc.h"
#include "tests/unit/engine/kept_blocks.h"
#include "tests/unit/engine/random_sets.h"

static const uint32_t pieces[] = {CFLRI_PIECE_LEAST, 50, 1000, CFLRI_PIECE_WORDS};
enum { PIECES = sizeof pieces / sizeof *pieces };

static cflri_target_sets *open_sets(cflr_context *context, const kept_blocks *blocks,
                                    const random_sets *r, uint64_t memory) {
    cflr_error error;
    cflri_target_sets *sets;
    MUST(cflri_paged_sets_open(context, &blocks->source, &r->counts, r->universe, memory, &sets,
                               &error));
    return sets;
}

Test(paged_sets, random) {
    static const uint32_t universes[] = {1, 600, 20000, 1000000, UINT32_C(1) << 31};
    cflr_error error;
    uint64_t seed = 1;
    for (size_t u = 0; u < sizeof universes / sizeof *universes; u++) {
        for (int p = 0; p < PIECES; p++) {
            cflr_context *context = test_context();
            random_sets r = random_sets_make(universes[u], ++seed);
            kept_blocks *blocks = kept_blocks_new();
            MUST(random_sets_write(&r, context, &blocks->sink, pieces[p], &error));
            /* one page, a few, and all */
            for (uint64_t memory = 0; memory <= UINT32_MAX; memory = memory * 1000 + 5000) {
                cflri_target_sets *sets = open_sets(context, blocks, &r, memory);
                random_sets_same(&r, sets, seed);
                sets->free(context, sets);
            }
            kept_blocks_free(blocks);
            random_sets_free(&r);
            test_context_end(context);
        }
    }
}

Test(paged_sets, of_containers) {
    cflr_context *context = test_context();
    cflr_error error;
    char path[512];
    test_dir dir = test_dir_begin();
    random_sets r = random_sets_make(100000, 7);
    cflri_output *output;
    cflri_input input;
    cflri_section *sections;
    size_t n;
    MUST(cflri_output_open(context, test_path(&dir, "sets", path), &output, &error));
    cflri_container_begin(output);
    cflri_container_sink sink = cflri_sink_of_container(context, output);
    MUST(random_sets_write(&r, context, &sink.sink, 5000, &error));
    cflri_container_end(output);
    MUST(cflri_output_close(output, &error));
    MUST(cflri_input_open(context, path, &input, &error));
    MUST(cflri_container_open(context, input.data, input.size, path, &sections, &n, &error));
    const cflri_container_source source = cflri_source_of_container(context, sections, n, path);
    cflri_target_sets *sets;
    MUST(cflri_paged_sets_open(context, &source.source, &r.counts, r.universe, 0, &sets, &error));
    random_sets_same(&r, sets, 3);
    sets->free(context, sets);
    cflri_free(context, sections);
    cflri_input_close(&input);
    random_sets_free(&r);
    test_dir_end(&dir);
    test_context_end(context);
}

/* ---- threads ---- */

typedef struct reading_thread {
    pthread_t thread;
    const random_sets *r;
    const cflri_target_sets *sets;
    uint64_t seed;
} reading_thread;

static void *read_sets(void *user) {
    const reading_thread *t = user;
    random_sets_same(t->r, t->sets, t->seed);
    return NULL;
}

Test(paged_sets, threads) {
    enum { THREADS = 6 };
    cflr_error error;
    cflr_context *context = test_context();
    random_sets r = random_sets_make(50000, 11);
    kept_blocks *blocks = kept_blocks_new();
    MUST(random_sets_write(&r, context, &blocks->sink, 500, &error));
    for (uint64_t memory = 0; memory <= 100000; memory = 10 * memory + 5000) {
        reading_thread t[THREADS];
        cflri_target_sets *sets = open_sets(context, blocks, &r, memory);
        for (int i = 0; i < THREADS; i++) {
            t[i] = (reading_thread){.r = &r, .sets = sets, .seed = (uint64_t)i};
            cr_assert_eq(pthread_create(&t[i].thread, NULL, read_sets, &t[i]), 0);
        }
        for (int i = 0; i < THREADS; i++) pthread_join(t[i].thread, NULL);
        sets->free(context, sets);
    }
    kept_blocks_free(blocks);
    random_sets_free(&r);
    test_context_end(context);
}

/* ---- failures ---- */

/* A call fails if it has to read anything. */
static void must_fail(const kept_blocks *blocks, uint64_t reads, cflr_status st,
                      const cflr_error *error) {
    cr_assert_eq(st, blocks->reads > reads ? CFLR_FORMAT : CFLR_OK);
    cr_assert(st == CFLR_OK || error->code == CFLR_FORMAT);
}

/* Each function reports a reading that fails later, and the next one goes on. */
Test(paged_sets, readings_that_fail) {
    cflr_error error;
    cflr_context *context = test_context();
    random_sets r = random_sets_make(50000, 13);
    kept_blocks *blocks = kept_blocks_new();
    MUST(random_sets_write(&r, context, &blocks->sink, 300, &error));
    cflri_target_sets *sets = open_sets(context, blocks, &r, 0);
    uint64_t failed = 0;
    for (uint32_t i = 0; i < r.n; i++) {
        uint32_t n, set = cflri_paged_set(sets, r.set[i], &n), *ids = calloc(n, sizeof *ids);
        cflri_failure found = {.st = CFLR_OK}, met = {.st = CFLR_OK};
        uint64_t before, reads = blocks->reads;
        blocks->fails_at = n > 1;
        if (n > 1) must_fail(blocks, reads, sets->write(sets, set, ids, &error), &error);
        reads = blocks->reads;
        if (n > 1) sets->find(sets, set, r.id[i][0], &before, &found);
        must_fail(blocks, reads, found.st, &found.error);
        reads = blocks->reads;
        bool meets = n > 1 && sets->meet(sets, set, set, &met);
        must_fail(blocks, reads, met.st, &met.error);
        cr_assert(n == 1 || meets == (met.st == CFLR_OK));
        failed += found.st != CFLR_OK;
        blocks->fails_at = 0;
        same_set(&r, sets, i);
        free(ids);
    }
    cr_assert_gt(failed, 5);
    sets->free(context, sets);
    for (uint64_t at = 1; at < 2 * blocks->source.n; at = 2 * at + 1) {
        blocks->reads = 0;
        blocks->fails_at = at;
        cflr_status st = cflri_paged_sets_open(context, &blocks->source, &r.counts, r.universe, 0,
                                               &sets, &error);
        cr_assert_eq(st, at <= blocks->source.n ? CFLR_FORMAT : CFLR_OK);
        if (st == CFLR_OK) sets->free(context, sets);
    }
    kept_blocks_free(blocks);
    random_sets_free(&r);
    test_context_end(context);
}

/* Whatever is read has ids that ascend below the bound, as many as were told. */
static void read_all(const cflri_target_sets *sets, uint32_t n_sets, uint32_t universe) {
    cflr_error error;
    for (uint32_t i = 0; i < n_sets; i++) {
        uint32_t n, set = cflri_paged_set(sets, i, &n), *ids = calloc(n, sizeof *ids);
        cflri_failure failure = {.st = CFLR_OK};
        uint64_t before;
        if (n > 1) MUST(sets->write(sets, set, ids, &error));
        for (uint32_t k = 0; n > 1 && k < n; k++) {
            cr_assert(ids[k] < universe && (!k || ids[k - 1] < ids[k]));
        }
        if (n > 1) cr_assert(sets->find(sets, set, ids[n - 1], &before, &failure));
        if (n > 1) cr_assert_eq(before, n - 1);
        if (n > 1) cr_assert(sets->meet(sets, set, set, &failure));
        cr_assert_eq(failure.st, CFLR_OK);
        free(ids);
    }
}

static void try_damaged(cflr_context *context, const kept_blocks *blocks, const random_sets *r) {
    cflri_target_sets *sets;
    cflr_error error = {.code = CFLR_OK};
    cflr_status st =
        cflri_paged_sets_open(context, &blocks->source, &r->counts, r->universe, 0, &sets, &error);
    if (st == CFLR_OK) {
        read_all(sets, r->counts.n_sets, r->universe);
        sets->free(context, sets);
    } else {
        cr_assert_eq(st, CFLR_FORMAT);
        cr_assert_null(sets);
        cr_assert_eq(error.code, CFLR_FORMAT);
    }
}

Test(paged_sets, damaged) {
    static const uint32_t changes[] = {0, 1, 7, 0x1ffff, 0x80000000, UINT32_MAX};
    cflr_error error;
    cflr_context *context = test_context();
    random_sets r = random_sets_make(3000, 17);
    kept_blocks *blocks = kept_blocks_new();
    uint64_t seed = 5;
    r.n = 20;
    MUST(random_sets_write(&r, context, &blocks->sink, 400, &error));
    for (size_t b = 0; b < blocks->source.n; b++) {
        kept_block *block = &blocks->at[b];
        for (size_t i = 0; i < block->size / sizeof *block->data; i++) {
            uint32_t kept = block->data[i], change = changes[test_random_below(&seed, 6)];
            block->data[i] = test_random_below(&seed, 2) ? change : kept + change;
            try_damaged(context, blocks, &r);
            block->data[i] = kept;
        }
        size_t size = block->size;
        for (block->size = 0; block->size < size; block->size += 1 + block->size / 4) {
            try_damaged(context, blocks, &r);
        }
        block->size = size;
        block->tag[0] = 'X';
        try_damaged(context, blocks, &r);
        block->tag[0] = 'R';
    }
    r.n = RANDOM_SETS;
    kept_blocks_free(blocks);
    random_sets_free(&r);
    test_context_end(context);
}

/* Two words at once may hide from what looks at one. */
Test(paged_sets, damaged_twice) {
    cflr_error error;
    cflr_context *context = test_context();
    random_sets r = random_sets_make(3000, 19);
    kept_blocks *blocks = kept_blocks_new();
    uint64_t seed = 6;
    MUST(random_sets_write(&r, context, &blocks->sink, 2000, &error));
    for (int i = 0; i < 3000; i++) {
        uint32_t *at[2], kept[2];
        for (int k = 0; k < 2; k++) {
            kept_block *block = &blocks->at[test_random_below(&seed, (uint32_t)blocks->source.n)];
            uint32_t words = (uint32_t)(block->size / sizeof *block->data);
            at[k] = &block->data[test_random_below(&seed, words)];
            kept[k] = *at[k];
            *at[k] += (k ? 1 : UINT32_MAX) << test_random_below(&seed, 20);
        }
        try_damaged(context, blocks, &r);
        *at[1] = kept[1];
        *at[0] = kept[0];
    }
    kept_blocks_free(blocks);
    random_sets_free(&r);
    test_context_end(context);
}

/* ---- memory ---- */

static cflr_status write_and_read(cflr_context *context, void *user, cflr_error *error) {
    random_sets *r = user;
    kept_blocks *blocks = kept_blocks_new();
    cflri_target_sets *sets = NULL;
    uint32_t *ids = calloc(RANDOM_MOST, sizeof *ids);
    cflr_status st = random_sets_write(r, context, &blocks->sink, 500, error);
    if (st == CFLR_OK) {
        st = cflri_paged_sets_open(context, &blocks->source, &r->counts, r->universe, 10000, &sets,
                                   error);
    }
    for (uint32_t i = 0; i < r->n && st == CFLR_OK; i++) {
        uint32_t n, set = cflri_paged_set(sets, r->set[i], &n);
        cflri_failure failure = {.st = CFLR_OK};
        if (n == 1) continue;
        st = sets->write(sets, set, ids, error);
        bool met = st == CFLR_OK && sets->meet(sets, set, set, &failure);
        if (st == CFLR_OK) st = cflri_tell_failure(&failure, error);
        cr_assert(met || st != CFLR_OK);
    }
    if (sets) sets->free(context, sets);
    kept_blocks_free(blocks);
    free(ids);
    return st;
}

Test(paged_sets, allocations) {
    random_sets r = random_sets_make(20000, 23);
    fail_alloc_sweep(write_and_read, &r);
    random_sets_free(&r);
}

/* Pages take no more than they may. */
Test(paged_sets, bounded) {
    enum { PIECE = 4096 };
    cflr_error error;
    cflr_context *context = test_context();
    random_sets r = random_sets_make(1000000, 29);
    kept_blocks *blocks = kept_blocks_new();
    MUST(random_sets_write(&r, context, &blocks->sink, PIECE / 4, &error));
    cr_assert_gt(blocks->source.n, 20);
    cflri_target_sets *sets = open_sets(context, blocks, &r, 8 * PIECE);
    uint64_t index = cflr_context_memory(context);
    for (uint32_t i = 0; i < r.n; i++) same_set(&r, sets, i);
    cr_assert_leq(cflr_context_memory(context), index + 2 * PIECE);
    cr_assert_leq(index, 10 * PIECE + 8 * (r.counts.n_nodes + (uint64_t)r.counts.n_sets));
    sets->free(context, sets);
    kept_blocks_free(blocks);
    random_sets_free(&r);
    test_context_end(context);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_exchange.c: the mailbox matrix against plain arrays of (label, vertex, id).
 */
#include "engine/spine/exchange.h"

#include "tests/support/support.h"

enum { PARTS = 3, BOXES = PARTS * PARTS, CACHE_LINE = 64, MOST = 1 << 14 };

/* What a box must hold: every id with its label and vertex, in the order of putting. */
typedef struct ledger {
    size_t n;
    struct {
        uint32_t label, vertex, id;
    } at[MOST];
} ledger;

/* `box` holds what the ledger says, and no two runs of it could have been one. */
static void must_hold(const cflri_box *box, const ledger *expected) {
    size_t at = 0, seen = 0, runs = 0;
    cflri_run run, last = {0};
    while (cflri_box_next(box, &at, &run)) {
        cr_assert(!runs || run.label != last.label || run.vertex != last.vertex,
                  "a run was begun that the last one could take in");
        for (uint32_t i = 0; i < run.n; i++, seen++) {
            cr_assert_lt(seen, expected->n);
            cr_assert(expected->at[seen].label == run.label &&
                      expected->at[seen].vertex == run.vertex &&
                      expected->at[seen].id == run.id[i]);
        }
        last = run;
        runs++;
    }
    cr_assert_eq(seen, expected->n);
    cr_assert_eq(box->n, seen + 3 * runs, "words are heads of three and ids");
}

/* Puts a random run; labels and vertices are few, so that many runs go on where the last ended. */
static bool put_random(cflri_exchange *exchange, uint32_t box, ledger *expected, uint64_t *random) {
    uint32_t id[300], n = 1 + test_random_below(random, test_random_below(random, 8) ? 6 : 299);
    for (uint32_t i = 0; i < n; i++) id[i] = (uint32_t)test_random(random);
    cflri_run run = {test_random_below(random, 2), test_random_below(random, 2), n, id};
    if (expected->n + n > MOST) return true;
    if (!cflri_exchange_put(exchange, box / PARTS, box % PARTS, run)) return false;
    for (uint32_t i = 0; i < n; i++, expected->n++) {
        expected->at[expected->n].label = run.label;
        expected->at[expected->n].vertex = run.vertex;
        expected->at[expected->n].id = id[i];
    }
    return true;
}

/* Puts and trades at random. Every so often memory is short: the put says so and leaves no
 * trace. */
Test(exchange, random_puts_and_trades) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflri_exchange exchange;
    cflri_box hand = {0};
    ledger *expected = calloc(BOXES, sizeof *expected);
    uint64_t random = 1, refused = 0, traded = 0;
    MUST(cflri_exchange_init(&exchange, context, PARTS, PARTS, &error));
    for (int i = 0; i < 6000; i++) {
        uint32_t b = test_random_below(&random, BOXES);
        if (test_random_below(&random, 40)) {
            bool scarce = !test_random_below(&random, 3);
            context->memory_limit = scarce ? cflr_context_memory(context) : UINT64_MAX;
            bool done = put_random(&exchange, b, &expected[b], &random);
            context->memory_limit = UINT64_MAX;
            cr_assert(done || scarce);
            refused += !done;
            continue;
        }
        cflri_exchange_take(&exchange, b / PARTS, b % PARTS, &hand);
        must_hold(&hand, &expected[b]);
        traded += hand.n > 0;
        expected[b].n = 0; /* the words that went in for it are forgotten */
    }
    for (uint32_t b = 0; b < BOXES; b++) {
        cflri_exchange_take(&exchange, b / PARTS, b % PARTS, &hand);
        must_hold(&hand, &expected[b]);
    }
    cr_expect(refused > 20 && traded > 50, "%d refused, %d traded", (int)refused, (int)traded);
    cflri_box_free(context, &hand);
    cflri_exchange_free(&exchange);
    cflri_exchange_free(&exchange); /* of what is free already: nothing */
    test_context_end(context);
    free(expected);
}

/* Trading moves buffers, not words. One that has grown huge is given up when it comes back. */
Test(exchange, buffers_change_hands) {
    enum { HUGE_RUN = 5 << 20, SMALL_RUN = 10 };
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflri_exchange exchange;
    uint32_t *ids = calloc(HUGE_RUN, sizeof *ids);
    MUST(cflri_exchange_init(&exchange, context, 1, 1, &error));
    uint64_t bare = cflr_context_memory(context);
    const uint32_t sizes[] = {SMALL_RUN, HUGE_RUN};
    for (int huge = 0; huge < 2; huge++) {
        cflri_box hand = {0};
        cflri_run run = {1, 2, sizes[huge], ids};
        cr_assert(cflri_exchange_put(&exchange, 0, 0, run));
        uint64_t filled = cflr_context_memory(context);
        cflri_exchange_take(&exchange, 0, 0, &hand);
        uint32_t *words = hand.word;
        cflri_exchange_take(&exchange, 0, 0, &hand);
        cr_expect_eq(hand.n, 0, "the words of the empty box are forgotten");
        cr_expect_eq(cflr_context_memory(context), huge ? bare : filled);
        run.n = SMALL_RUN;
        cr_assert(cflri_exchange_put(&exchange, 0, 0, run));
        cflri_exchange_take(&exchange, 0, 0, &hand);
        if (!huge) cr_expect_eq(hand.word, words, "the buffer is used again");
        cflri_box_free(context, &hand);
    }
    cflri_exchange_free(&exchange);
    test_context_end(context);
    free(ids);
}

/* malloc, but so that blocks of the library begin `shift` bytes behind a cache line. */
static void *shifted_allocate(void *user, size_t size) {
    size_t shift = *(size_t *)user;
    char *block = aligned_alloc(CACHE_LINE, (size + shift) / CACHE_LINE * CACHE_LINE + CACHE_LINE);
    return block ? block + shift : NULL;
}

static void *shifted_reallocate(void *user, void *block, size_t size) {
    return block || !size ? NULL : shifted_allocate(user, size); /* nothing grows in this test */
}

static void shifted_release(void *user, void *block) {
    if (block) free((char *)block - *(size_t *)user);
}

/* Wherever the block of boxes lies, each box has a cache line of its own. */
Test(exchange, boxes_fill_cache_lines) {
    for (size_t shift = 0; shift < CACHE_LINE; shift += 16) {
        cflr_allocator allocator = {&shift, shifted_allocate, shifted_reallocate, shifted_release};
        cflr_context_opts opts;
        cflr_context *context;
        cflr_error error = {0};
        cflri_exchange exchange;
        cflr_context_opts_init(&opts);
        opts.allocator = &allocator;
        MUST(cflr_context_new(&opts, &context, &error));
        MUST(cflri_exchange_init(&exchange, context, PARTS, PARTS, &error));
        cr_expect_eq((uintptr_t)exchange.box % CACHE_LINE, 0, "shifted by %zu", shift);
        uint32_t id = 7;
        for (uint32_t b = 0; b < BOXES; b++) { /* the last one, too, lies inside the block */
            cr_assert(
                cflri_exchange_put(&exchange, b / PARTS, b % PARTS, (cflri_run){1, b, 1, &id}));
        }
        cflri_exchange_free(&exchange);
        test_context_end(context);
    }
}

Test(exchange, no_memory_for_the_matrix) {
    cflr_context *context = test_context_limited(100);
    cflr_error error;
    cflri_exchange exchange;
    MUST_FAIL(cflri_exchange_init(&exchange, context, PARTS, PARTS, &error), CFLR_LIMIT);
    cflri_exchange_free(&exchange);
    test_context_end(context);
}

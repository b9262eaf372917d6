/* SPDX-License-Identifier: Apache-2.0
 *
 * test_shared_rows.c: what several threads fill together: segments, shards, sets of one store,
 * bags.
 */
#include "base/crew.h"
#include "engine/closure/batch/bag.h"
#include "engine/sets/once.h"
#include "engine/sets/segments.h"
#include "engine/sets/sets.h"
#include "engine/sets/shards.h"
#include "tests/support/support.h"

enum { THREADS = 8 };

/* ---- segments ---- */

enum { DRAWS = 20000 };

typedef struct drawing {
    cflri_segments segments;
    atomic_bool refused;
} drawing;

static void draw(void *what, cflri_crew *crew, uint32_t self) {
    drawing *d = what;
    cflri_draw mine = {0};
    (void)crew;
    for (int i = 0; i < DRAWS; i++) {
        uint32_t number = 0;
        if (!cflri_draw_number(&d->segments, &mine, UINT32_MAX, &number)) d->refused = true;
        uint32_t *element = cflri_segment_at(&d->segments, uint32_t, number);
        if (*element) d->refused = true;
        *element = self + 1;
    }
}

/* No thread gets a number twice, each gets its own element, and elements stay. */
Test(segments, numbers_of_several_threads) {
    drawing d = {.refused = false};
    cflr_context *context = test_context();
    uint32_t of[THREADS + 1] = {0};
    cflri_segments_init(&d.segments, context, sizeof(uint32_t));
    cr_assert(cflri_segments_reach(&d.segments, 1));
    uint32_t *first = cflri_segment_at(&d.segments, uint32_t, 0);
    cflri_crew_run(THREADS, draw, &d);
    cr_assert(!d.refused);
    cr_assert_eq(first, cflri_segment_at(&d.segments, uint32_t, 0));
    for (uint32_t i = 0; i < d.segments.drawn; i++)
        of[*cflri_segment_at(&d.segments, uint32_t, i)]++;
    uint32_t sum = 0;
    for (int t = 1; t <= THREADS; t++) {
        cr_assert_eq(of[t] % DRAWS, 0); /* the system may give fewer threads */
        sum += of[t];
    }
    cr_assert_leq(d.segments.drawn, sum + THREADS * CFLRI_DRAWN + CFLRI_DRAWN);
    cflri_segments_free(&d.segments);
    test_context_end(context);
}

/* Every element has a place of its own, to the largest number there is. */
Test(segments, places) {
    cflr_context *context = test_context();
    cflri_segments s;
    cflri_segments_init(&s, context, 1);
    cr_assert(cflri_segments_reach(&s, 100000));
    for (uint32_t i = 0; i < 100000; i++) {
        char *at = cflri_segments_at(&s, 1, i);
        cr_assert_eq(*at, 0, "%u", i);
        *at = 1;
    }
    uint64_t most = (uint64_t)UINT32_MAX + (1u << (CFLRI_SEGMENT_FIRST + CFLRI_SEGMENTS_A_SIZE));
    uint32_t bit = 63 - (uint32_t)__builtin_clzll(most);
    uint32_t last = (bit - CFLRI_SEGMENT_FIRST - CFLRI_SEGMENTS_A_SIZE) << CFLRI_SEGMENTS_A_SIZE |
                    ((most >> (bit - CFLRI_SEGMENTS_A_SIZE)) & 7);
    cr_assert_lt(last, CFLRI_SEGMENTS);
    context->memory_limit = cflr_context_memory(context);
    cr_assert_not(cflri_segments_reach(&s, 200000));
    context->memory_limit = UINT64_MAX;
    cr_assert(cflri_segments_reach(&s, 200000));
    cflri_segments_free(&s);
    test_context_end(context);
}

/* ---- shards ---- */

static bool is_even(const void *what, uint32_t number) {
    (void)what;
    return number % 2 == 0;
}

static uint64_t hash_of(uint32_t n, uint32_t tags) {
    return (uint64_t)(n % 3) << 32 | n % tags * 64;
}

static uint32_t find_number(cflri_shard_search *search, uint32_t n) {
    uint32_t found;
    do {
        found = cflri_shards_next(search);
    } while (found && found != n);
    return found;
}

/* Tags that collide on purpose: what was added is found, and after filtering, what was kept. */
Test(shards, found_again) {
    enum { NUMBERS = 5000, TAGS = 700 };
    cflr_context *context = test_context();
    cflri_shards shards;
    cflri_shards_init(&shards, context);
    for (uint32_t n = 1; n <= NUMBERS; n++) {
        cflri_shard_search search = cflri_shards_look(&shards, hash_of(n, TAGS));
        cr_assert(cflri_shards_reserve(&shards, &search));
        cflri_shards_add(&shards, &search, n);
    }
    for (int round = 0; round < 2; round++) {
        for (uint32_t n = 1; n <= NUMBERS; n++) {
            cflri_shard_search search = cflri_shards_look(&shards, hash_of(n, TAGS));
            cr_assert_eq(find_number(&search, n), round && n % 2 ? 0 : n);
        }
        for (uint32_t s = 0; s < 4; s++) cflri_shards_filter(&shards, s, is_even, NULL);
    }
    cflri_shards_free(&shards);
    test_context_end(context);
}

typedef struct adding {
    cflri_shards shards;
    _Atomic uint32_t added;
} adding;

enum { SHARED_NUMBERS = 20000, SHARED_TAGS = 3000 };

/* Numbers that differ have the same tag, and each comes from every thread. */
static void add_numbers(void *what, cflri_crew *crew, uint32_t self) {
    adding *a = what;
    (void)crew;
    for (uint32_t i = 0; i < SHARED_NUMBERS; i++) {
        uint32_t n = 1 + (i + self % 2) % SHARED_NUMBERS;
        cflri_shard_search search = cflri_shards_look(&a->shards, hash_of(n, SHARED_TAGS));
        if (find_number(&search, n)) continue;
        cflri_shards_enter(&a->shards, &search);
        if (!find_number(&search, n) && cflri_shards_reserve(&a->shards, &search)) {
            cflri_shards_add(&a->shards, &search, n);
            a->added++;
        }
        cflri_shards_leave(&a->shards, &search);
    }
}

Test(shards, added_once_by_several_threads) {
    cflr_context *context = test_context();
    adding a = {0};
    cflri_shards_init(&a.shards, context);
    cflri_shards_share(&a.shards, true);
    cflri_crew_run(4, add_numbers, &a);
    cflri_shards_share(&a.shards, false);
    cr_assert_eq(a.added, SHARED_NUMBERS);
    cflri_shards_free(&a.shards);
    test_context_end(context);
}

/* ---- once ---- */

Test(once, forgets) {
    cflr_context *context = test_context();
    cflri_once once = {0};
    for (uint32_t n = 1; n < 3000; n = n * 3 + 1) {
        cr_assert(cflri_once_begin(&once, context, n));
        for (uint32_t i = 0; i < n; i++) cr_assert(cflri_once_add(&once, i * 64));
        for (uint32_t i = 0; i < n; i++) cr_assert_not(cflri_once_add(&once, i * 64));
    }
    once.filling = UINT32_MAX; /* the next filling would have the number of none */
    cr_assert(cflri_once_begin(&once, context, 1));
    cr_assert(cflri_once_add(&once, 64));
    cflri_once_free(&once, context);
    test_context_end(context);
}

/* ---- sets of one store ---- */

enum { UNIVERSE = 4000, CHAIN = 300 };

typedef struct uniting {
    cflri_set_store store;
    cflri_set_number made[THREADS][CHAIN];
    atomic_bool refused;
} uniting;

/* Every thread makes the same sets, by other ways: singles in another order, some of them at
 * once. */
static void unite(void *what, cflri_crew *crew, uint32_t self) {
    uniting *u = what;
    cflri_sets *sets = &u->store.hand[self];
    (void)crew;
    for (uint32_t length = 0; length < CHAIN; length++) {
        cflri_set_number set = CFLRI_EMPTY_SET;
        for (uint32_t i = 0; i <= length; i++) {
            uint32_t id = (i + self * 37) % (length + 1) * 13;
            set = cflri_sets_union(sets, set, cflri_sets_single(sets, id));
        }
        if (set == CFLRI_NO_SET) u->refused = true;
        u->made[self][length] = set;
    }
}

static void sweep(void *what, cflri_crew *crew, uint32_t self) {
    uniting *u = what;
    if (!self) cflri_sets_begin_sweep(&u->store);
    cflri_crew_wait(crew);
    for (uint32_t i = self; i < CHAIN; i += crew->threads) {
        if (i % 3 == 0) cflri_sets_keep(&u->store, u->made[0][i]);
    }
    cflri_crew_wait(crew);
    for (uint32_t hand = self; hand < THREADS; hand += crew->threads) {
        cflri_sets_sweep(&u->store.hand[hand]);
    }
    cflri_crew_wait(crew);
    if (!self) cflri_sets_end_sweep(&u->store);
}

Test(sets, equal_sets_of_several_threads) {
    cflr_context *context = test_context();
    uniting *u = calloc(1, sizeof *u);
    cr_assert(cflri_set_store_init(&u->store, context, UNIVERSE, CFLRI_KERNEL_BEST, THREADS));
    cflri_set_store_share(&u->store, true);
    cflri_crew_run(THREADS, unite, u);
    for (int round = 0; round < 2; round++) {
        cr_assert(!u->refused);
        for (uint32_t i = 0; i < CHAIN; i++) {
            cflri_row row = cflri_sets_row(&u->store.hand[0], u->made[0][i]);
            if (round && i % 3) continue;
            cr_assert_eq(row.n, i + 1);
            for (uint32_t id = 0; id <= i; id++) {
                cr_assert(cflri_sets_have(&u->store.hand[0], &row, id * 13));
            }
            for (int t = 1; t < THREADS && u->made[t][0]; t++) {
                cr_assert_eq(u->made[t][i], u->made[0][i]);
            }
        }
        if (!round) cflri_crew_run(THREADS, sweep, u);
    }
    cr_assert_eq(cflri_set_store_totals(&u->store).kept,
                 CHAIN / 3 - 1); /* a set of one is not kept */
    cflri_set_store_free(&u->store);
    test_context_end(context);
    free(u);
}

/* ---- a bag ---- */

enum { THINGS = 30000 };

typedef struct handing {
    cflri_bag bag;
    cflr_context *context;
    _Atomic uint32_t done[THINGS];
    uint32_t end_at; /* the thread that does it ends it */
} handing;

/* A thing makes two more, as in a tree; half of what a thread has goes to those that wait. */
static void do_things(handing *h, cflri_numbers *own) {
    while (own->n) {
        uint32_t thing = own->at[--own->n];
        if (h->done[thing]++ || thing == h->end_at) cflri_bag_end(&h->bag);
        for (uint32_t made = 2 * thing + 1; made < 2 * thing + 3 && made < THINGS; made++) {
            cr_assert(cflri_vec_push(h->context, own, made));
        }
        cr_assert(cflri_bag_share(&h->bag, own));
    }
}

static void hand_out(void *what, cflri_crew *crew, uint32_t self) {
    handing *h = what;
    cflri_numbers own = {0};
    if (!self) cflri_bag_init(&h->bag, h->context, crew->threads);
    if (!self) cr_assert(cflri_vec_push(h->context, &own, 0));
    cflri_crew_wait(crew);
    do {
        do_things(h, &own);
        cr_assert(cflri_bag_take(&h->bag, &own));
    } while (own.n);
    cflri_vec_free(h->context, &own);
}

static uint32_t hand_out_all(uint32_t threads, uint32_t end_at) {
    static handing h;
    memset(&h, 0, sizeof h);
    h.context = test_context();
    h.end_at = end_at;
    uint32_t done = 0;
    cflri_crew_run(threads, hand_out, &h);
    for (int i = 0; i < THINGS; i++) {
        cr_assert_leq(h.done[i], 1);
        done += h.done[i];
    }
    cflri_bag_free(&h.bag);
    test_context_end(h.context);
    return done;
}

Test(bag, all_is_done_once) {
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        cr_assert_eq(hand_out_all(threads, THINGS), THINGS, "%u threads", threads);
    }
}

Test(bag, one_thread_ends_it_for_all) {
    for (uint32_t threads = 1; threads <= THREADS; threads++) hand_out_all(threads, 1000);
}

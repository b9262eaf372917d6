/* SPDX-License-Identifier: Apache-2.0
 *
 * test_sets.c: rows of every shape, sums with every kernel and numbered sets, against arrays of
 * flags.
 */
#include "engine/sets/sets.h"

#include "tests/support/support.h"

enum { SETS = 6, MOST = 6000 };

/* A small universe of numbers, each with its id: close together, apart, or where ids are too large
 * to be the number of a set of one. */
typedef struct bench {
    cflr_context *context;
    cflri_set_store store;
    cflri_sets *sets;
    cflri_set_number set[SETS];
    bool there[SETS][MOST];
    uint32_t id[MOST];
    uint32_t n;
    uint64_t random;
    uint32_t met; /* shapes, bit by bit */
    uint32_t refused;
} bench;

typedef enum spread { TOGETHER, APART, MIXED, LARGE, SPREADS } spread;

static bench *bench_begin(spread how, uint32_t n, cflri_row_kernel kernel, uint64_t seed) {
    bench *b = calloc(1, sizeof *b);
    b->context = test_context();
    b->n = n;
    b->random = seed;
    uint32_t id = how == LARGE ? CFLRI_SINGLE_SET - n / 2 : 0;
    for (uint32_t i = 0; i < n; i++) {
        bool jump = how == APART || (how == MIXED && i % 200 == 199);
        id += jump ? 1 + test_random_below(&b->random, 2000) : 1;
        b->id[i] = id;
    }
    cr_assert(cflri_set_store_init(&b->store, b->context, id + 1, kernel, 1));
    b->sets = &b->store.hand[0];
    return b;
}

static void bench_end(bench *b) {
    cflri_set_store_free(&b->store);
    test_context_end(b->context);
    free(b);
}

static void must_hold(bench *b, int s) {
    static uint32_t ids[MOST];
    cflri_row row = cflri_sets_row(b->sets, b->set[s]);
    cflri_row_walk walk = cflri_sets_begin(b->sets, &row);
    uint32_t n = 0, id;
    cr_assert_leq(row.n, b->n);
    cr_assert_eq(cflri_sets_count(b->sets, b->set[s]), row.n);
    cflri_row_write(&row, &b->store.trees, ids);
    for (uint32_t i = 0; i < b->n; i++) {
        cr_assert_eq(cflri_sets_have(b->sets, &row, b->id[i]), b->there[s][i]);
        if (!b->there[s][i]) continue;
        cr_assert_eq(ids[n], b->id[i]);
        cr_assert(cflri_row_next(&walk, &id) && id == b->id[i]);
        n++;
    }
    cr_assert_eq(row.n, n);
    cr_assert_not(cflri_row_next(&walk, &id));
    b->met |= 1u << row.shape;
}

/* Equal flags and equal numbers are the same. */
static void compare_all(bench *b) {
    for (int x = 0; x < SETS; x++) {
        must_hold(b, x);
        for (int y = 0; y < SETS; y++) {
            bool same = memcmp(b->there[x], b->there[y], sizeof b->there[x]) == 0;
            cr_assert_eq(b->set[x] == b->set[y], same);
        }
    }
}

/* Numbers of the universe by chance, few or many, here or all over. */
static cflri_set_number some(bench *b, bool *there) {
    static uint32_t ids[MOST];
    uint32_t n = 0, part = 1 + test_random_below(&b->random, 40);
    uint32_t first = test_random_below(&b->random, b->n);
    uint32_t end = first + test_random_below(&b->random, b->n - first) + 1;
    if (test_random_below(&b->random, 3)) end = first + 1 + (end - first) / 50;
    memset(there, 0, MOST * sizeof *there);
    for (uint32_t i = first; i < end; i++) {
        if (test_random_below(&b->random, part)) continue;
        there[i] = true;
        ids[n++] = b->id[i];
    }
    if (n == 1) return cflri_sets_single(b->sets, ids[0]);
    return cflri_sets_of(b->sets, ids, n);
}

static void step(bench *b, bool scarce) {
    static bool there[MOST];
    int to = (int)test_random_below(&b->random, SETS), x = (int)test_random_below(&b->random, SETS);
    int y = (int)test_random_below(&b->random, SETS);
    uint32_t what = test_random_below(&b->random, 10);
    cflri_set_number all[SETS + 1], set;
    if (scarce) {
        uint64_t room = test_random_below(&b->random, 3000);
        b->context->memory_limit = cflr_context_memory(b->context) + room;
    }
    memset(there, 0, sizeof there);
    if (what < 3) {
        set = some(b, there);
    } else if (what < 6) {
        set = cflri_sets_union(b->sets, b->set[x], b->set[y]);
        for (uint32_t i = 0; i < b->n; i++) there[i] = b->there[x][i] || b->there[y][i];
    } else if (what < 9) {
        set = cflri_sets_minus(b->sets, b->set[x], b->set[y]);
        for (uint32_t i = 0; i < b->n; i++) there[i] = b->there[x][i] && !b->there[y][i];
    } else {
        memcpy(all, b->set, sizeof b->set);
        all[SETS] = b->set[x];
        set = cflri_sets_union_all(b->sets, all, SETS + 1);
        for (uint32_t i = 0; i < b->n; i++) {
            for (int s = 0; s < SETS; s++) there[i] |= b->there[s][i];
        }
    }
    b->context->memory_limit = UINT64_MAX;
    if (set == CFLRI_NO_SET) {
        cr_assert(scarce);
        b->refused++;
        return;
    }
    b->set[to] = set;
    memcpy(b->there[to], there, sizeof there);
}

/* Parts are smaller than the set, and make it up, each id once. */
static void must_split(bench *b, cflri_set_number set) {
    cflri_set_list parts = {0};
    uint32_t n = cflri_sets_count(b->sets, set), sum = 0;
    cr_assert(cflri_sets_split(b->sets, set, &parts));
    for (size_t i = 0; i < parts.n; i++) {
        uint32_t part = cflri_sets_count(b->sets, parts.at[i]);
        cr_assert(part >= 1 && (part < n || n == 1));
        sum += part;
        if (part > 1) must_split(b, parts.at[i]);
    }
    cr_assert_eq(sum, n);
    cr_assert_eq(cflri_sets_union_all(b->sets, parts.at, parts.n), set);
    cflri_vec_free(b->context, &parts);
}

static void sweep(bench *b) {
    cr_assert(cflri_sets_begin_sweep(&b->store));
    for (int s = 0; s < SETS; s++) cflri_sets_keep(&b->store, b->set[s]);
    cflri_sets_sweep(b->sets);
    cflri_sets_end_sweep(&b->store);
    cr_assert_leq(cflri_set_store_totals(&b->store).kept, SETS);
}

Test(sets, random_algebra_against_flags) {
    static const uint32_t sizes[] = {1, 3, 40, 700, MOST};
    uint32_t met = 0, refused = 0;
    for (int kernel = CFLRI_KERNEL_BEST; kernel <= CFLRI_KERNEL_AVX512; kernel++) {
        for (int how = 0; how < SPREADS; how++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                bench *b = bench_begin((spread)how, sizes[s], (cflri_row_kernel)kernel,
                                       (uint64_t)(kernel * 100 + how * 10) + s);
                for (int i = 0; i < 200; i++) {
                    step(b, i % 2);
                    if (i % 20 == 19) compare_all(b);
                    if (i % 20 == 9) must_split(b, b->set[0]);
                    if (i % 60 == 59) sweep(b);
                }
                compare_all(b);
                met |= b->met;
                refused += b->refused;
                bench_end(b);
            }
        }
    }
    cr_expect_eq(met, 7u, "shapes met: %x", met);
    cr_expect_gt(refused, 20);
}

/* Thousands of sets: slots and remembered answers grow, numbers of swept sets are used again. */
Test(sets, many_sets) {
    bench *b = bench_begin(MIXED, MOST, CFLRI_KERNEL_BEST, 7);
    cflri_set_number chain = CFLRI_EMPTY_SET, odd = CFLRI_EMPTY_SET;
    for (int round = 0; round < 3; round++) {
        chain = odd = CFLRI_EMPTY_SET;
        for (uint32_t i = 0; i < MOST; i++) {
            chain = cflri_sets_union(b->sets, chain, cflri_sets_single(b->sets, b->id[i]));
            if (i % 2) odd = cflri_sets_union(b->sets, odd, cflri_sets_single(b->sets, b->id[i]));
            cr_assert(chain != CFLRI_NO_SET && odd != CFLRI_NO_SET);
            cr_assert_eq(cflri_sets_union(b->sets, odd, chain), chain);
        }
        cr_assert_eq(cflri_sets_count(b->sets, cflri_sets_minus(b->sets, chain, odd)), MOST / 2);
        b->set[0] = chain;
        for (int s = 1; s < SETS; s++) b->set[s] = CFLRI_EMPTY_SET;
        uint32_t numbers = b->store.row.drawn;
        sweep(b);
        cr_assert_eq(cflri_set_store_totals(&b->store).kept, 1);
        cr_assert(round == 0 || numbers < 30000, "%u", numbers);
    }
    cr_assert_eq(cflri_sets_count(b->sets, chain), MOST);
    bench_end(b);
}

/* Small sets that may be there twice: a hundred thousand equal ones, while the others grow in
 * number. */
Test(sets, loose_sets) {
    bench *b = bench_begin(TOGETHER, MOST, CFLRI_KERNEL_BEST, 9);
    cflri_set_number chain = CFLRI_EMPTY_SET, loose = CFLRI_EMPTY_SET;
    for (uint32_t i = 0; i < 100000; i++) {
        cflri_set_number three[3];
        for (uint32_t k = 0; k < 3; k++) three[k] = cflri_sets_single(b->sets, b->id[7 * k]);
        loose = cflri_sets_union_loose(b->sets, three, 3);
        cr_assert_eq(cflri_sets_count(b->sets, loose), 3);
        if (i >= MOST) continue;
        chain = cflri_sets_union(b->sets, chain, cflri_sets_single(b->sets, b->id[i]));
        cr_assert_eq(cflri_sets_count(b->sets, chain), i + 1);
    }
    cr_assert_eq(cflri_sets_union(b->sets, loose, chain), chain);
    cr_assert_eq(cflri_sets_minus(b->sets, loose, chain), CFLRI_EMPTY_SET);
    b->set[0] = loose;
    b->set[1] = chain;
    for (int s = 2; s < SETS; s++) b->set[s] = CFLRI_EMPTY_SET;
    sweep(b);
    cr_assert_eq(cflri_set_store_totals(&b->store).kept, 2);
    bench_end(b);
}

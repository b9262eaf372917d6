/* SPDX-License-Identifier: Apache-2.0
 *
 * Relations against a simple oracle: qsort, drop neighbours that are equal, search from the front.
 */
#include "base/graph/relation.h"
#include "tests/support/fail_alloc.h"
#include "tests/support/support.h"

static int compare_pairs(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

typedef struct oracle {
    uint64_t *pairs; /* ascending, distinct */
    uint64_t n;
} oracle;

static oracle oracle_of(const uint64_t *pairs, uint64_t n) {
    oracle o = {malloc((n + 1) * sizeof *pairs), 0};
    if (n) memcpy(o.pairs, pairs, n * sizeof *pairs);
    qsort(o.pairs, n, sizeof *pairs, compare_pairs);
    for (uint64_t i = 0; i < n; i++) {
        if (i == 0 || o.pairs[i] != o.pairs[o.n - 1]) o.pairs[o.n++] = o.pairs[i];
    }
    return o;
}

/* The relation holds the oracle's pairs in order, and is valid for vertices below `bound`. */
static void must_equal(const cflri_relation *relation, const oracle *o, uint32_t bound) {
    cr_assert(cflri_relation_valid(relation, bound));
    cr_assert_eq(relation->n_pairs, o->n);
    uint64_t at = 0;
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        for (uint64_t i = relation->start[r]; i < relation->start[r + 1]; i++, at++) {
            cr_assert_eq(cflri_pair(relation->row[r], relation->target[i]), o->pairs[at]);
        }
    }
    cr_assert_eq(at, o->n);
}

static void must_equal_reversed(const cflri_relation *relation, const oracle *o, uint32_t bound) {
    oracle backwards = {malloc((o->n + 1) * sizeof *o->pairs), o->n};
    for (uint64_t i = 0; i < o->n; i++) {
        backwards.pairs[i] = cflri_pair((uint32_t)o->pairs[i], (uint32_t)(o->pairs[i] >> 32));
    }
    qsort(backwards.pairs, backwards.n, sizeof *backwards.pairs, compare_pairs);
    must_equal(relation, &backwards, bound);
    free(backwards.pairs);
}

static bool oracle_has(const oracle *o, uint32_t source, uint32_t target) {
    for (uint64_t i = 0; i < o->n; i++) {
        if (o->pairs[i] == cflri_pair(source, target)) return true;
    }
    return false;
}

static void must_answer(const cflri_relation *relation, const oracle *o, uint32_t bound) {
    for (uint32_t s = 0; s < bound; s++) {
        uint64_t count = 99, expected = 0;
        for (uint64_t i = 0; i < o->n; i++) expected += o->pairs[i] >> 32 == s;
        const uint32_t *row = cflri_relation_row(relation, s, &count);
        cr_assert_eq(count, expected);
        cr_assert_eq(row == NULL, expected == 0);
        for (uint32_t t = 0; t < bound; t++) {
            cr_assert_eq(cflri_relation_has(relation, s, t, NULL), oracle_has(o, s, t));
        }
    }
}

/* n random pairs below `bound`, ids multiplied by `stride` so that they are thin. */
static uint64_t *random_pairs(uint64_t *state, uint64_t n, uint32_t bound, uint32_t stride) {
    uint64_t *pairs = malloc((n + 1) * sizeof *pairs);
    for (uint64_t i = 0; i < n; i++) {
        uint32_t source = test_random_below(state, bound) * stride;
        uint32_t target = test_random_below(state, bound) * stride;
        pairs[i] = cflri_pair(source, target);
    }
    return pairs;
}

static void check_random(cflr_context *context, uint64_t *pairs, uint64_t n, uint32_t bound) {
    cflr_error error;
    cflri_relation relation, reversed, twice;
    oracle o = oracle_of(pairs, n);
    MUST(cflri_relation_build(context, pairs, n, &relation, &error));
    must_equal(&relation, &o, bound);
    MUST(cflri_relation_reverse(context, &relation, 1 + (uint32_t)(n % 3), &reversed, &error));
    must_equal_reversed(&reversed, &o, bound);
    MUST(cflri_relation_reverse(context, &reversed, 1 + (uint32_t)(n % 4), &twice, &error));
    must_equal(&twice, &o, bound);
    if (bound < 60) must_answer(&relation, &o, bound);
    cflri_relation_free(context, &relation);
    cflri_relation_free(context, &reversed);
    cflri_relation_free(context, &twice);
    free(o.pairs);
}

Test(relation, small_random_against_oracle) {
    cflr_context *context = test_context();
    uint64_t state = 3;
    for (unsigned round = 0; round < 600; round++) {
        uint32_t bound = 1 + test_random_below(&state, 40);
        uint64_t n = test_random_below(&state, 200);
        uint64_t *pairs = random_pairs(&state, n, bound, 1);
        check_random(context, pairs, n, bound);
        free(pairs);
    }
    test_context_end(context);
}

/* Around every threshold of sorting and reversing: few, narrow and wide digits, dense and thin ids.
 */
Test(relation, sizes_and_strides_against_oracle) {
    static const uint64_t sizes[] = {0, 1, 2, 47, 48, 49, 50, 300, 32767, 32768, 32769, 100000};
    static const struct {
        uint32_t bound, stride;
    } shapes[] = {{1, 1},     {2, 0x7fffffff}, {255, 1},       {256, 256},       {257, 65537},
                  {2049, 99}, {70000, 1},      {70000, 61331}, {4294967294u, 1}, {600000, 7158}};
    cflr_context *context = test_context();
    uint64_t state = 4;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < sizeof shapes / sizeof *shapes; j++) {
            uint64_t *pairs = random_pairs(&state, sizes[i], shapes[j].bound, shapes[j].stride);
            check_random(context, pairs, sizes[i], UINT32_MAX);
            free(pairs);
        }
    }
    test_context_end(context);
}

Test(relation, sorts_a_million_pairs) {
    enum { MANY = 1500000 };
    static const uint64_t masks[] = {UINT64_MAX, UINT64_C(0x000fffff000fffff),
                                     UINT64_C(0xff00000000000001), UINT64_C(0x0000000100000000)};
    cflr_context *context = test_context();
    cflr_error error;
    uint64_t state = 5;
    uint64_t *pairs = malloc(MANY * sizeof *pairs), *copy = malloc(MANY * sizeof *copy);
    uint64_t *scratch = malloc(MANY * sizeof *scratch);
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        for (size_t i = 0; i < MANY; i++) copy[i] = pairs[i] = test_random(&state) & masks[m];
        qsort(copy, MANY, sizeof *copy, compare_pairs);
        MUST(cflri_sort_pairs(context, pairs, MANY, m % 2 ? scratch : NULL, &error));
        cr_assert_eq(memcmp(pairs, copy, MANY * sizeof *pairs), 0, "mask %zu", m);
        MUST(cflri_sort_pairs(context, pairs, MANY, NULL, &error));
        cr_assert_eq(memcmp(pairs, copy, MANY * sizeof *pairs), 0, "sorted already");
    }
    free(pairs);
    free(copy);
    free(scratch);
    test_context_end(context);
}

/* Sorted pairs are left alone: no memory is asked for. */
Test(relation, sorted_pairs_need_no_scratch) {
    fail_alloc f = {.fail_at = 2, .fail_on = true};
    cflr_allocator allocator = fail_alloc_allocator(&f);
    cflr_context_opts opts;
    cflr_context *context;
    cflr_error error;
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    MUST(cflr_context_new(&opts, &context, &error));
    static uint64_t pairs[5000];
    for (uint64_t i = 0; i < 5000; i++) pairs[i] = i * i;
    MUST(cflri_sort_pairs(context, pairs, 5000, NULL, &error));
    for (uint64_t i = 0; i < 30; i++) pairs[i] = 30 - i;
    MUST(cflri_sort_pairs(context, pairs, 30, NULL, &error));
    for (uint64_t i = 0; i < 30; i++) cr_assert_eq(pairs[i], i + 1);
    test_context_end(context);
}

Test(relation, empty) {
    cflr_context *context = test_context();
    cflr_error error;
    cflri_relation relation, reversed;
    uint64_t count;
    MUST(cflri_relation_build(context, NULL, 0, &relation, &error));
    MUST(cflri_relation_reverse(context, &relation, 1, &reversed, &error));
    cr_assert(cflri_relation_valid(&relation, 0));
    cr_assert(cflri_relation_valid(&reversed, 0));
    cr_assert_null(cflri_relation_row(&relation, 0, &count));
    cr_assert_eq(count, 0);
    cr_assert_not(cflri_relation_has(&relation, 0, 0, NULL));
    cflri_relation_free(context, &relation);
    cflri_relation_free(context, &relation);
    test_context_end(context);
}

Test(relation, validity) {
    uint32_t row[] = {2, 5, 9}, target[] = {1, 4, 7, 2, 0, 9};
    uint64_t start[] = {0, 3, 4, 6};
    const cflri_relation good = {3, 6, row, start, target, NULL, NULL, false};
    cr_assert(cflri_relation_valid(&good, 10));
    cr_assert_not(cflri_relation_valid(&good, 9));
    cflri_relation bad = good;
    bad.n_pairs = 5;
    cr_assert_not(cflri_relation_valid(&bad, 10));
    bad = (cflri_relation){0, 6, row, start, target, NULL, NULL, false};
    cr_assert_not(cflri_relation_valid(&bad, 10));
    bad = (cflri_relation){3, 6, NULL, start, target, NULL, NULL, false};
    cr_assert_not(cflri_relation_valid(&bad, 10));
    for (unsigned i = 0; i < 3; i++) {
        uint32_t keep = row[i];
        row[i] = i ? row[i - 1] : row[1];
        cr_assert_not(cflri_relation_valid(&good, 10), "row %u", i);
        row[i] = keep;
    }
    for (unsigned i = 0; i < 4; i++) {
        static const uint64_t wrong[] = {1, 0, 3, UINT64_MAX};
        uint64_t keep = start[i];
        for (unsigned j = 0; j < 4; j++) {
            if (wrong[j] == keep) continue;
            start[i] = wrong[j];
            cr_assert_not(cflri_relation_valid(&good, 10), "start %u", i);
        }
        start[i] = keep;
    }
    for (unsigned i = 0; i < 6; i++) {
        uint32_t keep = target[i];
        target[i] = 10;
        cr_assert_not(cflri_relation_valid(&good, 10), "target %u", i);
        target[i] = keep;
    }
    target[1] = 1;
    cr_assert_not(cflri_relation_valid(&good, 10), "twice in a row");
    target[1] = 4;
    cr_assert(cflri_relation_valid(&good, 10));
}

static cflr_status build_and_reverse(cflr_context *context, void *user, cflr_error *error) {
    uint32_t stride = *(const uint32_t *)user;
    uint64_t state = 6;
    cflri_relation relation = {0}, reversed = {0};
    uint64_t *pairs = random_pairs(&state, 2000, 300, stride);
    cflr_status st = cflri_relation_build(context, pairs, 2000, &relation, error);
    if (st == CFLR_OK) st = cflri_relation_reverse(context, &relation, 1, &reversed, error);
    cflri_relation_free(context, &relation);
    cflri_relation_free(context, &reversed);
    free(pairs);
    return st;
}

Test(relation, allocation_failures) {
    uint32_t strides[] = {1, 100000};
    for (int i = 0; i < 2; i++) fail_alloc_sweep(build_and_reverse, &strides[i]);
}

/* Whatever a partial result needs is sorted after an interruption; what is loaded is not. */
Test(relation, interruptions) {
    uint64_t state = 7;
    cflr_context *context = test_context();
    cflr_error error;
    cflri_relation relation, reversed;
    uint64_t *pairs = random_pairs(&state, 2000, 300, 100000);
    cflr_context_cancel(context);
    cr_expect_eq(cflri_sort_pairs_in_time(context, pairs, 2000, NULL, &error), CFLR_CANCELLED);
    MUST(cflri_relation_build(context, pairs, 2000, &relation, &error));
    cr_expect_eq(cflri_relation_reverse_in_time(context, &relation, &reversed, &error),
                 CFLR_CANCELLED);
    cr_expect_eq(reversed.n_pairs, 0);
    MUST(cflri_relation_reverse(context, &relation, 1, &reversed, &error));
    cflri_relation_free(context, &relation);
    cflri_relation_free(context, &reversed);
    free(pairs);
    test_context_end(context);
}

#define PAIR(source, target) ((uint64_t)(source) << 32 | (target))

Test(relation, symmetric) {
    static const struct {
        uint64_t pairs[4];
        uint64_t n;
        bool symmetric, loops;
    } cases[] = {{{0}, 0, true, true},
                 {{PAIR(3, 3)}, 1, true, true},
                 {{PAIR(1, 1), PAIR(3, 3)}, 2, true, true},
                 {{PAIR(1, 2)}, 1, false, false},
                 {{PAIR(1, 1), PAIR(3, 4)}, 2, false, false},
                 {{PAIR(1, 1), PAIR(1, 2), PAIR(2, 1)}, 3, true, false},
                 {{PAIR(1, 2), PAIR(2, 1), PAIR(5, 5)}, 3, true, false},
                 {{PAIR(1, 2), PAIR(2, 1), PAIR(0, 5), PAIR(5, 1)}, 4, false, false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cflr_context *context = test_context();
        cflr_error error;
        cflri_relation relation;
        uint64_t pairs[4];
        memcpy(pairs, cases[c].pairs, sizeof pairs);
        MUST(cflri_relation_build(context, pairs, cases[c].n, &relation, &error));
        cr_expect_eq(cflri_relation_symmetric(&relation), cases[c].symmetric, "case %zu", c);
        cr_expect_eq(cflri_relation_loops(&relation), cases[c].loops, "case %zu", c);
        cflri_relation_free(context, &relation);
        test_context_end(context);
    }
}

/* Sets as plain lists: the ids of set s are ids[start[s]] to ids[start[s + 1] - 1]. */
typedef struct flat_sets {
    cflri_target_sets sets;
    uint64_t *start;
    uint32_t *ids;
} flat_sets;

static uint32_t flat_count(const cflri_target_sets *sets, uint32_t set) {
    const flat_sets *flat = (const flat_sets *)sets;
    return (uint32_t)(flat->start[set + 1] - flat->start[set]);
}

static cflr_status flat_write(const cflri_target_sets *sets, uint32_t set, uint32_t *ids,
                              cflr_error *error) {
    const flat_sets *flat = (const flat_sets *)sets;
    (void)error;
    memcpy(ids, flat->ids + flat->start[set], flat_count(sets, set) * sizeof *ids);
    return CFLR_OK;
}

static bool flat_find(const cflri_target_sets *sets, uint32_t set, uint32_t id, uint64_t *before,
                      cflri_failure *failure) {
    (void)failure;
    const flat_sets *flat = (const flat_sets *)sets;
    const uint32_t *ids = flat->ids + flat->start[set];
    uint64_t n = flat_count(sets, set), at = 0;
    while (at < n && ids[at] < id) at++;
    if (before) *before = at;
    return at < n && ids[at] == id;
}

static bool flat_meet(const cflri_target_sets *sets, uint32_t a, uint32_t b,
                      cflri_failure *failure) {
    const flat_sets *flat = (const flat_sets *)sets;
    uint64_t before;
    for (uint64_t i = flat->start[a]; i < flat->start[a + 1]; i++) {
        if (flat_find(sets, b, flat->ids[i], &before, failure)) return true;
    }
    return false;
}

static void flat_free(cflr_context *context, cflri_target_sets *sets) {
    flat_sets *flat = (flat_sets *)sets;
    (void)context;
    free(flat->start);
    free(flat->ids);
    free(flat);
}

/* Room for n sets of n_ids ids. NULL when memory is refused. */
static flat_sets *flat_sets_make(uint32_t n, uint64_t n_ids) {
    flat_sets *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->sets = (cflri_target_sets){.n = n,
                                     .count = flat_count,
                                     .write = flat_write,
                                     .find = flat_find,
                                     .meet = flat_meet,
                                     .free = flat_free};
    made->start = calloc((size_t)n + 1, sizeof *made->start);
    made->ids = calloc(n_ids, sizeof *made->ids);
    if (made->start && made->ids) return made;
    flat_free(NULL, &made->sets);
    return NULL;
}

/* Rows 2 and 9 have one set, row 5 has another one, and row 7 has the set of one id. */
Test(relation, shared_sets) {
    cflr_context *context = test_context();
    uint32_t row[] = {2, 5, 7, 9}, set[] = {1, 0, CFLRI_ONE_TARGET | 3, 1};
    uint64_t start[] = {0, 3, 5, 6, 9};
    flat_sets *sets = flat_sets_make(2, 5);
    cr_assert_not_null(sets);
    memcpy(sets->ids, (uint32_t[]){0, 6, 1, 4, 7}, 5 * sizeof *sets->ids);
    memcpy(sets->start, (uint64_t[]){0, 2, 5}, 3 * sizeof *sets->start);
    cflri_relation shared = {4, 9, row, start, NULL, set, &sets->sets, true}, reversed, again;
    cr_assert(cflri_relation_valid(&shared, 10));
    sets->sets.n = 1;
    cr_assert_not(cflri_relation_valid(&shared, 10));
    sets->sets.n = 2;
    cr_assert_eq(cflri_relation_find(&shared, 9), 3);
    cr_assert_eq(cflri_relation_find(&shared, 3), 4);
    cr_assert(cflri_relation_has(&shared, 9, 7, NULL) && !cflri_relation_has(&shared, 5, 7, NULL));
    cr_assert(cflri_relations_meet(&shared, 2, &shared, 9, NULL));
    cr_assert_not(cflri_relations_meet(&shared, 2, &shared, 5, NULL));
    cr_assert_not(cflri_relations_meet(&shared, 7, &shared, 5, NULL));
    cr_assert_not(cflri_relations_meet(&shared, 7, &shared, 3, NULL));
    set[2] = CFLRI_ONE_TARGET | 10;
    cr_assert_not(cflri_relation_valid(&shared, 10));
    set[2] = 0;
    cr_assert_not(cflri_relation_valid(&shared, 10));
    set[2] = CFLRI_ONE_TARGET | 3;
    cflri_relation borrowed = cflri_relation_borrow(&shared);
    cr_assert(cflri_relation_valid(&borrowed, 10));
    cr_assert_eq(cflri_relation_reverse(context, &shared, 1, &reversed, NULL), CFLR_OK);
    cr_assert_eq(cflri_relation_reverse(context, &reversed, 1, &again, NULL), CFLR_OK);
    for (uint32_t source = 0; source < 10; source++) {
        for (uint32_t t = 0; t < 10; t++) {
            bool has = cflri_relation_has(&shared, source, t, NULL);
            cr_assert_eq(has, cflri_relation_has(&borrowed, source, t, NULL));
            cr_assert_eq(has, cflri_relation_has(&reversed, t, source, NULL));
            cr_assert_eq(has, cflri_relation_has(&again, source, t, NULL));
        }
    }
    cflr_row read = {0};
    for (uint32_t r = 0; r < shared.n_rows; r++) {
        cr_assert_eq(cflri_relation_read(context, &shared, r, &read, NULL), CFLR_OK);
        cr_assert(read.vertex == row[r] && read.count == start[r + 1] - start[r]);
        for (uint64_t i = 0; i < read.count; i++) {
            uint64_t place;
            cr_assert(cflri_relation_place(&shared, row[r], read.target[i], &place, NULL));
            cr_assert_eq(place, start[r] + i);
        }
    }
    cflr_row_free(&read);
    sets->sets.free(context, &sets->sets);
    cflri_relation_free(context, &borrowed);
    cr_assert_null(borrowed.row);
    cflri_relation_free(context, &reversed);
    cflri_relation_free(context, &again);
    test_context_end(context);
}

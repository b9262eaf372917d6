/* SPDX-License-Identifier: Apache-2.0
 *
 * test_partition.c: dealing out, directories, and the rows, lists and queue of a partition.
 */
#include "engine/closure/pairs/partition.h"

#include "tests/support/support.h"

/* ---- dealing out ---- */

/* Every vertex has one owner; shares differ by a block, which is small beside a share; and there
 * are no more changes of owner from a vertex to the next than there are blocks. */
Test(partition, shares_are_even) {
    static const uint32_t sizes[] = {1, 2, 7, 63, 64, 65, 1000, 4096, 100003, 1u << 20};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (uint32_t parts = 1; parts <= 33; parts += parts < 4 ? 1 : 7) {
            uint32_t n = sizes[s], share[64] = {0}, least = UINT32_MAX, most = 0, changes = 0;
            cflri_source_split deal = cflri_source_split_of(n, parts);
            for (uint32_t v = 0; v < n; v++) {
                uint32_t owner = cflri_source_owner(deal, v);
                cr_assert_lt(owner, parts);
                share[owner]++;
                changes += v && owner != cflri_source_owner(deal, v - 1);
            }
            for (uint32_t p = 0; p < parts; p++) {
                if (share[p] < least) least = share[p];
                if (share[p] > most) most = share[p];
            }
            uint32_t block = n / (32 * parts) > 1 ? n / (32 * parts) : 1;
            cr_assert_leq(most - least, block, "%u vertices, %u parts", n, parts);
            cr_assert_leq(changes, 64 * parts, "%u vertices, %u parts", n, parts);
        }
    }
    cflri_source_split largest = cflri_source_split_of(UINT32_MAX - 1, 1024);
    cr_expect_lt(cflri_source_owner(largest, UINT32_MAX - 2), 1024);
}

/* ---- directories ---- */

/* Random labels in random order, some of them refused, against an array by label. */
Test(partition, directory_of_many_labels) {
    enum { LABELS = 20000 };
    static uint32_t expected[LABELS];                 /* the row's count, or 0 */
    static const uint32_t strides[] = {1, 64, 65536}; /* labels that share their low bits */
    for (size_t t = 0; t < sizeof strides / sizeof *strides; t++) {
        cflr_context *context = test_context();
        cflri_directory directory = {0};
        uint64_t random = t, refused = 0;
        uint32_t n = 0, seen = 0, at = 0;
        cflri_indexed indexed;
        cflri_indexed_init(&indexed, context, &directory, 1, sizeof(cflri_hashed_row));
        memset(expected, 0, sizeof expected);
        for (int i = 0; i < 12000; i++) {
            uint32_t k = test_random_below(&random, LABELS), label = k * strides[t];
            cflri_hashed_row *row = cflri_directory_find(&directory, label);
            cr_assert_eq(row ? row->count : 0, expected[k], "label %u", label);
            if (row) continue;
            context->memory_limit = i % 3 ? UINT64_MAX : cflr_context_memory(context);
            row = cflri_indexed_make(&indexed, label, 0);
            context->memory_limit = UINT64_MAX;
            cr_assert(row || i % 3 == 0);
            refused += !row;
            if (!row) continue;
            cr_assert(row->label == label && !row->count);
            row->count = expected[k] = (uint32_t)i + 1;
            n++;
        }
        const cflri_hashed_row *row;
        while ((row = cflri_directory_next(&directory, &at))) {
            cr_assert_eq(expected[row->label / strides[t]], row->count);
            expected[row->label / strides[t]] = 0;
            seen++;
        }
        cr_assert(seen == n && directory.n == n && n > 8000);
        cr_expect_leq(directory.capacity, 8 * n / 3, "a table is more than 3/8 full");
        cr_expect_gt(refused, 0);
        cflri_indexed_free(&indexed);
        test_context_end(context);
    }
}

/* ---- rows, lists and queue ---- */

enum { SYMBOLS = 4, VERTICES = 300, MANY = 1 << 12 };
enum {
    PLAIN,
    NULLABLE,
    IDLE,
    FIXED
}; /* IDLE: no move needs its pairs; FIXED: no rule derives it */

typedef struct world {
    cflr_context *context;
    cflri_plan plan;
    cflri_directory out[VERTICES], in[VERTICES];
    cflri_partition part;
    bool pair[SYMBOLS][VERTICES][VERTICES];   /* what rows must hold */
    uint32_t listed[SYMBOLS][VERTICES][MANY]; /* what lists must hold, */
    uint32_t n_listed[SYMBOLS][VERTICES];     /* so many */
    cflri_hashed_row *queue[MANY];
    size_t head, tail;
} world;

static world *world_begin(void) {
    static bool nullable[] = {false, true, false, false}, fixed[] = {false, false, false, true};
    static bool busy[] = {true, true, false, true};
    world *w = calloc(1, sizeof *w);
    w->context = test_context();
    w->plan = (cflri_plan){.context = w->context,
                           .n_symbols = SYMBOLS,
                           .nullable = nullable,
                           .fixed = fixed,
                           .busy = busy};
    cflri_partition_init(&w->part, &w->plan, VERTICES, (cflri_directory *[]){w->out, w->in});
    return w;
}

/* Adds targets to a row, new or not, and to the picture of what there must be. */
static void add_random(world *w, uint32_t label, uint32_t vertex, uint64_t *random) {
    bool is_new = !cflri_directory_find(&w->out[vertex], label);
    cflri_hashed_row *row = cflri_partition_make_row(&w->part, label, vertex);
    cr_assert(row && row->label == label && row->vertex == vertex);
    if (is_new) cr_assert(row->count == (label == NULLABLE) && row->settled == row->count);
    if (label == NULLABLE) w->pair[label][vertex][vertex] = true;
    uint32_t target[20], n = 1 + test_random_below(random, 20), before = row->count;
    uint32_t first = test_random_below(random, VERTICES), added = 0;
    for (uint32_t i = 0; i < n; i++) {
        target[i] = (first + i * 7) % VERTICES;
        added += !w->pair[label][vertex][target[i]];
        w->pair[label][vertex][target[i]] = true;
    }
    uint64_t pairs = w->part.pairs;
    bool queued = row->queued;
    cr_assert(cflri_partition_add(&w->part, row, target, n));
    cr_assert_eq(row->count, before + added);
    cr_assert_eq(w->part.pairs, pairs + added);
    cr_assert_eq(row->queued, queued || (added && label != IDLE));
    if (row->queued && !queued) w->queue[w->tail++ % MANY] = row;
}

static void append_random(world *w, uint32_t label, uint32_t target, uint64_t *random) {
    uint32_t *n = &w->n_listed[label][target], source = test_random_below(random, VERTICES);
    if (*n == MANY) return;
    cr_assert(cflri_partition_append(&w->part, label, target, source));
    w->listed[label][target][(*n)++] = source;
}

/* First in, first out. */
static void take_first(world *w) {
    cflri_hashed_row *row = cflri_partition_dequeue(&w->part);
    cr_assert_eq(row, w->head < w->tail ? w->queue[w->head % MANY] : NULL);
    if (!row) return;
    w->head++;
    cr_assert(row->queued, "the thread that works on it clears the mark");
    row->queued = false;
    row->settled = row->count;
}

static void must_be_as_pictured(const world *w, bool solving) {
    for (uint32_t label = 0; label < FIXED; label++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            uint32_t expected = 0;
            const cflri_hashed_row *row = cflri_directory_find(&w->out[v], label);
            for (uint32_t t = 0; t < VERTICES; t++) expected += w->pair[label][v][t];
            cr_assert_eq(row ? row->count : 0, expected);
            for (uint32_t i = 0; i < expected; i++) {
                cr_assert(w->pair[label][v][cflri_hashed_row_items(row)[i]]);
            }
            if (!solving) continue;
            const cflri_hashed_row *list = cflri_directory_find(&w->in[v], label);
            cr_assert_eq(list != NULL, w->n_listed[label][v] > 0);
            if (!list) continue;
            cr_assert(list->count == w->n_listed[label][v] && list->settled == list->count);
            cr_assert_arr_eq(cflri_hashed_row_items(list), w->listed[label][v],
                             list->count * sizeof(uint32_t));
        }
    }
}

Test(partition, rows_lists_and_queue) {
    world *w = world_begin();
    uint64_t random = 9;
    for (int i = 0; i < 60000; i++) {
        uint32_t label = test_random_below(&random, FIXED);
        uint32_t vertex = test_random_below(&random, i % 2 ? VERTICES : 8);
        uint32_t todo = test_random_below(&random, i / 10000 % 2 ? 5 : 10);
        if (todo < 3) {
            add_random(w, label, vertex, &random);
        } else if (todo < 4) {
            append_random(w, label, vertex, &random);
        } else {
            take_first(w);
        }
    }
    must_be_as_pictured(w, true);
    uint64_t used = cflr_context_memory(w->context);
    cflri_partition_end_solving(&w->part);
    cr_expect_lt(cflr_context_memory(w->context), used);
    must_be_as_pictured(w, false);
    cflri_partition_free(&w->part);
    cflri_partition_free(&w->part);
    test_context_end(w->context);
    free(w);
}

/* Fixed rows: complete from the start; the items of large ones stay where they are. */
Test(partition, fixed_rows) {
    world *w = world_begin();
    uint32_t items[VERTICES];
    for (uint32_t i = 0; i < VERTICES; i++) items[i] = VERTICES - i;
    for (uint32_t v = 0; v < VERTICES; v++) {
        const cflri_hashed_row *row = cflri_partition_fixed_row(&w->part, FIXED, v, items, v);
        cr_assert_eq(row, cflri_directory_find(&w->out[v], FIXED));
        cr_assert(cflri_hashed_row_fixed(row) && row->count == v && row->settled == 0 &&
                  !row->queued);
        cr_assert_arr_eq(cflri_hashed_row_items(row), items, v * sizeof *items);
        if (v > CFLRI_HASHED_ROW_INSIDE) cr_assert_eq(cflri_hashed_row_items(row), items);
    }
    cr_expect_eq(w->part.pairs, 0, "they were counted where the graph is known");
    cflri_partition_free(&w->part);
    test_context_end(w->context);
    free(w);
}

/* No memory at the first attempt, enough at those behind it. */
static void allow(world *w, int attempt) {
    cr_assert_leq(attempt, 1);
    w->context->memory_limit = attempt ? UINT64_MAX : cflr_context_memory(w->context);
}

/* Each call that is refused memory says so, and goes through when there is memory again. */
Test(partition, refused_memory) {
    enum { TARGETS = 30, SOURCES = 20 };
    world *w = world_begin();
    uint32_t refused[3] = {0}, targets[TARGETS];
    for (uint32_t i = 0; i < TARGETS; i++) targets[i] = i * 9;
    for (uint32_t v = 0; v < VERTICES; v++) {
        cflri_hashed_row *row = NULL;
        bool done = false;
        for (int i = 0; allow(w, i), !(row = cflri_partition_make_row(&w->part, PLAIN, v)); i++) {
            refused[0]++;
        }
        for (int i = 0; !done; i++) {
            allow(w, i);
            done = cflri_partition_add(&w->part, row, targets, TARGETS);
            refused[1] += !done;
        }
        for (uint32_t i = 0; i < TARGETS; i++) w->pair[PLAIN][v][targets[i]] = true;
        cr_assert_eq(w->part.pairs, TARGETS * (v + 1));
        for (uint32_t s = 0; s < SOURCES; s++) {
            for (int i = 0; allow(w, i), !cflri_partition_append(&w->part, PLAIN, v, s); i++) {
                refused[2]++;
            }
            w->listed[PLAIN][v][w->n_listed[PLAIN][v]++] = s;
        }
    }
    must_be_as_pictured(w, true);
    cr_expect(refused[0] && refused[1] && refused[2]);
    cflri_partition_free(&w->part);
    test_context_end(w->context);
    free(w);
}

/* Slices cover all ids, in order, with borders on the grain; each id has the slice it lies in. */
Test(split, slices) {
    static const uint32_t universes[] = {1, 7, 64, 65, 1000, 8192, 100000, UINT32_MAX - 1};
    static const uint32_t grains[] = {1, 64, CFLRI_SPLIT_GRAIN};
    for (size_t u = 0; u < 8; u++) {
        for (uint32_t slices = 1; slices < 10; slices++) {
            for (size_t g = 0; g < 3; g++) {
                cflri_split split = cflri_split_of(universes[u], slices, grains[g]);
                uint32_t end = 0;
                for (uint32_t s = 0; s < slices; s++) {
                    cflri_slice slice = cflri_split_slice(split, s);
                    cr_assert_eq(slice.first, end);
                    cr_assert(slice.first % grains[g] == 0 || slice.first == universes[u]);
                    end = slice.end;
                    if (slice.first == end) continue;
                    cr_assert_eq(cflri_split_owner(split, slice.first), s);
                    cr_assert_eq(cflri_split_owner(split, end - 1), s);
                }
                cr_assert_eq(end, universes[u]);
            }
        }
    }
}

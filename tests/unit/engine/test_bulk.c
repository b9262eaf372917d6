/* SPDX-License-Identifier: Apache-2.0
 *
 * Many rows of a result at once, beside the same rows one by one; graphs in other contexts.
 */
#include "engine/results/result.h"
#include "random_pairs.h"
#include "tests/support/fail_alloc.h"

enum { GUARD = 0x5a5a5a5a };

/* Rows of these vertices, from offset `base` on, in an array with a guard on both sides. */
static uint32_t *fill(const cflr_result *result, uint32_t label, uint32_t i,
                      const uint32_t *vertices, uint64_t n, uint64_t base, uint64_t *offset) {
    cflr_error error;
    cflr_result_offsets(result, label, i, vertices, n, offset);
    cr_assert_eq(offset[0], 0);
    for (uint64_t k = 0; k <= n; k++) offset[k] += base;
    uint32_t *target = malloc((offset[n] + 1) * sizeof *target);
    for (uint64_t k = 0; k <= offset[n]; k++) target[k] = GUARD;
    MUST(cflr_result_fill(result, label, i, vertices, n, offset, target, &error));
    for (uint64_t k = 0; k < base; k++) cr_assert_eq(target[k], GUARD);
    cr_assert_eq(target[offset[n]], GUARD);
    return target;
}

static void must_be_rows(const cflr_result *result, uint32_t label, uint32_t i,
                         const uint32_t *vertices, uint64_t n, uint64_t base) {
    uint64_t *offset = malloc((n + 1) * sizeof *offset);
    uint32_t *alike = malloc((n + 1) * sizeof *alike);
    uint32_t *target = fill(result, label, i, vertices, n, base, offset);
    cflr_row row = {0};
    cflr_error error;
    MUST(cflr_result_alike(result, label, i, vertices, n, alike, &error));
    for (uint64_t k = 0; k < n; k++) {
        uint32_t vertex = vertices ? vertices[k] : (uint32_t)k;
        MUST(cflr_result_row(result, label, i, vertex, &row, &error));
        cr_assert_eq(offset[k + 1] - offset[k], row.count);
        cr_assert(!row.count ||
                  memcmp(target + offset[k], row.target, row.count * sizeof *row.target) == 0);
        uint64_t first = alike[k];
        cr_assert(first <= k && alike[first] == first);
        cr_assert_eq(offset[first + 1] - offset[first], row.count);
        cr_assert(!row.count ||
                  memcmp(target + offset[first], row.target, row.count * sizeof *row.target) == 0);
    }
    cflr_row_free(&row);
    free(target);
    free(alike);
    free(offset);
}

/* All rows from 0 to past the last vertex, and some in no order, some of them twice. */
static void must_be_all_rows(const cflr_result *result) {
    uint32_t n = cflr_graph_vertices(cflr_result_graph(result)) + 3;
    uint32_t some[] = {n, 2, 0, UINT32_MAX, 1, 2, n / 2};
    for (uint32_t label = 0; label < cflr_result_labels(result); label++) {
        cflr_result_label info;
        cflr_result_get_label(result, label, &info);
        for (uint32_t i = 0; i < info.indexes; i++) {
            must_be_rows(result, label, i, NULL, n, 0);
            must_be_rows(result, label, i, some, sizeof some / sizeof *some, 5);
        }
    }
}

/* Of every model, and read from a file. */
Test(bulk, random_rows) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    test_path(&dir, "a.cflr", path);
    for (uint64_t seed = 0; seed < 150; seed++) {
        world w;
        cflr_result *loaded;
        random_world(&w, seed);
        w.context->threads = 1 + (int)(seed % 3);
        world_solve(&w, seed % 2 ? CFLR_MODEL_BATCH : CFLR_MODEL_EDGE);
        must_be_all_rows(w.result);
        if (seed % 5 == 0) {
            MUST(cflr_result_save(w.result, path, &error));
            MUST(cflr_result_load(w.context, path, &loaded, &error));
            must_be_all_rows(loaded);
            cflr_result_free(loaded);
        }
        world_end(&w);
    }
    test_dir_end(&dir);
}

/* A ring, whose rows are one set, and chains, whose rows differ. Enough targets for threads. */
static void large_world(world *w, const char *edge) {
    enum { RING = 900, CHAIN = 700 };
    cflr_graph_builder *builder;
    cflr_error error;
    uint32_t e;
    world_begin(w, 4);
    MUST(cflr_graph_builder_new(w->context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, edge, NULL, &e, &error));
    for (uint32_t v = 0; v < RING; v++)
        MUST(cflr_graph_builder_edge(builder, v, (v + 1) % RING, e, &error));
    for (uint32_t v = RING; v < RING + CHAIN; v++)
        MUST(cflr_graph_builder_edge(builder, v, v + 1, e, &error));
    MUST(cflr_graph_builder_freeze(builder, &w->graph, &error));
    world_grammar(w, "P ::= e | P e\n");
    world_solve(w, CFLR_MODEL_BATCH);
}

Test(bulk, several_threads_and_shared_rows) {
    test_dir dir = test_dir_begin();
    char path[512];
    world w;
    cflr_error error;
    cflr_result *loaded;
    large_world(&w, "e");
    uint32_t p = label_of(w.result, "P"), alike[900];
    must_be_all_rows(w.result);
    MUST(cflr_result_alike(w.result, p, 0, NULL, 900, alike, &error));
    for (uint32_t v = 0; v < 900; v++) cr_assert_eq(alike[v], 0, "a ring has one set");
    MUST(cflr_result_save(w.result, test_path(&dir, "a.cflr", path), &error));
    MUST(cflr_result_load(w.context, path, &loaded, &error));
    must_be_all_rows(loaded);
    cflr_result_free(loaded);
    world_end(&w);
    test_dir_end(&dir);
}

/* Nothing is written past the offsets, whichever are wrong. */
Test(bulk, wrong_offsets_are_refused) {
    world w;
    cflr_error error;
    world_begin(&w, 1);
    world_chain(&w, 5);
    world_solve(&w, CFLR_MODEL_BATCH);
    uint32_t p = label_of(w.result, "P"), target[11];
    uint64_t offset[6];
    cflr_result_offsets(w.result, p, 0, NULL, 5, offset);
    cr_assert_eq(offset[5], 10);
    for (int k = 0; k < 5; k++) {
        offset[k]++;
        target[10] = GUARD;
        MUST_FAIL(cflr_result_fill(w.result, p, 0, NULL, 5, offset, target, &error), CFLR_ARGUMENT);
        cr_assert_eq(target[10], GUARD);
        offset[k]--;
    }
    MUST(cflr_result_fill(w.result, p, 0, NULL, 5, offset, target, &error));
    MUST(cflr_result_fill(w.result, p, 0, NULL, 0, offset, NULL, &error));
    world_end(&w);
}

/* What a limit of time has cut short can be read; what was cancelled not. */
Test(bulk, time_and_cancellation) {
    world w;
    cflr_error error;
    large_world(&w, "e");
    uint32_t p = label_of(w.result, "P");
    w.context->opts.time_limit = 1e-9;
    must_be_rows(w.result, p, 0, NULL, 1000, 0);
    cflr_context_cancel(w.context);
    uint64_t *offset = malloc(1001 * sizeof *offset);
    cflr_result_offsets(w.result, p, 0, NULL, 1000, offset);
    uint32_t *target = malloc(offset[1000] * sizeof *target);
    MUST_FAIL(cflr_result_fill(w.result, p, 0, NULL, 1000, offset, target, &error), CFLR_CANCELLED);
    free(target);
    free(offset);
    world_end(&w);
}

typedef struct stage {
    world w;
    char path[512];
} stage;

/* Shares the graph, solves, saves, loads, and reads all rows at once. */
static cflr_status read_all(void *user, cflr_error *error) {
    stage *s = user;
    cflr_result *loaded = NULL;
    cflr_graph *shared = NULL;
    uint64_t offset[1001];
    uint32_t alike[1000];
    uint32_t *target = NULL;
    cflr_status st = cflr_graph_share(s->w.context, s->w.graph, &shared, error);
    if (st == CFLR_OK) st = cflr_result_load(s->w.context, s->path, &loaded, error);
    if (st == CFLR_OK) {
        uint32_t p = label_of(loaded, "P");
        cflr_result_offsets(loaded, p, 0, NULL, 1000, offset);
        target = malloc(offset[1000] * sizeof *target);
        st = cflr_result_alike(loaded, p, 0, NULL, 1000, alike, error);
        if (st == CFLR_OK) st = cflr_result_fill(loaded, p, 0, NULL, 1000, offset, target, error);
    }
    free(target);
    cflr_result_free(loaded);
    cflr_graph_free(shared);
    return st;
}

Test(bulk, memory_that_is_refused) {
    test_dir dir = test_dir_begin();
    fail_alloc f = {0};
    cflr_allocator allocator = fail_alloc_allocator(&f);
    cflr_context_opts opts;
    cflr_error error;
    world made;
    stage s = {0};
    large_world(&made, "e");
    MUST(cflr_result_save(made.result, test_path(&dir, "a.cflr", s.path), &error));
    world_end(&made);
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 2;
    MUST(cflr_context_new(&opts, &s.w.context, &error));
    world_graph(&s.w, "0 1 e");
    fail_alloc_sweep_call(&f, read_all, &s, "bulk");
    world_end(&s.w);
    cr_assert_eq(f.blocks, 0);
    test_dir_end(&dir);
}

/* ---- graphs ---- */

/* A graph is solved in several contexts, which keep their limits for themselves. */
Test(bulk, a_graph_in_another_context) {
    world w;
    cflr_error error;
    cflr_solve_opts opts;
    const char *only[] = {"P"};
    large_world(&w, "e");
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = 1;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        cflr_context *context = test_context();
        cflr_graph *shared;
        cflr_result *result;
        MUST(cflr_graph_share(context, w.graph, &shared, &error));
        if (cancelled) cflr_context_cancel(context);
        cflr_status st = cflr_solve(shared, w.grammar, &opts, &result, &error);
        cr_assert_eq(st, cancelled ? CFLR_CANCELLED : CFLR_OK);
        if (!cancelled) must_be_equal_at(w.result, label_of(w.result, "P"), result, 0, "shared");
        if (result) cflr_result_own_graph(result);
        if (!result) cflr_graph_free(shared);
        cflr_result_free(result);
        test_context_end(context);
    }
    world_end(&w);
}

Test(bulk, rows_of_a_graph) {
    world w;
    cflr_graph_rows rows;
    world_begin(&w, 1);
    world_graph(&w, "3 1 a; 0 5 a; 3 0 a; 1 1 b[x]; 3 1 a");
    cflr_graph_get_rows(w.graph, cflr_graph_find_label(w.graph, "a", NULL), CFLR_OUT, &rows);
    cr_assert(rows.n_rows == 2 && rows.vertex[0] == 0 && rows.vertex[1] == 3);
    cr_assert(rows.start[0] == 0 && rows.start[1] == 1 && rows.start[2] == 3);
    cr_assert(rows.target[0] == 5 && rows.target[1] == 0 && rows.target[2] == 1);
    cflr_graph_get_rows(w.graph, cflr_graph_find_label(w.graph, "b", "x"), CFLR_IN, &rows);
    cr_assert(rows.n_rows == 1 && rows.vertex[0] == 1 && rows.target[0] == 1);
    world_end(&w);
}

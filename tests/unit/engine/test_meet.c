/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers "L ~L", whose pairs are found when they are asked for: they are those of V ::= L ~L |
 * eps.
 */
#include "engine/results/result.h"
#include "random_pairs.h"
#include "tests/support/fail_alloc.h"

enum { VERTICES = 24 };

static const char derived[] = "%start V\n%answer alias V\nV ::= L ~L | eps\nL ::= l | ~a L\n";
static const char asked[] = "%start L\n%answer alias L ~L\nL ::= l | ~a L\n";

/* Assignments and addresses: vertices from 16 on are places. */
static void draw(dice *d, char *edges, size_t size) {
    size_t n = 0;
    uint32_t count = 8 + roll(d, 24);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t from = roll(d, 16), to = roll(d, 16), place = 16 + roll(d, 8);
        bool address = !roll(d, 3);
        n += (size_t)snprintf(edges + n, size - n, "%u %u %s; ", from, address ? place : to,
                              address ? "l" : "a");
    }
    snprintf(edges + n, size - n, "%u %u l", VERTICES - 1, VERTICES - 1);
}

static void must_answer_alike(const cflr_result *one, const cflr_result *other) {
    cflr_context *context = one->context;
    uint32_t v = label_of(one, "V"), meeting = label_of(other, "L ~L");
    cflr_error error;
    for (uint32_t p = 0; p < VERTICES; p++) {
        cflr_vertex_list a, b;
        const uint32_t sources[] = {p, (p + 7) % VERTICES};
        for (uint32_t q = 0; q < VERTICES; q++) {
            bool has = cflr_result_has(one, v, p, q);
            cr_assert_eq(cflr_result_has(other, meeting, p, q), has, "%u %u", p, q);
            if (has) cr_assert_eq(cflr_result_alias(other, p, q), CFLR_THROUGH_PROGRAM);
        }
        MUST(cflr_result_targets(one, v, sources, 2, &a, &error));
        MUST(cflr_result_targets(other, meeting, sources, 2, &b, &error));
        cr_assert_eq(a.count, b.count);
        cr_assert_arr_eq(a.vertices, b.vertices, a.count * sizeof *a.vertices);
        cflr_vertex_list_free(context, &a);
        cflr_vertex_list_free(context, &b);
    }
}

Test(meet, pairs_are_those_of_the_path) {
    static const cflr_model models[] = {CFLR_MODEL_BATCH, CFLR_MODEL_EDGE_INDEXED};
    test_dir dir = test_dir_begin();
    char path[512], edges[2048];
    cflr_error error;
    test_path(&dir, "meet.cflr", path);
    for (uint64_t seed = 0; seed < 200; seed++) {
        dice d = {seed};
        world w;
        cflr_result *loaded;
        world_begin(&w, 1 + (int)(seed % 2));
        draw(&d, edges, sizeof edges);
        world_graph(&w, edges);
        world_grammar(&w, derived);
        cflr_result *all = world_closure(&w, models[seed % 2]);
        cflr_grammar_free(w.grammar);
        world_grammar(&w, asked);
        world_solve(&w, models[seed % 2]);
        must_answer_alike(all, w.result);
        MUST(cflr_result_save(w.result, path, &error));
        MUST(cflr_result_load(w.context, path, &loaded, &error));
        must_answer_alike(all, loaded);
        cflr_result_free(loaded);
        cflr_result_free(all);
        world_end(&w);
    }
    test_dir_end(&dir);
}

static void begin(world *w) {
    world_begin(w, 1);
    world_graph(w, "0 16 l; 0 1 a; 2 17 l; 3 3 a");
    world_grammar(w, asked);
}

Test(meet, an_answer_has_no_rows) {
    world w;
    cflr_result_label info;
    begin(&w);
    world_solve(&w, CFLR_MODEL_BATCH);
    uint32_t l = label_of(w.result, "L"), meeting = label_of(w.result, "L ~L");
    cr_assert_geq(meeting, cflr_result_labels(w.result));
    cflr_result_get_label(w.result, meeting, &info);
    cr_assert_str_eq(info.name, "L ~L");
    cr_assert_eq(info.kind, CFLR_SYMBOL_MEETING);
    cr_assert(info.indexes == 0 && info.pairs == 0 && info.rows == 0 && info.meets == l);
    cflr_result_get_label(w.result, l, &info);
    cr_assert_eq(info.meets, CFLR_NO_LABEL);
    world_end(&w);
}

/* A result that answers a question has the rows of some vertices only. */
Test(meet, a_question_is_not_about_all_partners) {
    static const uint32_t vertex[] = {0, 1};
    world w;
    cflr_solve_opts opts;
    cflr_vertex_list list;
    cflr_error error;
    begin(&w);
    cflr_solve_opts_init(&opts);
    opts.from = vertex;
    opts.n_from = 2;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
    uint32_t meeting = label_of(w.result, "L ~L");
    cr_assert(cflr_result_has(w.result, meeting, 0, 1));
    MUST_FAIL(cflr_result_targets(w.result, meeting, vertex, 1, &list, &error), CFLR_ARGUMENT);
    world_forget_result(&w);

    static const char *const only[] = {"a"};
    cflr_solve_opts_init(&opts);
    opts.only = only;
    opts.n_only = 1;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
    cr_assert_eq(cflr_result_find_label(w.result, "L ~L"), CFLR_NO_LABEL, "L was left out");
    world_end(&w);
}

typedef struct stage {
    world w;
    char path[512];
} stage;

/* Solves, saves, loads, and lists partners. */
static cflr_status list_all(void *user, cflr_error *error) {
    stage *s = user;
    static const uint32_t vertex[] = {0, 2};
    cflr_result *loaded = NULL;
    cflr_vertex_list list = {0};
    cflr_status st = world_try(&s->w, CFLR_MODEL_BATCH, error);
    if (st == CFLR_OK) st = cflr_result_save(s->w.result, s->path, error);
    if (st == CFLR_OK) st = cflr_result_load(s->w.context, s->path, &loaded, error);
    if (st == CFLR_OK)
        st = cflr_result_targets(loaded, label_of(loaded, "L ~L"), vertex, 2, &list, error);
    if (st == CFLR_OK) cr_assert_eq(list.count, 3);
    cflr_vertex_list_free(s->w.context, &list);
    cflr_result_free(loaded);
    world_forget_result(&s->w);
    return st;
}

Test(meet, memory_that_is_refused) {
    test_dir dir = test_dir_begin();
    fail_alloc f = {0};
    cflr_allocator allocator = fail_alloc_allocator(&f);
    cflr_context_opts opts;
    cflr_error error;
    stage s = {0};
    cflr_context_opts_init(&opts);
    opts.allocator = &allocator;
    opts.threads = 1;
    MUST(cflr_context_new(&opts, &s.w.context, &error));
    test_path(&dir, "meet.cflr", s.path);
    world_graph(&s.w, "0 16 l; 0 1 a; 2 17 l; 3 3 a");
    world_grammar(&s.w, asked);
    fail_alloc_sweep_call(&f, list_all, &s, "partners");
    world_end(&s.w);
    cr_assert_eq(f.blocks, 0);
    test_dir_end(&dir);
}

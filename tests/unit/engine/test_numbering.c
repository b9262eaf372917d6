/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertices that are close in the graph and have numbers that are not: the solver gives them others,
 * and the answers have the caller's.
 */
#include "base/ids.h"
#include "engine/derivations/derive.h"
#include "engine/results/result.h"
#include "support.h"
#include "tests/support/fail_alloc.h"

/* Many small graphs, whose vertices lie anywhere among all. */
enum { VILLAGE = 40, VILLAGES = 160, VERTICES = 6700 };

static void shuffle(uint32_t *vertex, uint64_t *random) {
    for (uint32_t v = VERTICES; v > 1; v--) {
        uint32_t other = test_random_below(random, v), kept = vertex[v - 1];
        vertex[v - 1] = vertex[other];
        vertex[other] = kept;
    }
}

/* Vertices of a village are close already, or mixed. */
static void villages(world *w, uint64_t random, bool mixed) {
    static const char *const names[] = {"a", "b", "c"};
    static uint32_t vertex[VERTICES];
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t label[3];
    MUST(cflr_graph_builder_new(w->context, &builder, &error));
    for (int i = 0; i < 3; i++) {
        MUST(cflr_graph_builder_label(builder, names[i], NULL, &label[i], &error));
    }
    for (uint32_t v = 0; v < VERTICES; v++) vertex[v] = v;
    if (mixed) shuffle(vertex, &random);
    for (uint32_t v = 0; v < VILLAGES * VILLAGE; v++) {
        const uint32_t *home = vertex + v / VILLAGE * VILLAGE;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t to = home[(v + 1 + test_random_below(&random, 3 + 6 * i)) % VILLAGE];
            uint32_t edge = label[test_random_below(&random, 5) / 2];
            MUST(cflr_graph_builder_edge(builder, vertex[v], to, edge, &error));
        }
    }
    MUST(cflr_graph_builder_edge(builder, VERTICES - 1, VERTICES - 1, label[2], &error));
    MUST(cflr_graph_builder_freeze(builder, &w->graph, &error));
}

static const char *const grammars[] = {
    "S ::= ~a a | ~a S a\n",
    "S ::= a ~b | a S ~b | T c | eps\nT ::= ~b S a | ~c c\n",
    "S ::= a S b | S S | c\n%start S\n",
    "V ::= ~F V F | a V ~a | eps\nF ::= b F | c\n%start V\n",
};

static void reordered(const cflr_result *result, const char *grammar, bool expected) {
    cr_assert_not_null(result->sets, "%s", grammar);
    cr_assert_eq(result->sets->reordered, expected, "%s", grammar);
}

/* Each pair of a row has a place of its own. */
static void have_places(const cflri_relation *relation, world *w) {
    cflr_row row = {0};
    cflr_error error;
    cflri_failure failure = {0};
    for (uint32_t r = 0; r < relation->n_rows; r += 31) {
        static bool taken[VERTICES];
        memset(taken, 0, sizeof taken);
        MUST(cflri_relation_read(w->context, relation, r, &row, &error));
        for (uint64_t i = 0; i < row.count; i++) {
            uint64_t place, at = cflri_relation_place_at(relation, &row, r, i, &failure);
            cr_assert(cflri_relation_place(relation, row.vertex, row.target[i], &place, &failure));
            cr_assert_eq(place, at);
            cr_assert(place >= relation->start[r] && place < relation->start[r + 1]);
            cr_assert(!taken[place - relation->start[r]]);
            taken[place - relation->start[r]] = true;
            cr_assert(cflri_relations_meet(relation, row.vertex, relation, row.vertex, &failure));
        }
        for (uint32_t v = 0; v < VERTICES + 2; v += 13) {
            bool there = cflri_relation_has(relation, row.vertex, v, &failure);
            cr_assert_eq(there, cflri_ids_seek(row.target, row.count, v) <
                                    cflri_ids_seek(row.target, row.count, v + 1));
        }
    }
    cflr_row_free(&row);
}

static void check(const char *grammar, bool mixed) {
    world w;
    world_begin(&w, 2);
    villages(&w, 5, mixed);
    world_grammar(&w, grammar);
    w.context->techniques = ~(unsigned)CFLR_TECHNIQUE_NUMBERS;
    cflr_result *reference = world_closure(&w, CFLR_MODEL_BATCH);
    reordered(reference, grammar, false);
    for (int threads = 1; threads <= 3; threads += 2) {
        w.context->techniques = ~0u;
        w.context->threads = threads;
        world_solve(&w, CFLR_MODEL_BATCH);
        reordered(w.result, grammar, mixed);
        must_be_equal(reference, w.result, grammar);
        for (uint32_t i = 0; i < w.result->n_instances; i++) {
            if (w.result->instance[i].sets) have_places(&w.result->instance[i], &w);
        }
        if (threads < 3) world_forget_result(&w);
    }
    cflr_result_free(reference);
    world_end(&w);
}

Test(numbering, answers_have_the_callers_numbers) {
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) check(grammars[i], true);
}

Test(numbering, numbers_that_are_good_stay) {
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) check(grammars[i], false);
}

/* Derivations number pairs by their places. */
Test(numbering, pairs_are_derived) {
    cflr_verify_report report;
    cflr_error error;
    world w;
    world_begin(&w, 1);
    villages(&w, 11, true);
    world_grammar(&w, grammars[2]);
    world_solve(&w, CFLR_MODEL_BATCH);
    reordered(w.result, grammars[2], true);
    MUST(cflr_verify(w.graph, w.grammar, w.result, 100, &report, &error));
    cr_assert(!report.missing && !report.underivable, "%s", report.first_failure);
    world_end(&w);
}

Test(numbering, survives_files) {
    test_dir dir = test_dir_begin();
    char path[512];
    cflr_error error;
    cflr_result *loaded;
    world w;
    test_path(&dir, "reordered.cflr", path);
    world_begin(&w, 1);
    villages(&w, 9, true);
    world_grammar(&w, grammars[1]);
    world_solve(&w, CFLR_MODEL_BATCH);
    MUST(cflr_result_save(w.result, path, &error));
    MUST(cflr_result_load(w.context, path, &loaded, &error));
    must_be_equal(w.result, loaded, "a file");
    cflr_result_free(loaded);
    world_end(&w);
    test_dir_end(&dir);
}

/* Wherever memory ends, all pairs that are found are right. */
Test(numbering, memory_may_end_anywhere) {
    world w;
    world_begin(&w, 1);
    villages(&w, 3, true);
    world_grammar(&w, grammars[0]);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_BATCH);
    uint32_t limited = 0, label = label_of(reference, "S");
    for (uint64_t room = 0; room < 9000000; room += 60013 + room / 12) {
        cflr_error error;
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = world_try(&w, CFLR_MODEL_BATCH, &error);
        w.context->memory_limit = UINT64_MAX;
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT, "%s", error.message);
        limited += st == CFLR_LIMIT;
        for (uint32_t u = 0; w.result && u < VERTICES; u += 61) {
            for (uint32_t v = u % 17; v < VERTICES; v += 17) {
                cr_assert(!cflr_result_has(w.result, label_of(w.result, "S"), u, v) ||
                          cflr_result_has(reference, label, u, v));
            }
        }
        if (st == CFLR_OK) must_be_equal(reference, w.result, "with little memory");
        world_forget_result(&w);
    }
    cr_expect(limited > 5, "%u limited", limited);
    cflr_result_free(reference);
    world_end(&w);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_generations.c: rows that depend on each other by ids alone: they are found in the order of
 * their generations, and edges are followed for many sets at once.
 */
#include "sliced.h"
#include "support.h"

enum { WIDTH = 60, DEPTH = 24, VERTICES = WIDTH * DEPTH };

static uint32_t below(uint64_t *random, uint32_t bound) {
    return test_random_below(random, bound);
}

/* Each vertex has some edges to the next generation, of which the last ones are crowded; `back`
 * edges lead to any vertex, and close cycles. */
static void families(world *w, uint64_t random, uint32_t back) {
    static const char *const names[] = {"a", "b", "c"};
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t label[3];
    MUST(cflr_graph_builder_new(w->context, &builder, &error));
    for (int i = 0; i < 3; i++) {
        MUST(cflr_graph_builder_label(builder, names[i], NULL, &label[i], &error));
    }
    for (uint32_t v = 0; v < VERTICES - WIDTH; v++) {
        uint32_t next = (v / WIDTH + 1) * WIDTH;
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t to = next + below(&random, i ? WIDTH : WIDTH / 8);
            MUST(cflr_graph_builder_edge(builder, v, to, label[below(&random, 5) / 2], &error));
        }
    }
    for (uint32_t i = 0; i < back; i++) {
        uint32_t from = below(&random, VERTICES), to = below(&random, VERTICES);
        MUST(cflr_graph_builder_edge(builder, from, to, label[i % 3], &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w->graph, &error));
}

static const char *const grammars[] = {
    "S ::= ~a a | ~a S a\n",
    "S ::= ~a b | ~a S b | ~b S a\n",
    "S ::= a ~b | a S ~b | b S ~a\n",
    "S ::= ~a b | T c\nT ::= ~b S a | ~c c\n", /* two families */
    "S ::= ~a a | ~a S a | S c\n",             /* STEP, too */
    "S ::= ~a b | ~a S b | b S\n%start S\n",   /* EDGE, too */
};

static void compare(world *w, const cflr_result *reference, unsigned without, int threads,
                    const char *grammar) {
    char what[160];
    snprintf(what, sizeof what, "%s without %u, %d threads", grammar, without, threads);
    w->context->techniques = ~without;
    w->context->threads = threads;
    world_solve(w, CFLR_MODEL_BATCH);
    must_be_equal(reference, w->result, what);
    world_forget_result(w);
}

static void compare_all(const char *grammar, uint32_t back) {
    static const unsigned without[] = {0, CFLR_TECHNIQUE_ORDER, CFLR_TECHNIQUE_TOGETHER,
                                       CFLR_TECHNIQUE_GUARDS,
                                       CFLR_TECHNIQUE_BETWEEN | CFLR_TECHNIQUE_TOGETHER};
    world w;
    world_begin(&w, 1);
    families(&w, 7 + back, back);
    world_grammar(&w, grammar);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_EDGE_INDEXED);
    cr_assert_gt(pairs_of(reference, "S"), 10 * VERTICES);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        for (int threads = 1; threads <= 4; threads += TEST_SANITIZED ? 3 : threads) {
            compare(&w, reference, without[i], threads, grammar);
        }
    }
    w.context->techniques = ~0u;
    world_solve_sliced(&w, (slicing){.slices = 3, .grain = 64, .parks = back});
    must_be_equal(reference, w.result, "slices");
    cflr_result_free(reference);
    world_end(&w);
}

Test(generations, without_cycles) {
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) compare_all(grammars[i], 0);
}

Test(generations, behind_cycles) {
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) compare_all(grammars[i], 9);
}

Test(generations, all_cycles) {
    for (size_t i = 0; i < 3; i++) compare_all(grammars[i], 4 * WIDTH);
}

/* Wherever memory ends, all pairs that are found are right. */
Test(generations, memory_may_end_anywhere) {
    world w;
    world_begin(&w, 2);
    families(&w, 3, 2);
    world_grammar(&w, grammars[1]);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_BATCH);
    uint32_t limited = 0, label = label_of(reference, "S");
    for (uint64_t room = 0; room < 6000000; room += 40009 + room / 30) {
        cflr_error error;
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = world_try(&w, CFLR_MODEL_BATCH, &error);
        w.context->memory_limit = UINT64_MAX;
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT, "%s", error.message);
        limited += st == CFLR_LIMIT;
        for (uint32_t v = 0; w.result && v < VERTICES; v += 17) {
            for (uint32_t u = 0; u < VERTICES; u += 3) {
                cr_assert(!cflr_result_has(w.result, label_of(w.result, "S"), u, v) ||
                          cflr_result_has(reference, label, u, v));
            }
        }
        world_forget_result(&w);
    }
    cr_expect(limited > 5, "%u limited", limited);
    cflr_result_free(reference);
    world_end(&w);
}

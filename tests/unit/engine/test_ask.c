/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about names, and relations as arrays.
 *
 *     0 &x -a-> 1 p -a-> 2 q     3 &y -a-> 4 r     5 x -alloc-> &x    6 y -alloc-> &y
 */
#include "engine/results/result.h"
#include "support.h"

static void begin(world *w, const char *grammar) {
    world_begin(w, 1);
    world_graph(w, "0 1 a; 1 2 a; 3 4 a; 5 0 alloc; 6 3 alloc; 0 5 d; 3 6 d");
    world_grammar(w, grammar);
    world_solve(w, CFLR_MODEL_AUTO);
}

Test(ask, alias_and_points_to) {
    world w;
    cflr_error error;
    cflr_through answer;
    cflr_vertex_list objects;
    begin(&w, cflr_grammar_shipped_text("pointer-fs"));
    MUST(cflr_result_ask_alias(w.result, "1", "2", &answer, &error));
    cr_expect_eq(answer, CFLR_THROUGH_PROGRAM);
    MUST(cflr_result_ask_alias(w.result, "1", "4", &answer, &error));
    cr_expect_eq(answer, CFLR_THROUGH_NOTHING);
    MUST(cflr_result_ask_points_to(w.result, "4", &objects, &error));
    cr_assert_eq(objects.count, 1);
    cr_expect_eq(objects.vertices[0], 6);
    cflr_vertex_list_free(w.context, &objects);
    MUST_FAIL(cflr_result_ask_alias(w.result, "1", "absent", &answer, &error), CFLR_NOT_FOUND);
    MUST_FAIL(cflr_result_ask_points_to(w.result, "absent", &objects, &error), CFLR_NOT_FOUND);
    world_end(&w);
}

Test(ask, of_a_grammar_without_answers) {
    world w;
    cflr_error error;
    cflr_through answer;
    cflr_vertex_list objects;
    begin(&w, "P ::= a | P a\n");
    MUST_FAIL(cflr_result_ask_alias(w.result, "1", "2", &answer, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_result_ask_points_to(w.result, "1", &objects, &error), CFLR_ARGUMENT);
    world_end(&w);
}

Test(ask, a_relation_as_arrays) {
    static const cflr_pair pairs[] = {{0, 1}, {0, 2}, {1, 2}, {3, 4}};
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    uint32_t source[PAIRS], target[PAIRS];
    world w;
    begin(&w, "P ::= a | P a\n");
    uint32_t label = cflr_result_find_label(w.result, "P");
    cflr_error error;
    uint64_t n = 0;
    MUST(cflr_result_pairs(w.result, label, 0, NULL, NULL, 0, &n, &error));
    cr_assert_eq(n, PAIRS);
    for (uint64_t room = 0; room <= PAIRS; room++) {
        memset(source, 0xff, sizeof source);
        MUST(cflr_result_pairs(w.result, label, 0, source, target, room, &n, &error));
        cr_assert_eq(n, PAIRS);
        for (uint64_t i = 0; i < room; i++) {
            cr_expect_eq(source[i], pairs[i].source);
            cr_expect_eq(target[i], pairs[i].target);
        }
        if (room < PAIRS) cr_expect_eq(source[room], UINT32_MAX, "no more than there is room for");
    }
    world_end(&w);
}

/* The result frees what it owns; the sanitizer tells. */
Test(ask, a_result_that_owns_its_graph) {
    world w;
    begin(&w, "P ::= a | P a\n");
    cflr_result_own_graph(w.result);
    w.graph = NULL;
    world_end(&w);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * What a result says of code outside of an open program.
 *
 *     0 outside    1 p    2 q    3 x -alloc-> 4 &x    5 y -alloc-> 6 &y    7 r    8 own
 *
 * Callers give p and q, a function without model gives r; &x escapes, &y does not.
 */
#include "engine/results/result.h"
#include "support.h"

static const char graph_text[] =
    "0 1 caller; 0 2 caller; 0 7 unknown[hook]; 3 4 alloc; 4 3 d; 5 6 alloc; 6 5 d; 4 0 escapes;"
    "6 8 a; 4 9 a; 1 10 a; 1 11 d";

static void begin(world *w, const char *graph, const char *grammar) {
    world_begin(w, 1);
    world_graph(w, graph);
    world_grammar(w, grammar);
    world_solve(w, CFLR_MODEL_AUTO);
}

static const char *shipped(void) {
    return cflr_grammar_shipped_text("pointer-fs");
}

Test(outside, alias_tells_by_whose_doing) {
    static const struct {
        uint32_t a, b;
        cflr_through through;
    } rows[] = {
        {1, 10, CFLR_THROUGH_PROGRAM}, {1, 2, CFLR_THROUGH_CALLER},  {1, 9, CFLR_THROUGH_CALLER},
        {1, 7, CFLR_THROUGH_UNKNOWN},  {9, 7, CFLR_THROUGH_UNKNOWN}, {11, 2, CFLR_THROUGH_UNKNOWN},
        {8, 1, CFLR_THROUGH_NOTHING},  {8, 9, CFLR_THROUGH_NOTHING}, {4, 9, CFLR_THROUGH_PROGRAM}};
    world w;
    begin(&w, graph_text, shipped());
    cr_assert_eq(cflr_graph_outside(cflr_result_graph(w.result)), 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cr_expect_eq(cflr_result_alias(w.result, rows[i].a, rows[i].b), rows[i].through, "row %zu",
                     i);
        cr_expect_eq(cflr_result_alias(w.result, rows[i].b, rows[i].a), rows[i].through, "row %zu",
                     i);
    }
    world_end(&w);
}

Test(outside, given_and_entries) {
    world w;
    cflr_vertex_list entries;
    begin(&w, graph_text, shipped());
    cr_expect_eq(cflr_result_given(w.result, 10), CFLR_THROUGH_CALLER);
    cr_expect_eq(cflr_result_given(w.result, 7), CFLR_THROUGH_UNKNOWN);
    cr_expect_eq(cflr_result_given(w.result, 11), CFLR_THROUGH_UNKNOWN, "read from its memory");
    cr_expect_eq(cflr_result_given(w.result, 9), CFLR_THROUGH_NOTHING);
    cr_expect_eq(cflr_result_given(w.result, 0), CFLR_THROUGH_NOTHING);
    cr_assert_eq(cflr_result_entries(w.result, 10, &entries, NULL), CFLR_OK);
    cr_assert_eq(entries.count, 1);
    cr_expect_eq(entries.vertices[0], 1);
    cflr_vertex_list_free(w.context, &entries);
    cr_assert_eq(cflr_result_entries(w.result, 9, &entries, NULL), CFLR_OK);
    cr_expect_eq(entries.count, 0);
    cflr_vertex_list_free(w.context, &entries);
    world_end(&w);
}

/* Without code that has no model, memory of the outside is the callers'. */
Test(outside, callers_alone) {
    world w;
    begin(&w, "0 1 caller; 1 2 d; 0 3 caller", shipped());
    cr_expect_eq(cflr_result_given(w.result, 2), CFLR_THROUGH_CALLER);
    cr_expect_eq(cflr_result_alias(w.result, 2, 3), CFLR_THROUGH_CALLER);
    world_end(&w);
}

Test(outside, closed_programs_and_other_grammars) {
    world w;
    begin(&w, "1 2 alloc; 2 1 d; 2 3 a", shipped());
    cr_expect_eq(cflr_graph_outside(cflr_result_graph(w.result)), CFLR_NO_VERTEX);
    cr_expect_eq(cflr_result_alias(w.result, 2, 3), CFLR_THROUGH_PROGRAM);
    cr_expect_eq(cflr_result_alias(w.result, 1, 3), CFLR_THROUGH_NOTHING);
    cr_expect_eq(cflr_result_given(w.result, 3), CFLR_THROUGH_NOTHING);
    world_end(&w);
    begin(&w, graph_text, "%answer alias V\nV ::= a | ~a\n");
    cr_expect_eq(cflr_result_alias(w.result, 1, 10), CFLR_THROUGH_PROGRAM);
    cr_expect_eq(cflr_result_alias(w.result, 1, 2), CFLR_THROUGH_UNANSWERED);
    cr_expect_eq(cflr_result_given(w.result, 1), CFLR_THROUGH_NOTHING);
    world_end(&w);
    begin(&w, "1 2 alloc; 2 1 d; 2 3 a", "%answer alias V\nV ::= a | ~a\n");
    cr_expect_eq(cflr_result_alias(w.result, 1, 3), CFLR_THROUGH_NOTHING, "nothing is outside");
    world_end(&w);
}

static bool refuse(void *user, const cflr_progress *progress) {
    (void)user, (void)progress;
    return false;
}

/* 2, 3 and 4 hold the address of 1, 5 and 6 none. Only what the result has in full is a no. */
static cflr_through ask(const char *only, uint32_t from, bool cancelled, uint32_t p, uint32_t q) {
    world w;
    cflr_error error;
    cflr_solve_opts opts;
    world_begin(&w, 1);
    world_graph(&w, "1 2 alloc; 2 1 d; 2 3 a; 3 4 a; 5 6 a");
    world_grammar(&w, shipped());
    cflr_solve_opts_init(&opts);
    if (only) opts.only = &only, opts.n_only = 1;
    if (from != CFLR_NO_VERTEX) opts.from = &from, opts.n_from = 1;
    if (cancelled) w.context->opts.progress = refuse;
    cflr_status st = cflr_solve(w.graph, w.grammar, &opts, &w.result, &error);
    cr_assert_eq(st, cancelled ? CFLR_CANCELLED : CFLR_OK);
    cr_assert_not_null(w.result);
    cflr_through through = cflr_result_alias(w.result, p, q);
    world_end(&w);
    return through;
}

Test(outside, what_was_not_computed_is_unanswered) {
    const uint32_t all = CFLR_NO_VERTEX;
    cr_expect_eq(ask(NULL, all, false, 3, 4), CFLR_THROUGH_PROGRAM);
    cr_expect_eq(ask(NULL, all, false, 3, 5), CFLR_THROUGH_NOTHING);
    cr_expect_eq(ask("PT", all, false, 3, 4), CFLR_THROUGH_UNANSWERED, "no label for alias");
    cr_expect_eq(ask("PT", all, false, 3, 5), CFLR_THROUGH_UNANSWERED);
    cr_expect_eq(ask(NULL, 3, false, 3, 4), CFLR_THROUGH_PROGRAM);
    cr_expect_eq(ask(NULL, 3, false, 3, 5), CFLR_THROUGH_NOTHING);
    cr_expect_eq(ask(NULL, 3, false, 5, 3), CFLR_THROUGH_UNANSWERED, "another question");
    cr_expect_eq(ask(NULL, all, true, 3, 5), CFLR_THROUGH_UNANSWERED, "partial");
}

/* The address of a member of x is found, after a step back that is not its own; of y, which x holds
 * at another member, nothing is. Both escape, in every model and to a question; z does not.
 *
 *     1 x -alloc-> 2 &x -a-> 3 p -f[8]-> 4 m -a-> 5 -b[4]-> 6 -escapes-> 0
 *     2 -a-> 7 q -f[16]-> 8 -d-> 9 <-a- 10 &y -d-> 11 y        12 z -alloc-> 13 &z -a-> 14
 */
Test(outside, who_knows_a_member_knows_the_object) {
    static const char text[] =
        "1 2 alloc; 2 1 d; 2 3 a; 3 4 f[8]; 4 5 a; 5 6 b[4]; 6 0 escapes; 2 7 a; 7 8 f[16]; 8 9 d;"
        "10 9 a; 10 11 d; 11 10 alloc; 12 13 alloc; 13 12 d; 13 14 a";
    static const char *const grammars[] = {"pointer-fs", "pointer"}, *const symbols[] = {"PT"};
    static const uint32_t escaped[] = {1, 11};
    for (size_t i = 0; i < 2 * (TEST_MODELS + 1); i++) {
        const uint32_t from = 0;
        cflr_row row = {0};
        cflr_solve_opts opts;
        cflr_error error;
        world w;
        world_begin(&w, 1);
        world_graph(&w, text);
        world_grammar(&w, cflr_grammar_shipped_text(grammars[i % 2]));
        cflr_solve_opts_init(&opts);
        opts.only = symbols, opts.n_only = 1;
        opts.model = i / 2 < TEST_MODELS ? test_models[i / 2] : CFLR_MODEL_DEMAND;
        if (opts.model == CFLR_MODEL_DEMAND) opts.from = &from, opts.n_from = 1;
        MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
        MUST(cflr_result_row(w.result, label_of(w.result, "PT"), 0, 0, &row, &error));
        cr_assert_eq(row.count, 2, "%s, %s", grammars[i % 2], cflr_model_name(opts.model));
        cr_expect_arr_eq(row.target, escaped, sizeof escaped);
        cflr_row_free(&row);
        world_end(&w);
    }
}

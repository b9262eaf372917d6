/* SPDX-License-Identifier: Apache-2.0
 *
 * test_show.c: stages as text. All but `index` are grammars again, and mean the same.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/random_grammar.h"

Test(show, texts) {
    static const char source[] =
        "%start V\n%terminal a d f[i]\n%answer alias V\n"
        "V ::= ~A V | F[i] f[i] | eps\n"
        "F[i] ::= ~f[i] V\n"
        "A ::= (a (~d V d)?)*\n";
    static const struct {
        cflr_grammar_stage stage;
        const char *text;
    } cases[] = {
        {CFLR_STAGE_RULES,
         "%start V\n%terminal a d f[i]\n%answer alias V\n"
         "V ::= ~A V | F[i] f[i] | eps\nF[i] ::= ~f[i] V\n"
         "A ::= (a (~d V d)?)*\n"},
        {CFLR_STAGE_EXPANDED,
         "%start V\n%terminal a d f[i]\n%answer alias V\n"
         "V ::= ~A V  # 4:7\nV ::= F[i] f[i]  # 4:14\nV ::= eps  # 4:26\n"
         "F[i] ::= ~f[i] V  # 5:10\nA ::= A a  # 6:7\n"
         "%1 ::= a ~d V d  # 6:8\nA ::= A %1  # 6:7\nA ::= eps  # 6:7\n"},
        {CFLR_STAGE_NORMAL,
         "%start V\n%terminal a d f[i]\n%answer alias V\n"
         "V ::= ~A V  # 4:7\nV ::= F[i] f[i]  # 4:14\nV ::= eps  # 4:26\n"
         "F[i] ::= ~f[i] V  # 5:10\nA ::= A a  # 6:7\n%2 ::= a ~d  # 6:7\n"
         "%3 ::= %2 V  # 6:7\n%1 ::= %3 d  # 6:8\nA ::= A %1  # 6:7\n"
         "A ::= eps  # 6:7\n"},
        {CFLR_STAGE_INDEX,
         "by left  ~A:  V -> V\nby right V:  ~A -> V  ~f[i] -> F[i]  %2 -> %3\n"
         "by left  F:  f[i] -> V\n"
         "unary    f:  backwards -> ~f[i]\nby right f:  F[i] -> V\n"
         "by left  ~f:  V -> F[i]\nunary    A:  backwards -> ~A\n"
         "by left  A:  a -> A  %1 -> A\n"},
        {CFLR_STAGE_GROUND,
         "%start V\n%terminal a d f[i]\n%answer alias V\n"
         "V ::= eps\nA ::= eps\n"
         "V ::= ~A V  # 4:7\nV ::= F[\"4\"] f[\"4\"]  # 4:14\n"
         "A ::= A a  # 6:7\nF[\"4\"] ::= ~f[\"4\"] V  # 5:10\n"},
    };
    cflr_context *context = test_context();
    cflr_grammar *grammar = grammar_of(context, source);
    cflr_graph *graph = graph_of(context, "0 1 a; 1 2 f[4]");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_error error = {0};
        char *text;
        MUST(cflr_grammar_show(grammar, cases[i].stage, graph, &text, &error));
        bool part = cases[i].stage == CFLR_STAGE_INDEX; /* the rest of it says nothing new */
        bool same = part ? strstr(text, "by left  ~A:  V -> V\n") && strstr(text, "A  %1 -> A\n")
                         : !strcmp(text, cases[i].text);
        cr_expect(same, "stage %d\n%s", (int)cases[i].stage, text);
        cflr_text_free(context, text);
    }
    cflr_error error = {0};
    char *text;
    MUST_FAIL(cflr_grammar_show(grammar, CFLR_STAGE_GROUND, NULL, &text, &error), CFLR_ARGUMENT);
    MUST_FAIL(cflr_grammar_show(grammar, (cflr_grammar_stage)9, graph, &text, &error),
              CFLR_ARGUMENT);
    cr_expect_null(text);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

/* A symbol whose only rule says nothing keeps it, or it would come back as a label: the author's,
 * and an auxiliary that the author names, as in a stage that was shown before. */
Test(show, symbols_without_rules) {
    static const struct {
        const char *source, *shown;
    } cases[] = {
        {"A ::= B c\nB ::= B", "%start A\nA ::= B c  # 1:7\nB ::= B  # 1:7\n"},
        {"A ::= %1 c\n%1 ::= %1", "%start A\nA ::= %1 c  # 1:7\n%1 ::= %1  # 1:7\n"},
    };
    cflr_context *context = test_context();
    cflr_graph *graph = graph_of(context, "0 1 c");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_error error = {0};
        char *text, *again;
        cflr_grammar *grammar = grammar_of(context, cases[i].source);
        MUST(cflr_grammar_show(grammar, CFLR_STAGE_NORMAL, NULL, &text, &error));
        cr_expect_str_eq(text, cases[i].shown, "%s", text);
        cflr_grammar *read = grammar_of(context, text);
        MUST(cflr_grammar_show(read, CFLR_STAGE_NORMAL, NULL, &again, &error));
        cr_expect_eq(read->n_symbols, grammar->n_symbols, "%s", again);
        cflr_text_free(context, again);
        MUST(cflr_grammar_show(read, CFLR_STAGE_GROUND, graph, &again, &error));
        cflr_grammar_free(grammar_of(context, again));
        cflr_text_free(context, again);
        cflr_text_free(context, text);
        cflr_grammar_free(read);
        cflr_grammar_free(grammar);
    }
    cflr_graph_free(graph);
    test_context_end(context);
}

static void check_stage(const cflr_grammar *grammar, const cflr_graph *graph,
                        cflr_grammar_stage stage, const closure *expected, const char *source) {
    static closure read;
    cflr_error error = {0};
    char *text;
    MUST(cflr_grammar_show(grammar, stage, graph, &text, &error));
    cflr_grammar *again = grammar_of(grammar->context, text);
    closure_by_rules(again, graph, &read);
    const char *difference = closure_difference(expected, &read);
    cr_assert_null(difference, "%s\n%s\n%s", difference, source, text);
    cr_assert_str_eq(cflr_grammar_start(grammar), cflr_grammar_start(again));
    cflr_grammar_free(again);
    cflr_text_free(grammar->context, text);
}

Test(show, random_round_trips) {
    cflr_context *context = test_context();
    uint64_t random = 31;
    static random_grammar w;
    static closure expected;
    uint32_t done = 0;
    w.random = &random;
    for (uint32_t k = 0; k < 2000; k++) {
        cflr_grammar *grammar = NULL;
        cflr_error error = {0};
        random_grammar_write(&w);
        cflr_graph *graph = random_graph(context, &random, false);
        if (cflr_grammar_parse(context, w.text, w.n, "random", CFLR_GRAMMAR_CFLR, &grammar,
                               &error) == CFLR_OK) {
            closure_by_rules(grammar, graph, &expected);
            check_stage(grammar, graph, CFLR_STAGE_RULES, &expected, w.text);
            check_stage(grammar, graph, CFLR_STAGE_EXPANDED, &expected, w.text);
            check_stage(grammar, graph, CFLR_STAGE_NORMAL, &expected, w.text);
            check_stage(grammar, graph, CFLR_STAGE_GROUND, &expected, w.text);
            done++;
        }
        cflr_graph_free(graph);
        cflr_grammar_free(grammar);
    }
    cr_expect_gt(done, 600);
    test_context_end(context);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_meaning.c: what a compiled grammar means is what its author wrote.
 *
 * Random grammars with every operator, variables, constants and converses are closed twice on
 * random graphs (relations.h): by their ground rules, and by their expressions as they stand.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/random_grammar.h"

enum { GRAMMARS = 8000 };

static bool uses_closed_label(const cflr_grammar *grammar) {
    uint32_t a = symbol_named(grammar, "A");
    return a != CFLRI_NO_SYMBOL && grammar->symbol[a].closed;
}

Test(meaning, random_grammars) {
    cflr_context *context = test_context();
    uint64_t random = 20260721;
    uint32_t refused = 0, compared = 0, pairs = 0;
    static random_grammar w;
    static closure rules, tree;
    w.random = &random;
    for (uint32_t k = 0; k < GRAMMARS; k++) {
        cflr_grammar *grammar = NULL;
        cflr_error error = {0};
        random_grammar_write(&w);
        cflr_status st =
            cflr_grammar_parse(context, w.text, w.n, "random", CFLR_GRAMMAR_CFLR, &grammar, &error);
        cflr_graph *graph = random_graph(context, &random, true);
        if (st != CFLR_OK) {
            cr_assert(st == CFLR_UNSUPPORTED || st == CFLR_SYNTAX, "%s\n%s", error.message, w.text);
            cr_assert(error.line && error.column, "%s\n%s", error.message, w.text);
            refused++;
        } else if (!uses_closed_label(grammar)) {
            closure_by_rules(grammar, graph, &rules);
            closure_by_tree(grammar, graph, &tree);
            const char *difference = closure_difference(&rules, &tree);
            cr_assert_null(difference, "%s\n%s", difference, w.text);
            compared++;
            pairs += rules.n;
        }
        cflr_grammar_free(grammar);
        cflr_graph_free(graph);
    }
    cr_assert_gt(compared, GRAMMARS / 3, "%u of %u refused", refused, GRAMMARS);
    cr_assert_gt(pairs, compared, "the graphs are too thin to tell anything");
    test_context_end(context);
}

/* The few whose meaning is argued in expand.c, with the pairs worked out by hand. */
Test(meaning, by_hand) {
    static const struct {
        const char *grammar, *graph, *expected;
    } cases[] = {
        {"A ::= ~(a b)", "0 1 a; 1 2 b", "2 0 A\n"},
        {"A ::= (f[i] g[i])+", "0 1 f[1]; 1 2 g[1]; 2 3 f[2]; 3 4 g[2]; 4 5 f[1]; 5 6 g[2]",
         "0 2 A\n0 4 A\n2 4 A\n"},
        {"A ::= a (f[i])+ g[i]", "0 1 a; 1 2 f[1]; 2 3 f[2]; 3 4 g[2]; 2 5 g[1]", "0 5 A\n"},
        {"A ::= f[i]* g[i]", "0 1 f[1]; 1 2 f[1]; 2 3 g[1]; 1 4 g[2]",
         "0 3 A\n1 3 A\n1 4 A\n2 3 A\n"},
        {"A ::= f[i] (g[j] h[j])? k[i]", "0 1 f[1]; 1 2 g[2]; 2 3 h[2]; 3 4 k[1]; 1 5 k[1]",
         "0 4 A\n0 5 A\n"},
        {"T[i] ::= f[i] g[j]", "0 1 f[1]; 1 2 g[7]; 1 3 g[8]", "0 2 T[1]\n0 3 T[1]\n"},
        {"A[\"q\"] ::= a\nB ::= A[q] b", "0 1 a; 1 2 b", "0 1 A[q]\n0 2 B\n"},
        {"%terminal A a\nA ::= a*", "0 1 A; 1 2 a", "0 0 A\n0 1 A\n1 1 A\n1 2 A\n2 2 A\n"},
        {"A ::= A A", "0 1 A; 1 2 A; 2 3 A", "0 1 A\n0 2 A\n0 3 A\n1 2 A\n1 3 A\n2 3 A\n"},
    };
    cflr_context *context = test_context();
    static closure rules, tree;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_grammar *grammar = grammar_of(context, cases[i].grammar);
        cflr_graph *graph = graph_of(context, cases[i].graph);
        closure_by_rules(grammar, graph, &rules);
        closure_by_tree(grammar, graph, &tree);
        char *text = closure_text(&rules);
        cr_expect_str_eq(text, cases[i].expected, "%s\n%s", cases[i].grammar, text);
        cr_expect_null(closure_difference(&rules, &tree), "%s", cases[i].grammar);
        free(text);
        cflr_graph_free(graph);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

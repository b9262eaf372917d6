/* SPDX-License-Identifier: Apache-2.0
 *
 * test_export.c: a grammar that is written for another tool and read back means the same.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/random_grammar.h"

static const cflr_grammar_format formats[] = {CFLR_GRAMMAR_POCR, CFLR_GRAMMAR_GRACFL,
                                              CFLR_GRAMMAR_SVF, CFLR_GRAMMAR_CFPQ};
enum { FORMATS = 4 };

/* Symbols that have rules in both: what is read back also has Xbar and Aux1, and lacks those whose
 * rules the graph gives no chance. */
static void keep_common(closure *c, const cflr_grammar *other) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t s = symbol_named(other, c->at[i].name);
        bool known = s != CFLRI_NO_SYMBOL && other->symbol[s].kind == CFLRI_NONTERMINAL;
        if (known) c->at[n++] = c->at[i];
    }
    c->n = n;
}

static void check_round_trip(const cflr_grammar *grammar, const cflr_graph *graph, const char *text,
                             cflr_grammar_format format, const char *source) {
    static closure written, read;
    cflr_context *context = grammar->context;
    cflr_grammar *again = grammar_in(context, text, format);
    cr_assert_str_eq(cflr_grammar_start(again), cflr_grammar_start(grammar), "%s\n%s", source,
                     text);
    closure_by_rules(grammar, graph, &written);
    closure_by_rules(again, graph, &read);
    keep_common(&read, grammar);
    keep_common(&written, again);
    const char *difference = closure_difference(&written, &read);
    cr_assert_null(difference, "%s\n%s\n%s", difference, source, text);
    cflr_grammar_free(again);
}

/* Texts that other tools read, exactly. */
Test(export, texts) {
    static const struct {
        cflr_grammar_format format;
        const char *grammar, *graph, *expected;
    } cases[] = {
        {CFLR_GRAMMAR_POCR, "V ::= ~A V | f[i] V | eps\nA ::= a A | eps", NULL,
         "V\tAbar\tV\nV\tAux1\tV\nV\nAux1\tf_i\nA\ta\tA\nA\nAbar\tAbar\tabar\nAbar\n\nCount:\nV\n"},
        {CFLR_GRAMMAR_GRACFL, "A ::= A C[i] | a\nC[i] ::= ~f[i] A", "0 1 f[3]; 1 2 f[4]; 0 1 a",
         "A\tA\tAux1\nA\ta\nC_3\tfbar_3\tA\nC_4\tfbar_4\tA\nAux1\tC_3\nAux1\tC_4\n"},
        {CFLR_GRAMMAR_SVF, "%start S\nT ::= b\nS ::= a T S | T | eps", NULL,
         "Start:\nS\nTerminal:\nb a\nProductions:\nS -> Aux1 S;\nS -> T;\nS -> epsilon;\n"
         "T -> b;\nAux1 -> a T;\n"},
        {CFLR_GRAMMAR_CFPQ, "S ::= ~T a\nT ::= load[i] a store[i]",
         "0 1 load[5]; 1 2 store[5]; "
         "0 1 a",
         "S -> T_r a\nT -> Aux1_5 store_5\nAux1_5 -> load_5 a\nT_r -> store_5_r Aux1_5_r\n"
         "Aux1_5_r -> a_r load_5_r\n"},
        {CFLR_GRAMMAR_GRACFL, "S ::= f[i] b", "0 1 f[5]", "S\tS\nAux1\tf_5\n"},
        {CFLR_GRAMMAR_SVF, "P[i] ::= P[i]\nA ::= P[j] b", NULL,
         "Start:\nP_i\nTerminal:\nb\nProductions:\nP_i -> P_i;\nAux1 -> P_i;\nA -> Aux1 b;\n"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_error error = {0};
        char *text = NULL;
        cflr_grammar *grammar = grammar_of(context, cases[i].grammar);
        cflr_graph *graph = cases[i].graph ? graph_of(context, cases[i].graph) : NULL;
        MUST(cflr_grammar_export(grammar, cases[i].format, graph, &text, &error));
        cr_expect_str_eq(text, cases[i].expected, "%s\n%s", cases[i].grammar, text);
        cflr_text_free(context, text);
        cflr_graph_free(graph);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

Test(export, refused) {
    static const struct {
        cflr_grammar_format format;
        const char *grammar;
        cflr_status status;
        const char *part;
    } cases[] = {
        {CFLR_GRAMMAR_GRACFL, "A ::= f[i]", CFLR_ARGUMENT, "a graph must say"},
        {CFLR_GRAMMAR_CFPQ, "A ::= f[i]", CFLR_ARGUMENT, "a graph must say"},
        {CFLR_GRAMMAR_CFLR, "A ::= f", CFLR_ARGUMENT, "pocr, gracfl, svf or cfpq"},
        {CFLR_GRAMMAR_AUTO, "A ::= f", CFLR_ARGUMENT, "pocr, gracfl, svf or cfpq"},
        {CFLR_GRAMMAR_POCR, "A ::= f_i", CFLR_UNSUPPORTED, "'f_i'"},
        {CFLR_GRAMMAR_POCR, "A ::= f[8]", CFLR_UNSUPPORTED, "'f_8'"},
        {CFLR_GRAMMAR_POCR, "A ::= crossbar", CFLR_UNSUPPORTED, "'crossbar'"},
        {CFLR_GRAMMAR_POCR, "A ::= \"a b\"", CFLR_UNSUPPORTED, "'a b'"},
        {CFLR_GRAMMAR_POCR, "A ::= \"#a\"", CFLR_UNSUPPORTED, "'#a'"},
        {CFLR_GRAMMAR_POCR, "A ::= \"eps\"", CFLR_UNSUPPORTED, "'eps'"},
        {CFLR_GRAMMAR_POCR, "\"Count:\" ::= a", CFLR_UNSUPPORTED, "'Count:'"},
        {CFLR_GRAMMAR_POCR, "A ::= 17", CFLR_UNSUPPORTED, "'17'"},
        {CFLR_GRAMMAR_POCR, "A ::= ~A a | Abar\nAbar ::= b", CFLR_UNSUPPORTED, "'Abar'"},
        {CFLR_GRAMMAR_GRACFL, "A ::= f_8", CFLR_UNSUPPORTED, "'f_8'"},
        {CFLR_GRAMMAR_GRACFL, "A ::= \"-a\"", CFLR_UNSUPPORTED, "'-a'"},
        {CFLR_GRAMMAR_SVF, "A ::= f_x", CFLR_UNSUPPORTED, "'f_x'"},
        {CFLR_GRAMMAR_SVF, "P ::= e f[\"i\"]", CFLR_UNSUPPORTED, "'f_i'"},
        {CFLR_GRAMMAR_SVF, "P ::= e f[\"j\"]", CFLR_UNSUPPORTED, "'f_j'"},
        {CFLR_GRAMMAR_POCR, "P ::= e f[\"i\"]", CFLR_UNSUPPORTED, "'f_i'"},
        {CFLR_GRAMMAR_POCR, "P ::= ~Q e\nQ ::= f[\"i\"] g[j]", CFLR_UNSUPPORTED, "'f_i'"},
        {CFLR_GRAMMAR_SVF, "A ::= \"a(b\"", CFLR_UNSUPPORTED, "'a(b'"},
        {CFLR_GRAMMAR_SVF, "A ::= \"a->b\"", CFLR_UNSUPPORTED, "'a->b'"},
        {CFLR_GRAMMAR_CFPQ, "A ::= load_r", CFLR_UNSUPPORTED, "'load_r'"},
        {CFLR_GRAMMAR_CFPQ, "A ::= load_5", CFLR_UNSUPPORTED, "'load_5'"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_error error = {0};
        char *text = NULL;
        cflr_grammar *grammar = grammar_of(context, cases[i].grammar);
        MUST_FAIL(cflr_grammar_export(grammar, cases[i].format, NULL, &text, &error),
                  cases[i].status);
        cr_expect(strstr(error.message, cases[i].part), "%s: %s", cases[i].grammar, error.message);
        cr_expect_null(text);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

/* The author's own name for an auxiliary is kept apart from ours. */
Test(export, names_of_auxiliaries) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    char *text;
    cflr_graph *graph = graph_of(context, "0 1 a; 1 2 b; 2 3 c; 3 4 d");
    const char *source = "S ::= XAux1 b c\nXAux1 ::= Aux1\nAux1 ::= a";
    cflr_grammar *grammar = grammar_of(context, source);
    MUST(cflr_grammar_export(grammar, CFLR_GRAMMAR_GRACFL, NULL, &text, &error));
    cr_assert(strstr(text, "XXAux1\tXAux1\tb\n"), "%s", text);
    check_round_trip(grammar, graph, text, CFLR_GRAMMAR_GRACFL, source);
    cflr_text_free(context, text);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

/* ~X0 needs ~X1, that needs ~X2, and so on: each symbol costs its own rules, not all rules. */
Test(export, a_long_chain_of_converses) {
    enum { LINKS = 60000, LINE = 32 };
    cflr_context *context = test_context();
    cflr_error error = {0};
    char *source = malloc(LINKS * LINE), *text;
    size_t n = (size_t)sprintf(source, "S ::= ~X0 a\n");
    for (int i = 0; i < LINKS; i++) n += (size_t)sprintf(source + n, "X%d ::= X%d b\n", i, i + 1);
    sprintf(source + n, "X%d ::= b\n", LINKS);
    cflr_grammar *grammar = grammar_of(context, source);
    MUST(cflr_grammar_export(grammar, CFLR_GRAMMAR_POCR, NULL, &text, &error));
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++) lines++;
    cr_expect_eq(lines, 1 + 2 * (LINKS + 1) + 3); /* Count: */
    cr_expect(strstr(text, "\nX59999bar\tbbar\tX60000bar\n"));
    cflr_text_free(context, text);
    cflr_grammar_free(grammar);
    free(source);
    test_context_end(context);
}

Test(export, random_round_trips) {
    cflr_context *context = test_context();
    uint64_t random = 7;
    uint32_t done[FORMATS] = {0};
    static random_grammar w;
    w.random = &random;
    for (uint32_t k = 0; k < 2500; k++) {
        cflr_grammar *grammar = NULL;
        cflr_error error = {0};
        random_grammar_write(&w);
        cflr_graph *graph = random_graph(context, &random, false);
        cflr_status st =
            cflr_grammar_parse(context, w.text, w.n, "random", CFLR_GRAMMAR_CFLR, &grammar, &error);
        for (size_t f = 0; f < FORMATS && st == CFLR_OK; f++) {
            char *text = NULL;
            cflr_status exported = cflr_grammar_export(grammar, formats[f], graph, &text, &error);
            if (exported == CFLR_OK) {
                check_round_trip(grammar, graph, text, formats[f], w.text);
                done[f]++;
            } else { /* indexes that the format cannot say */
                cr_assert_eq(exported, CFLR_UNSUPPORTED, "%s", error.message);
            }
            cflr_text_free(context, text);
        }
        cflr_grammar_free(grammar);
        cflr_graph_free(graph);
    }
    for (size_t f = 0; f < FORMATS; f++) cr_expect_gt(done[f], 250, "%zu: %u", f, done[f]);
    test_context_end(context);
}

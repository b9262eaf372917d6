/* SPDX-License-Identifier: Apache-2.0
 *
 * test_alloc.c: every allocation of every public call on grammars fails once.
 */
#include "base/error.h"
#include "grammar/read/parse.h"
#include "tests/support/fail_alloc.h"
#include "tests/unit/grammar/stages.h"

typedef struct input {
    const char *text;
    cflr_grammar_format format;
} input;

static const char everything[] =
    "%start V\n%terminal a b d f[i] g[i] T unused\n%answer alias V ~V\n%answer x T\n"
    "V ::= ~A V | F[i] f[i] | (a (b | d)?)* (a b)+ | f[\"8\"] g[j] | eps\n"
    "F[i] ::= ~f[i] (g[k] V g[k])? V\n"
    "A ::= (a b?)* | a | a\nT ::= T a | T\nUnreached ::= abar \"quoted name\"?\n%terminal abar "
    "\"quoted name\"\n";

static cflr_status parse(cflr_context *context, const input *in, cflr_grammar **grammar,
                         cflr_error *error) {
    return cflr_grammar_parse(context, in->text, strlen(in->text), "test", in->format, grammar,
                              error);
}

static cflr_status parse_only(cflr_context *context, void *user, cflr_error *error) {
    cflr_grammar *grammar = NULL;
    cflr_status st = parse(context, user, &grammar, error);
    cr_assert_eq(st == CFLR_OK, grammar != NULL);
    cflr_grammar_free(grammar);
    return st;
}

/* Building a graph is not under test here, but must not fail either: it is swept with the rest. */
static cflr_status make_graph(cflr_context *context, cflr_graph **graph, cflr_error *error) {
    static const struct {
        const char *name, *index;
        uint32_t source, target;
    } edges[] = {{"a", NULL, 0, 1}, {"b", NULL, 1, 2}, {"d", NULL, 2, 3}, {"f", "8", 0, 2},
                 {"f", "16", 2, 4}, {"g", "8", 1, 3},  {"T", NULL, 4, 0}};
    cflr_graph_builder *builder;
    *graph = NULL;
    cflr_status st = cflr_graph_builder_new(context, &builder, error);
    if (st != CFLR_OK) return st;
    for (size_t i = 0; i < sizeof edges / sizeof *edges && st == CFLR_OK; i++) {
        uint32_t label;
        st = cflr_graph_builder_label(builder, edges[i].name, edges[i].index, &label, error);
        if (st != CFLR_OK) break;
        st = cflr_graph_builder_edge(builder, edges[i].source, edges[i].target, label, error);
    }
    if (st == CFLR_OK) return cflr_graph_builder_freeze(builder, graph, error);
    cflr_graph_builder_free(builder);
    return st;
}

/* From a text to equations: every step of the way fails. */
static cflr_status equations_work(cflr_context *context, void *user, cflr_error *error) {
    cflr_grammar *grammar = NULL;
    cflr_graph *graph = NULL;
    cflri_ground *ground = NULL;
    cflri_input_kind *edges = NULL;
    cflri_equations *equations = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(parse(context, user, &grammar, error));
    CFLR_TRY(make_graph(context, &graph, error));
    CFLR_TRY(cflri_ground_new(grammar, graph, &ground, error));
    edges = cflri_inputs_of(ground);
    if (!edges) CFLR_TRY(cflri_fail_memory(context, error));
    CFLR_TRY(cflri_equations_new(ground, edges, NULL, ALL_TECHNIQUES, &equations, error));
    CFLR_TRY(cflri_equations_validate(equations, error));
out:
    cr_assert_eq(st == CFLR_OK, equations != NULL);
    cflri_equations_free(equations);
    cflri_free(context, edges);
    cflri_ground_free(ground);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    return st;
}

/* Every stage and every export, one behind the other. */
static cflr_status texts_work(cflr_context *context, void *user, cflr_error *error) {
    cflr_grammar *grammar = NULL;
    cflr_graph *graph = NULL;
    char *text = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(parse(context, user, &grammar, error));
    CFLR_TRY(make_graph(context, &graph, error));
    for (int stage = CFLR_STAGE_RULES; stage <= CFLR_STAGE_PLAN; stage++) {
        CFLR_TRY(cflr_grammar_show(grammar, (cflr_grammar_stage)stage, graph, &text, error));
        cflr_text_free(context, text);
        text = NULL;
    }
    for (int format = CFLR_GRAMMAR_POCR; format <= CFLR_GRAMMAR_CFPQ; format++) {
        CFLR_TRY(cflr_grammar_export(grammar, (cflr_grammar_format)format, graph, &text, error));
        cflr_text_free(context, text);
        text = NULL;
    }
out:
    cr_assert(st == CFLR_OK || !text);
    cflr_text_free(context, text);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    return st;
}

Test(alloc, parsing) {
    static const input inputs[] = {
        {everything, CFLR_GRAMMAR_CFLR},
        {"V\tAbar\tV\nV\tFV_i\tf_i\nFV_i\tfbar_i\tV\nA\ta\nV\n\nCount:\nV\n", CFLR_GRAMMAR_POCR},
        {"3\nV FV_3 f_3\nFV_3 fbar_3 -a\nV\n", CFLR_GRAMMAR_AUTO},
        {"Start:\nV\nTerminal:\na b_i\nProductions:\nV -> (a Vbar)* | X_i b_i;\nX_i -> bbar_i a?;",
         CFLR_GRAMMAR_SVF},
        {"S -> a_r (S | load_4)* b\nT -> S\nCount:\nT", CFLR_GRAMMAR_AUTO},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        cr_expect_gt(fail_alloc_sweep(parse_only, (void *)(uintptr_t)&inputs[i]), 20);
    }
}

Test(alloc, equations) {
    static const input inputs[] = {
        {everything, CFLR_GRAMMAR_CFLR},
        /* stars, mirrors, all kinds of equations, guards, a filter */
        {"%filter W d\nA ::= a B | b | eps\nB ::= A d A d\nC ::= ~B | A d\nS ::= a S b | W\n"
         "W ::= a* b d\nX ::= X X | a\nY ::= Y Y | ~a\nD ::= (a | b X)* d | S X d b* a",
         CFLR_GRAMMAR_CFLR},
    };
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        cr_expect_gt(fail_alloc_sweep(equations_work, (void *)(uintptr_t)&inputs[i]), 100);
    }
}

Test(alloc, texts) {
    static const input in = {
        "V ::= ~A V | F[i] f[i] | (a (b | d)?)* (a b)+ | eps\n"
        "F[i] ::= ~f[i] (g[k] V g[k])? V\nA ::= (a b?)* | a\nW ::= W\n",
        CFLR_GRAMMAR_CFLR};
    cr_expect_gt(fail_alloc_sweep(texts_work, (void *)(uintptr_t)&in), 60);
}

/* The memory limit of a context is another reason to refuse, with a code of its own. */
Test(alloc, limit) {
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    uint32_t refused = 0;
    for (uint64_t limit = 200;; limit += limit / 4) {
        cflr_context *context = test_context_limited(limit);
        cflr_status st = cflr_grammar_parse(context, everything, strlen(everything), "test",
                                            CFLR_GRAMMAR_CFLR, &grammar, &error);
        cr_assert_eq(st == CFLR_OK, grammar != NULL);
        cflr_grammar_free(grammar);
        test_context_end(context);
        if (st == CFLR_OK) break;
        cr_assert_eq(st, CFLR_LIMIT, "%s", error.message);
        refused++;
    }
    cr_expect_gt(refused, 5);
}

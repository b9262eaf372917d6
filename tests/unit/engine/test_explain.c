/* SPDX-License-Identifier: Apache-2.0
 *
 * Derivations: paths are connected, no derivation rests on itself, and each pair of a closure has
 * one, whatever the form of its grammar and whichever symbols the result holds.
 */
#include "cflr/explain.h"
#include "engine/derivations/levels.h"
#include "support.h"

/* A pair of the closure, as far as the result holds the symbol; filters count. */
static void check_pair(const world *w, const cflr_derivation *d) {
    uint32_t label = cflr_result_find_label(w->result, d->symbol);
    bool plain = !d->index[0] && label != CFLR_NO_LABEL;
    cr_assert(!plain || cflr_result_has(w->result, label, d->source, d->target), "%s(%u,%u)",
              d->symbol, d->source, d->target);
}

/* Each step is an edge, or a pair that is derived behind. */
static void check_steps(const world *w, const cflr_explainer *explainer, size_t number, size_t n) {
    cflr_derivation d;
    cflr_explanation(explainer, number, &d);
    uint32_t at = d.source;
    check_pair(w, &d);
    for (size_t i = 0; i < d.n_steps; i++) {
        const cflr_derivation_step *s = &d.step[i];
        uint32_t from = s->backwards ? s->to : s->from, to = s->backwards ? s->from : s->to;
        cr_assert_eq(s->from, at);
        at = s->to;
        if (s->derivation == CFLR_NO_DERIVATION) {
            uint32_t label = cflr_graph_find_label(w->graph, s->symbol, s->index);
            uint64_t count, k = 0;
            cr_assert_neq(label, CFLR_NO_LABEL);
            const uint32_t *row = cflr_graph_row(w->graph, label, CFLR_OUT, from, &count);
            while (k < count && row[k] != to) k++;
            cr_assert_lt(k, count, "no edge %u %s %u", from, s->symbol, to);
            continue;
        }
        cflr_derivation inner;
        cr_assert(s->derivation > number && s->derivation < n);
        cflr_explanation(explainer, s->derivation, &inner);
        cr_assert(inner.source == from && inner.target == to);
        cr_assert_str_eq(inner.symbol, s->symbol);
    }
    cr_assert_eq(at, d.target);
}

/* Explains all pairs of the symbol, and says no of all others. */
static void explain_all(const char *edges, const char *grammar, const char *symbol, bool only) {
    world w;
    cflr_error error;
    cflr_solve_opts opts;
    cflr_explainer *explainer;
    world_begin(&w, 2);
    world_graph(&w, edges);
    MUST(test_grammar(w.context, grammar, &w.grammar, &error));
    cflr_solve_opts_init(&opts);
    opts.only = &symbol;
    opts.n_only = only;
    if (!only) opts.only = NULL;
    MUST(cflr_solve(w.graph, w.grammar, &opts, &w.result, &error));
    MUST(cflr_explainer_new(w.grammar, w.result, &explainer, &error));
    uint32_t label = cflr_result_find_label(w.result, symbol), n = cflr_graph_vertices(w.graph);
    for (uint32_t u = 0; u < n; u++)
        for (uint32_t v = 0; v < n; v++) {
            size_t found;
            MUST(cflr_explain(explainer, symbol, "", u, v, 0, &found, &error));
            cr_assert_eq(found > 0, cflr_result_has(w.result, label, u, v), "%s: %s(%u,%u): %zu",
                         grammar, symbol, u, v, found);
            for (size_t i = 0; i < found; i++) check_steps(&w, explainer, i, found);
        }
    cflr_explainer_free(explainer);
    world_end(&w);
}

static const struct {
    const char *edges, *grammar, *symbol;
} cases[] = {
    {"0 1 a; 1 2 a; 2 0 a; 2 3 b", "S ::= a S | b\n", "S"},
    {"0 1 a; 1 2 a; 2 0 a; 3 0 b", "S ::= S a | b\n", "S"},
    {"0 1 a; 1 2 a; 2 3 a; 3 4 b", "S ::= S S | a | b | eps\n", "S"},
    {"0 1 a; 1 2 a; 2 3 b; 3 4 b; 1 3 c", "S ::= a S b | c | a b\n", "S"},
    {"0 1 a; 1 0 a; 0 2 b; 2 0 b", "S ::= a S b | a b\n", "S"},
    {"0 1 a; 2 1 a; 2 3 a; 4 3 a", "S ::= T\nT ::= a ~T | ~a T | eps | S\n", "S"},
    {"0 1 a; 1 2 b; 2 3 a; 3 4 b", "S ::= X | Y\nX ::= Y b | eps\nY ::= X a\n", "S"},
    {"0 1 f[1]; 1 2 f[2]; 2 3 g[2]; 3 4 g[1]; 2 5 g[1]", "S ::= F[i] g[i] | eps\nF[i] ::= f[i] S\n",
     "S"},
    {"0 1 a; 0 2 a; 1 3 d; 2 4 d; 5 3 a; 4 6 a; 3 7 d; 6 8 d; 7 9 a",
     "V ::= B | V T\nB ::= ~T B | M | eps\nT ::= a | a M\nM ::= ~d V d\n", "V"},
    {"0 0 a; 0 1 a; 1 0 b; 1 1 b", "S ::= a S b S | eps\n", "S"},
    /* filtered where it comes back: at the left, at the right, in the middle, through another */
    {"0 1 a; 1 2 a; 0 3 a; 3 2 a; 2 4 a; 0 9 r; 3 9 i; 4 9 i; 2 9 i",
     "%filter S r ~i\nS ::= S a | a\n", "S"},
    {"0 1 a; 1 2 a; 0 3 a; 3 2 a; 2 4 a; 1 9 r; 3 9 r; 2 9 i", "%filter S r ~i\nS ::= a S | a\n",
     "S"},
    {"0 1 a; 1 2 a; 2 3 b; 3 4 b; 1 5 a; 5 3 b; 1 9 r; 3 8 i; 0 9 r; 4 9 i",
     "%filter S r ~i\nS ::= a S b | a b\n", "S"},
    {"0 1 a; 1 2 b; 2 3 a; 3 4 b; 0 5 a; 5 2 b; 2 5 a; 0 9 r; 2 9 i; 5 9 i",
     "%filter Y r ~i\nS ::= X | Y\nX ::= Y b | b\nY ::= X a | a\n", "S"},
    /* filtered and read only; read backwards */
    {"0 1 a; 2 1 b; 2 3 a; 4 3 b; 1 0 a; 3 4 a; 2 9 r; 1 9 i",
     "%filter F r ~i\nS ::= S a ~F | F | a\nF ::= b | b a\n", "S"},
    {"0 1 a; 0 2 a; 1 3 d; 2 4 d; 5 3 a; 4 6 a; 3 7 d; 6 8 d; 7 9 a; 3 9 r; 4 9 i; 8 9 r",
     "%filter V r ~i\n%filter M r ~i\nV ::= B | V T\nB ::= ~T B | M | ~a a\nT ::= a | a M\nM ::= "
     "~d V d\n",
     "V"},
    {"0 1 f[1]; 1 2 f[2]; 2 3 g[2]; 3 4 g[1]; 2 5 g[1]; 1 2 f[1]; 2 3 g[1]; 1 9 r; 3 9 i",
     "%filter F r ~i\nS ::= F[i] g[i] | g[i]\nF[i] ::= f[i] S\n", "S"},
};

Test(explain, all_pairs_of_small_closures) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int only = 0; only < 2; only++)
            explain_all(cases[i].edges, cases[i].grammar, cases[i].symbol, only);
}

Test(explain, pair_that_is_far_in_a_chain) {
    /* brackets that are nested two hundred deep: as many levels are more than there are */
    char text[16384];
    size_t n = 0;
    for (int i = 0; i < 400; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%d %d %s", i ? "; " : "", i, i + 1,
                              i < 200 ? "a" : "b");
    world w;
    cflr_error error;
    cflr_explainer *explainer;
    size_t found;
    world_begin(&w, 1);
    world_graph(&w, text);
    world_grammar(&w, "S ::= a S b | a b\n");
    world_solve(&w, CFLR_MODEL_BATCH);
    MUST(cflr_explainer_new(w.grammar, w.result, &explainer, &error));
    MUST(cflr_explain(explainer, "S", "", 0, 400, 0, &found, &error));
    cr_assert_eq(found, 200);
    MUST_FAIL(cflr_explain(explainer, "T", "", 0, 1, 0, &found, &error), CFLR_ARGUMENT);
    cflr_explainer_free(explainer);
    world_end(&w);
}

Test(explain, levels_of_brackets) {
    /* S(4-k,6+k) is of level k */
    world w;
    cflr_error error;
    cflri_ground *ground;
    cflri_automaton automaton;
    cflri_levels levels;
    bool held[16] = {false};
    world_begin(&w, 1);
    world_graph(&w, "0 1 a; 1 2 a; 2 3 a; 3 4 a; 4 5 a; 5 6 b; 6 7 b; 7 8 b; 8 9 b; 9 10 b");
    world_grammar(&w, "S ::= a S b | a b\n");
    MUST(cflri_ground_new(w.grammar, w.graph, &ground, &error));
    MUST(cflri_automaton_make(ground, held, &automaton, &error));
    for (uint32_t n = 1; n <= 8; n++) {
        MUST(cflri_levels_make(&automaton, n, &levels, &error));
        cr_assert_eq(levels.n_called, 1);
        for (uint32_t k = 0; k < 5; k++) {
            uint32_t level = cflri_levels_find(&levels, levels.called[0], 4 - k, 6 + k, NULL);
            cr_assert_eq(level, k < n ? k : n);
        }
        cr_assert_eq(levels.all, n > 5);
        cflri_levels_free(w.context, &levels);
    }
    cflri_automaton_free(&automaton);
    cflri_ground_free(ground);
    world_end(&w);
}

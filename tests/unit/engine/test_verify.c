/* SPDX-License-Identifier: Apache-2.0
 *
 * Verification accepts what is right and notices what is wrong: a pair taken away, a pair put in,
 * false pairs that support each other, symbols of another grammar; and it does so for problems with
 * tens of thousands of rules.
 */
#include <time.h>

#include "engine/derivations/derive.h"
#include "engine/results/result.h"
#include "support.h"

static const char edges[] = "0 1 e; 1 2 e; 2 3 e; 3 4 e; 4 2 e; 5 6 e; 6 5 e";
static const char rules[] = "P ::= e | P e | ~Q\nQ ::= ~P\n";

static void solved_world(world *w) {
    world_begin(w, 1);
    world_graph(w, edges);
    world_grammar(w, rules);
    world_solve(w, CFLR_MODEL_EDGE_INDEXED);
}

static cflr_verify_report verify(const world *w, uint64_t samples) {
    cflr_verify_report report;
    cflr_error error = {0};
    cr_assert_eq(cflr_verify(w->graph, w->grammar, w->result, samples, &report, &error), CFLR_OK,
                 "%s", error.message);
    return report;
}

Test(verify, accepts_the_closure) {
    world w;
    solved_world(&w);
    for (uint64_t samples = 0; samples <= 500; samples += 500) {
        cflr_verify_report report = verify(&w, samples);
        cr_assert_eq(report.by_reference, samples == 0);
        cr_assert_gt(report.pairs_checked, 0);
        cr_assert_eq(report.missing, 0, "%s", report.first_failure);
        cr_assert_eq(report.underivable, 0, "%s", report.first_failure);
        cr_assert_str_empty(report.first_failure);
    }
    world_end(&w);
}

static cflri_relation *relation_of(world *w, const char *name) {
    uint32_t label = cflr_result_find_label(w->result, name);
    return &w->result->instance[w->result->label[label].first_instance];
}

/* Takes away pair number i of a relation that has one row for each source. */
static void take_pair(cflri_relation *relation, uint64_t i) {
    uint32_t row = 0;
    while (relation->start[row + 1] <= i) row++;
    memmove(&relation->target[i], &relation->target[i + 1],
            (relation->n_pairs - i - 1) * sizeof *relation->target);
    for (uint32_t r = row + 1; r <= relation->n_rows; r++) relation->start[r]--;
    relation->n_pairs--;
}

Test(verify, notices_every_missing_pair) {
    for (uint64_t i = 0;; i++) {
        world w;
        solved_world(&w);
        cflri_relation *relation = relation_of(&w, "P");
        bool over = i >= relation->n_pairs;
        if (!over) {
            take_pair(relation, i);
            cflr_verify_report report = verify(&w, 0);
            cr_assert_eq(report.missing, 1);
            cr_assert_eq(report.underivable, 0);
            report = verify(&w, 2000);
            cr_assert_gt(report.missing, 0, "pair %llu", (unsigned long long)i);
            cr_assert_str_not_empty(report.first_failure);
        }
        world_end(&w);
        if (over) break;
    }
}

/* Changes the target of one pair: the row of 5 becomes {.., 0}, which nothing derives. */
Test(verify, notices_an_underivable_pair) {
    world w;
    solved_world(&w);
    cflri_relation *relation = relation_of(&w, "P");
    uint32_t row = 0;
    while (relation->row[row] != 5) row++;
    relation->target[relation->start[row]] = 0;
    cflr_verify_report report = verify(&w, 0);
    cr_assert_eq(report.underivable, 1);
    report = verify(&w, 2000);
    cr_assert_gt(report.underivable, 0);
    world_end(&w);
}

/* P(5,0) and Q(0,5) justify each other and nothing else does: one step each is not enough. */
Test(verify, refuses_circular_support) {
    world w;
    world_begin(&w, 1);
    world_graph(&w, "0 1 e; 5 0 g; 0 5 h");
    world_grammar(&w, "%start P\nP ::= e | ~Q\nQ ::= ~P\n");
    world_solve(&w, CFLR_MODEL_NAIVE);
    cr_assert_eq(pairs_of(w.result, "P"), 1);
    /* P: 0-1 becomes 5-0; Q, ~P: 1-0 becomes 0-5; ~Q: 5-0 */
    static const char *const names[] = {"P", "Q", "~P", "~Q"};
    for (size_t i = 0; i < 4; i++) {
        cflri_relation *relation = relation_of(&w, names[i]);
        cr_assert_eq(relation->n_pairs, 1);
        bool forward = relation->row[0] == 0;
        relation->row[0] = forward ? 5 : 0;
        relation->target[0] = forward ? 0 : 5;
    }
    cflr_verify_report report = verify(&w, 300);
    cr_assert_gt(report.underivable, 0, "circular support was accepted");
    world_end(&w);
}

/* Pairs of a symbol that the grammar lacks have no derivation. */
Test(verify, refuses_symbols_of_another_grammar) {
    world w;
    solved_world(&w);
    cflr_grammar_free(w.grammar);
    w.grammar = NULL;
    world_grammar(&w, "R ::= e\n");
    uint64_t strangers = 0;
    for (uint32_t l = 0; l < cflr_result_labels(w.result); l++) {
        cflr_result_label info;
        cflr_result_get_label(w.result, l, &info);
        if (strcmp(info.name, "e") != 0) strangers += info.pairs;
    }
    cr_assert_gt(strangers, 0);
    for (uint64_t samples = 0; samples <= 100; samples += 100) {
        cflr_verify_report report = verify(&w, samples);
        cr_assert_eq(report.underivable, strangers);
        cr_assert_gt(report.missing, 0); /* R */
        cr_assert_str_not_empty(report.first_failure);
    }
    world_end(&w);
}

Test(verify, another_graph_is_refused) {
    world w;
    solved_world(&w);
    cflr_graph *kept = w.graph;
    cflr_verify_report report;
    cflr_error error;
    world_graph(&w, "0 1 e");
    MUST_FAIL(cflr_verify(w.graph, w.grammar, w.result, 0, &report, &error), CFLR_ARGUMENT);
    cflr_graph_free(w.graph);
    w.graph = kept;
    world_end(&w);
}

/* What is incomplete is only checked for derivability: it may lack pairs, and whole relations, from
 * which others were derived. */
Test(verify, partial_results_may_lack_pairs) {
    world w;
    world_begin(&w, 1);
    world_graph(&w, "0 1 e; 1 2 e; 2 3 e");
    world_grammar(&w, "S ::= Q e\nQ ::= e | Q e\n");
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    cflri_relation *q = relation_of(&w, "Q"), *s = relation_of(&w, "S");
    cflri_relation kept = *q;
    w.result->stats.complete = false;
    take_pair(s, 0);
    *q = (cflri_relation){0};
    for (uint64_t samples = 0; samples <= 200; samples += 200) {
        cflr_verify_report report = verify(&w, samples);
        cr_assert_gt(report.pairs_checked, 0);
        cr_assert_eq(report.missing, 0, "%s", report.first_failure);
        cr_assert_eq(report.underivable, 0, "%s", report.first_failure);
    }
    cr_assert_eq(s->target[1], 3); /* S(1,3) becomes S(1,0) */
    s->target[1] = 0;
    cr_assert_eq(verify(&w, 0).underivable, 1);
    *q = kept;
    cr_assert_eq(verify(&w, 0).underivable, 1);
    /* without the reference it is not known that Q was left out nowhere; edges are known */
    cflr_verify_report report = verify(&w, 500);
    cr_assert_eq(report.underivable, 0);
    cr_assert_gt(report.unsettled, 0);
    uint32_t wrong[] = {3, 2, 3}; /* the graph keeps its own */
    relation_of(&w, "e")->target = wrong;
    cr_assert_gt(verify(&w, 500).underivable, 0);
    world_end(&w);
}

static cflri_verdict verdict_of(cflri_deriver *deriver, cflri_goal goal) {
    cflri_verdict verdict;
    cflr_error error;
    uint64_t allowance = 1 << 20;
    MUST(cflri_derive(deriver, goal, &allowance, &verdict, &error));
    cr_assert_leq(allowance, 1 << 20);
    return verdict;
}

/* P(0, n-1) has one derivation, of n-1 edges in a row: the search has to go that deep, and through
 * all that leads up to it when there is none. */
Test(verify, proves_deep_derivations) {
    enum { VERTICES = 1501 };
    world w;
    cflr_error error;
    cflri_ground *ground;
    cflri_deriver *deriver;
    const cflri_relation **input, *have[2];
    world_begin(&w, 1);
    world_chain(&w, VERTICES);
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    MUST(cflri_ground_new(w.grammar, w.graph, &ground, &error));
    MUST(cflri_problem_inputs(w.graph, ground, &input, &error));
    cr_assert_eq(ground->n_symbols, 2);
    uint32_t p = input[0] ? 1 : 0;
    have[p] = relation_of(&w, "P");
    have[1 - p] = relation_of(&w, "e");
    MUST(cflri_deriver_new(ground, have, input, NULL, true, &deriver, &error));
    cr_assert_eq(verdict_of(deriver, (cflri_goal){p, 0, VERTICES - 1}), CFLRI_DERIVABLE);
    cr_assert_eq(verdict_of(deriver, (cflri_goal){p, 7, 7}), CFLRI_UNDERIVABLE);
    cr_assert_eq(verdict_of(deriver, (cflri_goal){p, VERTICES - 1, 0}), CFLRI_UNDERIVABLE);

    /* without the first edge nothing supports the pairs of vertex 0, though they support each other
     */
    cflri_relation cut = *input[1 - p];
    const cflri_relation *cut_input[2] = {NULL, NULL};
    cut.row++;
    cut.start++;
    cut.n_rows--;
    cut_input[1 - p] = &cut;
    cflri_deriver_free(deriver);
    MUST(cflri_deriver_new(ground, have, cut_input, NULL, true, &deriver, &error));
    cr_assert_eq(verdict_of(deriver, (cflri_goal){p, 0, 1000}), CFLRI_UNDERIVABLE);
    cr_assert_eq(verdict_of(deriver, (cflri_goal){p, 1, 1000}), CFLRI_DERIVABLE);
    cflri_deriver_free(deriver);
    cflri_free(w.context, (void *)input);
    cflri_ground_free(ground);
    world_end(&w);
}

/* u --c[i]--> m --d[i]--> v for tens of thousands of i: V has as many rules, u and m as many rows.
 */
Test(verify, many_indexes_are_cheap) {
    enum { INDEXES = 30000, HUBS = 4 };
    world w;
    cflr_error error;
    cflr_graph_builder *builder;
    world_begin(&w, 1);
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    for (uint32_t i = 0; i < INDEXES; i++) {
        char index[16];
        uint32_t c, d, hub = i % HUBS;
        snprintf(index, sizeof index, "%u", i);
        MUST(cflr_graph_builder_label(builder, "c", index, &c, &error));
        MUST(cflr_graph_builder_label(builder, "d", index, &d, &error));
        MUST(cflr_graph_builder_edge(builder, hub, HUBS + i, c, &error));
        MUST(cflr_graph_builder_edge(builder, HUBS + i, hub + 1, d, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_grammar(&w, "V ::= C[i] d[i] | V V\nC[i] ::= c[i]\n");
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    cr_assert_eq(pairs_of(w.result, "V"), HUBS * (HUBS + 1) / 2);
    cr_assert_eq(pairs_of(w.result, "C"), INDEXES);
    double begin = cflri_now();
    cflr_verify_report report = verify(&w, 20000);
    cr_assert_lt(cflri_now() - begin, 30, "rules are tried one by one");
    cr_assert_eq(report.pairs_checked, 20000);
    cr_assert_eq(report.missing + report.underivable, 0, "%s", report.first_failure);
    world_end(&w);
}

/* Chains whose pairs have as many last steps as they are long, each pair proven through other pairs
 * only: nearly all are settled, soon. Numbers are mixed, so that no
 * order of them leads the search. */
Test(verify, many_middles_are_cheap) {
    static const char *const grammars[] = {"P ::= e | P P\n", "P ::= e | P e\n", "P ::= e | e P\n",
                                           "P ::= Q | P P\nQ ::= R R | e\nR ::= e\n"};
    enum { CHAINS = 60, LENGTH = 200, VERTICES = CHAINS * LENGTH, MIX = 7919 };
    for (size_t g = 0; g < sizeof grammars / sizeof *grammars; g++) {
        world w;
        cflr_error error;
        cflr_graph_builder *builder;
        uint32_t e;
        world_begin(&w, 1);
        MUST(cflr_graph_builder_new(w.context, &builder, &error));
        MUST(cflr_graph_builder_label(builder, "e", NULL, &e, &error));
        for (uint64_t v = 0; v + 1 < VERTICES; v++) {
            if ((v + 1) % LENGTH == 0) continue;
            uint32_t from = (uint32_t)(v * MIX % VERTICES), to = (from + MIX) % VERTICES;
            MUST(cflr_graph_builder_edge(builder, from, to, e, &error));
        }
        MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
        world_grammar(&w, grammars[g]);
        world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
        cr_assert_eq(pairs_of(w.result, "P"), CHAINS * LENGTH * (LENGTH - 1) / 2);
        clock_t begin = clock();
        cflr_verify_report report = verify(&w, 300);
        double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
        cr_assert_lt(seconds, 20, "%s: %g s", grammars[g], seconds);
        cr_assert_eq(report.missing + report.underivable, 0, "%s", report.first_failure);
        cr_assert_lt(report.unsettled, 10, "%s: %" PRIu64 " unsettled", grammars[g],
                     report.unsettled);
        world_end(&w);
    }
}

/* Derivations longer than any bound, against the order in which truth is carried forward: such a
 * sample is unsettled, neither proven nor refuted. */
Test(verify, what_is_not_settled_is_counted) {
    enum { LENGTH = 400000 };
    world w;
    world_begin(&w, 1);
    world_grammar(&w, "R ::= s | R e\n");
    cflr_error error;
    cflr_graph_builder *builder;
    uint32_t e, s;
    MUST(cflr_graph_builder_new(w.context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "e", NULL, &e, &error));
    MUST(cflr_graph_builder_label(builder, "s", NULL, &s, &error));
    MUST(cflr_graph_builder_edge(builder, LENGTH, LENGTH - 1, s, &error));
    for (uint32_t v = LENGTH - 1; v > 0; v--) {
        MUST(cflr_graph_builder_edge(builder, v, v - 1, e, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &w.graph, &error));
    world_solve(&w, CFLR_MODEL_EDGE_INDEXED);
    cflr_verify_report report = verify(&w, 100);
    cr_assert_gt(report.unsettled, 10);
    cr_assert_lt(report.unsettled, 100);
    cr_assert_eq(report.missing + report.underivable, 0, "%s", report.first_failure);
    world_end(&w);
}

/* The time limit counts anew for a verification, so what it cut short is checked; a cancellation
 * stays. */
Test(verify, has_its_own_clock) {
    world w;
    cflr_error error;
    cflr_verify_report report;
    world_begin(&w, 1);
    world_chain(&w, 4000);
    w.context->opts.time_limit = 1e-9;
    cr_assert_eq(world_try(&w, CFLR_MODEL_EDGE_INDEXED, &error), CFLR_LIMIT);
    cr_assert_not_null(w.result);
    w.context->opts.time_limit = 60;
    cr_assert(w.context->out_of_time);
    report = verify(&w, 50);
    cr_assert_eq(report.underivable, 0, "%s", report.first_failure);
    cr_assert_gt(report.pairs_checked, 0);
    cr_assert(w.context->out_of_time, "the limit was lifted");
    w.context->opts.time_limit = 1e-9;
    MUST_FAIL(cflr_verify(w.graph, w.grammar, w.result, 50, &report, &error), CFLR_LIMIT);
    w.context->opts.time_limit = 60;
    cflr_context_cancel(w.context);
    MUST_FAIL(cflr_verify(w.graph, w.grammar, w.result, 50, &report, &error), CFLR_CANCELLED);
    world_end(&w);
}

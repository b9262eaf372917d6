/* SPDX-License-Identifier: Apache-2.0
 *
 * test_verify.c: verification accepts what is right and notices what is wrong: a pair taken away, a
 * pair put in, false pairs that support each other.
 */
#include "support.h"

#include "engine/result.h"

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

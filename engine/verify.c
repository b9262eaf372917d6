/* SPDX-License-Identifier: Apache-2.0
 *
 * verify.c: is a result the closure of its graph under its grammar?
 *
 * A small problem is solved again by the reference solver and compared pair by pair. A large one is
 * checked on samples, drawn evenly over all pairs with a fixed seed:
 *
 *   closure        every rule is applied to the sampled pair and its right-hand partners; each
 *                  conclusion must be in the result
 *   derivability   the sampled pair must have a derivation from the input (derive.c)
 *
 * Sampling the left partner of each join suffices: every pair of partners has a left one. Cost:
 * samples x (partners, bounded) x log rows.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "engine/derive.h"
#include "engine/result.h"

enum {
    DEFAULT_SAMPLES = 2000,
    PARTNERS = 256,            /* of one sampled pair and rule */
    REFERENCE_VERTICES = 3000, /* the reference solver is for problems below these sizes */
    REFERENCE_PAIRS = 2000000,
};

typedef struct checker {
    cflr_context *context;
    const cflri_ground *ground;
    const cflr_graph *graph;
    const cflri_relation **have; /* ground symbol -> relation of the result; empty, never NULL */
    cflr_verify_report *report;
} checker;

static const cflri_relation empty_relation;

/* ---- words for the first failure ---- */

static void note_failure(const checker *c, const char *what, uint32_t symbol, uint32_t source,
                         uint32_t target) {
    char *text = c->report->first_failure;
    if (text[0]) return;
    const cflri_ground_symbol *ground = &c->ground->symbol[symbol];
    const char *name = c->ground->grammar->symbol[ground->symbol].name;
    const char *index = cflri_string(&c->graph->strings, ground->index);
    snprintf(text, sizeof c->report->first_failure, "%s: %.80s%s%.40s%s(%" PRIu32 ", %" PRIu32 ")",
             what, name, index[0] ? "[" : "", index, index[0] ? "]" : "", source, target);
}

static void expect(const checker *c, uint32_t symbol, uint32_t source, uint32_t target) {
    c->report->joins_checked++;
    if (cflri_relation_has(c->have[symbol], source, target)) return;
    c->report->missing++;
    note_failure(c, "missing", symbol, source, target);
}

/* ---- by reference ---- */

static void count_missing(const checker *c, uint32_t symbol, const cflri_relation *from,
                          const cflri_relation *in, bool missing) {
    for (uint32_t r = 0; r < from->n_rows; r++) {
        for (uint64_t i = from->start[r]; i < from->start[r + 1]; i++) {
            if (missing) c->report->pairs_checked++;
            if (cflri_relation_has(in, from->row[r], from->target[i])) continue;
            *(missing ? &c->report->missing : &c->report->underivable) += 1;
            note_failure(c, missing ? "missing" : "not derivable", symbol, from->row[r],
                         from->target[i]);
        }
    }
}

static cflr_status check_by_reference(const checker *c, const cflri_relation *const *input,
                                      bool complete, cflr_error *error) {
    cflri_problem problem = {.context = c->context,
                             .n_vertices = c->graph->n_vertices,
                             .ground = c->ground,
                             .input = input,
                             .threads = 1};
    cflri_closure closure = {0};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_solver_find(CFLR_MODEL_NAIVE)->solve(&problem, &closure, error));
    c->report->by_reference = true;
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        if (complete) count_missing(c, s, &closure.relation[s], c->have[s], true);
        count_missing(c, s, c->have[s], &closure.relation[s], false);
    }
out:
    cflri_closure_free(c->context, &closure);
    return st;
}

/* ---- by samples ---- */

/* splitmix64: a fixed sequence, so that a check can be repeated. */
static uint64_t next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

typedef struct sampled_pair {
    uint32_t symbol, source, target;
} sampled_pair;

/* The pair with this number, counting through all relations of the result. */
static sampled_pair pair_number(const checker *c, uint64_t number) {
    uint32_t s = 0;
    while (number >= c->have[s]->n_pairs) number -= c->have[s++]->n_pairs;
    const cflri_relation *relation = c->have[s];
    uint32_t low = 0, high = relation->n_rows;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (relation->start[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return (sampled_pair){s, relation->row[low], relation->target[number]};
}

/* B(u,v): for every A ::= B C and a spread of the pairs C(v,w), A(u,w) must be there. */
static void expect_joins(const checker *c, sampled_pair b) {
    const cflri_join_index *by_left = &c->ground->by_left;
    for (uint32_t j = by_left->start[b.symbol]; j < by_left->start[b.symbol + 1]; j++) {
        const cflri_join *join = &by_left->join[j];
        uint64_t count;
        const uint32_t *row = cflri_relation_row(c->have[join->partner], b.target, &count);
        uint64_t step = count / PARTNERS + 1;
        for (uint64_t i = 0; i < count; i += step) expect(c, join->left, b.source, row[i]);
    }
}

static void expect_conclusions(const checker *c, sampled_pair b) {
    const cflri_join_index *unary = &c->ground->by_unary, *converse = &c->ground->by_converse;
    for (uint32_t j = unary->start[b.symbol]; j < unary->start[b.symbol + 1]; j++) {
        expect(c, unary->join[j].left, b.source, b.target);
    }
    for (uint32_t j = converse->start[b.symbol]; j < converse->start[b.symbol + 1]; j++) {
        expect(c, converse->join[j].left, b.target, b.source);
    }
    expect_joins(c, b);
}

/* The axioms: input edges and epsilon rules, sampled too. */
static void expect_axioms(const checker *c, const cflri_relation *const *input, uint64_t samples,
                          uint64_t *random) {
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        if (!input[s] || input[s]->n_pairs == 0) continue;
        uint64_t step = input[s]->n_pairs / samples + 1;
        for (uint32_t r = 0; r < input[s]->n_rows; r++) {
            uint64_t first = (input[s]->start[r] + step - 1) / step * step;
            for (uint64_t i = first; i < input[s]->start[r + 1]; i += step) {
                expect(c, s, input[s]->row[r], input[s]->target[i]);
            }
        }
    }
    if (c->graph->n_vertices == 0) return;
    for (uint32_t e = 0; e < c->ground->n_epsilon; e++) {
        for (uint64_t i = 0; i < samples; i++) {
            uint32_t v = (uint32_t)(next_random(random) % c->graph->n_vertices);
            expect(c, c->ground->epsilon[e], v, v);
        }
    }
}

static cflr_status check_samples(const checker *c, const cflri_relation *const *input,
                                 uint64_t samples, bool complete, cflr_error *error) {
    uint64_t total = 0, random = 20;
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) total += c->have[s]->n_pairs;
    if (complete) expect_axioms(c, input, samples, &random);
    for (uint64_t i = 0; i < samples && total > 0; i++) {
        sampled_pair pair = pair_number(c, next_random(&random) % total);
        c->report->pairs_checked++;
        if (complete) expect_conclusions(c, pair);
        bool derivable;
        cflri_goal goal = {pair.symbol, pair.source, pair.target};
        CFLR_TRY(cflri_derive(c->context, c->ground, c->have, input, goal, &derivable, error));
        if (!derivable) {
            c->report->underivable++;
            note_failure(c, "not derivable", pair.symbol, pair.source, pair.target);
        }
        st = cflri_tick(c->context, "verify", i, samples);
        if (st != CFLR_OK) {
            cflri_fail_interrupted(c->context, st, error);
            goto out;
        }
    }
out:
    return st;
}

/* ---- the entry ---- */

/* Finds the relation of each ground symbol by name and index. */
static cflr_status find_relations(checker *c, const cflr_result *result, cflr_error *error) {
    c->have = cflri_alloc_array_zero(c->context, (size_t)c->ground->n_symbols + 1, sizeof *c->have);
    if (!c->have) return cflri_fail_memory(c->context, error);
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        const cflri_ground_symbol *symbol = &c->ground->symbol[s];
        const char *name = c->ground->grammar->symbol[symbol->symbol].name;
        const char *index = cflri_string(&c->graph->strings, symbol->index);
        const cflri_relation *relation = cflri_result_instance(result, name, index);
        c->have[s] = relation ? relation : &empty_relation;
    }
    return CFLR_OK;
}

cflr_status cflr_verify(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_result *result, uint64_t samples, cflr_verify_report *report,
                        cflr_error *error) {
    cflr_context *context = graph->context;
    checker c = {.context = context, .graph = graph, .report = report};
    cflri_ground *ground = NULL;
    const cflri_relation **input = NULL;
    cflr_status st = CFLR_OK;
    *report = (cflr_verify_report){0};
    if (result->graph->n_vertices != graph->n_vertices) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result is of another graph");
    }
    CFLR_TRY(cflri_ground_new(grammar, graph, &ground, error));
    c.ground = ground;
    CFLR_TRY(cflri_problem_inputs(graph, ground, &input, error));
    CFLR_TRY(find_relations(&c, result, error));
    bool small = graph->n_vertices <= REFERENCE_VERTICES && result->stats.pairs <= REFERENCE_PAIRS;
    bool complete = result->stats.complete;
    if (small && samples == 0) {
        CFLR_TRY(check_by_reference(&c, input, complete, error));
    } else {
        uint64_t wanted = samples ? samples : DEFAULT_SAMPLES;
        CFLR_TRY(check_samples(&c, input, wanted, complete, error));
    }
out:
    cflri_free(context, (void *)c.have);
    cflri_free(context, (void *)input);
    cflri_ground_free(ground);
    return st;
}

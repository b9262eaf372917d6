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
 * Sampling the left partner of each join suffices: every pair of partners has a left one.
 *
 * Cost: samples x (joins of a symbol x PARTNERS + LOOKUPS + LOOKUPS_AHEAD) look-ups at most. A
 * search for a derivation that takes few look-ups leaves the rest to those that come after it; a
 * pair that was neither proven nor refuted within its share is counted as unsettled.
 *
 * The answers to a question leave out most of what they follow from, so samples would say little:
 * they are compared with the whole closure, which the edge-indexed model makes where the problem is
 * not small.
 *
 * Graph and result may come from different files, so symbols meet by their names and indexes; a
 * relation that the grammar has no symbol for is wrong as a whole.
 *
 * The time limit of the context counts anew for a verification: a result that the limit cut short
 * can still be checked.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"
#include "engine/derivations/derive.h"
#include "engine/results/result.h"
#include "engine/solvers.h"

enum {
    DEFAULT_SAMPLES = 2000,
    PARTNERS = 256,            /* of one sampled pair and rule */
    LOOKUPS = 1 << 14,         /* of the search for one derivation, on average */
    LOOKUPS_AHEAD = 1 << 15,   /* for each sample, before the first search */
    REFERENCE_VERTICES = 3000, /* the reference solver is for problems below these sizes */
    REFERENCE_PAIRS = 2000000,
};

typedef struct checker {
    cflr_context *context;
    const cflri_ground *ground;
    const cflr_graph *graph;
    const cflri_relation **have;  /* ground symbol -> relation of the result; empty, never NULL */
    const cflri_relation **input; /* ground symbol -> edges of the graph, or NULL */
    cflri_filters filters;
    uint64_t *first;                /* ground symbol -> pairs of those before it; n_symbols + 1 */
    bool *known;                    /* ground symbol -> whether the result says anything of it */
    bool knows_all;                 /* the symbols of the grammar */
    const cflri_question *question; /* the pairs that the result is about */
    cflr_verify_report *report;
    cflr_row row; /* of a relation */
    cflri_failure failure;
} checker;

/* ---- words for the first failure ---- */

static void describe_failure(const checker *c, const char *what, const char *name,
                             const char *index, const uint32_t pair[2]) {
    char *text = c->report->first_failure;
    if (text[0]) return;
    snprintf(text, sizeof c->report->first_failure, "%s: %.80s%s%.40s%s(%" PRIu32 ", %" PRIu32 ")",
             what, name, index[0] ? "[" : "", index, index[0] ? "]" : "", pair[0], pair[1]);
}

static const char *name_of(const checker *c, uint32_t symbol) {
    return c->ground->grammar->symbol[c->ground->symbol[symbol].symbol].name;
}

static void note_failure(const checker *c, const char *what, uint32_t symbol, uint32_t source,
                         uint32_t target) {
    const uint32_t pair[2] = {source, target};
    describe_failure(c, what, name_of(c, symbol), cflri_ground_index_text(c->ground, symbol), pair);
}

static void expect(checker *c, uint32_t symbol, uint32_t source, uint32_t target) {
    if (!c->known[symbol]) return;
    if (!cflri_filters_keep(&c->filters, symbol, source, target)) return;
    c->report->joins_checked++;
    if (cflri_relation_has(c->have[symbol], source, target, &c->failure)) return;
    c->report->missing++;
    note_failure(c, "missing", symbol, source, target);
}

/* ---- by reference ---- */

/* Counts the pairs of `of` that `in` lacks though they were asked for, and notes them. */
static cflr_status count_lacking(checker *c, uint32_t symbol, const cflri_relation *of,
                                 const cflri_relation *in, const char *what, uint64_t *lacking,
                                 cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t r = 0; r < of->n_rows; r++) {
        CFLR_TRY(cflri_relation_read(c->context, of, r, &c->row, error));
        for (uint64_t i = 0; i < c->row.count; i++) {
            uint32_t target = c->row.target[i];
            if (cflri_relation_has(in, of->row[r], target, &c->failure)) continue;
            if (!cflri_question_asks(c->question, of->row[r], target)) continue;
            note_failure(c, what, symbol, of->row[r], target);
            ++*lacking;
        }
    }
out:
    return st;
}

static cflr_status check_by_reference(checker *c, cflr_model reference, bool complete,
                                      cflr_error *error) {
    cflri_problem problem = {.context = c->context,
                             .n_vertices = c->graph->n_vertices,
                             .ground = c->ground,
                             .input = c->input,
                             .filters = &c->filters,
                             .threads = 1};
    cflri_closure closure = {0};
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_solver_find(reference)->solve(&problem, &closure, error));
    c->report->by_reference = true;
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        const cflri_relation *right = &closure.relation[s], *have = c->have[s];
        if (!c->known[s]) continue;
        uint64_t missing = 0, underivable = 0;
        if (complete) CFLR_TRY(count_lacking(c, s, right, have, "missing", &missing, error));
        CFLR_TRY(count_lacking(c, s, have, right, "not derivable", &underivable, error));
        c->report->missing += missing;
        c->report->underivable += underivable;
        c->report->pairs_checked += have->n_pairs + missing;
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

/* The place i < n with start[i] <= number < start[i + 1]; `start` ascends. */
static uint32_t place_of(const uint64_t *start, uint32_t n, uint64_t number) {
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (start[middle] <= number) {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert(start[low] <= number && number < start[low + 1]);
    return low;
}

/* The pair with this number, counting through all relations of the result. */
static cflr_status pair_number(checker *c, uint64_t number, sampled_pair *pair, cflr_error *error) {
    uint32_t symbol = place_of(c->first, c->ground->n_symbols, number);
    const cflri_relation *relation = c->have[symbol];
    uint64_t at = number - c->first[symbol];
    uint32_t r = place_of(relation->start, relation->n_rows, at);
    cflr_status st = cflri_relation_read(c->context, relation, r, &c->row, error);
    if (st != CFLR_OK) return st;
    uint32_t target = c->row.target[at - relation->start[r]];
    *pair = (sampled_pair){symbol, relation->row[r], target};
    return CFLR_OK;
}

/* B(u,v): for every A ::= B C and a spread of the pairs C(v,w), A(u,w) must be there. */
static cflr_status expect_joins(checker *c, sampled_pair b, cflr_error *error) {
    const cflri_join_index *by_left = &c->ground->by_left;
    cflr_status st = CFLR_OK;
    for (uint32_t j = by_left->start[b.symbol]; j < by_left->start[b.symbol + 1]; j++) {
        const cflri_join *join = &by_left->join[j];
        CFLR_TRY(
            cflri_relation_read_row(c->context, c->have[join->partner], b.target, &c->row, error));
        uint64_t step = c->row.count / PARTNERS + 1;
        for (uint64_t i = 0; i < c->row.count; i += step)
            expect(c, join->left, b.source, c->row.target[i]);
    }
out:
    return st;
}

static cflr_status expect_conclusions(checker *c, sampled_pair b, cflr_error *error) {
    const cflri_join_index *unary = &c->ground->by_unary, *converse = &c->ground->by_converse;
    for (uint32_t j = unary->start[b.symbol]; j < unary->start[b.symbol + 1]; j++) {
        expect(c, unary->join[j].left, b.source, b.target);
    }
    for (uint32_t j = converse->start[b.symbol]; j < converse->start[b.symbol + 1]; j++) {
        expect(c, converse->join[j].left, b.target, b.source);
    }
    return expect_joins(c, b, error);
}

/* Input edges, about `samples` of each symbol. */
static void expect_inputs(checker *c, uint64_t samples) {
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        const cflri_relation *input = c->input[s];
        if (!input || input->n_pairs == 0) continue;
        uint64_t step = input->n_pairs / samples + 1;
        for (uint32_t r = 0; r < input->n_rows; r++) {
            uint64_t first = (input->start[r] + step - 1) / step * step;
            for (uint64_t i = first; i < input->start[r + 1]; i += step) {
                expect(c, s, input->row[r], input->target[i]);
            }
        }
    }
}

/* Reflexive pairs of epsilon rules, at most `samples` of each symbol. */
static void expect_reflexive(checker *c, uint64_t samples, uint64_t *random) {
    uint32_t n = c->graph->n_vertices;
    for (uint32_t e = 0; e < c->ground->n_epsilon; e++) {
        for (uint64_t i = 0; i < samples && i < n; i++) {
            uint32_t v = samples < n ? (uint32_t)(next_random(random) % n) : (uint32_t)i;
            expect(c, c->ground->epsilon[e], v, v);
        }
    }
}

static cflr_status check_derivation(const checker *c, cflri_deriver *deriver, sampled_pair pair,
                                    uint64_t *allowance, cflr_error *error) {
    cflri_verdict verdict;
    cflri_goal goal = {pair.symbol, pair.source, pair.target};
    cflr_status st = cflri_derive(deriver, goal, allowance, &verdict, error);
    if (st != CFLR_OK) return st;
    if (verdict == CFLRI_UNSETTLED) c->report->unsettled++;
    if (verdict == CFLRI_UNDERIVABLE) {
        c->report->underivable++;
        note_failure(c, "not derivable", pair.symbol, pair.source, pair.target);
    }
    return CFLR_OK;
}

static cflr_status check_samples(checker *c, uint64_t samples, bool complete, cflr_error *error) {
    uint64_t total = c->first[c->ground->n_symbols], random = 20, left_over = 0;
    cflri_deriver *deriver;
    bool all = complete && c->knows_all;
    cflr_status st =
        cflri_deriver_new(c->ground, c->have, c->input, &c->filters, all, &deriver, error);
    uint64_t ahead = samples < UINT32_MAX ? LOOKUPS_AHEAD * samples : UINT64_MAX;
    if (st == CFLR_OK) st = cflri_derive_ahead(deriver, ahead, error);
    if (st == CFLR_OK && complete) {
        expect_inputs(c, samples);
        expect_reflexive(c, samples, &random);
    }
    for (uint64_t i = 0; st == CFLR_OK && i < samples && total > 0; i++) {
        sampled_pair pair;
        CFLR_TRY(pair_number(c, next_random(&random) % total, &pair, error));
        uint64_t share = left_over / (samples - i), allowance = LOOKUPS + share;
        c->report->pairs_checked++;
        if (complete) CFLR_TRY(expect_conclusions(c, pair, error));
        CFLR_TRY(check_derivation(c, deriver, pair, &allowance, error));
        left_over += allowance - share;
        st = cflri_tick(c->context, "verify", i, samples);
        if (st != CFLR_OK) cflri_fail_interrupted(c->context, st, error);
    }
out:
    cflri_deriver_free(deriver);
    return st;
}

/* ---- the entry ---- */

/* Pairs of a relation that no symbol of the grammar has: nothing derives them. */
static cflr_status refuse_instance(checker *c, const cflr_result *result, uint32_t label,
                                   uint32_t instance, cflr_error *error) {
    const cflri_relation *relation = &result->instance[instance];
    cflr_status st = cflri_relation_read(c->context, relation, 0, &c->row, error);
    if (st != CFLR_OK) return st;
    const uint32_t pair[2] = {relation->row[0], c->row.target[0]};
    c->report->underivable += relation->n_pairs;
    describe_failure(c, "not derivable", cflri_string(&result->strings, result->label[label].name),
                     cflri_string(&result->strings, result->instance_index[instance]), pair);
    return CFLR_OK;
}

static cflr_status refuse_strangers(checker *c, const cflr_result *result, bool *claimed,
                                    cflr_error *error) {
    cflr_status st = CFLR_OK;
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        if (c->have[s] != &cflri_no_pairs) claimed[c->have[s] - result->instance] = true;
    }
    for (uint32_t label = 0; label < result->n_labels; label++) {
        const cflri_result_label *record = &result->label[label];
        for (uint32_t i = 0; i < record->n_instances; i++) {
            uint32_t instance = record->first_instance + i;
            if (!claimed[instance]) CFLR_TRY(refuse_instance(c, result, label, instance, error));
        }
    }
out:
    return st;
}

/* What the result says nothing of is unknown, but where it says that it holds all symbols. */
static void note_unknown(checker *c, const cflr_result *result) {
    c->knows_all = true;
    for (uint32_t s = 0; s < c->ground->n_symbols; s++) {
        c->known[s] = c->have[s] || !result->restricted;
        c->knows_all &= c->known[s];
        if (!c->have[s]) c->have[s] = &cflri_no_pairs;
    }
}

/* O(symbols + instances + strings of the result). */
static cflr_status find_relations(checker *c, const cflr_result *result, cflr_error *error) {
    cflr_status st = CFLR_OK;
    uint32_t n_symbols = c->ground->n_symbols;
    bool *claimed = cflri_alloc_array_zero(c->context, result->n_instances, sizeof *claimed);
    c->have = cflri_alloc_array(c->context, n_symbols, sizeof *c->have);
    c->first = cflri_alloc_array(c->context, (size_t)n_symbols + 1, sizeof *c->first);
    c->known = cflri_alloc_array_zero(c->context, n_symbols, sizeof *c->known);
    if (!claimed || !c->have || !c->first || !c->known) {
        st = cflri_fail_memory(c->context, error);
        goto out;
    }
    CFLR_TRY(cflri_result_match(result, c->ground, c->have, error));
    note_unknown(c, result);
    CFLR_TRY(refuse_strangers(c, result, claimed, error));
    for (uint32_t s = 0; s < n_symbols; s++) { /* edges are known whatever was asked for */
        if (!c->known[s] && c->input[s]) c->have[s] = c->input[s];
    }
    c->first[0] = 0;
    for (uint32_t s = 0; s < n_symbols; s++) c->first[s + 1] = c->first[s] + c->have[s]->n_pairs;
out:
    cflri_free(c->context, claimed);
    return st;
}

static cflr_status check(checker *c, const cflr_grammar *grammar, const cflr_result *result,
                         uint64_t samples, cflr_error *error) {
    cflri_ground *ground = NULL;
    cflr_status st = CFLR_OK;
    CFLR_TRY(cflri_ground_new(grammar, c->graph, &ground, error));
    c->ground = ground;
    CFLR_TRY(cflri_problem_inputs(c->graph, ground, &c->input, error));
    CFLR_TRY(cflri_filters_make(ground, &c->filters, error));
    CFLR_TRY(find_relations(c, result, error));
    bool small =
        c->graph->n_vertices <= REFERENCE_VERTICES && result->stats.pairs <= REFERENCE_PAIRS;
    bool complete = result->stats.complete, asked = !cflri_question_is_all(&result->question);
    c->question = &result->question;
    if (small && (asked || samples == 0)) {
        CFLR_TRY(check_by_reference(c, CFLR_MODEL_NAIVE, complete, error));
    } else if (asked) {
        CFLR_TRY(check_by_reference(c, CFLR_MODEL_EDGE_INDEXED, complete, error));
    } else {
        CFLR_TRY(check_samples(c, samples ? samples : DEFAULT_SAMPLES, complete, error));
    }
    st = cflri_tell_failure(&c->failure, error);
out:
    cflr_row_free(&c->row);
    cflri_free(c->context, (void *)c->have);
    cflri_free(c->context, c->known);
    cflri_filters_free(&c->filters);
    cflri_free(c->context, (void *)c->input);
    cflri_free(c->context, c->first);
    cflri_ground_free(ground);
    return st;
}

cflr_status cflr_verify_sized(const cflr_graph *graph, const cflr_grammar *grammar,
                              const cflr_result *result, uint64_t samples,
                              cflr_verify_report *report, size_t struct_size, cflr_error *error) {
    cflr_context *context = graph->context;
    cflr_verify_report made = {0};
    checker c = {.context = context, .graph = graph, .report = &made};
    CFLRI_GIVE(report, struct_size, made);
    if (result->graph->n_vertices != graph->n_vertices) {
        return cflri_fail(error, CFLR_ARGUMENT, NULL, "the result is of another graph");
    }
    cflri_clock clock = cflri_clock_anew(context);
    cflr_status st = check(&c, grammar, result, samples, error);
    cflri_clock_back(context, clock);
    CFLRI_GIVE(report, struct_size, made);
    return st;
}

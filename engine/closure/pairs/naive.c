/* SPDX-License-Identifier: Apache-2.0
 *
 * naive.c: the reference solver: apply every rule to everything until nothing changes.
 *
 * It is meant to be obviously right, not fast, and shares nothing with the other solvers but sorted
 * relations: it reads the plain list of rules, none of the right-hand-side indexes, keeps no
 * worklist, knows no old and new, and does every join again in every round.
 *
 *     have[A] = input[A]                       for every symbol A
 *     have[A] += { (v,v) }                     for every A ::= eps
 *     repeat until no have[A] grew:
 *         for every rule with left side A:
 *             have[A] += conclusions of the rule from the relations as they are
 *
 * A rule's conclusions are gathered in one array and united with the old pairs by sorting. An array
 * that outgrows a bound is sorted early to drop what it holds twice. Each round costs a full
 * evaluation of every rule, and there are at most as many rounds as the longest derivation is deep.
 */
#include "base/context.h"
#include "base/vec.h"
#include "engine/closure/pairs/pairs.h"

enum { GATHER_FIRST = 1 << 20 }; /* conclusions gathered before the first early sort */

typedef struct reference {
    const cflri_problem *problem;
    cflri_relation *have; /* one a symbol */
    CFLRI_VEC(uint64_t) found;
    size_t sort_at; /* found is sorted when it holds this many */
    uint64_t pairs;
    uint64_t rounds;
    uint64_t derivations;
    cflr_error *error;
} reference;

/* Gathers the pairs of a relation. */
static cflr_status find_all(reference *ref, const cflri_relation *relation) {
    cflr_context *context = ref->problem->context;
    if (!cflri_vec_reserve(context, &ref->found, relation->n_pairs)) {
        return cflri_fail_memory(context, ref->error);
    }
    for (uint32_t r = 0; r < relation->n_rows; r++) {
        for (uint64_t i = relation->start[r]; i < relation->start[r + 1]; i++) {
            ref->found.at[ref->found.n++] = cflri_pair(relation->row[r], relation->target[i]);
        }
    }
    return CFLR_OK;
}

/* have[symbol] becomes its union with what was found, as far as its filter keeps that; *grew is set
 * when it is more. */
static cflr_status unite(reference *ref, uint32_t symbol, bool *grew) {
    cflr_context *context = ref->problem->context;
    cflri_relation *old = &ref->have[symbol], united;
    cflr_status st = CFLR_OK;
    size_t kept = 0;
    for (size_t i = 0; i < ref->found.n; i++) {
        uint64_t pair = ref->found.at[i];
        uint32_t source = (uint32_t)(pair >> 32), target = (uint32_t)pair;
        if (cflri_problem_keeps(ref->problem, symbol, source, target)) ref->found.at[kept++] = pair;
    }
    ref->found.n = kept;
    if (!kept) return CFLR_OK;
    CFLR_TRY(find_all(ref, old));
    CFLR_TRY(cflri_relation_build(context, ref->found.at, ref->found.n, &united, ref->error));
    ref->pairs += united.n_pairs - old->n_pairs;
    *grew |= united.n_pairs > old->n_pairs;
    cflri_relation_free(context, old);
    *old = united;
out:
    ref->found.n = 0;
    return st;
}

static cflr_status find(reference *ref, uint32_t source, uint32_t target) {
    ref->derivations++;
    if (cflri_vec_push(ref->problem->context, &ref->found, cflri_pair(source, target))) {
        return CFLR_OK;
    }
    return cflri_fail_memory(ref->problem->context, ref->error);
}

/* Drops what the array holds twice. */
static cflr_status compact(reference *ref) {
    uint64_t *at = ref->found.at;
    cflr_status st = cflri_sort_pairs(ref->problem->context, at, ref->found.n, NULL, ref->error);
    if (st != CFLR_OK) return st;
    size_t kept = 0;
    for (size_t i = 0; i < ref->found.n; i++) {
        if (!kept || at[kept - 1] != at[i]) at[kept++] = at[i];
    }
    ref->found.n = kept;
    ref->sort_at = 2 * kept > GATHER_FIRST ? 2 * kept : GATHER_FIRST;
    return CFLR_OK;
}

/* Between two sources of a rule. */
static cflr_status breathe(reference *ref) {
    cflr_context *context = ref->problem->context;
    cflr_status st = cflri_tick(context, "solve", ref->pairs, 0);
    if (st != CFLR_OK) return cflri_fail_interrupted(context, st, ref->error);
    return ref->found.n < ref->sort_at ? CFLR_OK : compact(ref);
}

/* The conclusions of one rule from the pair (source, target) of its first symbol. */
static cflr_status conclude(reference *ref, const cflri_ground_rule *rule, uint32_t source,
                            uint32_t target) {
    const cflr_grammar *grammar = ref->problem->ground->grammar;
    if (grammar->rule[rule->rule].is_converse) return find(ref, target, source);
    if (rule->right[1] == CFLRI_NO_SYMBOL) return find(ref, source, target);
    uint64_t n;
    const uint32_t *row = cflri_relation_row(&ref->have[rule->right[1]], target, &n);
    cflr_status st = CFLR_OK;
    for (uint64_t i = 0; st == CFLR_OK && i < n; i++) st = find(ref, source, row[i]);
    return st;
}

static cflr_status apply_rule(reference *ref, const cflri_ground_rule *rule, bool *grew) {
    cflr_status st = CFLR_OK;
    const cflri_relation *first = &ref->have[rule->right[0]];
    for (uint32_t r = 0; r < first->n_rows; r++) {
        for (uint64_t i = first->start[r]; i < first->start[r + 1]; i++) {
            CFLR_TRY(conclude(ref, rule, first->row[r], first->target[i]));
        }
        CFLR_TRY(breathe(ref));
    }
    CFLR_TRY(unite(ref, rule->left, grew));
out:
    return st;
}

/* The pairs of the graph, and (v,v) for every epsilon rule. */
static cflr_status start(reference *ref) {
    const cflri_problem *problem = ref->problem;
    cflr_status st = CFLR_OK;
    bool grew = false;
    for (uint32_t s = 0; s < problem->ground->n_symbols; s++) {
        const cflri_relation *input = problem->input[s];
        if (input) CFLR_TRY(find_all(ref, input));
        CFLR_TRY(unite(ref, s, &grew));
    }
    for (uint32_t e = 0; e < problem->ground->n_epsilon; e++) {
        for (uint32_t v = 0; v < problem->n_vertices; v++) CFLR_TRY(find(ref, v, v));
        CFLR_TRY(unite(ref, problem->ground->epsilon[e], &grew));
    }
    ref->derivations = 0;
out:
    return st;
}

static cflr_status run(reference *ref) {
    const cflri_ground *ground = ref->problem->ground;
    cflr_status st = CFLR_OK;
    CFLR_TRY(start(ref));
    for (bool grew = true; grew;) {
        grew = false;
        ref->rounds++;
        for (uint32_t r = 0; r < ground->n_rules; r++) {
            CFLR_TRY(apply_rule(ref, &ground->rule[r], &grew));
        }
    }
out:
    return st;
}

cflr_status cflri_solve_naive(const cflri_problem *problem, cflri_closure *closure,
                              cflr_error *error) {
    cflr_context *context = problem->context;
    uint32_t n_symbols = problem->ground->n_symbols;
    reference ref = {.problem = problem, .sort_at = GATHER_FIRST, .error = error};
    *closure = (cflri_closure){0};
    ref.have = cflri_alloc_array_zero(context, (size_t)n_symbols + 1, sizeof *ref.have);
    if (!ref.have) return cflri_fail_memory(context, error);
    cflr_status st = run(&ref);
    cflri_vec_free(context, &ref.found);
    *closure = (cflri_closure){.n_symbols = n_symbols,
                               .relation = ref.have,
                               .rounds = ref.rounds,
                               .derivations = ref.derivations};
    if (st != CFLR_OK && st != CFLR_LIMIT && st != CFLR_CANCELLED) {
        cflri_closure_free(context, closure);
    }
    return st;
}

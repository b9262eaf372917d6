/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.c: a bounded search for a derivation.
 *
 * Going back from the goal, each fact is asked for the rule applications that could conclude it
 * from pairs of the closure; their premises become facts to explain in turn. Then truth runs
 * forward: a fact is proven when it is an input edge or an epsilon pair, or when one of its steps
 * has all its premises proven. Running forward is what refuses circular support: two false pairs
 * that justify each other are never proven.
 *
 *      goal A(u,w)                     facts   0: A(u,w)   1: B(u,v)   2: C(v,w) ...
 *       |-- B(u,v) C(v,w)              steps   0 <- 1 2
 *       `-- B(u,x) C(x,w)                      0 <- 3 4
 *
 * The search grows in rings: a small bound first, which almost every true pair satisfies, then
 * larger ones. A bound cuts the facts and the steps of one fact; when it cut something, not finding
 * a proof shows nothing.
 */
#include "engine/derive.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/vec.h"

enum { SMALLEST_BOUND = 64, LARGEST_BOUND = 1 << 15, NO_FACT = -1 };

typedef struct fact {
    cflri_goal goal;
    bool proven;
} fact;

typedef struct step {
    int32_t conclusion;
    int32_t premise[2]; /* facts; NO_FACT where the rule has fewer */
} step;

typedef struct search {
    cflr_context *context;
    const cflri_ground *ground;
    const cflri_relation *const *have;
    const cflri_relation *const *input;
    size_t bound; /* most facts */
    size_t steps_of_one;
    CFLRI_VEC(fact) facts;
    CFLRI_VEC(step) steps;
    int32_t *table; /* open addressing over facts, 4 * bound slots */
    size_t mask;
    bool cut; /* a bound left something out */
    bool no_memory;
} search;

static size_t hash(cflri_goal goal) {
    uint64_t h = cflri_pair(goal.source, goal.target) * 0x9e3779b97f4a7c15u;
    h ^= (uint64_t)goal.symbol * 0xc2b2ae3d27d4eb4fu;
    return (size_t)(h ^ h >> 29);
}

static bool same(cflri_goal a, cflri_goal b) {
    return a.symbol == b.symbol && a.source == b.source && a.target == b.target;
}

/* The number of a fact, added when it is new and the bound allows; NO_FACT otherwise. */
static int32_t fact_number(search *s, cflri_goal goal) {
    size_t at = hash(goal) & s->mask;
    for (; s->table[at] != NO_FACT; at = (at + 1) & s->mask) {
        if (same(s->facts.at[s->table[at]].goal, goal)) return s->table[at];
    }
    if (s->facts.n >= s->bound) {
        s->cut = true;
        return NO_FACT;
    }
    if (!cflri_vec_push(s->context, &s->facts, (fact){.goal = goal})) {
        s->no_memory = true;
        return NO_FACT;
    }
    s->table[at] = (int32_t)(s->facts.n - 1);
    return s->table[at];
}

static void add_step(search *s, int32_t conclusion, const cflri_goal *premises, int n) {
    step made = {conclusion, {NO_FACT, NO_FACT}};
    for (int i = 0; i < n; i++) {
        made.premise[i] = fact_number(s, premises[i]);
        if (made.premise[i] == NO_FACT) return;
    }
    if (!cflri_vec_push(s->context, &s->steps, made)) s->no_memory = true;
}

static bool is_axiom(const search *s, cflri_goal goal) {
    const cflri_relation *input = s->input[goal.symbol];
    if (input && cflri_relation_has(input, goal.source, goal.target)) return true;
    if (goal.source != goal.target) return false;
    for (uint32_t e = 0; e < s->ground->n_epsilon; e++) {
        if (s->ground->epsilon[e] == goal.symbol) return true;
    }
    return false;
}

/* A(u,w) by A ::= B C: one step for each middle vertex, up to the bound. */
static void explain_binary(search *s, int32_t conclusion, const cflri_ground_rule *rule) {
    cflri_goal goal = s->facts.at[conclusion].goal;
    uint64_t count;
    const uint32_t *row = cflri_relation_row(s->have[rule->right[0]], goal.source, &count);
    size_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!cflri_relation_has(s->have[rule->right[1]], row[i], goal.target)) continue;
        if (found++ == s->steps_of_one) {
            s->cut = true;
            return;
        }
        cflri_goal premises[2] = {{rule->right[0], goal.source, row[i]},
                                  {rule->right[1], row[i], goal.target}};
        add_step(s, conclusion, premises, 2);
    }
}

static void explain_by_rule(search *s, int32_t conclusion, const cflri_ground_rule *rule) {
    cflri_goal goal = s->facts.at[conclusion].goal;
    if (rule->left != goal.symbol) return;
    if (rule->right[1] != CFLRI_NO_SYMBOL) {
        explain_binary(s, conclusion, rule);
        return;
    }
    bool backwards = s->ground->grammar->rule[rule->rule].is_converse;
    cflri_goal premise = {rule->right[0], backwards ? goal.target : goal.source,
                          backwards ? goal.source : goal.target};
    if (cflri_relation_has(s->have[premise.symbol], premise.source, premise.target)) {
        add_step(s, conclusion, &premise, 1);
    }
}

static void explain(search *s, int32_t conclusion) {
    if (is_axiom(s, s->facts.at[conclusion].goal)) {
        s->facts.at[conclusion].proven = true;
        return;
    }
    for (uint32_t r = 0; r < s->ground->n_rules; r++) {
        explain_by_rule(s, conclusion, &s->ground->rule[r]);
    }
}

static bool premise_proven(const search *s, int32_t premise) {
    return premise == NO_FACT || s->facts.at[premise].proven;
}

/* Truth forward until nothing changes; steps point back mostly, so few passes are needed. */
static void prove(search *s) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = s->steps.n; i-- > 0;) {
            const step *candidate = &s->steps.at[i];
            fact *conclusion = &s->facts.at[candidate->conclusion];
            if (conclusion->proven) continue;
            if (!premise_proven(s, candidate->premise[0])) continue;
            if (!premise_proven(s, candidate->premise[1])) continue;
            conclusion->proven = changed = true;
        }
    }
}

static bool begin(search *s, size_t bound) {
    s->bound = bound;
    s->steps_of_one = bound / 16;
    s->facts.n = s->steps.n = 0;
    s->cut = false;
    size_t slots = 4 * bound;
    cflri_free(s->context, s->table);
    s->table = cflri_alloc_array(s->context, slots, sizeof *s->table);
    if (!s->table) return false;
    for (size_t i = 0; i < slots; i++) s->table[i] = NO_FACT;
    s->mask = slots - 1;
    return true;
}

cflr_status cflri_derive(cflr_context *context, const cflri_ground *ground,
                         const cflri_relation *const *have, const cflri_relation *const *input,
                         cflri_goal goal, bool *derivable, cflr_error *error) {
    search s = {.context = context, .ground = ground, .have = have, .input = input};
    cflr_status st = CFLR_OK;
    assert(goal.symbol < ground->n_symbols);
    *derivable = false;
    for (size_t bound = SMALLEST_BOUND; bound <= LARGEST_BOUND; bound *= 8) {
        if (!begin(&s, bound)) s.no_memory = true;
        if (!s.no_memory) fact_number(&s, goal);
        for (size_t i = 0; i < s.facts.n && !s.no_memory; i++) explain(&s, (int32_t)i);
        if (s.no_memory) {
            st = cflri_fail_memory(context, error);
            break;
        }
        prove(&s);
        *derivable = s.facts.at[0].proven;
        if (*derivable || !s.cut) break;
        *derivable = s.steps.n > 0; /* the benefit of the doubt, unless a larger search decides */
    }
    cflri_vec_free(context, &s.facts);
    cflri_vec_free(context, &s.steps);
    cflri_free(context, s.table);
    return st;
}

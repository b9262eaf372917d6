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
 * larger ones. A bound cuts the facts and the steps that one rule gives one fact; when it cut
 * something, not finding a proof shows nothing.
 *
 * A symbol may be the left side of tens of thousands of rules, one for each field say, while few
 * symbols have pairs that begin at u. So the rules to try for A(u,w) are found from whichever are
 * fewer: the rules of A, or the symbols with a row at u, each of which is looked up among the rules
 * of A. For this the rows of all relations are listed by their vertex:
 *
 *     first    0     2  2         5        one for each vertex, one more at the end
 *     present  V a      V f[8] a  ...      symbols with a row there
 */
#include "engine/derive.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/vec.h"

enum { SMALLEST_BOUND = 64, LARGEST_BOUND = 1 << 15, NEXT_RING = 8, NO_FACT = -1 };

typedef struct fact {
    cflri_goal goal;
    bool proven;
} fact;

typedef struct step {
    int32_t conclusion;
    int32_t premise[2]; /* facts; NO_FACT where the rule has fewer */
} step;

struct cflri_deriver {
    cflr_context *context;
    const cflri_ground *ground;
    const cflri_relation **have; /* unknown_pairs in place of NULL */
    const cflri_relation *const *input;
    /* about the problem */
    uint32_t *first_rule; /* ground symbol -> its first rule as left side; n_symbols + 1 */
    bool *is_open;        /* n_symbols: some rule with it as left side reads unknown pairs */
    bool *is_epsilon;     /* n_symbols */
    uint64_t *first;      /* n_vertices + 1, into present */
    uint32_t *present;
    /* of one search */
    size_t bound; /* most facts */
    size_t steps_of_one;
    CFLRI_VEC(fact) facts;
    CFLRI_VEC(step) steps;
    int32_t *table; /* open addressing over facts, 4 slots for each that the bound allows */
    size_t mask;
    bool cut;  /* a bound left something out */
    bool open; /* some fact may follow from unknown pairs */
    bool no_memory;
};

/* Stands for pairs that are unknown: as it is empty, no step is made from it. */
static const cflri_relation unknown_pairs;

/* ---- the problem ---- */

static void index_rules(cflri_deriver *d) {
    const cflri_ground *ground = d->ground;
    uint32_t rule = 0;
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        d->first_rule[s] = rule;
        while (rule < ground->n_rules && ground->rule[rule].left == s) rule++;
    }
    d->first_rule[ground->n_symbols] = rule;
    assert(rule == ground->n_rules); /* rules ascend by their left side */
    for (uint32_t e = 0; e < ground->n_epsilon; e++) d->is_epsilon[ground->epsilon[e]] = true;
    for (uint32_t r = 0; r < ground->n_rules; r++) {
        const cflri_ground_rule *read = &ground->rule[r];
        bool known =
            d->have[read->right[0]] != &unknown_pairs &&
            (read->right[1] == CFLRI_NO_SYMBOL || d->have[read->right[1]] != &unknown_pairs);
        if (!known) d->is_open[read->left] = true;
    }
}

/* Fills `present` by counting: first[v + 1] counts the rows of v, then is where they end. */
static cflr_status index_rows(cflri_deriver *d, cflr_error *error) {
    uint32_t n_vertices = d->ground->graph->n_vertices;
    uint64_t total = 0;
    d->first = cflri_alloc_array_zero(d->context, (size_t)n_vertices + 2, sizeof *d->first);
    if (!d->first) return cflri_fail_memory(d->context, error);
    for (uint32_t s = 0; s < d->ground->n_symbols; s++) {
        const cflri_relation *have = d->have[s];
        for (uint32_t r = 0; r < have->n_rows; r++) d->first[(size_t)have->row[r] + 2]++;
        total += have->n_rows;
    }
    d->present = cflri_alloc_array(d->context, total, sizeof *d->present);
    if (!d->present) return cflri_fail_memory(d->context, error);
    for (uint32_t v = 0; v < n_vertices; v++) d->first[v + 2] += d->first[v + 1];
    for (uint32_t s = 0; s < d->ground->n_symbols; s++) {
        const cflri_relation *have = d->have[s];
        for (uint32_t r = 0; r < have->n_rows; r++) {
            d->present[d->first[(size_t)have->row[r] + 1]++] = s;
        }
    }
    assert(d->first[n_vertices] == total);
    return CFLR_OK;
}

cflr_status cflri_deriver_new(cflr_context *context, const cflri_ground *ground,
                              const cflri_relation *const *have, const cflri_relation *const *input,
                              cflri_deriver **deriver, cflr_error *error) {
    cflr_status st = CFLR_OK;
    size_t room = (size_t)ground->n_symbols + 1;
    *deriver = NULL;
    cflri_deriver *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->ground = ground;
    made->input = input;
    made->have = cflri_alloc_array(context, room, sizeof *made->have);
    made->first_rule = cflri_alloc_array(context, room, sizeof *made->first_rule);
    made->is_open = cflri_alloc_array_zero(context, room, sizeof *made->is_open);
    made->is_epsilon = cflri_alloc_array_zero(context, room, sizeof *made->is_epsilon);
    if (!made->have || !made->first_rule || !made->is_open || !made->is_epsilon) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    for (uint32_t s = 0; s < ground->n_symbols; s++) {
        made->have[s] = have[s] ? have[s] : &unknown_pairs;
    }
    index_rules(made);
    CFLR_TRY(index_rows(made, error));
    *deriver = made;
    made = NULL;
out:
    cflri_deriver_free(made);
    return st;
}

void cflri_deriver_free(cflri_deriver *deriver) {
    if (!deriver) return;
    cflr_context *context = deriver->context;
    cflri_free(context, (void *)deriver->have);
    cflri_free(context, deriver->first_rule);
    cflri_free(context, deriver->is_open);
    cflri_free(context, deriver->is_epsilon);
    cflri_free(context, deriver->first);
    cflri_free(context, deriver->present);
    cflri_vec_free(context, &deriver->facts);
    cflri_vec_free(context, &deriver->steps);
    cflri_free(context, deriver->table);
    cflri_free(context, deriver);
}

/* ---- facts and steps ---- */

static size_t hash(cflri_goal goal) {
    uint64_t h = cflri_pair(goal.source, goal.target) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= (uint64_t)goal.symbol * UINT64_C(0xc2b2ae3d27d4eb4f);
    return (size_t)(h ^ h >> 29);
}

static bool same(cflri_goal a, cflri_goal b) {
    return a.symbol == b.symbol && a.source == b.source && a.target == b.target;
}

/* The number of a fact, added when it is new and the bound allows; NO_FACT otherwise. */
static int32_t fact_number(cflri_deriver *d, cflri_goal goal) {
    size_t at = hash(goal) & d->mask;
    for (; d->table[at] != NO_FACT; at = (at + 1) & d->mask) {
        if (same(d->facts.at[d->table[at]].goal, goal)) return d->table[at];
    }
    if (d->facts.n >= d->bound) {
        d->cut = true;
        return NO_FACT;
    }
    if (!cflri_vec_push(d->context, &d->facts, (fact){.goal = goal})) {
        d->no_memory = true;
        return NO_FACT;
    }
    d->table[at] = (int32_t)(d->facts.n - 1);
    return d->table[at];
}

static void add_step(cflri_deriver *d, int32_t conclusion, const cflri_goal *premises, int n) {
    step made = {conclusion, {NO_FACT, NO_FACT}};
    for (int i = 0; i < n; i++) {
        made.premise[i] = fact_number(d, premises[i]);
        if (made.premise[i] == NO_FACT) return;
    }
    if (!cflri_vec_push(d->context, &d->steps, made)) d->no_memory = true;
}

/* ---- going back ---- */

static bool is_axiom(const cflri_deriver *d, cflri_goal goal) {
    const cflri_relation *input = d->input[goal.symbol];
    if (input && cflri_relation_has(input, goal.source, goal.target)) return true;
    return goal.source == goal.target && d->is_epsilon[goal.symbol];
}

/* A(u,w) by A ::= B C: one step for each middle vertex, up to the bound. */
static void explain_binary(cflri_deriver *d, int32_t conclusion, const cflri_ground_rule *rule) {
    cflri_goal goal = d->facts.at[conclusion].goal;
    uint64_t count;
    const uint32_t *row = cflri_relation_row(d->have[rule->right[0]], goal.source, &count);
    size_t found = 0;
    for (uint64_t i = 0; i < count; i++) {
        if (!cflri_relation_has(d->have[rule->right[1]], row[i], goal.target)) continue;
        if (found++ == d->steps_of_one) {
            d->cut = true;
            return;
        }
        cflri_goal premises[2] = {{rule->right[0], goal.source, row[i]},
                                  {rule->right[1], row[i], goal.target}};
        add_step(d, conclusion, premises, 2);
    }
}

/* A(u,w) from one premise: B(u,w) by A ::= B, or X(w,u) where A holds X backwards. */
static void explain_unary(cflri_deriver *d, int32_t conclusion, cflri_goal premise) {
    if (cflri_relation_has(d->have[premise.symbol], premise.source, premise.target)) {
        add_step(d, conclusion, &premise, 1);
    }
}

static void explain_by_rule(cflri_deriver *d, int32_t conclusion, const cflri_ground_rule *rule) {
    cflri_goal goal = d->facts.at[conclusion].goal;
    assert(rule->left == goal.symbol);
    if (rule->right[1] != CFLRI_NO_SYMBOL) {
        explain_binary(d, conclusion, rule);
    } else if (d->ground->grammar->rule[rule->rule].is_converse) {
        explain_unary(d, conclusion, (cflri_goal){rule->right[0], goal.target, goal.source});
    } else {
        explain_unary(d, conclusion, (cflri_goal){rule->right[0], goal.source, goal.target});
    }
}

/* The first rule in [from, to), which have one left side, whose right side begins with `symbol` or
 * one after it. */
static uint32_t find_rules(const cflri_ground *ground, uint32_t from, uint32_t to,
                           uint32_t symbol) {
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (ground->rule[middle].right[0] < symbol) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

/* Tries the rules in [from, to) that begin with a symbol that has a row at the goal's source, and
 * the converse rule, whose premise begins elsewhere. */
static void explain_by_rows(cflri_deriver *d, int32_t conclusion, uint32_t from, uint32_t to) {
    const cflri_ground *ground = d->ground;
    cflri_goal goal = d->facts.at[conclusion].goal;
    uint32_t converse = ground->symbol[goal.symbol].converse_of;
    if (converse != CFLRI_NO_SYMBOL) {
        explain_unary(d, conclusion, (cflri_goal){converse, goal.target, goal.source});
    }
    for (uint64_t i = d->first[goal.source]; i < d->first[goal.source + 1]; i++) {
        uint32_t symbol = d->present[i];
        for (uint32_t r = find_rules(ground, from, to, symbol);
             r < to && ground->rule[r].right[0] == symbol; r++) {
            if (ground->grammar->rule[ground->rule[r].rule].is_converse) continue;
            explain_by_rule(d, conclusion, &ground->rule[r]);
        }
    }
}

static void explain(cflri_deriver *d, int32_t conclusion) {
    cflri_goal goal = d->facts.at[conclusion].goal;
    if (is_axiom(d, goal)) {
        d->facts.at[conclusion].proven = true;
        return;
    }
    if (d->is_open[goal.symbol]) d->open = true;
    uint32_t from = d->first_rule[goal.symbol], to = d->first_rule[goal.symbol + 1];
    if (to - from > d->first[goal.source + 1] - d->first[goal.source]) {
        explain_by_rows(d, conclusion, from, to);
        return;
    }
    for (uint32_t r = from; r < to; r++) explain_by_rule(d, conclusion, &d->ground->rule[r]);
}

/* ---- going forward ---- */

static bool premise_proven(const cflri_deriver *d, int32_t premise) {
    return premise == NO_FACT || d->facts.at[premise].proven;
}

/* Truth forward until nothing changes; steps point back mostly, so few passes are needed. */
static void prove(cflri_deriver *d) {
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = d->steps.n; i-- > 0;) {
            const step *candidate = &d->steps.at[i];
            fact *conclusion = &d->facts.at[candidate->conclusion];
            if (conclusion->proven) continue;
            if (!premise_proven(d, candidate->premise[0])) continue;
            if (!premise_proven(d, candidate->premise[1])) continue;
            conclusion->proven = changed = true;
        }
    }
}

/* ---- rings ---- */

static bool begin(cflri_deriver *d, size_t bound) {
    size_t slots = 4 * bound;
    assert((slots & (slots - 1)) == 0);
    d->bound = bound;
    d->steps_of_one = bound / 16;
    d->facts.n = d->steps.n = 0;
    d->cut = d->open = d->no_memory = false;
    if (!d->table || d->mask + 1 < slots) {
        cflri_free(d->context, d->table);
        d->table = cflri_alloc_array(d->context, slots, sizeof *d->table);
        if (!d->table) return false;
    }
    d->mask = slots - 1;
    for (size_t i = 0; i < slots; i++) d->table[i] = NO_FACT;
    return true;
}

/* One ring: facts from the goal back, then truth forward. */
static cflr_status search(cflri_deriver *d, cflri_goal goal, size_t bound, cflr_error *error) {
    if (!begin(d, bound)) return cflri_fail_memory(d->context, error);
    fact_number(d, goal);
    for (size_t i = 0; i < d->facts.n && !d->no_memory; i++) explain(d, (int32_t)i);
    if (d->no_memory) return cflri_fail_memory(d->context, error);
    prove(d);
    return CFLR_OK;
}

cflr_status cflri_derive(cflri_deriver *deriver, cflri_goal goal, bool *derivable,
                         cflr_error *error) {
    assert(goal.symbol < deriver->ground->n_symbols);
    assert(goal.source < deriver->ground->graph->n_vertices);
    *derivable = false;
    for (size_t bound = SMALLEST_BOUND; bound <= LARGEST_BOUND; bound *= NEXT_RING) {
        cflr_status st = search(deriver, goal, bound, error);
        if (st != CFLR_OK) return st;
        *derivable = deriver->facts.at[0].proven || deriver->open;
        if (*derivable || !deriver->cut) return CFLR_OK;
        *derivable = deriver->steps.n > 0; /* the benefit of the doubt */
    }
    return CFLR_OK;
}

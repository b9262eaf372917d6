/* SPDX-License-Identifier: Apache-2.0
 *
 * derive.c: a bounded search for a derivation.
 *
 * Going back from the goal, each fact is asked for the rule applications that could conclude it
 * from pairs of the closure; their premises become facts to explain in turn. Truth runs forward as
 * soon as there is any: a fact is proven when it is an input edge or an epsilon pair (an axiom), or
 * when one of its steps has all its premises proven; the search ends when the goal is. Running
 * forward is what refuses circular support: two false pairs that justify each other are never
 * proven.
 *
 *     goal A(u,w)                     facts   0: A(u,w)   1: B(u,v)   2: C(v,w) ...
 *      |-- B(u,v) C(v,w)              steps   0 <- 1 2
 *      `-- B(u,x) C(x,w)                      0 <- 3 4
 *
 * Most true pairs have a derivation that grows by one edge at a time, however deep it is, and a
 * fact may have thousands of middles v of which any leads there. So a fact is explained in three
 * turns, and the newest fact comes first:
 *
 *     near   middles one input edge away from u or from w: few, found without reading the
 *            closure's rows, and all there are when B or C has no rules
 *     half   middles in the row of B at u with which one premise is known to be true
 *     far    all middles in that row, when the others have led to no proof
 *
 * The search grows in rings: a small bound first, which almost every true pair satisfies, then
 * larger ones. A bound cuts the facts, the steps that one rule gives one fact, and the look-ups
 * (one for each middle or rule that is tried, whatever comes of it); the caller's allowance of
 * look-ups cuts the whole. When something was cut, not finding a proof shows nothing. What was
 * proven on the way, one bit a pair, stays proven for the searches that come after; and before all
 * of them, truth may be carried forward from the input for a while (forward.c), because a search
 * that meets proven pairs everywhere has a short way.
 *
 * A symbol may be the left side of tens of thousands of rules, one for each field say, while few
 * symbols have pairs that begin at u. So the rules to try for A(u,w) are found from whichever are
 * fewer: the rules of A, or the symbols with a row at u, each of which is looked up among the rules
 * of A. For this the rows of all relations are listed by their vertex:
 *
 *     first    0     2  2         5        one for each vertex, one more at the end
 *     present  V a      V f[8] a  ...      symbols with a row there
 */
#include "engine/derivations/derive.h"

#include <assert.h>
#include <string.h>

#include "base/context.h"
#include "base/vec.h"
#include "engine/derivations/forward.h"

enum {
    SMALLEST_BOUND = 64,
    LARGEST_BOUND = 1 << 15,
    NEXT_RING = 8,
    LOOKUPS_OF_FACT = 32, /* of a ring, for each fact that its bound allows */
    STEPS_OF_FACT = 8,    /* likewise */
    UNARY_RULES = 16,     /* of a premise, whose edges are near middles */
    NO_FACT = -1,
    NO_LINK = -1,
};

#define NO_PAIR UINT64_MAX

typedef enum turn { TURN_NEAR, TURN_HALF, TURN_FAR, TURN_OVER } turn;

typedef struct fact {
    cflri_goal goal;
    bool proven;
    turn next;    /* how it is to be explained next */
    int32_t uses; /* the latest premise that it is, a link; NO_LINK: none */
} fact;

/* Premise i of step s is link 2 * s + i; those of one fact are chained. */
typedef struct step {
    int32_t conclusion;
    int32_t waiting;      /* premises that are not proven */
    int32_t next_link[2]; /* another premise that is the same fact */
} step;

/* A fact to explain while the fact that asks for it is not proven. */
typedef struct task {
    int32_t fact;
    int32_t asked_by;
} task;

struct cflri_deriver {
    cflr_context *context;
    const cflri_ground *ground;
    const cflri_relation *const *have;
    const cflri_relation *const *input;
    const cflri_filters *filters;
    /* about the problem */
    bool *is_open;    /* n_symbols: it may have pairs that follow from unknown ones */
    bool *is_epsilon; /* n_symbols */
    uint64_t *first;  /* n_vertices + 1, into present */
    uint32_t *present;
    uint64_t *first_pair; /* n_symbols + 1: pairs of the symbols before each */
    /* of all searches */
    uint64_t *known_true; /* one bit for each pair of `have` */
    /* of one ring */
    size_t bound; /* most facts */
    size_t steps_of_one;
    uint64_t lookups; /* still allowed */
    CFLRI_VEC(fact) facts;
    CFLRI_VEC(step) steps;
    CFLRI_VEC(task) tasks;     /* a stack */
    CFLRI_VEC(int32_t) proven; /* facts whose uses do not know it yet */
    int32_t *table; /* open addressing over facts, 4 slots for each that the bound allows */
    size_t mask;
    bool cut;  /* a bound left something out */
    bool open; /* some fact may follow from unknown pairs */
    cflri_failure failure;
    cflr_row row; /* of a relation */
};

static void run_out_of_memory(cflri_deriver *d) {
    cflr_error error;
    cflri_note_failure(&d->failure, cflri_fail_memory(d->context, &error), &error);
}

/* ---- the problem ---- */

static bool has_rules(const cflri_deriver *d, uint32_t symbol) {
    return cflri_ground_has_rules(d->ground, symbol) || d->is_epsilon[symbol];
}

/* Of a symbol that has rules not all pairs are known, so whatever reads it is open. */
static void open_rules(cflri_deriver *d) {
    for (uint32_t r = 0; r < d->ground->n_rules; r++) {
        const cflri_ground_rule *read = &d->ground->rule[r];
        bool known = !has_rules(d, read->right[0]) &&
                     (read->right[1] == CFLRI_NO_SYMBOL || !has_rules(d, read->right[1]));
        if (!known) d->is_open[read->left] = true;
    }
}

static cflr_status number_pairs(cflri_deriver *d, cflr_error *error) {
    uint64_t pairs = 0;
    d->first_pair =
        cflri_alloc_array(d->context, (size_t)d->ground->n_symbols + 1, sizeof *d->first_pair);
    if (!d->first_pair) return cflri_fail_memory(d->context, error);
    for (uint32_t s = 0; s < d->ground->n_symbols; s++) {
        d->first_pair[s] = pairs;
        pairs += d->have[s]->n_pairs;
    }
    d->first_pair[d->ground->n_symbols] = pairs;
    d->known_true = cflri_alloc_array_zero(d->context, pairs / 64 + 1, sizeof *d->known_true);
    return d->known_true ? CFLR_OK : cflri_fail_memory(d->context, error);
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

cflr_status cflri_deriver_new(const cflri_ground *ground, const cflri_relation *const *have,
                              const cflri_relation *const *input, const cflri_filters *filters,
                              bool complete, cflri_deriver **deriver, cflr_error *error) {
    cflr_context *context = ground->context;
    cflr_status st = CFLR_OK;
    size_t room = (size_t)ground->n_symbols + 1;
    *deriver = NULL;
    cflri_deriver *made = cflri_alloc_zero(context, sizeof *made);
    if (!made) return cflri_fail_memory(context, error);
    made->context = context;
    made->ground = ground;
    made->have = have;
    made->input = input;
    made->filters = filters;
    made->is_open = cflri_alloc_array_zero(context, room, sizeof *made->is_open);
    made->is_epsilon = cflri_alloc_array_zero(context, room, sizeof *made->is_epsilon);
    if (!made->is_open || !made->is_epsilon) {
        st = cflri_fail_memory(context, error);
        goto out;
    }
    for (uint32_t e = 0; e < ground->n_epsilon; e++) made->is_epsilon[ground->epsilon[e]] = true;
    if (!complete) open_rules(made);
    CFLR_TRY(number_pairs(made, error));
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
    cflr_row_free(&deriver->row);
    cflri_free(context, deriver->is_open);
    cflri_free(context, deriver->is_epsilon);
    cflri_free(context, deriver->first);
    cflri_free(context, deriver->present);
    cflri_free(context, deriver->first_pair);
    cflri_free(context, deriver->known_true);
    cflri_vec_free(context, &deriver->facts);
    cflri_vec_free(context, &deriver->steps);
    cflri_vec_free(context, &deriver->tasks);
    cflri_vec_free(context, &deriver->proven);
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
    if (!cflri_vec_push(d->context, &d->facts, (fact){.goal = goal, .uses = NO_LINK})) {
        run_out_of_memory(d);
        return NO_FACT;
    }
    d->table[at] = (int32_t)(d->facts.n - 1);
    return d->table[at];
}

static bool is_kept(const cflri_deriver *d, cflri_goal goal) {
    return cflri_filters_keep(d->filters, goal.symbol, goal.source, goal.target);
}

static bool is_axiom(cflri_deriver *d, cflri_goal goal) {
    const cflri_relation *input = d->input[goal.symbol];
    if (input && cflri_relation_has(input, goal.source, goal.target, &d->failure)) return true;
    return goal.source == goal.target && d->is_epsilon[goal.symbol];
}

/* The number of a pair among all pairs of `have`, NO_PAIR when it is not there. */
static uint64_t pair_number(cflri_deriver *d, cflri_goal goal) {
    uint64_t place;
    bool there =
        cflri_relation_place(d->have[goal.symbol], goal.source, goal.target, &place, &d->failure);
    return there ? d->first_pair[goal.symbol] + place : NO_PAIR;
}

/* What is known of a premise before the search goes there. */
typedef enum standing { ABSENT, PRESENT, TRUE } standing;

static standing standing_of(cflri_deriver *d, cflri_goal goal) {
    uint64_t number = pair_number(d, goal);
    if (!is_kept(d, goal)) return ABSENT;
    if (number != NO_PAIR && cflri_bit(d->known_true, number)) return TRUE;
    if (is_axiom(d, goal)) return TRUE;
    return number == NO_PAIR ? ABSENT : PRESENT;
}

/* Takes one look-up; false, and the search is cut, when none is left. */
static bool look_up(cflri_deriver *d) {
    if (d->lookups == 0) {
        d->cut = true;
        return false;
    }
    d->lookups--;
    return true;
}

static void mark_proven(cflri_deriver *d, int32_t number) {
    if (d->facts.at[number].proven) return;
    uint64_t pair = pair_number(d, d->facts.at[number].goal);
    if (pair != NO_PAIR) cflri_set_bit(d->known_true, pair);
    d->facts.at[number].proven = true;
    if (!cflri_vec_push(d->context, &d->proven, number)) run_out_of_memory(d);
}

/* Truth forward: each step hears once of each of its premises. O(premises). */
static void tell_uses(cflri_deriver *d) {
    while (d->proven.n > 0) {
        int32_t link = d->facts.at[d->proven.at[--d->proven.n]].uses;
        while (link != NO_LINK) {
            step *use = &d->steps.at[link / 2];
            assert(use->waiting > 0);
            if (--use->waiting == 0) mark_proven(d, use->conclusion);
            link = use->next_link[link % 2];
        }
    }
}

static void ask(cflri_deriver *d, int32_t number, int32_t asked_by) {
    if (d->facts.at[number].next == TURN_OVER) return;
    if (!cflri_vec_push(d->context, &d->tasks, (task){number, asked_by})) run_out_of_memory(d);
}

/* Adds a step that waits for the `n` facts of `open`, which are not proven, and asks for them. */
static void wait_for(cflri_deriver *d, int32_t conclusion, const int32_t *open, int n) {
    step made = {conclusion, n, {NO_LINK, NO_LINK}};
    int32_t number = (int32_t)d->steps.n;
    if (d->steps.n >= STEPS_OF_FACT * d->bound) {
        d->cut = true;
        return;
    }
    for (int i = 0; i < n; i++) made.next_link[i] = d->facts.at[open[i]].uses;
    if (n == 2 && open[0] == open[1]) made.next_link[1] = 2 * number;
    if (!cflri_vec_push(d->context, &d->steps, made)) {
        run_out_of_memory(d);
        return;
    }
    for (int i = 0; i < n; i++) d->facts.at[open[i]].uses = 2 * number + i;
    for (int i = 0; i < n; i++) ask(d, open[i], conclusion);
}

/* The conclusion from `n` premises, unless one of them is absent, or is the conclusion itself, or
 * more than `most_open` are not known to be true. False when there is no such step. */
static bool add_step(cflri_deriver *d, int32_t conclusion, const cflri_goal *premises, int n,
                     int most_open) {
    standing stands[2];
    int32_t open[2];
    int n_open = 0, n_present = 0;
    for (int i = 0; i < n; i++) {
        if (same(premises[i], d->facts.at[conclusion].goal)) return false;
        stands[i] = standing_of(d, premises[i]);
        if (stands[i] == ABSENT) return false;
        n_present += stands[i] == PRESENT;
    }
    if (n_present > most_open) return false;
    for (int i = 0; i < n; i++) {
        if (stands[i] == TRUE) continue;
        open[n_open] = fact_number(d, premises[i]);
        if (open[n_open] == NO_FACT) return true;
        n_open += !d->facts.at[open[n_open]].proven;
    }
    if (n_open == 0) {
        mark_proven(d, conclusion);
    } else {
        wait_for(d, conclusion, open, n_open);
    }
    return true;
}

/* ---- going back ---- */

/* A fact, and the rule A ::= B C that is to conclude it. */
typedef struct joint {
    int32_t conclusion;
    cflri_goal goal;
    uint32_t left, right; /* B, C */
    int most_open;
    size_t found; /* steps */
} joint;

/* Tries one middle vertex; false when that was the last one that a bound allows. */
static bool try_middle(cflri_deriver *d, joint *j, uint32_t middle) {
    cflri_goal premises[2] = {{j->left, j->goal.source, middle},
                              {j->right, middle, j->goal.target}};
    if (!look_up(d)) return false;
    if (!add_step(d, j->conclusion, premises, 2, j->most_open)) return true;
    if (++j->found < d->steps_of_one) return true;
    d->cut = true;
    return false;
}

static void try_middles(cflri_deriver *d, joint *j, const uint32_t *middles, uint64_t n) {
    for (uint64_t i = 0; i < n && !d->facts.at[j->conclusion].proven; i++) {
        if (!try_middle(d, j, middles[i])) return;
    }
}

/* The input edges of a symbol that leave `vertex`, or those that enter it. */
static const uint32_t *edges_at(const cflri_deriver *d, uint32_t symbol, uint32_t vertex,
                                bool entering, uint64_t *count) {
    const cflr_graph *graph = d->ground->graph;
    uint32_t label = d->ground->symbol[symbol].label;
    *count = 0;
    if (label == CFLR_NO_LABEL) return NULL;
    return cflri_relation_row(entering ? &graph->in[label] : &graph->out[label], vertex, count);
}

/* Middles by one edge of `premise`, B or C, or by one of a symbol X with B ::= X. */
static void try_edges(cflri_deriver *d, joint *j, uint32_t premise, bool entering) {
    uint32_t vertex = entering ? j->goal.target : j->goal.source;
    uint32_t from = d->ground->first_rule[premise], to = d->ground->first_rule[premise + 1];
    uint64_t count;
    const uint32_t *row = edges_at(d, premise, vertex, entering, &count);
    try_middles(d, j, row, count);
    if (d->is_epsilon[premise]) try_middle(d, j, vertex);
    if (to - from > UNARY_RULES) return;
    for (uint32_t r = from; r < to; r++) {
        const cflri_ground_rule *rule = &d->ground->rule[r];
        if (rule->right[1] != CFLRI_NO_SYMBOL) continue;
        /* X backwards, when it is a converse rule: its edges lie the other way round */
        bool turned = d->ground->grammar->rule[rule->rule].is_converse;
        row = edges_at(d, rule->right[0], vertex, entering != turned, &count);
        try_middles(d, j, row, count);
    }
}

/* The pairs of a symbol without rules are its edges: these are all middles then. */
static void explain_near(cflri_deriver *d, joint *j) {
    uint64_t leaving = UINT64_MAX, entering = UINT64_MAX;
    if (!has_rules(d, j->left)) edges_at(d, j->left, j->goal.source, false, &leaving);
    if (!has_rules(d, j->right)) edges_at(d, j->right, j->goal.target, true, &entering);
    if (leaving <= entering) try_edges(d, j, j->left, false);
    if (entering <= leaving) try_edges(d, j, j->right, true);
}

static void explain_far(cflri_deriver *d, joint *j) {
    if (!has_rules(d, j->left) || !has_rules(d, j->right)) return;
    cflr_error error;
    cflr_status st =
        cflri_relation_read_row(d->context, d->have[j->left], j->goal.source, &d->row, &error);
    if (st == CFLR_OK) try_middles(d, j, d->row.target, d->row.count);
    cflri_note_failure(&d->failure, st, &error);
}

/* A(u,w) from one premise: B(u,w) by A ::= B, or X(w,u) where A holds X backwards. */
static void explain_unary(cflri_deriver *d, int32_t conclusion, cflri_goal premise) {
    if (look_up(d)) add_step(d, conclusion, &premise, 1, 1);
}

static void explain_by_rule(cflri_deriver *d, int32_t conclusion, const cflri_ground_rule *rule,
                            turn now) {
    cflri_goal goal = d->facts.at[conclusion].goal;
    assert(rule->left == goal.symbol);
    if (rule->right[1] != CFLRI_NO_SYMBOL) {
        joint j = {conclusion, goal, rule->right[0], rule->right[1], now == TURN_HALF ? 1 : 2, 0};
        if (now == TURN_NEAR) explain_near(d, &j);
        if (now != TURN_NEAR) explain_far(d, &j);
    } else if (now == TURN_NEAR && d->ground->grammar->rule[rule->rule].is_converse) {
        explain_unary(d, conclusion, (cflri_goal){rule->right[0], goal.target, goal.source});
    } else if (now == TURN_NEAR) {
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
static void explain_by_rows(cflri_deriver *d, int32_t conclusion, uint32_t from, uint32_t to,
                            turn now) {
    const cflri_ground *ground = d->ground;
    cflri_goal goal = d->facts.at[conclusion].goal;
    uint32_t converse = ground->symbol[goal.symbol].converse_of;
    if (converse != CFLRI_NO_SYMBOL && now == TURN_NEAR) {
        explain_unary(d, conclusion, (cflri_goal){converse, goal.target, goal.source});
    }
    for (uint64_t i = d->first[goal.source]; i < d->first[goal.source + 1]; i++) {
        uint32_t symbol = d->present[i];
        if (d->facts.at[conclusion].proven || !look_up(d)) return;
        for (uint32_t r = find_rules(ground, from, to, symbol);
             r < to && ground->rule[r].right[0] == symbol; r++) {
            if (ground->grammar->rule[ground->rule[r].rule].is_converse) continue;
            explain_by_rule(d, conclusion, &ground->rule[r], now);
        }
    }
}

static void explain_turn(cflri_deriver *d, int32_t conclusion, turn now) {
    cflri_goal goal = d->facts.at[conclusion].goal;
    if (d->is_open[goal.symbol]) d->open = true;
    uint32_t from = d->ground->first_rule[goal.symbol], to = d->ground->first_rule[goal.symbol + 1];
    if (to - from > d->first[goal.source + 1] - d->first[goal.source]) {
        explain_by_rows(d, conclusion, from, to, now);
        return;
    }
    for (uint32_t r = from; r < to && !d->facts.at[conclusion].proven; r++) {
        if (look_up(d)) explain_by_rule(d, conclusion, &d->ground->rule[r], now);
    }
}

/* The premises that were found first are explained first. */
static void turn_round(task *from, task *to) {
    while (from + 1 < to) {
        task kept = *from;
        *from++ = *--to;
        *to = kept;
    }
}

/* The next turn of a fact; it is asked for again below its premises, for the turn after that. */
static void explain(cflri_deriver *d, task asked) {
    fact *conclusion = &d->facts.at[asked.fact];
    turn now = conclusion->next;
    if (conclusion->proven || now == TURN_OVER) return;
    if (asked.asked_by != NO_FACT && d->facts.at[asked.asked_by].proven) return;
    conclusion->next = (turn)(now + 1);
    ask(d, asked.fact, asked.asked_by);
    size_t before = d->tasks.n;
    explain_turn(d, asked.fact, now);
    turn_round(d->tasks.at + before, d->tasks.at + d->tasks.n);
    tell_uses(d);
}

/* ---- rings ---- */

static bool begin(cflri_deriver *d, size_t bound, uint64_t lookups) {
    size_t slots = 4 * bound;
    assert((slots & (slots - 1)) == 0);
    d->bound = bound;
    d->steps_of_one = bound / 16;
    d->lookups = lookups;
    d->facts.n = d->steps.n = d->tasks.n = d->proven.n = 0;
    d->cut = d->open = false;
    if (!d->table || d->mask + 1 < slots) {
        cflri_free(d->context, d->table);
        d->table = cflri_alloc_array(d->context, slots, sizeof *d->table);
        if (!d->table) return false;
    }
    d->mask = slots - 1;
    for (size_t i = 0; i < slots; i++) d->table[i] = NO_FACT;
    return true;
}

/* One ring, from the goal back until it is proven, nothing is left to explain, or a bound is met.
 * *allowance is what is left of it. */
static cflr_status search(cflri_deriver *d, cflri_goal goal, size_t bound, uint64_t *allowance,
                          cflr_error *error) {
    uint64_t lookups = LOOKUPS_OF_FACT * (uint64_t)bound;
    if (lookups > *allowance) lookups = *allowance;
    if (!begin(d, bound, lookups)) return cflri_fail_memory(d->context, error);
    int32_t number = fact_number(d, goal);
    if (number != NO_FACT) ask(d, number, NO_FACT);
    while (d->failure.st == CFLR_OK && d->tasks.n > 0 && !d->facts.at[number].proven &&
           d->lookups > 0) {
        explain(d, d->tasks.at[--d->tasks.n]);
    }
    if (d->failure.st != CFLR_OK) return cflri_tell_failure(&d->failure, error);
    if (d->tasks.n > 0) d->cut = true;
    *allowance -= lookups - d->lookups;
    return CFLR_OK;
}

cflr_status cflri_derive_ahead(cflri_deriver *deriver, uint64_t lookups, cflr_error *error) {
    cflri_claims claims = {deriver->ground, deriver->have, deriver->input, deriver->filters,
                           deriver->first_pair};
    return cflri_forward(&claims, lookups, deriver->known_true, error);
}

cflr_status cflri_derive(cflri_deriver *deriver, cflri_goal goal, uint64_t *allowance,
                         cflri_verdict *verdict, cflr_error *error) {
    assert(goal.symbol < deriver->ground->n_symbols);
    assert(goal.source < deriver->ground->graph->n_vertices);
    deriver->failure = (cflri_failure){.st = CFLR_OK};
    *verdict = CFLRI_UNDERIVABLE;
    if (!is_kept(deriver, goal)) return CFLR_OK;
    *verdict = CFLRI_DERIVABLE;
    standing known = standing_of(deriver, goal);
    if (known == TRUE || deriver->failure.st != CFLR_OK) {
        return cflri_tell_failure(&deriver->failure, error);
    }
    *verdict = CFLRI_UNSETTLED;
    for (size_t bound = SMALLEST_BOUND; bound <= LARGEST_BOUND; bound *= NEXT_RING) {
        cflr_status st = search(deriver, goal, bound, allowance, error);
        if (st != CFLR_OK) return st;
        if (deriver->facts.at[0].proven) *verdict = CFLRI_DERIVABLE;
        if (!deriver->facts.at[0].proven && !deriver->cut && !deriver->open) {
            *verdict = CFLRI_UNDERIVABLE;
        }
        if (*verdict != CFLRI_UNSETTLED || !deriver->cut) return CFLR_OK;
    }
    return CFLR_OK;
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_plan.c: following the moves of a plan, and nothing else, gives the closure.
 *
 * The interpreter below knows plan.h only: matrices of stored symbols, a worklist, and the table of
 * moves. It never looks at a rule. The reference solver knows the ground rules only, and no plan.
 * Reflexive pairs of nullable symbols are kept out of all joins, as the plan promises that nobody
 * needs them there. What the plan says of symbols is recomputed from the rules, and from the moves.
 */
#include "engine/closure/plan.h"

#include "base/context.h"
#include "engine/result.h"
#include "support.h"

enum { VERTICES = 7, SYMBOLS = 200 };

typedef struct machine {
    cflri_problem problem;
    cflri_plan plan;
    bool pair[SYMBOLS][VERTICES][VERTICES]; /* found */
    bool done[SYMBOLS][VERTICES][VERTICES]; /* settled: joins see it */
} machine;

static void add(machine *m, uint32_t symbol, uint32_t u, uint32_t v) {
    cr_assert_eq(m->plan.mirror[symbol], CFLRI_NO_SYMBOL, "a mirrored symbol is never stored");
    m->pair[symbol][u][v] = true;
}

/* Does a join see (u, v)? Not a reflexive pair of a nullable symbol. */
static bool seen(const machine *m, uint32_t symbol, uint32_t u, uint32_t v) {
    return m->done[symbol][u][v] && !(u == v && m->plan.nullable[symbol]);
}

/* The moves of plan.h for X(u, v), each partner w on its own. */
static void join(machine *m, uint32_t x, uint32_t u, uint32_t v, cflri_move move, cflri_side side) {
    cflri_steps steps = cflri_plan_joins(&m->plan, x, move, side);
    bool at_v = move == CFLRI_AHEAD || move == CFLRI_MIRROR_BEHIND;
    bool ahead = move == CFLRI_AHEAD || move == CFLRI_MIRROR_AHEAD;
    uint32_t middle = at_v ? v : u, other = at_v ? u : v;
    for (uint32_t s = 0; s < steps.n; s++) {
        uint32_t partner = cflri_step_partner(steps.at[s]), left = cflri_step_left(steps.at[s]);
        for (uint32_t w = 0; w < VERTICES; w++) {
            bool there =
                side == CFLRI_FROM_ROWS ? seen(m, partner, middle, w) : seen(m, partner, w, middle);
            if (!there) continue;
            if (ahead) {
                add(m, left, other, w);
            } else {
                add(m, left, w, other);
            }
        }
    }
}

static void settle(machine *m, uint32_t x, uint32_t u, uint32_t v) {
    m->done[x][u][v] = true;
    if (!seen(m, x, u, v)) return;
    cflri_steps copies = cflri_plan_slot(&m->plan, x, CFLRI_SLOT_COPY);
    cflri_steps swaps = cflri_plan_slot(&m->plan, x, CFLRI_SLOT_SWAP);
    for (uint32_t s = 0; s < copies.n; s++) add(m, (uint32_t)copies.at[s], u, v);
    for (uint32_t s = 0; s < swaps.n; s++) add(m, (uint32_t)swaps.at[s], v, u);
    for (int move = 0; move < CFLRI_MOVES; move++) {
        join(m, x, u, v, (cflri_move)move, CFLRI_FROM_ROWS);
        join(m, x, u, v, (cflri_move)move, CFLRI_FROM_LISTS);
    }
}

/* Pairs of fixed symbols are there from the start; the others are settled one by one. */
static void start(machine *m) {
    for (uint32_t s = 0; s < m->plan.n_symbols; s++) {
        for (uint32_t v = 0; v < VERTICES; v++) {
            if (m->plan.nullable[s] && m->plan.mirror[s] == CFLRI_NO_SYMBOL) add(m, s, v, v);
            for (uint32_t t = 0; m->problem.input[s] && t < VERTICES; t++) {
                if (!cflri_relation_has(m->problem.input[s], v, t)) continue;
                add(m, s, v, t);
                m->done[s][v][t] = m->plan.fixed[s];
            }
        }
    }
    for (uint32_t s = 0; s < m->plan.n_symbols; s++) {
        for (uint32_t p = 0; p < VERTICES * VERTICES; p++) {
            if (m->done[s][p / VERTICES][p % VERTICES]) settle(m, s, p / VERTICES, p % VERTICES);
        }
    }
}

static void close_all(machine *m) {
    start(m);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < m->plan.n_symbols * VERTICES * VERTICES; i++) {
            uint32_t s = i / (VERTICES * VERTICES), u = i / VERTICES % VERTICES, v = i % VERTICES;
            if (!m->pair[s][u][v] || m->done[s][u][v]) continue;
            settle(m, s, u, v);
            again = true;
        }
    }
}

static void must_be_the_closure(machine *m, const char *rules) {
    cflri_closure closure;
    cflr_error error;
    MUST(cflri_solver_find(CFLR_MODEL_NAIVE)->solve(&m->problem, &closure, &error));
    for (uint32_t s = 0; s < m->plan.n_symbols; s++) {
        uint32_t from = m->plan.mirror[s], copies = m->plan.copies[s];
        if (from != CFLRI_NO_SYMBOL) cr_assert(m->plan.copies[from] == 2 && copies == 1);
        for (uint32_t u = 0; u < VERTICES; u++) {
            for (uint32_t v = 0; v < VERTICES; v++) {
                bool found = from == CFLRI_NO_SYMBOL ? m->pair[s][u][v] : m->pair[from][v][u];
                cr_assert_eq(found, cflri_relation_has(&closure.relation[s], u, v),
                             "symbol %u, %u to %u:\n%s", s, u, v, rules);
            }
        }
    }
    cflri_closure_free(m->problem.context, &closure);
}

/* ---- what is said of symbols ---- */

static void must_know_rules(const machine *m) {
    const cflri_ground *ground = m->problem.ground;
    bool derived[SYMBOLS] = {false}, nullable[SYMBOLS] = {false};
    for (uint32_t e = 0; e < ground->n_epsilon; e++) {
        derived[ground->epsilon[e]] = nullable[ground->epsilon[e]] = true;
    }
    for (uint32_t round = 0; round < ground->n_symbols; round++) {
        for (uint32_t r = 0; r < ground->n_rules; r++) {
            const cflri_ground_rule *rule = &ground->rule[r];
            bool binary = rule->right[1] != CFLRI_NO_SYMBOL;
            derived[rule->left] = true;
            if (nullable[rule->right[0]] && (!binary || nullable[rule->right[1]])) {
                nullable[rule->left] = true;
            }
        }
    }
    cr_assert_arr_eq(m->plan.nullable, nullable, ground->n_symbols * sizeof *nullable);
    for (uint32_t s = 0; s < ground->n_symbols; s++) cr_assert_eq(m->plan.fixed[s], !derived[s]);
}

static void must_know_moves(const machine *m) {
    const cflri_plan *plan = &m->plan;
    bool read[SYMBOLS][CFLRI_SIDES] = {{false}}, busy[SYMBOLS] = {false}, at_v[SYMBOLS] = {false};
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        for (uint32_t slot = 0; slot < CFLRI_SLOTS; slot++) {
            cflri_steps steps = cflri_plan_slot(plan, s, slot);
            uint32_t move = slot / CFLRI_SIDES;
            for (uint32_t i = 0; i < steps.n; i++) {
                if (i) cr_assert_lt(steps.at[i - 1], steps.at[i]);
                busy[s] = true;
                if (slot >= CFLRI_SLOT_COPY) continue;
                uint32_t partner = cflri_step_partner(steps.at[i]);
                read[partner][slot % CFLRI_SIDES] = true;
                cr_assert(!plan->fixed[s] || plan->fixed[partner],
                          "a fixed side looks for partners only when both are");
                at_v[s] |= move == CFLRI_AHEAD || move == CFLRI_MIRROR_BEHIND;
            }
        }
    }
    for (uint32_t s = 0; s < plan->n_symbols; s++) {
        cr_assert_eq(plan->read[s], read[s][CFLRI_FROM_ROWS]);
        cr_assert_eq(plan->listed[s], read[s][CFLRI_FROM_LISTS]);
        cr_assert_eq(plan->busy[s], busy[s]);
        cr_assert_eq(plan->at_target[s], at_v[s] || (plan->listed[s] && !plan->fixed[s]));
    }
}

/* ---- random grammars ---- */

/* Plain and indexed symbols, converses, epsilon; terminals and nonterminals have edges. */
static void random_rules(uint64_t *random, char *text, size_t size) {
    static const char *const lefts[] = {"A", "B", "C", "G[i]"};
    static const char *const plain[] = {"a", "b", "A", "B", "C", "~a", "~b", "~A", "~B"};
    static const char *const indexed[] = {"f[i]", "G[i]", "~f[i]", "~G[i]"};
    size_t n =
        (size_t)snprintf(text, size, "%%start A\nA ::= a\nB ::= b\nC ::= B\nG[i] ::= f[i]\n");
    for (uint32_t rule = 2 + test_random_below(random, 9); rule; rule--) {
        uint32_t left = test_random_below(random, 4), length = test_random_below(random, 4);
        uint32_t at = left == 3 || !test_random_below(random, 3) ? test_random_below(random, 3) : 9;
        if (at < 9 && length <= at) length = at + 1;
        n += (size_t)snprintf(text + n, size - n, "%s ::=%s", lefts[left], length ? "" : " eps");
        for (uint32_t i = 0; i < length; i++) {
            n += (size_t)snprintf(text + n, size - n, " %s",
                                  i == at ? indexed[test_random_below(random, 4)]
                                          : plain[test_random_below(random, 9)]);
        }
        n += (size_t)snprintf(text + n, size - n, "\n");
    }
    cr_assert_lt(n, size);
}

static void random_graph(uint64_t *random, char *text, size_t size) {
    static const char *const labels[] = {"a", "b", "f[1]", "f[2]", "A", "G[1]"};
    size_t n = (size_t)snprintf(text, size, "%u 0 a", VERTICES - 1);
    for (uint32_t e = 0; e < 10; e++) {
        uint32_t u = test_random_below(random, VERTICES), v = test_random_below(random, VERTICES);
        uint32_t label = test_random_below(random, test_random_below(random, 3) ? 4 : 6);
        n += (size_t)snprintf(text + n, size - n, "; %u %u %s", u, v, labels[label]);
    }
    cr_assert_lt(n, size);
}

Test(plan, moves_are_the_rules) {
    uint64_t random = 11;
    uint32_t mirrors = 0, nullable = 0;
    machine *m = malloc(sizeof *m);
    for (int round = 0; round < 400; round++) {
        char rules[1024], edges[512];
        world w;
        cflri_ground *ground;
        const cflri_relation **input;
        cflr_error error;
        world_begin(&w, 1);
        random_rules(&random, rules, sizeof rules);
        random_graph(&random, edges, sizeof edges);
        world_graph(&w, edges);
        world_grammar(&w, rules);
        MUST(cflri_ground_new(w.grammar, w.graph, &ground, &error));
        MUST(cflri_problem_inputs(w.graph, ground, &input, &error));
        cr_assert_leq(ground->n_symbols, SYMBOLS);
        memset(m, 0, sizeof *m);
        m->problem = (cflri_problem){w.context, VERTICES, ground, input, 1};
        MUST(cflri_plan_new(&m->problem, &m->plan, &error));
        must_know_rules(m);
        must_know_moves(m);
        close_all(m);
        must_be_the_closure(m, rules);
        for (uint32_t s = 0; s < ground->n_symbols; s++) {
            mirrors += m->plan.mirror[s] != CFLRI_NO_SYMBOL;
            nullable += m->plan.nullable[s];
        }
        cflri_plan_free(&m->plan);
        cflri_free(w.context, (void *)input);
        cflri_ground_free(ground);
        world_end(&w);
    }
    cr_expect(mirrors > 100 && nullable > 100, "%u mirrors, %u nullable", mirrors, nullable);
    free(m);
}

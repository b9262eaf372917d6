/* SPDX-License-Identifier: Apache-2.0
 *
 * test_plan.c: following the moves of a plan, and nothing else, gives the closure.
 *
 * The interpreter below knows plan.h only: matrices of stored symbols, a worklist, and the table of
 * moves. It never looks at a rule. The reference solver knows the ground rules only, and no plan.
 * Reflexive pairs of nullable symbols are kept out of all joins, as the plan promises that no join
 * needs them. What the plan says of symbols is recomputed from the rules, and from the moves.
 */
#include "engine/closure/pairs/plan.h"
#include "engine/solvers.h"

#include "grammar/equations/ground_index.h"
#include "tests/support/support.h"

enum { VERTICES = 5, SYMBOLS = 9 };

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
                if (!cflri_relation_has(m->problem.input[s], v, t, NULL)) continue;
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

static void must_be_the_closure(const machine *m, int round) {
    cflri_closure closure;
    cflr_error error;
    MUST(cflri_solver_find(CFLR_MODEL_NAIVE)->solve(&m->problem, &closure, &error));
    for (uint32_t s = 0; s < m->plan.n_symbols; s++) {
        uint32_t from = m->plan.mirror[s], copies = 1;
        for (uint32_t k = 0; k < m->plan.n_symbols; k++) copies += m->plan.mirror[k] == s;
        cr_assert_eq(m->plan.has_mirror[s], copies == 2);
        cr_assert_leq(copies, from == CFLRI_NO_SYMBOL ? 2 : 1, "one mirror, and none of a mirror");
        for (uint32_t u = 0; u < VERTICES; u++) {
            for (uint32_t v = 0; v < VERTICES; v++) {
                bool found = from == CFLRI_NO_SYMBOL ? m->pair[s][u][v] : m->pair[from][v][u];
                cr_assert_eq(found, cflri_relation_has(&closure.relation[s], u, v, NULL),
                             "round %d: symbol %u, %u to %u", round, s, u, v);
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

/* ---- random problems ---- */

enum { MOST_RULES = 14, MOST_PAIRS = 9 };

/* A ground grammar without a text: any symbol may have any rules, converses too, and any pairs. */
typedef struct made {
    cflr_grammar grammar;
    cflri_rule kind[2]; /* the rules of `grammar`: 0 as it reads, 1 read backwards */
    cflri_ground ground;
    cflri_ground_rule rule[MOST_RULES];
    uint32_t epsilon[SYMBOLS];
    cflri_relation relation[SYMBOLS];
    const cflri_relation *input[SYMBOLS];
} made;

static int compare_rules(const void *left, const void *right) {
    return memcmp(left, right, sizeof(cflri_ground_rule)); /* equal ones are neighbours */
}

/* Converses are frequent, so that some symbols have no other rule, or one of a converse. */
static void make_rules(made *g, uint64_t *random) {
    uint32_t n = g->ground.n_symbols, rules = test_random_below(random, MOST_RULES), kept = 0;
    for (uint32_t r = 0; r < rules; r++) {
        bool backwards = !test_random_below(random, 3), binary = test_random_below(random, 3);
        g->rule[r] = (cflri_ground_rule){
            .left = test_random_below(random, n),
            .right = {test_random_below(random, n),
                      binary && !backwards ? test_random_below(random, n) : CFLRI_NO_SYMBOL},
            .rule = backwards};
    }
    qsort(g->rule, rules, sizeof *g->rule, compare_rules);
    for (uint32_t r = 0; r < rules; r++) {
        if (kept && compare_rules(&g->rule[kept - 1], &g->rule[r]) == 0) continue;
        g->rule[kept++] = g->rule[r];
    }
    g->ground.n_rules = kept;
    for (uint32_t s = 0; s < n; s++) {
        if (!test_random_below(random, 8)) g->epsilon[g->ground.n_epsilon++] = s;
    }
}

static void make_pairs(made *g, cflr_context *context, uint64_t *random) {
    for (uint32_t s = 0; s < g->ground.n_symbols; s++) {
        uint64_t pair[MOST_PAIRS];
        uint32_t n = test_random_below(random, 2) ? test_random_below(random, MOST_PAIRS) : 0;
        cflr_error error;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t u = test_random_below(random, VERTICES);
            pair[i] = cflri_pair(u, test_random_below(random, VERTICES));
        }
        if (n) MUST(cflri_relation_build(context, pair, n, &g->relation[s], &error));
        g->input[s] = n ? &g->relation[s] : NULL;
    }
}

static void make(made *g, cflr_context *context, uint64_t *random) {
    cflr_error error;
    memset(g, 0, sizeof *g);
    g->kind[1].is_converse = true;
    g->grammar.rule = g->kind;
    g->ground = (cflri_ground){.context = context,
                               .grammar = &g->grammar,
                               .n_symbols = 1 + test_random_below(random, SYMBOLS),
                               .rule = g->rule,
                               .epsilon = g->epsilon};
    make_rules(g, random);
    make_pairs(g, context, random);
    MUST(cflri_ground_build_indexes(&g->ground, &error));
}

static void made_free(made *g) {
    for (uint32_t s = 0; s < SYMBOLS; s++) {
        cflri_relation_free(g->ground.context, &g->relation[s]);
    }
    cflri_ground_free_indexes(&g->ground);
}

Test(plan, moves_are_the_rules) {
    uint64_t random = 11;
    uint32_t mirrors = 0, nullable = 0;
    machine *m = malloc(sizeof *m);
    for (int round = 0; round < 4000; round++) {
        made g;
        cflr_error error;
        cflr_context *context = test_context();
        make(&g, context, &random);
        memset(m, 0, sizeof *m);
        m->problem = (cflri_problem){.context = context,
                                     .n_vertices = VERTICES,
                                     .ground = &g.ground,
                                     .input = g.input,
                                     .threads = 1};
        MUST(cflri_plan_new(&m->problem, &m->plan, &error));
        must_know_rules(m);
        must_know_moves(m);
        close_all(m);
        must_be_the_closure(m, round);
        for (uint32_t s = 0; s < g.ground.n_symbols; s++) {
            mirrors += m->plan.mirror[s] != CFLRI_NO_SYMBOL;
            nullable += m->plan.nullable[s];
        }
        cflri_plan_free(&m->plan);
        made_free(&g);
        test_context_end(context);
    }
    cr_expect(mirrors > 300 && nullable > 1000, "%u mirrors, %u nullable", mirrors, nullable);
    free(m);
}

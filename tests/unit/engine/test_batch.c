/* SPDX-License-Identifier: Apache-2.0
 *
 * test_batch.c: what small random graphs do not bring about in the batch solver: rows of many
 * blocks, classes of vertices with common targets, and hubs over them.
 */
#include "sliced.h"
#include "support.h"

enum { TEXT = 1 << 17 };

typedef struct maker {
    uint64_t random;
    size_t n;
    char text[TEXT];
} maker;

static void add_edge(maker *m, uint32_t source, uint32_t target, const char *label) {
    m->n += (size_t)snprintf(m->text + m->n, TEXT - m->n, "%s%u %u %s", m->n ? "; " : "", source,
                             target, label);
    cr_assert_lt(m->n, (size_t)TEXT - 64);
}

/* Pointers, each with a place that it points to; assignments mostly from a few popular ones, so
 * that many alias; members; `gap` spreads the ids. */
static void program(maker *m, uint32_t pointers, uint32_t assignments, uint32_t gap) {
    static const char *const fields[] = {"f[0]", "f[8]", "f[16]"};
    m->n = 0;
    for (uint32_t p = 0; p < pointers; p++) add_edge(m, p * gap, (pointers + p) * gap, "d");
    for (uint32_t i = 0; i < assignments; i++) {
        uint32_t from =
            test_random_below(&m->random, test_random_below(&m->random, 3) ? 8 : pointers);
        uint32_t to = test_random_below(&m->random, 2 * pointers);
        add_edge(m, from * gap, to * gap, "a");
    }
    for (uint32_t i = 0; i < pointers / 8; i++) {
        uint32_t base = test_random_below(&m->random, pointers);
        add_edge(m, base * gap, test_random_below(&m->random, pointers) * gap, fields[i % 3]);
    }
}

static const char aliases[] =
    "%start V\nV ::= ~A V | V A | FV[i] f[i] | M | eps\nFV[i] ::= ~f[i] V\nM ::= DV d\n"
    "DV ::= ~d V\nA ::= A A | a M | a | eps\n";
/* the same without anything that makes it symmetric or closed at sight */
static const char one_sided[] =
    "%start V\nV ::= W d\nW ::= ~d U\nU ::= P | P V P | U a V\nP ::= a | P V a | b\nb ::= ~a P a\n";

static void compare(maker *m, const char *grammar, const char *what) {
    world w;
    world_begin(&w, 1);
    world_grammar(&w, grammar);
    world_graph(&w, m->text);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_EDGE_INDEXED);
    world_solve(&w, CFLR_MODEL_BATCH);
    must_be_equal(reference, w.result, what);
    cflr_result_free(reference);
    world_end(&w);
}

static void compare_all(const char *grammar, uint32_t pointers, uint32_t gap) {
    static maker m;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        char what[64];
        snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        m.random = seed;
        program(&m, pointers, pointers + (uint32_t)seed * 20, gap);
        compare(&m, grammar, what);
    }
}

Test(batch, classes_of_aliases) {
    compare_all(aliases, 120, 1);
}

Test(batch, classes_spread_over_blocks) {
    compare_all(aliases, 120, 37);
}

Test(batch, rules_without_symmetry) {
    compare_all(one_sided, 60, 1);
}

/* D has few rows, and they are met when those of A are, by whichever thread has them: it makes
 * nodes while others go through those that were there. One solve in fifteen lost a row when a node
 * got a number that had been gone through.
 */
Test(batch, nodes_made_on_the_way) {
    world w;
    world_begin(&w, 1);
    world_grammar(&w,
                  "%start A\nA ::= a | f[i]\nB ::= b | C A D\nC ::= c | c ~b B | a D C\nD ::= A\n"
                  "G[i] ::= f[i] | c G[i] ~f[i] | D C G[i]\n");
    world_graph(
        &w,
        "28 0 a; 21 24 a; 22 6 a; 27 3 g[2]; 25 9 f[2]; 1 1 g[2]; 3 25 b; 4 16 f[1]; 27 19 c; "
        "24 21 c; 0 22 b; 20 8 g[2]; 14 15 b; 19 7 a; 0 8 a; 26 17 a; 11 9 a; 0 13 f[3]; "
        "3 23 b; 1 27 b; 0 18 a; 3 2 a; 0 3 b; 8 14 b; 6 23 f[0]");
    cflr_result *reference = world_closure(&w, CFLR_MODEL_NAIVE);
    w.context->techniques = ~(unsigned)CFLR_TECHNIQUE_BETWEEN;
    w.context->threads = 2;
    for (int i = 0; i < 150; i++) {
        world_solve(&w, CFLR_MODEL_BATCH);
        must_be_equal(reference, w.result, "two threads");
        world_forget_result(&w);
    }
    cflr_result_free(reference);
    world_end(&w);
}

/* Wherever memory ends, the solver does, too, with nothing lost or made up. */
Test(batch, memory_may_end_anywhere) {
    static maker m = {.random = 3};
    program(&m, 250, 400, 1);
    world w;
    world_begin(&w, 1);
    world_grammar(&w, aliases);
    world_graph(&w, m.text);
    cflr_result *reference = world_closure(&w, CFLR_MODEL_BATCH);
    uint32_t limited = 0, partial = 0;
    for (uint64_t room = 0; room < 3000000; room += 2003 + room / 60) {
        cflr_error error;
        w.context->memory_limit = cflr_context_memory(w.context) + room;
        cflr_status st = world_try(&w, CFLR_MODEL_BATCH, &error);
        w.context->memory_limit = UINT64_MAX;
        cr_assert(st == CFLR_OK || st == CFLR_LIMIT, "%s", error.message);
        limited += st == CFLR_LIMIT;
        if (!w.result) continue;
        partial += st == CFLR_LIMIT && pairs_of(w.result, "V") > 0;
        cr_assert_eq(cflr_result_complete(w.result), st == CFLR_OK);
        for (uint32_t source = 0; source < 500; source++) {
            for (uint32_t target = 0; target < 500; target++) {
                uint32_t v = label_of(w.result, "V"), all = label_of(reference, "V");
                bool has = cflr_result_has(w.result, v, source, target);
                cr_assert(!has || cflr_result_has(reference, all, source, target));
            }
        }
        world_forget_result(&w);
    }
    cr_expect(limited > 20 && partial > 5, "%u limited, %u partial", limited, partial);
    cflr_result_free(reference);
    world_end(&w);
}

/* ---- rows that are large trees, read backwards ---- */

enum { CHAINED = 27001, CHAIN = 9000, LOOKS = 20000 };

static bool is_before(uint32_t u, uint32_t v) {
    return u < v && u / CHAIN == v / CHAIN;
}

static bool is_in(const world *w, const char *name, uint32_t source, uint32_t target) {
    return cflr_result_has(w->result, label_of(w->result, name), source, target);
}

/* P leads forwards along a chain; Q is its converse; R leads from v to each vertex behind the first
 * one of its chain, up to v. */
static void check_chains(const world *w) {
    uint64_t random = 5;
    cr_assert_eq(pairs_of(w->result, "Q"), pairs_of(w->result, "P"));
    cr_assert_eq(pairs_of(w->result, "~P"), pairs_of(w->result, "P"));
    cr_assert_eq(pairs_of(w->result, "R"), pairs_of(w->result, "P"));
    for (int i = 0; i < LOOKS; i++) {
        uint32_t u = test_random_below(&random, CHAINED), v = test_random_below(&random, CHAINED);
        cr_assert_eq(is_in(w, "P", u, v), is_before(u, v), "P(%u,%u)", u, v);
        cr_assert_eq(is_in(w, "Q", v, u), is_before(u, v), "Q(%u,%u)", v, u);
        cr_assert_eq(is_in(w, "~P", v, u), is_before(u, v), "~P(%u,%u)", v, u);
        bool reached = u % CHAIN && (u == v || is_before(u, v));
        cr_assert_eq(is_in(w, "R", v, u), reached, "R(%u,%u)", v, u);
    }
}

Test(batch, large_rows_read_backwards) {
    for (int threads = 1; threads <= 2; threads++) {
        world w;
        world_begin(&w, threads);
        world_chains(&w, CHAINED, CHAIN);
        cflr_grammar_free(w.grammar);
        world_grammar(&w, "Q ::= ~P\nR ::= ~P e\nP ::= e | P e\n");
        world_solve(&w, CFLR_MODEL_BATCH);
        check_chains(&w);
        world_forget_result(&w);
        world_solve_sliced(&w, (slicing){.slices = 3, .grain = 512, .parks = threads == 2});
        check_chains(&w);
        world_end(&w);
    }
}

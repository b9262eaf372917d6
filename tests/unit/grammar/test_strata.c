/* SPDX-License-Identifier: Apache-2.0
 *
 * test_strata.c: what loops and what does not, where guards are enough, and in what order all is
 * found. test_equations.c says that the solutions stay.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

enum { GRAMMARS = 2500, MOST_FAMILIES = 1024 };

Test(strata, loops_and_products) {
    static const stages_case cases[] = {
        /* what moves whole around is no loop; what is looked at is one */
        {"A ::= a A | b", NULL, "# 1: products\nA >= b\nA >= a . A\n"},
        {"A ::= A b A | A c | a", NULL,
         "# 1: products\n<3> >= eps\n<3> >= c . <3>\n# 2: a loop\n<2> >= b . A\nA >= a . <3>\n"
         "A >= A . <2>\n# 3: products\n%1 >= A . b\n"},
        /* between two inputs only guards are read, which recur; all of A follows from them */
        {"A ::= a A b | a c", NULL,
         "# 1: products\nc >= c\nc|g >= c\n# 2: a loop\nA|g >= a . c|g\nA|g >= a . A|g . b\n"
         "# 3: products\n%1 >= a . A\nA >= a . c\nA >= a . A|g . b\n"},
        /* a product, a loop that reads it, and a product that reads that */
        {"P ::= a* b\nL ::= L P L | P\nQ ::= c L", NULL,
         "# 1: products\n<5> >= eps\nP >= b\n%1 >= <5>\nP >= a . P\n<5> >= a . <5>\n"
         "# 2: a loop\nL >= P\n<6> >= P . L\nL >= L . <6>\n# 3: products\nQ >= c . L\n"
         "%2 >= L . P\n"},
        /* two loops, the second reads the first */
        {"A ::= A b A | a\nB ::= B A B | c", NULL,
         "# 1: a loop\nA >= a\n<4> >= b . A\nA >= A . <4>\n# 2: products\n<6> >= c . A\n"
         "%1 >= A . b\n# 3: a loop\n<5> >= eps\n<7> >= c . <8>\n<8> >= A . <5>\n"
         "<5> >= <5> . <7>\n# 4: products\n%2 >= <5> . <6>\nB >= <5> . c\n"},
        /* two that need each other */
        {"A ::= B a B | b\nB ::= A c A | d", NULL,
         "# 1: a loop\nA >= b\nB >= d\n<5> >= c . A\n<4> >= a . B\nA >= B . <4>\n"
         "B >= A . <5>\n# 2: products\n%2 >= A . c\n%1 >= B . a\n"},
        /* a filter makes a loop of what is none */
        {"%filter A m\nA ::= a b\nB ::= A c", "0 1 a; 1 2 b; 2 3 c; 0 3 m",
         "# 1: products\nb >= b\n# 2: a loop\nA >= a . b\n# 3: products\nB >= A . c\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, ALL_TECHNIQUES);
}

Test(strata, guards) {
    static const stages_case cases[] = {
        /* the whole A is not needed for M, nor for the guards of A */
        {"A ::= b A | M A | eps\nM ::= ~d A d", "0 1 b; 1 2 d",
         "# 1: a loop\n<5>|g >= eps\nA|g >= <5>|g\n<5>|g >= b . <5>|g\n<5>|g >= <6> . <5>|g\n"
         "<6> >= ~d . A|g . d\n# 2: products\n<4> >= eps\nA >= <4>\n<4> >= b . <4>\n"
         "%1 >= ~d . <4>\n<4> >= <6> . <4>\nM >= ~d . A|g . d\n"},
        /* A is turned, which needs all of it, and is read whole in front of b as well */
        {"A ::= a A b | ~A | c", NULL,
         "# 1: a loop\nA >= c\nA >= <2>\n<2> >= ~A\nA >= a . A . b\n# 2: products\n"
         "%1 >= a . A\n"},
        /* guards of what flows into A */
        {"A ::= a B b\nB ::= c B | C\nC ::= d d", NULL,
         "# 1: products\nd >= d\nd|g >= d\n%1 >= a . B\nB >= c . B\nB|g >= c . B|g\n"
         "B >= d . d\nC >= d . d\nB|g >= d . d|g\n# 2: products\nA >= a . B|g . b\n"},
        /* Q of a PAIR is whole; the guards are found beside it, since they do not wait for it */
        {"A ::= A A | a A b | c", NULL,
         "# 1: a loop\nA|g >= c\nA|g >= c . A|g\nA|g >= <3> . A|g\nA|g >= a . A|g . b\n"
         "<3> >= a . A|g . b\n# 2: products\nA >= c\n%1 >= a . A\nA >= c . A\nA >= <3> . A\n"
         "A >= a . A|g . b\n"},
        /* a step reads guards as well */
        {"A ::= a B | b\nB ::= a c a\nC ::= A c", NULL,
         "# 1: products\na >= a\nA >= b\nc >= c\nA >= a . <4>\nB >= a . <5>\n<4> >= a . <5>\n"
         "C >= a . <6>\n%1 >= a . c\n<10> >= a . c\nC >= b . c\n<5> >= c . a\n<6> >= a . <9>\n"
         "<9> >= c . <10>\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, ALL_TECHNIQUES);
}

Test(strata, without) {
    static const stages_case cases[] = {
        {"A ::= a A b | c\nB ::= A d", NULL,
         "# 1: a loop\nA >= c\nA >= a . A . b\n# 2: products\n%1 >= a . A\nB >= A . d\n"},
    };
    expect_equations(cases, 1, ALL_TECHNIQUES & ~CFLR_TECHNIQUE_GUARDS);
    static const stages_case all_one[] = {
        {"A ::= a A b | c\nB ::= A d", NULL,
         "# 1: a loop\nA >= c\nA|g >= c\n%1 >= a . A\nB >= A|g . d\nA >= a . A|g . b\n"
         "A|g >= a . A|g . b\n"},
    };
    expect_equations(all_one, 1, ALL_TECHNIQUES & ~CFLR_TECHNIQUE_STRATA);
}

/* ---- random ---- */

/* Which families each one needs, by itself or by way of others. */
typedef struct needs {
    uint32_t n;
    bool of[MOST_FAMILIES][MOST_FAMILIES];
    bool looks[MOST_FAMILIES][MOST_FAMILIES]; /* at ids, in one equation */
} needs;

static void add_need(needs *x, uint32_t left, uint32_t on, bool moves) {
    x->of[left][on] = true;
    x->looks[left][on] |= !moves;
}

static void find_needs(needs *x, const cflri_equations *all) {
    memset(x, 0, sizeof *x);
    x->n = (uint32_t)all->family.n;
    cr_assert_leq(x->n, MOST_FAMILIES);
    for (size_t i = 0; i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        bool moves = e->kind == CFLRI_COPY || e->kind == CFLRI_EDGE || e->kind == CFLRI_PAIR;
        if (e->kind != CFLRI_DIAGONAL && e->kind != CFLRI_INPUT) {
            add_need(x, e->left, e->right, moves);
        }
        if (e->kind == CFLRI_PAIR) add_need(x, e->left, e->by, false);
    }
    for (uint32_t k = 0; k < x->n; k++) {
        for (uint32_t i = 0; i < x->n; i++) {
            for (uint32_t j = 0; x->of[i][k] && j < x->n; j++) x->of[i][j] |= x->of[k][j];
        }
    }
}

/* Does something that looks at ids, or a filter, lead around through the family? */
static bool recurs(const needs *x, const cflri_equations *all, uint32_t f) {
    for (uint32_t i = 0; i < x->n; i++) {
        bool same_i = i == f || (x->of[f][i] && x->of[i][f]);
        if (same_i && all->family.at[i].filtered) return true;
        for (uint32_t j = 0; same_i && j < x->n; j++) {
            bool same_j = j == f || (x->of[f][j] && x->of[j][f]);
            if (same_j && x->looks[i][j]) return true;
        }
    }
    return false;
}

static const char *fault_of_families(const needs *x, const cflri_equations *all) {
    for (uint32_t f = 0; f < x->n; f++) {
        const cflri_stratum *stratum = &all->stratum.at[all->family.at[f].stratum];
        if (stratum->loops != recurs(x, all, f)) return "a loop that is none, or the other way";
        bool needed = false;
        for (uint32_t s = 0; s < all->n_symbols && !needed; s++) {
            uint32_t rows = all->home[s].rows;
            needed =
                all->home[s].wanted && rows != CFLRI_NO_SYMBOL && (rows == f || x->of[rows][f]);
        }
        if (!needed) return "rows that no rule needs";
    }
    return NULL;
}

/* What takes its guards from the whole rows has no other equation. */
static const char *fault_of_guards(const cflri_equations *all) {
    bool taken[MOST_FAMILIES] = {false};
    for (size_t i = 0; i < all->equation.n; i++) {
        if (all->equation.at[i].kind == CFLRI_GUARDS) taken[all->equation.at[i].left] = true;
    }
    for (size_t i = 0; i < all->equation.n; i++) {
        const cflri_equation *e = &all->equation.at[i];
        if (taken[e->left] && e->kind != CFLRI_GUARDS) return "guards that are found twice";
    }
    return NULL;
}

/* In what order all is found, validate.c says. */
Test(strata, of_random_grammars) {
    static random_grammar w;
    static needs x;
    cflr_context *context = test_context();
    uint32_t compared = 0, loops = 0, products = 0;
    for (uint64_t seed = 1; compared < GRAMMARS; seed++) {
        stages s;
        if (!stages_random(context, seed, &w, &s)) continue;
        cflri_equations *all = equations_of(&s, ALL_TECHNIQUES);
        find_needs(&x, all);
        const char *fault = fault_of_families(&x, all);
        if (!fault) fault = fault_of_guards(all);
        cr_assert_null(fault, "seed %llu: %s\n%s\n%s", (unsigned long long)seed, fault, w.text,
                       equations_text(&s, all));
        for (size_t k = 0; k < all->stratum.n; k++) {
            loops += all->stratum.at[k].loops;
            products += !all->stratum.at[k].loops;
        }
        cflri_equations_free(all);
        stages_free(&s);
        compared++;
    }
    cr_expect(loops > GRAMMARS / 4 && products > GRAMMARS / 2, "%u loops, %u products", loops,
              products);
    test_context_end(context);
}

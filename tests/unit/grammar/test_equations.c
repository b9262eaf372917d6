/* SPDX-License-Identifier: Apache-2.0
 *
 * test_equations.c: what each kind of equation is made for; and the least solution of all of them
 * is the closure of the ground rules, whatever is left out of the techniques or of the symbols.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

enum { PLAIN = ALL_TECHNIQUES & ~CFLR_TECHNIQUE_GUARDS, GRAMMARS = 6000 };

/* The grammar of docs/explanation/closure.md, which says why. */
Test(equations, of_the_alias_grammar) {
    static const stages_case cases[] = {
        {"V ::= ~A V | V A | FV[i] f[i] | M | eps\nFV[i] ::= ~f[i] V\nM ::= DV d\nDV ::= ~d V\n"
         "A ::= A A | a M | a | eps",
         "0 1 a; 1 2 d; 2 3 f[8]",
         "# 1: a loop\nA|g >= eps\nV|g >= A|g\n<9>|g >= A|g\nV|g >= ~a . V|g\n"
         "<9>|g >= ~a . V|g\nA|g >= a . A|g\nA|g >= a . <11>|g\n<11>|g >= M . A|g\n"
         "V|g >= <7> . A|g\nV|g >= M . <9>|g\n<7> >= ~f[\"8\"] . V|g . f[\"8\"]\n"
         "M >= ~d . V|g . d\n# 2: products\nA >= eps\nV >= A\n<8> >= A\n"
         "FV[\"8\"] >= ~f[\"8\"] . V\nDV >= ~d . V\nV >= ~a . V\n<8> >= ~a . V\nA >= a . A\n"
         "A >= a . <10>\n<10> >= M . A\nV >= <7> . A\nV >= M . <8>\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, ALL_TECHNIQUES);
}

Test(equations, kinds) {
    static const stages_case cases[] = {
        /* DIAGONAL and INPUT */
        {"A ::= a | ~b | eps", NULL, "# 1: products\nA >= eps\nA >= a\nA >= ~b\n"},
        /* COPY */
        {"A ::= B | c\nB ::= a b | B a B", NULL,
         "# 1: products\nb >= b\n# 2: a loop\n<3> >= a . B\nB >= a . b\nB >= B . <3>\n"
         "# 3: products\nA >= c\nA >= B\n%1 >= B . a\n"},
        /* TURN: a sum alone, backwards; a closure is written backwards instead */
        {"A ::= ~B | a\nB ::= B a B | b | c d", NULL,
         "# 1: products\nd >= d\n# 2: a loop\nB >= b\n<4> >= a . B\nB >= c . d\nB >= B . <4>\n"
         "# 3: products\nA >= a\nA >= <3>\n<3> >= ~B\n%1 >= B . a\n"},
        {"A ::= b B\nB ::= ~C\nC ::= a C | a", NULL,
         "# 1: products\nC >= a\n<3> >= ~a\nB >= <3>\nC >= a . C\nA >= b . <3>\n"
         "<3> >= ~a . <3>\n"},
        /* EDGE */
        {"A ::= a A b A | c d", NULL,
         "# 1: products\nd >= d\n# 2: a loop\nA >= c . d\nA >= <3> . A\n<3> >= a . A . b\n"
         "# 3: products\n%1 >= a . A\n%2 >= a . A . b\n"},
        /* PAIR, both ways */
        {"A ::= B A | ~B A a | c\nB ::= a B b | b b", NULL,
         "# 1: products\nb >= b\n# 2: a loop\nB >= b . b\nB >= a . B . b\n# 3: products\n"
         "%2 >= a . B\n# 4: a loop\nA >= c\nA >= B . A\nA >= ~B . <4>\n<4> >= A . a\n"
         "# 5: products\n%1 >= ~B . A\n"},
        /* STEP */
        {"A ::= A A | A a | b", NULL, "# 1: a loop\nA >= b\nA >= A . A\nA >= A . a\n"},
        /* BETWEEN, alone and in front of something */
        {"A ::= a A b | c", NULL,
         "# 1: a loop\nA >= c\nA >= a . A . b\n# 2: products\n%1 >= a . A\n"},
        {"A ::= a A b A | c A d A | c", NULL,
         "# 1: a loop\nA >= c\nA >= <5> . A\n<5> >= a . A . b\n<5> >= c . A . d\n"
         "# 2: products\n%1 >= a . A\n%3 >= c . A\n%2 >= a . A . b\n%4 >= c . A . d\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, PLAIN);
}

Test(equations, guards_and_homes) {
    static const stages_case cases[] = {
        /* GUARDS: Q of a PAIR is whole, and what flows on in front of `c` is cut */
        {"A ::= a B | b\nB ::= A c A c", NULL,
         "# 1: a loop\nA >= b\n<7>|g >= c . A|g\n%2|g >= A . <7>|g\nA >= a . %2|g . c\n"
         "A|g >= A\n# 2: products\n<6> >= c . A\n%2 >= A . <6>\n%1 >= A . c\nB >= %2|g . c\n"},
        /* in an input, in other rows, in rows of another symbol read backwards */
        {"A ::= ~a", NULL, "# 1: products\nA >= ~a\n"},
        {"A ::= B\nB ::= a b", NULL, "# 1: products\nb >= b\nA >= a . b\nB = A\n"},
        {"A ::= a b | c\nB ::= ~b ~a | ~c", NULL,
         "# 1: products\nb >= b\nA >= c\nA >= a . b\nB = ~A\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, ALL_TECHNIQUES);
}

Test(equations, cuts) {
    static const stages_case cases[] = {
        /* stars in front: of everything, of a part, a plus, one behind another */
        {"A ::= a* b | a* c d", NULL,
         "# 1: products\n<4> >= eps\nA >= b\n%2 >= c\nd >= d\n%1 >= <4>\nA >= a . A\n"
         "%2 >= a . %2\nA >= c . d\n<4> >= a . <4>\n"},
        {"A ::= a* b | c d", NULL,
         "# 1: products\n<4> >= eps\n<2> >= b\nd >= d\nA >= <2>\n%1 >= <4>\n<2> >= a . <2>\n"
         "A >= c . d\n<4> >= a . <4>\n"},
        {"A ::= a+ b", NULL,
         "# 1: products\n%1 >= a\nb >= b\nA >= a . A\n%1 >= a . %1\nA >= a . b\n"},
        {"A ::= a* b* c", NULL,
         "# 1: products\n<5> >= eps\n<6> >= eps\n<4> >= c\nA >= <4>\n%1 >= <5>\n%2 >= <6>\n"
         "%3 >= <6>\nA >= a . A\n%3 >= a . %3\n<4> >= b . <4>\n<5> >= a . <5>\n"
         "<6> >= b . <6>\n"},
        /* stars in the steps of stars are opened three deep, and read pair by pair below */
        {"A ::= (a (b (c (d f[i])*)*)*)* a", "0 1 a; 1 2 b; 2 3 c; 3 4 d; 4 5 f[8]",
         "# 1: products\n<10> >= eps\n<11> >= eps\n<12> >= eps\n<13> >= eps\n%9 >= f[\"8\"]\n"
         "f[\"8\"] >= f[\"8\"]\n%1 >= <10>\n<15> >= <10>\n%2 >= <11>\n<16> >= <11>\n"
         "%3 >= <12>\n<17> >= <12>\n%4 >= <13>\n<19> >= <15>\n<20> >= <16>\n<22> >= <19>\n"
         "%8 >= a . <11>\n%7 >= b . <12>\n%6 >= c . <13>\n<18> >= f[\"8\"] . <13>\n"
         "%5 >= d . f[\"8\"]\n<10> >= a . <15>\n<11> >= b . <16>\n<12> >= c . <17>\n"
         "<21> >= f[\"8\"] . <17>\n<13> >= d . <18>\n<15> >= b . <19>\n<16> >= c . <20>\n"
         "<23> >= f[\"8\"] . <20>\n<17> >= d . <21>\n<19> >= c . <22>\n"
         "<24> >= f[\"8\"] . <22>\n<20> >= d . <23>\n<22> >= d . <24>\n# 2: products\n"
         "A >= <10> . a\n"},
        /* by an edge to itself, a row has itself */
        {"A ::= a A | b", "0 0 a; 0 1 b", "# 1: products\nA >= b\n"},
        /* equal rests share rows; sorted and once */
        {"A ::= a b c | c b c\nB ::= d b c", NULL,
         "# 1: products\nb >= b\nc >= c\nA >= a . <5>\nA >= c . <5>\nB >= d . <5>\n"
         "%1 >= a . b\n%2 >= c . b\n%3 >= d . b\n<5> >= b . c\n"},
        /* a row that is filtered is no row of its recursion: the star has rows of its own */
        {"%filter A m\nA ::= a* b", "0 1 a; 1 2 b; 1 3 m",
         "# 1: products\n<3> >= eps\n<2> >= b\n%1 >= <3>\n<2> >= a . <2>\n<3> >= a . <3>\n"
         "# 2: a loop\nA >= <2>\n"},
    };
    expect_equations(cases, sizeof cases / sizeof *cases, PLAIN);
}

/* ---- where equations begin ---- */

Test(equations, seek) {
    cflr_context *context = test_context();
    stages s = stages_of(context, "A ::= a A | b A c | A A | eps\nB ::= a B b | A c",
                         "0 1 a; 1 2 b; 2 3 c");
    cflri_equations *all = equations_of(&s, ALL_TECHNIQUES);
    for (size_t k = 0; k < all->stratum.n; k++) {
        cflri_stratum stratum = all->stratum.at[k];
        for (int kind = CFLRI_DIAGONAL; kind <= CFLRI_GUARDS; kind++) {
            for (uint32_t right = 0; right <= all->family.n; right++) {
                cflri_equation key = {.kind = (cflri_equation_kind)kind, .right = right};
                size_t expected = stratum.first;
                while (expected < stratum.end && (all->equation.at[expected].kind < key.kind ||
                                                  (all->equation.at[expected].kind == key.kind &&
                                                   all->equation.at[expected].right < right))) {
                    expected++;
                }
                cr_assert_eq(cflri_equations_seek(all, stratum, &key), expected);
            }
        }
    }
    cflri_equations_free(all);
    stages_free(&s);
    test_context_end(context);
}

/* ---- random ---- */

/* Symbols whose pairs are asked for; of all the others nothing is promised. */
static cflri_equations *equations_of_some(const stages *s, unsigned techniques, uint64_t random) {
    bool *wanted = calloc(s->ground->n_symbols + 1, sizeof *wanted);
    cflri_equations *made;
    cflr_error error = {0};
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) wanted[k] = random >> (k & 63) & 1;
    MUST(cflri_equations_new(s->ground, s->input, wanted, techniques, &made, &error));
    for (uint32_t k = 0; k < s->ground->n_symbols; k++) {
        cr_assert_eq(made->home[k].wanted, wanted[k]);
    }
    free(wanted);
    return made;
}

static void expect_closure(const stages *s, const relation *expected,
                           const cflri_equations *equations, uint64_t seed, const char *source) {
    cflr_error error = {0};
    cflr_status st = cflri_equations_validate(equations, &error);
    cr_assert_eq(st, CFLR_OK, "seed %llu: %s\n%s\n%s", (unsigned long long)seed, error.message,
                 source, equations_text(s, equations));
    for (int by_strata = 0; by_strata < 2; by_strata++) {
        relation *found = closure_of_equations(s, equations, by_strata);
        const char *difference = pairs_difference(s, equations, found, expected);
        cr_assert_null(difference, "seed %llu%s: %s\n%s\n%s", (unsigned long long)seed,
                       by_strata ? ", by strata" : "", difference, source,
                       equations_text(s, equations));
        free(found);
    }
}

/* All techniques in every second round. By strata, too: nothing is read before it is whole. */
Test(equations, least_solution_is_the_closure) {
    static random_grammar w;
    cflr_context *context = test_context();
    uint32_t compared = 0, kinds[CFLRI_GUARDS + 1] = {0}, filtered = 0;
    for (uint64_t seed = 1; compared < GRAMMARS; seed++) {
        stages s;
        if (!stages_random(context, seed, &w, &s)) continue;
        unsigned techniques = seed % 2 ? ALL_TECHNIQUES : seed / 2 & ALL_TECHNIQUES;
        relation *expected = closure_of_ground(s.ground);
        cflri_equations *all = equations_of(&s, techniques);
        expect_closure(&s, expected, all, seed, w.text);
        for (size_t e = 0; e < all->equation.n; e++) kinds[all->equation.at[e].kind]++;
        for (size_t f = 0; f < all->family.n; f++) filtered += all->family.at[f].filtered;
        cflri_equations *some = equations_of_some(&s, techniques, *w.random);
        expect_closure(&s, expected, some, seed, w.text);
        cflri_equations_free(some);
        cflri_equations_free(all);
        free(expected);
        stages_free(&s);
        compared++;
    }
    for (int kind = CFLRI_DIAGONAL; kind <= CFLRI_GUARDS; kind++) {
        cr_expect_gt(kinds[kind], 50, "%u equations of kind %d", kinds[kind], kind);
    }
    cr_expect_gt(filtered, 200);
    test_context_end(context);
}

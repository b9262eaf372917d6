/* SPDX-License-Identifier: Apache-2.0
 *
 * test_algebra.c: ground rules as sums of products, auxiliaries put back; and every combination of
 * the steps keeps every symbol's pairs.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

enum { GRAMMARS = 2500 };

Test(algebra, sums) {
    static const stages_case cases[] = {
        {"A ::= a B | ~b | eps\nB ::= c", NULL, "A = eps | a B | ~b\nB = c\n"},
        /* a symbol that is another one backwards is no set; one with rules of its own is */
        {"A ::= ~B ~(a b)\nB ::= c d", NULL, "A = %1 ~a\nB = c d\n%1 = ~B ~b\n"},
        /* edges of a symbol that has rules, or may be empty */
        {"A ::= A b | eps", "0 1 A; 1 2 b", "A = {A} | eps | A b\n"},
        {"A ::= B b\nB ::= c", "0 1 B; 1 2 b", "A = B b\n"},
        {"A ::= A | ~A | a", NULL, "A = ~A | a\n"},
        {"A ::= P[i] b\nP[i] ::= f[i] a", NULL,
         "A = %1 b\nP[8] = f[8] a\nP[16] = f[16] a\n%1 = P[8] | P[16]\n"},
        /* a filtered symbol is a set of its own, also when it has no pairs but its edges */
        {"%filter F m\nA ::= F b\nF ::= c d", "0 1 F; 1 2 b; 0 1 m; 0 3 F; 3 2 b",
         "A = F b\nF = {F}\n"},
        {"%filter F m\nA ::= F b\nF ::= c", "0 1 c; 1 2 b; 0 1 m; 0 3 c; 3 2 b",
         "A = F b\nF = c\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, 0);
}

Test(algebra, inlining) {
    static const stages_case cases[] = {
        /* read in one place, forwards and backwards */
        {"A ::= F b\nF ::= ~a A | c", NULL, "A = F b\nF = ~a F b | c\n"},
        {"A ::= F b | c\nF ::= ~a A", NULL, "A = ~a A b | c\nF = ~a A\n"},
        {"A ::= ~F b | c\nF ::= ~a A", NULL, "A = ~A a b | c\nF = ~a A\n"},
        /* read twice: only a name for one other symbol goes away */
        {"A ::= F b F\nF ::= a c", NULL, "A = F b F\nF = a c\n%1 = F b\n"},
        {"A ::= F b F\nF ::= G\nG ::= a c | d", NULL, "A = G b G\nF = G\nG = a c | d\n%1 = G b\n"},
        /* no input in it, or it reads itself, or it is filtered: stays */
        {"A ::= F b\nF ::= G G\nG ::= a | c", NULL, "A = F b\nF = G G\nG = a | c\n"},
        {"A ::= F b\nF ::= F a", "0 1 F; 1 2 a; 2 3 b", "A = F b\nF = {F} | F a\n"},
        {"%filter F c\nA ::= F b\nF ::= a d", NULL, "A = F b\nF = a d\n"},
        /* a product of at most twelve factors */
        {"A ::= B b\nB ::= C b b b\nC ::= D b b b\nD ::= E b b b\nE ::= a b b b", NULL,
         "A = E b b b b b b b b b b\nB = %8 b b b b b b b b b b\nC = a b b b b b b b b b\n"
         "D = a b b b b b b\nE = a b b b\n%1 = a b b b b b b b b b b\n%2 = %1 b\n"
         "%3 = a b b b b b b b\n%4 = a b b b b b b b b\n%5 = a b b b b\n%6 = a b b b b b\n"
         "%7 = a b\n%8 = a b b\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, CFLR_TECHNIQUE_INLINE);
}

/* ---- random ---- */

static void expect_kept(const stages *s, const relation *expected, unsigned techniques,
                        uint64_t seed, const char *source) {
    cflri_algebra algebra = algebra_of(s, techniques);
    relation *found = closure_of_algebra(s, &algebra);
    const char *difference = pairs_difference(s, NULL, found, expected);
    cr_assert_null(difference, "seed %llu, techniques %u: %s\n%s\n%s", (unsigned long long)seed,
                   techniques, difference, source, algebra_text(s, &algebra));
    free(found);
    cflri_algebra_free(&algebra);
}

Test(algebra, every_step_keeps_the_pairs) {
    enum { STEPS = CFLR_TECHNIQUE_INLINE | CFLR_TECHNIQUE_STARS | CFLR_TECHNIQUE_MIRRORS };
    static random_grammar w;
    cflr_context *context = test_context();
    uint32_t compared = 0;
    for (uint64_t seed = 1; compared < GRAMMARS; seed++) {
        stages s;
        if (!stages_random(context, seed, &w, &s)) continue;
        relation *expected = closure_of_ground(s.ground);
        for (unsigned steps = 0; steps <= STEPS; steps++) {
            expect_kept(&s, expected, steps, seed, w.text);
        }
        free(expected);
        stages_free(&s);
        compared++;
    }
    test_context_end(context);
}

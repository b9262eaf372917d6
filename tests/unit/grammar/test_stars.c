/* SPDX-License-Identifier: Apache-2.0
 *
 * test_stars.c: which recursion becomes a closure, and what is opened in products afterwards.
 * test_algebra.c says that pairs stay.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

enum { TECHNIQUES = CFLR_TECHNIQUE_INLINE | CFLR_TECHNIQUE_STARS };

Test(stars, linear_recursion) {
    static const stages_case cases[] = {
        /* on the left, on the right, on both sides */
        {"A ::= A a | b", NULL, "A = b <1>\n<1> = star(a)\n"},
        {"A ::= a A | b", NULL, "A = <1> b\n<1> = star(a)\n"},
        {"A ::= A a | b A | c", NULL, "A = <1> c <2>\n<1> = star(b)\n<2> = star(a)\n"},
        {"A ::= A a b | A c | d | eps", NULL,
         "A = <1> | d <1>\n%1 = <1> a | d <1> a\n<1> = star(c | a b)\n"},
        /* A in the middle is no step; at both ends it is one on the left */
        {"A ::= a A b | c", NULL, "A = c | a A b\n%1 = a A\n"},
        {"A ::= A b A | a", NULL, "A = <1> a\n%1 = A b\n<1> = star(A b)\n"},
        /* backwards it is another set */
        {"A ::= ~A a | b", NULL, "A = ~A a | b\n"},
        /* through another symbol that is put back first */
        {"A ::= B a | b\nB ::= A c", NULL, "A = b <1>\nB = b <1> c\n<1> = star(c a)\n"},
        /* edges of A are one of its products */
        {"A ::= A a", "0 1 A; 1 2 a", "A = {A} <1>\n<1> = star(a)\n"},
        /* what is filtered is found by its rules alone */
        {"%filter A c\nA ::= A a | b", NULL, "A = A a | b\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, TECHNIQUES);
}

Test(stars, closures) {
    static const stages_case cases[] = {
        {"A ::= A A | a | eps", NULL, "A = star(a)\n"},
        {"A ::= A A | a | b A | A c | eps", NULL, "A = star(c | a | b)\n"},
        {"A ::= A A | a | b c", NULL, "A = plus(a | b c)\n"},
        {"A ::= A A", "0 1 A", "A = plus({A})\n"},
        /* without eps and with another recursion: left alone */
        {"A ::= A A | a A | b", NULL, "A = A A | a A | b\n"},
        {"A ::= A A | A a | b", NULL, "A = A A | A a | b\n"},
        /* plus by one step; two steps, or another base, are no plus */
        {"A ::= a | a A", NULL, "A = plus(a)\n"},
        {"A ::= A a | a", NULL, "A = plus(a)\n"},
        {"A ::= a b | a b A", NULL, "A = plus(a b)\n%1 = a b\n"},
        {"A ::= a | b A", NULL, "A = <1> a\n<1> = star(b)\n"},
        {"A ::= a | a A | b", NULL, "A = <1> a | <1> b\n<1> = star(a)\n"},
        {"A ::= (a b?)+", NULL, "A = a <1> | %1 <1>\n%1 = a b\n<1> = star(a | a b)\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, TECHNIQUES);
}

Test(stars, opened_products) {
    static const stages_case cases[] = {
        /* a sum that is read once is distributed; between two inputs it stays */
        {"A ::= B C\nB ::= a a | c\nC ::= b c | d", NULL,
         "A = a a d | a a b c | c b c | c d\nB = a a | c\nC = b c | d\n"},
        {"A ::= ~B d\nB ::= a b | c", NULL, "A = ~b ~a d | ~c d\nB = a b | c\n"},
        {"A ::= a B d\nB ::= a b | c", NULL, "A = a B d\nB = a b | c\n%1 = a B\n"},
        /* two names are opened wherever they are read, three are not */
        {"A ::= Q a Q | b\nQ ::= eps | A", NULL,
         "A = b | a A | a | A a | A a A\nQ = eps | A\n%1 = a | A a\n"},
        {"A ::= Q a Q | b\nQ ::= eps | A | c", NULL,
         "A = b | Q a Q\nQ = eps | c | b | Q a Q\n%1 = Q a\n"},
        /* steps that are closures or light sums */
        {"A ::= (a*)*", NULL, "A = <1>\n%1 = <2>\n<1> = star(a)\n<2> = star(a)\n"},
        {"A ::= (a+ | b*)*", NULL,
         "A = <1>\n%1 = plus(a)\n%2 = <2>\n<1> = star(a | b)\n<2> = star(b)\n"},
        {"A ::= (B | c)*\nB ::= a a | b a", NULL,
         "A = <1>\nB = a a | b a\n<1> = star(c | a a | b a)\n"},
        {"A ::= B+\nB ::= a? b?", NULL, "A = star(a b | a | b)\nB = eps | a b | a | b\n"},
        {"A ::= (A | a)+", NULL, "A = A A | A a | a\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, TECHNIQUES);
}

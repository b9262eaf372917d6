/* SPDX-License-Identifier: Apache-2.0
 *
 * test_mirrors.c: sets that are each other backwards, and sets that only look so. test_algebra.c
 * says that pairs stay.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/stages.h"

enum { TECHNIQUES = CFLR_TECHNIQUE_INLINE | CFLR_TECHNIQUE_STARS | CFLR_TECHNIQUE_MIRRORS };

Test(mirrors, found) {
    static const stages_case cases[] = {
        {"V ::= ~b M b\nM ::= ~d V d | eps", NULL,
         "|V| = ~b M b\n|M| = eps | ~d ~b M b d\n%1 = ~b M\n%2 = ~d ~b M b\n"},
        /* the same products, and these backwards */
        {"A ::= a b | c\nB ::= c | a b", NULL, "A = a b | c\nB is A\n"},
        {"A ::= a b | c\nB ::= ~c | ~b ~a", NULL, "A = a b | c\nB is ~A\n"},
        {"A ::= A a | eps\nB ::= ~a B | eps", NULL, "A = <1>\n<1> = star(a)\nB is ~A\n"},
        {"A ::= A A | a\nB ::= B B | ~a", NULL, "A = plus(a)\nB is ~A\n"},
        /* what is twice the same is it once */
        {"A ::= P b | Q b\nB ::= P b\nC ::= Q Q\nP ::= c d | c\nQ ::= c | c d", NULL,
         "A = P b | P b\nP = c d | c\nC = P P\nQ is P\nB is A\n"},
        /* each by way of the other */
        {"A ::= a B | c\nB ::= b A | d\nC ::= D ~a | ~c\nD ::= C ~b | ~d", NULL,
         "A = c | a b A | a d\nB = b A | d\nC is ~A\nD is ~B\n"},
        /* beside what is filtered */
        {"%filter F d\nA ::= F c\nB ::= ~c ~F\nF ::= a b", NULL, "A = F c\nF = a b\nB is ~A\n"},
        /* by an input that is the same backwards, or leads nowhere but to itself */
        {"A ::= a b | c\nB ::= b a | c", "0 1 a; 1 0 a; 2 2 b; 0 1 c; 1 0 c",
         "A = a b | c\nB is ~A\n"},
        {"A ::= a b a", "0 1 a; 1 0 a; 1 2 b; 2 1 b", "|A| = a b a\n%1 = a b\n"},
        {"V ::= f[i] V ~f[i] | a ~a", NULL,
         "|V| = a ~a | f[8] V ~f[8] | f[16] V ~f[16]\n%1[8] = f[8] V\n%1[16] = f[16] V\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, TECHNIQUES);
}

Test(mirrors, not_found) {
    static const stages_case cases[] = {
        {"A ::= A a | eps\nB ::= b B | eps", NULL,
         "A = <1>\nB = <2>\n<1> = star(a)\n<2> = star(b)\n"},
        {"A ::= a b | c\nB ::= ~a ~b | ~c", NULL, "A = a b | c\nB = ~a ~b | ~c\n"},
        {"A ::= a b | c\nB ::= ~b ~a", NULL, "A = a b | c\nB = ~b ~a\n"},
        /* star and plus of one step; what stands beside them is found nonetheless */
        {"A ::= A A | a | eps\nB ::= B B | ~a\nC ::= a b\nD ::= ~b ~a", NULL,
         "A = star(a)\nB = plus(~a)\nC = a b\nD is ~C\n"},
        {"A ::= a B | c\nB ::= b A | d\nC ::= D ~a | ~c\nD ::= C ~b | ~b", NULL,
         "A = c | a b A | a d\nB = b A | d\nC = ~c | C ~b ~a | ~b ~a\nD = C ~b | ~b\n"},
        {"A ::= a b a", "0 1 a; 1 0 a; 1 2 b", "A = a b a\n%1 = a b\n"},
        /* edges of its own */
        {"A ::= a b\nB ::= ~b ~a", "0 1 a; 1 2 b; 3 4 B", "A = a b\nB = {B} | ~b ~a\n"},
        /* what is filtered is like no other, and no mirror of itself */
        {"%filter B c\nA ::= a b\nB ::= ~b ~a", NULL, "A = a b\nB = ~b ~a\n"},
        {"%filter A c\nA ::= a ~a", NULL, "A = a ~a\n"},
    };
    expect_algebra(cases, sizeof cases / sizeof *cases, TECHNIQUES);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_check.c: warnings, with their places, and the counts of `cflr grammar stats`.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/relations.h"

/* "1:2: message\n" for each, in a buffer of the caller. */
static void warnings_of(const cflr_grammar *grammar, char *text, size_t size) {
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < cflr_grammar_diagnostics(grammar); i++) {
        const cflr_diagnostic *d = cflr_grammar_diagnostic(grammar, i);
        at += (size_t)snprintf(text + at, size - at, "%u:%u: %s\n", d->line, d->column, d->message);
        cr_assert_lt(at, size);
    }
}

Test(check, warnings) {
    static const struct {
        const char *source, *warnings;
    } cases[] = {
        {"A ::= b A | eps", ""},
        {"A ::= b | T\nT ::= T c",
         "1:11: 'T' derives no path of labels (if graphs have such edges, name it in %terminal)\n"},
        {"%terminal T c b\nA ::= b | T\nT ::= T c", ""},
        {"A ::= A b", "1:1: 'A' is the start symbol and derives no path of labels\n"},
        {"A ::= B c\nB ::= A c",
         "1:1: 'A' is the start symbol and derives no path of labels\n"
         "1:7: 'B' derives no path of labels (if graphs have such edges, name it in %terminal)\n"},
        {"A ::= b\nC ::= d", "2:1: 'C' cannot be reached from the start symbol 'A'\n"},
        {"%answer x C\nA ::= b\nC ::= d", ""},
        {"A ::= ~C\nC ::= d", ""},
        {"A ::= b | c | b\nA ::= c",
         "1:15: the rule 'A ::= b' stands already at 1:7\n"
         "2:7: the rule 'A ::= c' stands already at 1:11\n"},
        {"A ::= b  c\nA ::= b c # the same", "2:7: the rule 'A ::= b c' stands already at 1:7\n"},
        {"A ::= A | b", "1:7: the rule 'A ::= A' adds nothing\n"},
        {"P[i] ::= P[i] | f[i]", "1:10: the rule 'P[i] ::= P[i]' adds nothing\n"},
        {"%terminal b c d\nA ::= b",
         "1:13: 'c' is in %terminal and in no rule\n"
         "1:15: 'd' is in %terminal and in no rule\n"},
        {"A ::= a abar", "1:9: 'abar' is a label of its own; 'a' backwards is ~a\n"},
        {"A ::= bar foobar", ""},
        {"A ::= a Abar\nAbar ::= b", ""},
    };
    cflr_context *context = test_context();
    char text[4096];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_grammar *grammar = grammar_of(context, cases[i].source);
        warnings_of(grammar, text, sizeof text);
        cr_expect_str_eq(text, cases[i].warnings, "%s\n%s", cases[i].source, text);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

/* A grammar that is wrong everywhere does not flood: a thousand warnings, and one that says so. */
Test(check, bounded) {
    cflr_context *context = test_context();
    size_t size = 100000;
    char *text = malloc(size), *at = text + sprintf(text, "A ::= b\n");
    for (int i = 0; i < 3000; i++) at += sprintf(at, "C%d ::= d\n", i);
    cflr_grammar *grammar = grammar_of(context, text);
    cr_expect_eq(cflr_grammar_diagnostics(grammar), 1001);
    const cflr_diagnostic *last = cflr_grammar_diagnostic(grammar, 1000);
    cr_expect_str_eq(last->message, "more warnings are left out");
    cr_expect_eq(last->line, 0);
    cflr_grammar_free(grammar);
    free(text);
    test_context_end(context);
}

Test(check, stats) {
    cflr_context *context = test_context();
    cflr_grammar *grammar =
        grammar_of(context,
                   "V ::= ~A V | V A | FV[i] f[i] | M | eps\nFV[i] ::= ~f[i] V\n"
                   "M ::= ~d V d\nA ::= A A | a M | a | eps");
    cflr_grammar_stats stats;
    cflr_grammar_get_stats(grammar, &stats);
    cr_expect_eq(stats.terminals, 3);
    cr_expect_eq(stats.nonterminals, 4);
    cr_expect_eq(stats.auxiliaries, 1);
    cr_expect_eq(stats.user_rules, 11);
    cr_expect_eq(stats.epsilon_rules, 2);
    cr_expect_eq(stats.unary_rules, 2);
    cr_expect_eq(stats.binary_rules, 8);
    cr_expect_eq(stats.converse_rules, 3);
    cr_expect_eq(stats.indexed_symbols, 2);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_expand.c: what operators become, to the rule; test_meaning.c says that it is right.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/relations.h"

/* A stage without directives and places. */
static char *stage_of(cflr_context *context, const char *source, cflr_grammar_stage stage) {
    cflr_error error = {0};
    char *text;
    cflr_grammar *grammar = grammar_of(context, source);
    MUST(cflr_grammar_show(grammar, stage, NULL, &text, &error));
    cflr_grammar_free(grammar);
    char *rules = calloc(1, strlen(text) + 1), *end = rules;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] == '%' && line[1] >= 'a') continue;
        end += sprintf(end, "%.*s\n", (int)(strstr(line, "  #") - line), line);
    }
    cflr_text_free(context, text);
    return rules;
}

typedef struct stage_case {
    const char *source, *rules;
} stage_case;

static void check_stage(const stage_case *cases, size_t n, cflr_grammar_stage stage) {
    cflr_context *context = test_context();
    for (size_t i = 0; i < n; i++) {
        char *rules = stage_of(context, cases[i].source, stage);
        cr_expect_str_eq(rules, cases[i].rules, "%s\n%s", cases[i].source, rules);
        free(rules);
    }
    test_context_end(context);
}

Test(expand, operators) {
    static const stage_case cases[] = {
        {"A ::= b c | d", "A ::= b c\nA ::= d\n"},
        {"A ::= ~(b c | d) e", "A ::= ~c ~b e\nA ::= ~d e\n"},
        {"A ::= ~(~b c?)", "A ::= b\nA ::= ~c b\n"},
        {"A ::= b?", "A ::= eps\nA ::= b\n"},
        {"A ::= b | epsilon", "A ::= b\nA ::= eps\n"},
        {"A ::= EPSILON | \"epsilon\"", "A ::= eps\nA ::= \"epsilon\"\n"},
        {"A ::= (b?)?", "A ::= eps\nA ::= b\n"},
        {"A ::= b? c", "A ::= c\nA ::= b c\n"},
        {"A ::= (b | c) (d | e)", "A ::= b d\nA ::= b e\nA ::= c d\nA ::= c e\n"},
        {"A ::= b c*", "%1 ::= %1 c\n%1 ::= eps\nA ::= b %1\n"},
        {"A ::= b c+", "%1 ::= c\n%1 ::= %1 c\nA ::= b %1\n"},
        {"A ::= b (c d)*", "%2 ::= c d\n%1 ::= %1 %2\n%1 ::= eps\nA ::= b %1\n"},
        {"A ::= b ~(c d)*", "%2 ::= ~d ~c\n%1 ::= %1 %2\n%1 ::= eps\nA ::= b %1\n"},
        {"A ::= b (c?)+", "%1 ::= c\n%1 ::= %1 c\n%1 ::= eps\nA ::= b %1\n"},
        /* equal expressions share */
        {"A ::= b c* | d c*", "%1 ::= %1 c\n%1 ::= eps\nA ::= b %1\nA ::= d %1\n"},
        {"A ::= b c*\nB ::= c* d", "%1 ::= %1 c\n%1 ::= eps\nA ::= b %1\nB ::= %1 d\n"},
        {"A ::= b (c d)* ~(c d)*",
         "%2 ::= c d\n%1 ::= %1 %2\n%1 ::= eps\n%4 ::= ~d ~c\n%3 ::= %3 %4\n%3 ::= eps\n"
         "A ::= b %1 %3\n"},
        /* a nonterminal that is only a repetition is its own accumulator */
        {"A ::= (b C?)*\nC ::= d", "A ::= A b\n%1 ::= b C\nA ::= A %1\nA ::= eps\nC ::= d\n"},
        {"A ::= b+", "A ::= b\nA ::= A b\n"},
        {"A ::= b*\nA ::= c", "%1 ::= %1 b\n%1 ::= eps\nA ::= %1\nA ::= c\n"},
        {"A ::= b* | c", "%1 ::= %1 b\n%1 ::= eps\nA ::= %1\nA ::= c\n"},
        {"%terminal A b\nA ::= b*", "%1 ::= %1 b\n%1 ::= eps\nA ::= %1\n"},
        /* too many choices: groups become auxiliaries */
        {"A ::= b? c? d? e?",
         "%1 ::= eps\n%1 ::= e\nA ::= %1\nA ::= d %1\nA ::= c %1\nA ::= c d %1\nA ::= b %1\n"
         "A ::= b d %1\nA ::= b c %1\nA ::= b c d %1\n"},
        /* variables */
        {"A ::= f[i]* g[i]",
         "%1[i] ::= f[i]\n%1[i] ::= %1[i] f[i]\nA ::= g[i]\nA ::= %1[i] g[i]\n"},
        {"A ::= b (f[i] g[i])*", "%2 ::= f[i] g[i]\n%1 ::= %1 %2\n%1 ::= eps\nA ::= b %1\n"},
        {"A[i] ::= f[i]+", "A[i] ::= f[i]\nA[i] ::= A[i] f[i]\n"},
        {"A ::= f[i] (a | b | c | d | e | f[i] | g | h | k) f[i]",
         "A ::= f[i] a f[i]\nA ::= f[i] b f[i]\nA ::= f[i] c f[i]\nA ::= f[i] d f[i]\n"
         "A ::= f[i] e f[i]\nA ::= f[i] f[i] f[i]\nA ::= f[i] g f[i]\nA ::= f[i] h f[i]\n"
         "A ::= f[i] k f[i]\n"},
    };
    check_stage(cases, sizeof cases / sizeof *cases, CFLR_STAGE_EXPANDED);
}

Test(expand, normal_form) {
    static const stage_case cases[] = {
        {"A ::= eps | b | c d", "A ::= eps\nA ::= b\nA ::= c d\n"},
        {"A ::= b c d e", "%1 ::= b c\n%2 ::= %1 d\nA ::= %2 e\n"},
        {"A ::= b c d\nB ::= b c e", "%1 ::= b c\nA ::= %1 d\nB ::= %1 e\n"},
        {"A ::= A | b\nA ::= b", "A ::= b\n"},
        {"A[i] ::= f[i] B g[j]\nB ::= g[k]",
         "%1 ::= g[_]\n%2[i] ::= f[i] B\nA[i] ::= %2[i] %1\n"
         "B ::= g[_]\n"},
        {"A ::= f[i] b g[j] h[j] f[i]",
         "%1 ::= g[i] h[i]\n%2[i] ::= f[i] b\n%3[i] ::= %2[i] %1\nA ::= %3[i] f[i]\n"},
        {"A ::= b c f[i] d f[i]", "%1[i] ::= f[i] d\n%2 ::= %1[i] f[i]\n%3 ::= b c\nA ::= %3 %2\n"},
        {"A ::= f[i] f[i] b", "%1 ::= f[i] f[i]\nA ::= %1 b\n"},
        {"A ::= f[\"1\"] f[i] f[i] f[\"2\"]",
         "%1 ::= f[i] f[i]\n%2 ::= f[\"1\"] %1\nA ::= %2 f[\"2\"]\n"},
        {"A ::= ~b b ~c", "%1 ::= ~b b\nA ::= %1 ~c\n"},
        {"A ::= f[i] g[i] f[i] g[i]",
         "%1[i] ::= f[i] g[i]\n%2[i] ::= %1[i] f[i]\nA ::= %2[i] g[i]\n"},
    };
    check_stage(cases, sizeof cases / sizeof *cases, CFLR_STAGE_NORMAL);
}

/* Names of auxiliaries in the text are not used again. */
Test(expand, auxiliaries_of_the_author) {
    static const stage_case cases[] = {
        {"A ::= %1 b c\n%1 ::= d", "%2 ::= %1 b\nA ::= %2 c\n%1 ::= d\n"},
        {"A ::= b c d\n%1 ::= A", "%2 ::= b c\nA ::= %2 d\n%1 ::= A\n"},
    };
    check_stage(cases, sizeof cases / sizeof *cases, CFLR_STAGE_NORMAL);
}

/* Options that share an index cannot become auxiliaries: there is an end to multiplying out. */
Test(expand, bounded_choices) {
    cflr_context *context = test_context();
    char text[1024];
    cflr_error error = {0};
    cflr_grammar *grammar = NULL;
    for (int n = 4; n <= 40; n += 36) {
        size_t at = (size_t)sprintf(text, "A ::= f[i]");
        for (int i = 0; i < n; i++) at += (size_t)sprintf(text + at, " g%d[i]?", i);
        cflr_status st =
            cflr_grammar_parse(context, text, at, "wide", CFLR_GRAMMAR_CFLR, &grammar, &error);
        cr_expect_eq(st, n == 4 ? CFLR_OK : CFLR_UNSUPPORTED, "%s", error.message);
        cflr_grammar_free(grammar);
    }
    cr_expect(strstr(error.message, "too many choices"), "%s", error.message);
    cr_expect(error.line == 1 && error.column > 1);
    /* without an index any number of options is linear */
    size_t at = (size_t)sprintf(text, "A ::=");
    for (int i = 0; i < 100; i++) at += (size_t)sprintf(text + at, " g%d?", i);
    MUST(cflr_grammar_parse(context, text, at, "wide", CFLR_GRAMMAR_CFLR, &grammar, &error));
    cr_expect_leq(grammar->n_rules, 1200);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * test_parse.c: the syntax of grammars, seen through the `rules` stage, and the places of faults.
 */
#include <criterion/criterion.h>

#include "tests/unit/grammar/relations.h"

/* The rules as read, without the %start line. */
static char *rules_of(cflr_context *context, const char *source) {
    cflr_error error = {0};
    char *text;
    cflr_grammar *grammar = grammar_of(context, source);
    MUST(cflr_grammar_show(grammar, CFLR_STAGE_RULES, NULL, &text, &error));
    cflr_grammar_free(grammar);
    return text;
}

Test(parse, forms) {
    static const struct {
        const char *source, *rules;
    } cases[] = {
        {"A ::= b", "A ::= b\n"},
        {"A::=b c|d", "A ::= b c | d\n"},
        {"A ::=", "A ::= eps\n"},
        {"A ::= | b |", "A ::= eps | b | eps\n"},
        {"A ::= eps\nB ::= \xCE\xB5", "A ::= eps\nB ::= eps\n"},
        {"A ::= a eps b", "A ::= a eps b\n"},
        {"A ::= (b c)* d+ e?", "A ::= (b c)* d+ e?\n"},
        {"A ::= ((b))", "A ::= b\n"},
        {"A ::= (b | c) (d)", "A ::= (b | c) d\n"},
        {"A ::= ~(b c) ~~d ~~~e ~f*", "A ::= ~(b c) d ~e ~f*\n"},
        {"A ::= (~f)*", "A ::= ~f*\n"},
        {"A ::= b*?+", "A ::= b*?+\n"},
        /* where rules end */
        {"A ::= b; B ::= c;;", "A ::= b\nB ::= c\n"},
        {"A ::= b\nB ::= c", "A ::= b\nB ::= c\n"},
        {"A ::=\n  b\n  c\n  | d\nB ::= e", "A ::= b c | d\nB ::= e\n"},
        {"A\n::=\nb", "A ::= b\n"},
        {"A ::= (b\nc)\nd", "A ::= (b c) d\n"},
        {"A ::= b |\nB[i] ::= c[i]", "A ::= b | eps\nB[i] ::= c[i]\n"},
        {"A ::= b\r\nB ::= c\r\n", "A ::= b\nB ::= c\n"},
        {"\xEF\xBB\xBF"
         "A ::= b",
         "A ::= b\n"},
        /* comments */
        {"# one\nA ::= b # two ::= | (\n  c# three\n#", "A ::= b c\n"},
        /* names */
        {"A ::= a-b a.b a' $x @y _z 0 9a", "A ::= a-b a.b a' $x @y _z 0 9a\n"},
        {"A ::= \"a b\" \"x\\\"y\\\\z\" \"eps\" \"::=\" \"plain\"",
         "A ::= \"a b\" \"x\\\"y\\\\z\" \"eps\" \"::=\" plain\n"},
        {"A ::= \xC3\xA4 \xE2\x82\xAC", "A ::= \xC3\xA4 \xE2\x82\xAC\n"},
        {"A ::= %1 b\n%1 ::= c", "A ::= %1 b\n%1 ::= c\n"},
        {"A ::= \"%x\" \"%\" \"%1a\"", "A ::= \"%x\" \"%\" \"%1a\"\n"},
        {"\"A B\" ::= c", "\"A B\" ::= c\n"},
        /* indexes */
        {"A[i] ::= f[i] g[j]", "A[i] ::= f[i] g[j]\n"},
        {"A[ i ] ::= f [i]", "A[i] ::= f[i]\n"},
        {"A ::= f[8] f[\"8\"] f[\"ret\"] f[8b.c]",
         "A ::= f[\"8\"] f[\"8\"] f[\"ret\"] f[\"8b.c\"]\n"},
        {"A[0] ::= b\nB[x1] ::= A[x1]", "A[\"0\"] ::= b\nB[x1] ::= A[x1]\n"},
        {"A[i] ::= ~f[i]*  f[i]", "A[i] ::= ~f[i]* f[i]\n"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = rules_of(context, cases[i].source);
        const char *rules = strchr(text, '\n') + 1;
        cr_expect_str_eq(rules, cases[i].rules, "%s\n%s", cases[i].source, rules);
        cflr_text_free(context, text);
    }
    test_context_end(context);
}

Test(parse, directives) {
    static const struct {
        const char *source, *shown;
    } cases[] = {
        {"B ::= c\nA ::= B", "%start B\nB ::= c\nA ::= B\n"},
        {"%start A\nB ::= c\nA ::= B", "%start A\nB ::= c\nA ::= B\n"},
        {"B ::= c\nA ::= B\n%start A", "%start A\nB ::= c\nA ::= B\n"},
        {"%start A; A ::= b; %answer alias A; B ::= A",
         "%start A\n%answer alias A\nA ::= b\n"
         "B ::= A\n"},
        {"%terminal b f[i]\n%terminal c\nA ::= b c f[i]",
         "%start A\n%terminal b f[i] c\nA ::= b c f[i]\n"},
        {"%terminal f[x] A\nA ::= f[y]", "%start A\n%terminal f[i] A\nA ::= f[y]\n"},
        {"%answer points-to A\n%answer \"which one\" b\nA ::= b",
         "%start A\n%answer points-to A\n%answer \"which one\" b\nA ::= b\n"},
        {"%start A\n%answer all A\nA[i] ::= f[i]", "%start A\n%answer all A\nA[i] ::= f[i]\n"},
        {"%answer alias A ~A; A ::= b", "%start A\n%answer alias A ~A\nA ::= b\n"},
        {"%filter A reads ~is\nA ::= b", "%start A\n%filter A reads ~is\nA ::= b\n"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = rules_of(context, cases[i].source);
        cr_expect_str_eq(text, cases[i].shown, "%s\n%s", cases[i].source, text);
        cflr_text_free(context, text);
    }
    cflr_grammar *grammar = grammar_of(context, "%answer alias B\nA ::= B\nB ::= c");
    cr_expect_str_eq(cflr_grammar_start(grammar), "A");
    cr_expect_str_eq(cflr_grammar_answer(grammar, "alias"), "B");
    cr_expect_str_eq(cflr_grammar_answer(grammar, "points-to"), "");
    cr_expect_str_eq(cflr_grammar_needs(grammar, "alias"), "B");
    cr_expect_str_eq(cflr_grammar_needs(grammar, "points-to"), "");
    cflr_grammar_free(grammar);
    grammar = grammar_of(context, "%answer alias B ~B\nA ::= B\nB ::= c");
    cr_expect_str_eq(cflr_grammar_answer(grammar, "alias"), "B ~B");
    cr_expect_str_eq(cflr_grammar_needs(grammar, "alias"), "B");
    cflr_grammar_free(grammar);
    test_context_end(context);
}

Test(parse, faults_have_places) {
    static const struct {
        const char *source;
        cflr_status status;
        uint32_t line, column;
        const char *part;
    } cases[] = {
        {"", CFLR_SYNTAX, 1, 1, "no rule"},
        {"# nothing\n", CFLR_SYNTAX, 1, 1, "no rule"},
        {"%start A", CFLR_SYNTAX, 1, 1, "no rule"},
        {"A = b", CFLR_SYNTAX, 1, 3, "'::='"},
        {"A : b", CFLR_SYNTAX, 1, 3, "'::='"},
        {"A -> b", CFLR_SYNTAX, 1, 3, "'::='"},
        {"A ::= b c D ::= e", CFLR_SYNTAX, 1, 11, "new rule must begin its line"},
        {"A b", CFLR_SYNTAX, 1, 3, "expected '::=' or an index, found 'b'"},
        {"A[i] b", CFLR_SYNTAX, 1, 6, "expected '::=', found 'b'"},
        {"A", CFLR_SYNTAX, 1, 2, "found the end of the text"},
        {"::= b", CFLR_SYNTAX, 1, 1, "expected a rule"},
        {"A ::= b )", CFLR_SYNTAX, 1, 9, "')' without '('"},
        {"A ::= (b\nC ::= d", CFLR_SYNTAX, 2, 1, "'(' at 1:7, found a new rule"},
        {"A ::= (b", CFLR_SYNTAX, 1, 9, "'(' at 1:7, found the end"},
        {"A ::= (b ; c)", CFLR_SYNTAX, 1, 10, "'(' at 1:7, found ';'"},
        {"A ::= * b", CFLR_SYNTAX, 1, 7, "expected a symbol, '|', ';' or a new rule, found '*'"},
        {"A ::= b ~ | c", CFLR_SYNTAX, 1, 11, "expected a symbol, 'eps' or '(', found '|'"},
        {"~A ::= b", CFLR_SYNTAX, 1, 1, "converse has no rules"},
        {"A ::= b\n~A ::= c", CFLR_SYNTAX, 2, 1, "converse has no rules"},
        {"eps ::= b", CFLR_SYNTAX, 1, 1, "empty path has no rules"},
        {"A ::= f[", CFLR_SYNTAX, 1, 9, "index variable or constant"},
        {"A ::= f[i", CFLR_SYNTAX, 1, 10, "expected ']'"},
        {"A ::= f[i j]", CFLR_SYNTAX, 1, 11, "expected ']', found 'j'"},
        {"A ::= f[]", CFLR_SYNTAX, 1, 9, "index variable or constant"},
        {"A ::= f[\"\"]", CFLR_SYNTAX, 1, 9, "index cannot be empty"},
        {"A ::= (b c)[i]", CFLR_SYNTAX, 1, 12, "found '['"},
        {"A ::= f[i]\nB ::= f", CFLR_SYNTAX, 2, 7, "'f' is used without an index here and with"},
        {"A ::= f\nA[i] ::= g[i]", CFLR_SYNTAX, 2, 1, "'A' is used with an index here"},
        {"A[i] ::= b", CFLR_SYNTAX, 1, 10, "index 'i' of 'A' is not bound"},
        {"A[i] ::= f[i] | b", CFLR_SYNTAX, 1, 17, "index 'i' of 'A' is not bound"},
        {"A[i] ::= f[i]?", CFLR_SYNTAX, 1, 10, "index 'i' of 'A' is not bound"},
        {"A[i] ::= f[j]", CFLR_SYNTAX, 1, 10, "index 'i' of 'A' is not bound"},
        {"A[i] ::=", CFLR_SYNTAX, 1, 6, "index 'i' of 'A' is not bound"},
        {"A ::= f[i] g[j] h[i] k[j]", CFLR_UNSUPPORTED, 1, 7, "'i' and 'j' cross"},
        {"A[i] ::= g[j] f[i] h[j]", CFLR_UNSUPPORTED, 1, 10, "cross"},
        {"A ::= \"b", CFLR_SYNTAX, 1, 7, "closing '\"'"},
        {"A ::= \"b\nc\"", CFLR_SYNTAX, 1, 7, "closing '\"'"},
        {"A ::= \"b\\n\"", CFLR_SYNTAX, 1, 9, "backslash"},
        {"A ::= \"\"", CFLR_SYNTAX, 1, 7, "needs a name"},
        {"A ::= \"~a\"", CFLR_SYNTAX, 1, 7, "begin with '~'"},
        {"A ::= \"%1\"", CFLR_SYNTAX, 1, 7, "kept for auxiliaries"},
        {"A ::= \"a\tb\"", CFLR_SYNTAX, 1, 7, "control characters"},
        {"A ::= \"\xC3\"", CFLR_SYNTAX, 1, 7, "UTF-8"},
        {"A ::= b\xC3(", CFLR_SYNTAX, 1, 8, "UTF-8"},
        {"A ::= \xC3\xA4\xC3\xA4 = b", CFLR_SYNTAX, 1, 10, "'::='"},
        {"A ::= b\x01", CFLR_SYNTAX, 1, 8, "0x01"},
        {"A ::= b & c", CFLR_SYNTAX, 1, 9, "'&'"},
        {"A ::= b %", CFLR_SYNTAX, 1, 9, "name of a directive"},
        {"A ::= %1", CFLR_SYNTAX, 1, 7, "'%1' is an auxiliary and has no rule"},
        {"%strat A\nA ::= b", CFLR_SYNTAX, 1, 1, "unknown directive '%strat'"},
        {"A ::= b %start A", CFLR_SYNTAX, 1, 9, "directive must begin its line"},
        {"%start\nA ::= b", CFLR_SYNTAX, 2, 1, "expected the start symbol"},
        {"%start A B\nA ::= b", CFLR_SYNTAX, 1, 10, "end of the line"},
        {"%start A[i]\nA[i] ::= f[i]", CFLR_SYNTAX, 1, 9, "'A' takes no index here"},
        {"%start St [\"o\"]\nSt[\"o\"] ::= a", CFLR_SYNTAX, 1, 11, "'St' takes no index here"},
        {"%answer alias A[8]\nA[8] ::= f", CFLR_SYNTAX, 1, 16, "'A' takes no index here"},
        {"%start A\n%start B\nA ::= b\nB ::= c", CFLR_SYNTAX, 2, 1, "second %start; the first is"},
        {"%start Aa\nAb ::= b", CFLR_SYNTAX, 1, 8,
         "'Aa' is the start symbol and has no rule; did "
         "you mean 'Ab'?"},
        {"%start b\nA ::= b", CFLR_SYNTAX, 1, 8, "has no rule"},
        {"%terminal\nA ::= b", CFLR_SYNTAX, 2, 1, "expected a label"},
        {"%terminal call ret\nA ::= call cal", CFLR_SYNTAX, 2, 12,
         "'cal' has no rule and is not in "
         "%terminal; did you mean 'call'"},
        {"%terminal b[i]\nA ::= b", CFLR_SYNTAX, 2, 7, "without an index here"},
        {"%terminal b\nA ::= b[i]", CFLR_SYNTAX, 2, 7, "with an index here"},
        {"%answer\nA ::= b", CFLR_SYNTAX, 2, 1, "expected a question"},
        {"%answer alias\nA ::= b", CFLR_SYNTAX, 2, 1, "symbol that answers"},
        {"%answer alias V\nA ::= b", CFLR_SYNTAX, 1, 15,
         "'V' answers a question and is in no rule"},
        {"%answer x A\n%answer x b\nA ::= b", CFLR_SYNTAX, 2, 9, "second %answer for 'x'"},
        {"%answer x A ~B\nA ::= b\nB ::= b", CFLR_SYNTAX, 1, 13, "as 'A ~A'"},
        {"%answer x A ~A b\nA ::= b", CFLR_SYNTAX, 1, 16, "expected the end of the line"},
        {"%answer x A ~A[i]\nA ::= b", CFLR_SYNTAX, 1, 15, "'A' takes no index here"},
        {"%answer x A ~A\nA[i] ::= f[i]", CFLR_SYNTAX, 1, 11, "'A' has indexes"},
        {"%answer points-to A ~A\nA ::= b", CFLR_SYNTAX, 1, 19, "to no object"},
        {"%answer x A ~A\nA ::= \"A ~A\"", CFLR_SYNTAX, 2, 7, "called as an answer reads"},
        {"%filter A\nA ::= b", CFLR_SYNTAX, 2, 1, "expected a label of the filter"},
        {"%filter A b[i]\nA ::= b", CFLR_SYNTAX, 1, 12, "labels of a filter have no index"},
        {"%filter A c\nA ::= b c[i]", CFLR_SYNTAX, 2, 9, "without one at 1:11"},
        {"%filter b c\nA ::= b", CFLR_SYNTAX, 1, 9, "'b' is filtered and has no rule"},
        {"%filter A ~B\nA ::= b\nB ::= c", CFLR_SYNTAX, 1, 11, "'B' has rules"},
        {"%filter A b\n%filter A c\nA ::= b", CFLR_SYNTAX, 2, 9, "a second %filter for 'A'"},
        {"%filter A b\nA ::= b | C\nC ::= A*", CFLR_SYNTAX, 1, 9, "has the empty path"},
        {"%terminal b\n%filter A c\nA ::= b", CFLR_SYNTAX, 2, 11, "'c' has no rule and is not in"},
        {"A ::= f[i]* (f[i] | g)* f[i] k[i]", CFLR_UNSUPPORTED, 1, 14, "does not bind the index"},
        {"A ::= f[i] g[j] (f[i] g[j])* h[j] h[i]", CFLR_UNSUPPORTED, 1, 17, "more than one index"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_grammar *grammar = NULL;
        cflr_error error = {0};
        cflr_status st = cflr_grammar_parse(context, cases[i].source, strlen(cases[i].source),
                                            "my.cfg", CFLR_GRAMMAR_CFLR, &grammar, &error);
        cr_expect_eq(st, cases[i].status, "%s: %s", cases[i].source, error.message);
        cr_expect_eq(error.code, st);
        cr_expect(error.line == cases[i].line && error.column == cases[i].column, "%s: %u:%u: %s",
                  cases[i].source, error.line, error.column, error.message);
        cr_expect(strstr(error.message, cases[i].part), "%s: %s", cases[i].source, error.message);
        cr_expect_str_eq(error.subject, "my.cfg");
        cr_expect_null(grammar);
    }
    test_context_end(context);
}

Test(parse, arguments) {
    cflr_context *context = test_context();
    cflr_grammar *grammar;
    cflr_error error = {0};
    MUST_FAIL(cflr_grammar_parse(context, NULL, 3, "x", CFLR_GRAMMAR_CFLR, &grammar, &error),
              CFLR_ARGUMENT);
    MUST_FAIL(cflr_grammar_parse(NULL, "A ::= b", 7, "x", CFLR_GRAMMAR_CFLR, &grammar, &error),
              CFLR_ARGUMENT);
    MUST_FAIL(
        cflr_grammar_parse(context, "A ::= b", 7, "x", (cflr_grammar_format)17, &grammar, &error),
        CFLR_ARGUMENT);
    MUST_FAIL(cflr_grammar_parse(context, NULL, 0, NULL, CFLR_GRAMMAR_AUTO, &grammar, &error),
              CFLR_SYNTAX);
    cr_expect_str_eq(error.subject, "");
    /* bytes behind the length are not looked at, NUL is a byte like others */
    MUST(cflr_grammar_parse(context, "A ::= b\x01", 7, "x", CFLR_GRAMMAR_CFLR, &grammar, &error));
    cflr_grammar_free(grammar);
    MUST_FAIL(
        cflr_grammar_parse(context, "A ::= b\0c", 9, "x", CFLR_GRAMMAR_CFLR, &grammar, &error),
        CFLR_SYNTAX);
    cr_expect_eq(error.column, 8);
    test_context_end(context);
}

/* "((((a))))": the bound is an error with a place, one less is not. */
static void check_depth(cflr_context *context, const char *open, const char *close, size_t depth,
                        cflr_status expected) {
    size_t width = strlen(open) + strlen(close);
    char *text = calloc(1, depth * width + 32), *at = text + sprintf(text, "A ::= ");
    for (size_t i = 0; i < depth; i++) at += sprintf(at, "%s", open);
    at += sprintf(at, "b");
    for (size_t i = 0; i < depth; i++) at += sprintf(at, "%s", close);
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    cflr_status st = cflr_grammar_parse(context, text, strlen(text), "deep", CFLR_GRAMMAR_CFLR,
                                        &grammar, &error);
    cr_expect_eq(st, expected, "%s%zu%s: %s", open, depth, close, error.message);
    if (st != CFLR_OK) cr_expect(error.line == 1 && strstr(error.message, "256"));
    cflr_grammar_free(grammar);
    free(text);
}

Test(parse, depth) {
    cflr_context *context = test_context();
    check_depth(context, "(", ")", 256, CFLR_OK);
    check_depth(context, "(", ")", 257, CFLR_UNSUPPORTED);
    check_depth(context, "(", ")", 500000, CFLR_UNSUPPORTED);
    check_depth(context, "", "*", 255, CFLR_OK);
    check_depth(context, "", "*", 256, CFLR_UNSUPPORTED);
    check_depth(context, "", "?", 500000, CFLR_UNSUPPORTED);
    check_depth(context, "(c ", ")", 200, CFLR_OK);
    check_depth(context, "(c ", ")", 256, CFLR_UNSUPPORTED);
    check_depth(context, "~", "", 500000, CFLR_OK);
    check_depth(context, "~(c ", "d)+", 200, CFLR_UNSUPPORTED);
    check_depth(context, "~(c ", "d)+", 80, CFLR_OK);
    test_context_end(context);
}

Test(parse, words_of_the_command_line) {
    cflr_grammar_format format;
    cflr_grammar_stage stage;
    cflr_error error = {0};
    MUST(cflr_grammar_format_parse("cfpq", &format, &error));
    cr_expect_eq(format, CFLR_GRAMMAR_CFPQ);
    MUST(cflr_grammar_format_parse("auto", &format, &error));
    cr_expect_eq(format, CFLR_GRAMMAR_AUTO);
    MUST_FAIL(cflr_grammar_format_parse("yacc", &format, &error), CFLR_ARGUMENT);
    cr_expect_str_eq(error.message,
                     "no grammar format 'yacc'; there are: auto cflr pocr gracfl svf cfpq");
    MUST(cflr_grammar_stage_parse("ground", &stage, &error));
    cr_expect_eq(stage, CFLR_STAGE_GROUND);
    MUST_FAIL(cflr_grammar_stage_parse("", &stage, &error), CFLR_ARGUMENT);
    cr_expect_str_eq(error.message,
                     "no stage ''; there are: rules expanded normal index ground plan");
}

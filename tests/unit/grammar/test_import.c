/* SPDX-License-Identifier: Apache-2.0
 *
 * test_import.c: grammars of other tools, read and shown as ours; which format a text is in.
 */
#include <criterion/criterion.h>

#include "grammar/read/parse.h"
#include "tests/unit/grammar/relations.h"

typedef struct import_case {
    const char *source, *rules;
} import_case;

static void check_rules(const import_case *cases, size_t n, cflr_grammar_format format) {
    cflr_context *context = test_context();
    for (size_t i = 0; i < n; i++) {
        cflr_error error = {0};
        char *text;
        cflr_grammar *grammar = grammar_in(context, cases[i].source, format);
        MUST(cflr_grammar_show(grammar, CFLR_STAGE_RULES, NULL, &text, &error));
        cr_expect_str_eq(text, cases[i].rules, "%s\n%s", cases[i].source, text);
        cflr_text_free(context, text);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

Test(import, pocr) {
    static const import_case cases[] = {
        {"V\tAbar\tV\nV\tFV_i\tf_i\nV\t\nFV_i\tfbar_i\tV\nA\ta\nAbar\tabar\nAbar\n",
         "%start V\nV ::= Abar V\nV ::= FV[i] f[i]\nV ::= eps\nFV[i] ::= ~f[i] V\nA ::= a\n"
         "Abar ::= ~a\nAbar ::= eps\n"},
        {"A\ta\tA\nB\tA\tb\n\nCount:\nB\n", "%start B\nA ::= a A\nB ::= A b\n"},
        {"A\ta\nB\tb\nC\tc\nCount:\nB, C\n", "%start B\nA ::= a\nB ::= b\nC ::= c\n"},
        {"A\ta\nB\tb\nCount: B,A\n", "%start B\nA ::= a\nB ::= b\n"},
        {"Production:\nA\ta\nInsert:\nA, a, x\nFollow:\nb\nCount:\nA\n", "%start A\nA ::= a\n"},
        {"A  a   b\r\nA epsilon\r\n", "%start A\nA ::= a b\nA ::= eps\n"},
        {"P\tret_i\tP\nP\tret_3\n", "%start P\nP ::= ret[i] P\nP ::= ret_3\n"},
        {"P\tVbar\tx_j\nV\ta\n", "%start P\nP ::= ~V x_j\nV ::= a\n"},
        {"FV_i\tFVbar_i\nFVbar_i\tb_i\n", "%start FV\nFV[i] ::= FVbar[i]\nFVbar[i] ::= b[i]\n"},
        {"# POCR has no comments, others do\nA\tbar\n", "%start A\nA ::= bar\n"},
    };
    check_rules(cases, sizeof cases / sizeof *cases, CFLR_GRAMMAR_POCR);
}

Test(import, gracfl) {
    static const import_case cases[] = {
        {"A\nA a\nB b\nS A B\n", "%start A\nA ::= eps\nA ::= a\nB ::= b\nS ::= A B\n"},
        {"A a # a comment\n\n\nA A A\n", "%start A\nA ::= a\nA ::= A A\n"},
        {"V FV_0 f_0\nFV_0 fbar_0 V\nV FV_12 f_12\n",
         "%start V\nV ::= FV[\"0\"] f[\"0\"]\nFV[\"0\"] ::= ~f[\"0\"] V\n"
         "V ::= FV[\"12\"] f[\"12\"]\n"},
        {"V f_12 f\n", "%start V\nV ::= f_12 f\n"},
        {"V Abar a\nA a\n", "%start V\nV ::= ~A a\nA ::= a\n"},
        {"V Abar a\nAbar abar\n", "%start V\nV ::= Abar a\nAbar ::= ~a\n"},
        /* Graspan and Graspan-G */
        {"M\tDV\td\nDV\t-d\tV\nV\tM\t-M\n", "%start M\nM ::= DV d\nDV ::= ~d V\nV ::= M ~M\n"},
        {"# number of rules\n2\n# rules\nM\tDV\td\nDV\n", "%start M\nM ::= DV d\nDV ::= eps\n"},
        {"N n\nN N e_i\n", "%start N\nN ::= n\nN ::= N e_i\n"},
    };
    check_rules(cases, sizeof cases / sizeof *cases, CFLR_GRAMMAR_GRACFL);
}

Test(import, svf) {
    static const import_case cases[] = {
        {"Start:\nV\nTerminal:\nAddr Copy Gep\nProductions:\nV -> Fbar F;\nF -> (Copy | M?)* "
         "Addr;\n"
         "M -> epsilon;\n",
         "%start V\nV ::= ~F F\nF ::= (Copy | M?)* Addr\nM ::= eps\n"},
        {"Start: V Terminal: a\nProductions:\nV -> ( a ) + ;", "%start V\nV ::= a+\n"},
        {"Start:\nV\nTerminal:\nf\nProductions:\nV -> FV_j f_j | g_3;FV_j -> fbar_j V",
         "%start V\nV ::= FV[j] f[j] | g[\"3\"]\nFV[j] ::= ~f[j] V\n"},
        {"Start:\nW\nTerminal:\na\nProductions:\nV->a V|a;W->V;",
         "%start W\nV ::= a V | a\nW ::= V\n"},
        {"Start:\nF_i\nTerminal:\na f_i\nProductions:\nF_i -> f_i a;",
         "%start F\nF[i] ::= f[i] a\n"},
        {"Start:\nVbar\nTerminal:\na\nProductions:\nV -> a; Vbar -> b;",
         "%start Vbar\nV ::= a\nVbar ::= b\n"},
        {"Start:\nV\nTerminal:\na abar\nProductions:\nV -> Vbar abar\n", "%start V\nV ::= ~V ~a\n"},
    };
    check_rules(cases, sizeof cases / sizeof *cases, CFLR_GRAMMAR_SVF);
}

Test(import, cfpq) {
    static const import_case cases[] = {
        {"S -> a S b S | epsilon", "%start S\nS ::= a S b S | eps\n"},
        {"S -> a b\nS -> \nT -> S\n", "%start S\nS ::= a b\nS ::= eps\nT ::= S\n"},
        {"S -> d_r V d\nV -> ((S | epsilon) a_r)* (S | epsilon) (a (S | epsilon))*",
         "%start S\nS ::= ~d V d\nV ::= ((S | eps) ~a)* (S | eps) (a (S | eps))*\n"},
        {"PT -> load_i Al store_i\nAl -> PT load_7_r store_7",
         "%start PT\nPT ::= load[i] Al store[i]\nAl ::= PT ~load[\"7\"] store[\"7\"]\n"},
        {"S->a T\nT->b\nCount:\nT\n", "%start T\nS ::= a T\nT ::= b\n"},
        {"S -> A_r\nA_r -> b", "%start S\nS ::= A_r\nA_r ::= b\n"},
    };
    check_rules(cases, sizeof cases / sizeof *cases, CFLR_GRAMMAR_CFPQ);
}

/* More words in a line than any buffer of ours has. */
Test(import, long_lines) {
    cflr_context *context = test_context();
    enum { WORDS = 5000 };
    char *text = malloc(16 * WORDS), *at = text;
    at += sprintf(at, "Start:\nS\nTerminal:");
    for (int i = 0; i < WORDS; i++) at += sprintf(at, " t%d", i);
    at += sprintf(at, "\nProductions:\nS ->");
    for (int i = 0; i < 100; i++) at += sprintf(at, " t%d", i);
    cflr_grammar *grammar = grammar_in(context, text, CFLR_GRAMMAR_SVF);
    cr_expect_eq(grammar->n_rules, 99);
    cflr_grammar_free(grammar);
    free(text);
    test_context_end(context);
}

Test(import, faults_have_places) {
    static const struct {
        cflr_grammar_format format;
        const char *source;
        cflr_status status;
        uint32_t line, column;
        const char *part;
    } cases[] = {
        {CFLR_GRAMMAR_POCR, "A\ta\tb\tc\n", CFLR_SYNTAX, 1, 7, "at most two symbols"},
        {CFLR_GRAMMAR_POCR, "\n\n", CFLR_SYNTAX, 1, 1, "no rule"},
        {CFLR_GRAMMAR_POCR, "A\tf_i\nB\tf\n", CFLR_SYNTAX, 2, 3, "'f' is used without an index"},
        {CFLR_GRAMMAR_POCR, "F_i\ta\n", CFLR_SYNTAX, 1, 5, "index 'i' of 'F' is not bound"},
        {CFLR_GRAMMAR_POCR, "A\ta\nCount:\nB\n", CFLR_SYNTAX, 3, 1, "'B' is the start symbol"},
        {CFLR_GRAMMAR_POCR, "V\ta\nCount:\nVbar\n", CFLR_SYNTAX, 3, 1,
         "'Vbar' is the converse of 'V', and no start symbol"},
        {CFLR_GRAMMAR_POCR, "V\ta\nCount:\n W,V\n", CFLR_SYNTAX, 3, 2, "'W' is the start symbol"},
        {CFLR_GRAMMAR_POCR, "V\ta\nCount:\nV_i\n", CFLR_SYNTAX, 3, 1, "with an index here"},
        {CFLR_GRAMMAR_GRACFL, "V a\nCount:\n-V\n", CFLR_SYNTAX, 3, 1,
         "'-V' is the converse of 'V'"},
        {CFLR_GRAMMAR_GRACFL, "F_3 f_3\nCount: F_3\n", CFLR_SYNTAX, 2, 8,
         "'F_3' is one index of 'F', and no start symbol"},
        {CFLR_GRAMMAR_SVF, "Start:\nVbar\nTerminal:\na\nProductions:\nV -> a;", CFLR_SYNTAX, 2, 1,
         "'Vbar' is the converse of 'V'"},
        {CFLR_GRAMMAR_SVF, "Start: F_3 Terminal: f_3\nProductions:\nF_3 -> f_3;", CFLR_SYNTAX, 1, 8,
         "'F_3' is one index of 'F'"},
        {CFLR_GRAMMAR_CFPQ, "V -> a\nCount:\nV_r\n", CFLR_SYNTAX, 3, 1,
         "'V_r' is the converse of 'V'"},
        {CFLR_GRAMMAR_POCR, "A\ta\x01\n", CFLR_SYNTAX, 1, 4, "0x01"},
        {CFLR_GRAMMAR_POCR, "A\t\xFF\n", CFLR_SYNTAX, 1, 3, "UTF-8"},
        {CFLR_GRAMMAR_POCR, "A\t~a\n", CFLR_SYNTAX, 1, 3, "'~'"},
        {CFLR_GRAMMAR_GRACFL, "3\nA a\nA A A\n", CFLR_SYNTAX, 1, 1, "not the number of rules"},
        {CFLR_GRAMMAR_GRACFL, "A B C D E\n", CFLR_SYNTAX, 1, 7, "at most two symbols"},
        {CFLR_GRAMMAR_SVF, "V -> a;", CFLR_SYNTAX, 1, 1, "expected 'Start:'"},
        {CFLR_GRAMMAR_SVF, "Start:\n", CFLR_SYNTAX, 1, 7, "start symbol"},
        {CFLR_GRAMMAR_SVF, "Start:\nTerminal:\n", CFLR_SYNTAX, 2, 1, "start symbol"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nProductions:\n", CFLR_SYNTAX, 3, 1, "expected 'Terminal:'"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nTerminal:\na b c", CFLR_SYNTAX, 4, 6, "'Productions:'"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nTerminal:\na\nProductions:\nV a;", CFLR_SYNTAX, 6, 1,
         "expected a rule"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nTerminal:\na\nProductions:\n", CFLR_SYNTAX, 1, 1, "no rule"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nTerminal:\na\nProductions:\nV -> (a;", CFLR_SYNTAX, 6, 8,
         "expected ')', found ';'"},
        {CFLR_GRAMMAR_SVF, "Start:\nV\nTerminal:\na\nProductions:\nV -> a);", CFLR_SYNTAX, 6, 7,
         "found ')'"},
        {CFLR_GRAMMAR_CFPQ, "S -> * a", CFLR_SYNTAX, 1, 6, "expected a symbol, found '*'"},
        {CFLR_GRAMMAR_CFPQ, "-> a", CFLR_SYNTAX, 1, 1, "expected a rule"},
        {CFLR_GRAMMAR_CFPQ, "S -> a -> b -> c", CFLR_SYNTAX, 1, 8, "expected"},
        {CFLR_GRAMMAR_CFPQ, "S -> a\nCount:\n", CFLR_SYNTAX, 2, 7, "counted"},
        {CFLR_GRAMMAR_CFPQ, "S -> [x]", CFLR_OK, 0, 0, ""},
        {CFLR_GRAMMAR_CFPQ, "S -> \xC3\xA4 ? ?\nT -> *", CFLR_SYNTAX, 2, 6, "found '*'"},
        {CFLR_GRAMMAR_CFPQ, "\xC3\xA4\xC3\xA4 -> * ", CFLR_SYNTAX, 1, 7, "found '*'"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_grammar *grammar = NULL;
        cflr_error error = {0};
        cflr_status st = cflr_grammar_parse(context, cases[i].source, strlen(cases[i].source),
                                            "their.txt", cases[i].format, &grammar, &error);
        cr_expect_eq(st, cases[i].status, "%s: %s", cases[i].source, error.message);
        cr_expect(error.line == cases[i].line && error.column == cases[i].column, "%s: %u:%u: %s",
                  cases[i].source, error.line, error.column, error.message);
        cr_expect(strstr(error.message, cases[i].part), "%s: %s", cases[i].source, error.message);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

Test(import, deep_parentheses) {
    cflr_context *context = test_context();
    enum { DEPTH = 300000 };
    char *text = malloc(DEPTH + 16);
    memset(text + sprintf(text, "S -> "), '(', DEPTH);
    cflr_grammar *grammar = NULL;
    cflr_error error = {0};
    MUST_FAIL(cflr_grammar_parse(context, text, DEPTH, "deep", CFLR_GRAMMAR_CFPQ, &grammar, &error),
              CFLR_UNSUPPORTED);
    cr_expect(error.line == 1 && error.column == 6 + 256);
    free(text);
    test_context_end(context);
}

Test(import, recognised_by_content) {
    static const struct {
        const char *text;
        cflr_grammar_format format;
    } cases[] = {
        {"A ::= b", CFLR_GRAMMAR_CFLR},
        {"# a comment -> with ( signs\n\nA ::=\n", CFLR_GRAMMAR_CFLR},
        {"%start A\n", CFLR_GRAMMAR_CFLR},
        {"", CFLR_GRAMMAR_CFLR},
        {"# only a comment", CFLR_GRAMMAR_CFLR},
        {"A = b c", CFLR_GRAMMAR_CFLR},
        {"A b | c", CFLR_GRAMMAR_CFLR},
        {"A ~b", CFLR_GRAMMAR_CFLR},
        {"A f[i]", CFLR_GRAMMAR_CFLR},
        {"Start:\nV\nTerminal:\na\nProductions:\nV -> a;\n", CFLR_GRAMMAR_SVF},
        {"\n  Start: V\n", CFLR_GRAMMAR_SVF},
        {"S -> a S b | epsilon", CFLR_GRAMMAR_CFPQ},
        {"S->a", CFLR_GRAMMAR_CFPQ},
        {"S -> a\nCount:\nS", CFLR_GRAMMAR_CFPQ},
        {"V\tA\tV\n\nCount:\nV\n", CFLR_GRAMMAR_POCR},
        {"V\tFV_i\tf_i\n", CFLR_GRAMMAR_POCR},
        {"Production:\nV\ta\n", CFLR_GRAMMAR_POCR},
        {"V\tAbar\tV\nV\tA\n", CFLR_GRAMMAR_GRACFL},
        {"V f_3 V\n", CFLR_GRAMMAR_GRACFL},
        {"MA\tMq\t-a\n", CFLR_GRAMMAR_GRACFL},
        {"12\nMA\tMq\t-a\n", CFLR_GRAMMAR_GRACFL},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_expect_eq(cflri_grammar_detect(cases[i].text, strlen(cases[i].text)), cases[i].format,
                     "%s", cases[i].text);
    }
    cflr_grammar *grammar = grammar_in(context, "S -> a T\nT -> b", CFLR_GRAMMAR_AUTO);
    cr_expect_eq(grammar->n_rules, 2);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

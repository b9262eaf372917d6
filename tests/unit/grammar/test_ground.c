/* SPDX-License-Identifier: Apache-2.0
 *
 * test_ground.c: which instances a graph brings to life, and the indexes by right-hand sides.
 */
#include <criterion/criterion.h>
#include <time.h>

#include "tests/unit/grammar/random_grammar.h"

/* The ground stage without directives and places. */
static char *ground_of(cflr_context *context, const char *source, const char *edges) {
    cflr_error error = {0};
    char *text;
    cflr_grammar *grammar = grammar_of(context, source);
    cflr_graph *graph = graph_of(context, edges);
    MUST(cflr_grammar_show(grammar, CFLR_STAGE_GROUND, graph, &text, &error));
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    char *rules = calloc(1, strlen(text) + 1), *end = rules;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        const char *place = strstr(line, "  #");
        if (line[0] == '%' && line[1] >= 'a') continue;
        end += sprintf(end, "%.*s\n", place ? (int)(place - line) : (int)strlen(line), line);
    }
    cflr_text_free(context, text);
    return rules;
}

Test(ground, instances) {
    static const struct {
        const char *source, *edges, *rules;
    } cases[] = {
        /* only indexes that some pair can have */
        {"A ::= f[i] g[i]", "0 1 f[1]; 1 2 f[2]; 2 3 g[2]; 3 4 g[3]", "A ::= f[\"2\"] g[\"2\"]\n"},
        {"V ::= F[i] f[i] | a\nF[i] ::= ~f[i] V", "0 1 a; 1 2 f[8]; 1 3 f[16]",
         "V ::= F[\"8\"] f[\"8\"]\nV ::= F[\"16\"] f[\"16\"]\nV ::= a\nF[\"8\"] ::= ~f[\"8\"] V\n"
         "F[\"16\"] ::= ~f[\"16\"] V\n"},
        /* a rule whose right side is never whole is not made, nor what needs it (B ::= B stands
         * for no rule) */
        {"A ::= B c | d\nB ::= b", "0 1 c; 1 2 d", "A ::= d\nB ::= B\n"},
        {"A ::= B | d\nB ::= B b", "0 1 b; 1 2 d", "A ::= d\nB ::= B\n"},
        {"A ::= B c\nB ::= eps", "0 1 c", "B ::= eps\nA ::= B c\n"},
        {"A ::= ~b b", "0 1 c", "A ::= A\n"},
        /* both places of one rule, plain and indexed partners in any order */
        {"A ::= A A | a", "0 1 a", "A ::= A A\nA ::= a\n"},
        {"A ::= f[i] f[i]", "0 1 f[1]", "A ::= f[\"1\"] f[\"1\"]\n"},
        {"T[i] ::= f[i] B\nB ::= b", "0 1 f[1]; 0 1 f[2]; 0 1 b",
         "T[\"1\"] ::= f[\"1\"] B\nT[\"2\"] ::= f[\"2\"] B\nB ::= b\n"},
        {"T[i] ::= B f[i]\nB ::= b", "0 1 f[1]; 0 1 b", "T[\"1\"] ::= B f[\"1\"]\nB ::= b\n"},
        /* constants */
        {"A ::= f[1] f[i] f[2]", "0 1 f[1]; 0 1 f[2]; 0 1 f[3]",
         "A ::= %2 f[\"2\"]\n%1 ::= f[\"1\"]\n%1 ::= f[\"2\"]\n%1 ::= f[\"3\"]\n"
         "%2 ::= f[\"1\"] %1\n"},
        {"A ::= f[9]", "0 1 f[1]", "A ::= A\n"},
        {"S[\"on\"] ::= a\nS[\"off\"] ::= S[\"on\"] b\nA ::= S[i]", "0 1 a; 1 2 b",
         "S[\"on\"] ::= a\nS[\"off\"] ::= S[\"on\"] b\nA ::= S[\"on\"]\nA ::= S[\"off\"]\n"},
        {"S[q] ::= a f[q]\nS[1] ::= S[\"x\"] a\nS[\"x\"] ::= a", "0 1 a; 1 2 f[1]",
         "S[\"1\"] ::= S[\"x\"] a\nS[\"1\"] ::= a f[\"1\"]\nS[\"x\"] ::= a\n"},
        /* a rule for all indexes and the same rule for one make one ground rule */
        {"A ::= f[i] g[i]\nA ::= f[1] g[1]", "0 1 f[1]; 0 1 g[1]", "A ::= f[\"1\"] g[\"1\"]\n"},
        /* edges of a nonterminal */
        {"A ::= A b", "0 1 A; 1 2 b", "A ::= A b\n"},
        {"A ::= P[i]\nP[i] ::= P[i] b", "0 1 P[4]; 1 2 b",
         "A ::= P[\"4\"]\nP[\"4\"] ::= P[\"4\"] b\n"},
        {"A ::= a", "", "A ::= A\n"},
    };
    cflr_context *context = test_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *rules = ground_of(context, cases[i].source, cases[i].edges);
        cr_expect_str_eq(rules, cases[i].rules, "%s\n%s", cases[i].source, rules);
        free(rules);
    }
    test_context_end(context);
}

/* ---- the interface of the solvers ---- */

static void check_index(const cflri_ground *g, const cflri_join_index *index, int side) {
    uint32_t found = 0, expected = 0;
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        cr_assert_leq(index->start[s], index->start[s + 1]);
        for (uint32_t k = index->start[s]; k < index->start[s + 1]; k++, found++) {
            const cflri_join *join = &index->join[k];
            const cflri_ground_rule *rule = &g->rule[join->rule];
            cr_assert_eq(rule->right[side == 2], s);
            cr_assert_eq(rule->left, join->left);
            if (side) cr_assert_eq(rule->right[side == 1], join->partner);
            if (k > index->start[s]) cr_assert_leq(join[-1].partner, join->partner);
        }
    }
    for (uint32_t r = 0; r < g->n_rules; r++) {
        bool binary = g->rule[r].right[1] != CFLRI_NO_SYMBOL;
        bool converse = g->grammar->rule[g->rule[r].rule].is_converse;
        expected += side ? binary : !binary && converse == (index == &g->by_converse);
    }
    cr_assert_eq(found, expected);
}

static void check_pairs(const cflri_ground *g) {
    for (uint32_t b = 0; b < g->n_symbols; b++) {
        for (uint32_t c = 0; c < g->n_symbols; c++) {
            uint32_t count, expected = 0;
            const cflri_join *join = cflri_ground_pair(g, b, c, &count);
            for (uint32_t r = 0; r < g->n_rules; r++) {
                expected += g->rule[r].right[0] == b && g->rule[r].right[1] == c;
            }
            cr_assert_eq(count, expected);
            for (uint32_t k = 0; k < count; k++) {
                const cflri_ground_rule *rule = &g->rule[join[k].rule];
                cr_assert(rule->right[0] == b && rule->right[1] == c && rule->left == join[k].left);
            }
        }
    }
}

static void check_symbols(const cflri_ground *g) {
    for (uint32_t s = 0; s < g->n_symbols; s++) {
        const cflri_ground_symbol *symbol = &g->symbol[s];
        const cflri_symbol *of = &g->grammar->symbol[symbol->symbol];
        const char *index = cflri_ground_index_text(g, s);
        cr_assert_eq(of->indexed, *index != '\0');
        if (s) {
            bool ascending =
                symbol[-1].symbol < symbol->symbol ||
                (symbol[-1].symbol == symbol->symbol && symbol[-1].index < symbol->index);
            cr_assert(ascending);
        }
        if (symbol->label != CFLR_NO_LABEL) {
            cr_assert_str_eq(cflr_graph_label_name(g->graph, symbol->label), of->name);
            cr_assert_str_eq(cflr_graph_label_index(g->graph, symbol->label), index);
        } else if (of->kind == CFLRI_TERMINAL) {
            cr_assert_neq(of->converse_of, CFLRI_NO_SYMBOL); /* else it has no edges */
        }
        cr_assert_eq(symbol->converse_of == CFLRI_NO_SYMBOL, of->converse_of == CFLRI_NO_SYMBOL);
        if (of->converse_of != CFLRI_NO_SYMBOL) {
            const cflri_ground_symbol *plain = &g->symbol[symbol->converse_of];
            cr_assert(plain->symbol == of->converse_of && plain->index == symbol->index);
        }
    }
}

/* As many rounds over all rules as there are symbols. */
static void check_nullable(const cflri_ground *g) {
    bool *found = calloc(g->n_symbols + 1, sizeof *found);
    bool *expected = calloc(g->n_symbols + 1, sizeof *expected);
    for (uint32_t e = 0; e < g->n_epsilon; e++) expected[g->epsilon[e]] = true;
    for (uint32_t round = 0; round < g->n_symbols; round++) {
        for (uint32_t r = 0; r < g->n_rules; r++) {
            const cflri_ground_rule *rule = &g->rule[r];
            bool binary = rule->right[1] != CFLRI_NO_SYMBOL;
            bool empty = expected[rule->right[0]] && (!binary || expected[rule->right[1]]);
            expected[rule->left] |= empty;
        }
    }
    cr_assert(cflri_ground_find_nullable(g, found));
    for (uint32_t s = 0; s < g->n_symbols; s++) cr_assert_eq(found[s], expected[s]);
    free(expected);
    free(found);
}

Test(ground, indexes_of_random_grammars) {
    cflr_context *context = test_context();
    uint64_t random = 99;
    static random_grammar w;
    uint32_t checked = 0, rules = 0;
    w.random = &random;
    for (uint32_t k = 0; k < 1500; k++) {
        cflr_grammar *grammar = NULL;
        cflri_ground *g = NULL;
        cflr_error error = {0};
        random_grammar_write(&w);
        cflr_graph *graph = random_graph(context, &random, true);
        cflr_status st =
            cflr_grammar_parse(context, w.text, w.n, "random", CFLR_GRAMMAR_CFLR, &grammar, &error);
        if (st == CFLR_OK) st = cflri_ground_new(grammar, graph, &g, &error);
        if (st == CFLR_OK) {
            check_index(g, &g->by_unary, 0);
            check_index(g, &g->by_converse, 0);
            check_index(g, &g->by_left, 1);
            check_index(g, &g->by_right, 2);
            check_pairs(g);
            check_symbols(g);
            check_nullable(g);
            for (uint32_t e = 1; e < g->n_epsilon; e++)
                cr_assert_lt(g->epsilon[e - 1], g->epsilon[e]);
            checked++;
            rules += g->n_rules;
        }
        cflri_ground_free(g);
        cflr_grammar_free(grammar);
        cflr_graph_free(graph);
    }
    cr_expect_gt(checked, 400);
    cr_expect_gt(rules, 4 * checked, "%u in %u", rules, checked);
    test_context_end(context);
}

/* ---- what is said about labels ---- */

static void keep_message(void *user, cflr_log_level level, const char *message) {
    cr_expect_eq(level, CFLR_LOG_WARNING);
    snprintf(user, 256, "%s", message);
}

Test(ground, shape_of_labels) {
    cflr_context_opts opts;
    cflr_context *context;
    cflr_error error = {0};
    cflri_ground *ground;
    char message[256];
    cflr_context_opts_init(&opts);
    opts.log = keep_message;
    opts.user = message;
    MUST(cflr_context_new(&opts, &context, &error));
    static const struct {
        const char *source, *edges, *message;
    } cases[] = {
        {"A ::= f", "0 1 f[8]; 1 2 f[16]",
         "edges 'f[8]' are not used: the grammar has 'f' without"},
        {"A ::= f[i]", "0 1 f", "edges 'f' are not used: the grammar has 'f' with an index"},
        {"A ::= f", "0 1 f; 1 2 g[3]", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cflr_grammar *grammar = grammar_of(context, cases[i].source);
        cflr_graph *graph = graph_of(context, cases[i].edges);
        message[0] = '\0';
        MUST(cflri_ground_new(grammar, graph, &ground, &error));
        cr_expect_eq(strncmp(message, cases[i].message, strlen(cases[i].message)), 0, "%s",
                     message);
        cr_expect_eq(message[0] == '\0', cases[i].message[0] == '\0');
        cflri_ground_free(ground);
        cflr_graph_free(graph);
        cflr_grammar_free(grammar);
    }
    test_context_end(context);
}

/* A ::= (...)* extends its own pairs, so the graph may not bring some of its own. */
Test(ground, closed_symbols) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflri_ground *ground = NULL;
    cflr_grammar *grammar = grammar_of(context, "S ::= A\nA ::= (b c)*");
    cflr_graph *graph = graph_of(context, "0 1 b; 1 2 A");
    MUST_FAIL(cflri_ground_new(grammar, graph, &ground, &error), CFLR_UNSUPPORTED);
    cr_expect(error.line == 1 && error.column == 7, "%u:%u", error.line, error.column);
    cr_expect(strstr(error.message, "%terminal"), "%s", error.message);
    cr_expect_null(ground);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

Test(ground, stops_when_cancelled) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflri_ground *ground = NULL;
    cflr_grammar *grammar = grammar_of(context, "A ::= a A | a");
    cflr_graph *graph = graph_of(context, "0 1 a");
    cflr_context_cancel(context);
    MUST_FAIL(cflri_ground_new(grammar, graph, &ground, &error), CFLR_CANCELLED);
    cr_expect_null(ground);
    cflr_graph_free(graph);
    cflr_grammar_free(grammar);
    test_context_end(context);
}

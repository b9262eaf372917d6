/* SPDX-License-Identifier: Apache-2.0
 *
 * test_scale.c: large grammars take time that grows with their size, not with its square.
 *
 * Each text is compiled at one size and at eight times the size. Linear work takes eight times as
 * long, quadratic work sixty-four times; the bound lies between, and the best of three runs counts,
 * so that a busy machine does not decide.
 */
#include <criterion/criterion.h>
#include <time.h>

#include "tests/unit/grammar/relations.h"

enum { SMALL = 1000, TIMES = 8, BOUND = 26 };

typedef struct growing {
    char *text;
    size_t n, capacity;
} growing;

static void put(growing *g, const char *format, unsigned a, unsigned b) {
    if (g->capacity - g->n < 256) {
        g->capacity = g->capacity * 2 + 4096;
        g->text = realloc(g->text, g->capacity);
    }
    char line[200];
    snprintf(line, sizeof line, format, a, b);
    g->n += (size_t)sprintf(g->text + g->n, "%s", line);
}

/* Of this process: what else the machine does is not counted. */
static double cpu_seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- shapes of grammars ---- */

static void many_rules(growing *g, unsigned size) {
    for (unsigned i = 0; i < size; i++) put(g, "N%u ::= a N%u b c | d\n", i, (i * 7 + 1) % size);
}

static void many_alternatives(growing *g, unsigned size) {
    put(g, "A ::= b", 0, 0);
    for (unsigned i = 0; i < size; i++) put(g, "\n | t%u t%u", i, i + 1);
    put(g, "\n", 0, 0);
}

static void one_long_rule(growing *g, unsigned size) {
    put(g, "A ::=", 0, 0);
    for (unsigned i = 0; i < size; i++) put(g, i % 3 ? " t%u" : " (t%u | eps)?", i % 50, 0);
}

static void many_groups(growing *g, unsigned size) {
    put(g, "A ::= b", 0, 0);
    for (unsigned i = 0; i < size; i++) put(g, "\n | (a%u b)* (c d%u)+ e?", i, i);
}

static void long_with_indexes(growing *g, unsigned size) {
    put(g, "A ::=", 0, 0);
    for (unsigned i = 0; i < 2 * size; i++) put(g, " f[i] (g h)* f[i] p[%u]", i % 20, 0);
}

static void constants(growing *g, unsigned size) {
    put(g, "V ::= a\n", 0, 0);
    for (unsigned i = 0; i < size; i++) put(g, "V ::= F[%u] f[%u]\n", i, i);
    for (unsigned i = 0; i < size; i++) put(g, "F[%u] ::= ~f[%u] V\n", i, i);
}

static void expanded_columns(growing *g, unsigned size) {
    for (unsigned i = 0; i < size; i++) put(g, "V\tFV_%u\tf_%u\n", i, i);
    for (unsigned i = 0; i < size; i++) put(g, "FV_%u\tfbar_%u\tV\n", i, i);
    put(g, "V\ta\n", 0, 0);
}

static void arrows(growing *g, unsigned size) {
    for (unsigned i = 0; i < size; i++)
        put(g, "N%u -> a_r (N%u | b_i c_i)* d\n", i, (i + 1) % size);
}

static double compile_once(const growing *g, cflr_grammar_format format) {
    cflr_context *context = test_context();
    cflr_error error = {0};
    cflr_grammar *grammar;
    double start = cpu_seconds();
    MUST(cflr_grammar_parse(context, g->text, g->n, "big", format, &grammar, &error));
    double seconds = cpu_seconds() - start;
    cflr_grammar_free(grammar);
    test_context_end(context);
    return seconds;
}

static double best_time(void (*shape)(growing *, unsigned), unsigned size,
                        cflr_grammar_format format) {
    growing g = {0};
    double best = 1e9;
    shape(&g, size);
    for (int run = 0; run < 3; run++) {
        double seconds = compile_once(&g, format);
        if (seconds < best) best = seconds;
    }
    free(g.text);
    return best;
}

Test(scale, compiling) {
    static const struct {
        const char *name;
        void (*shape)(growing *, unsigned);
        cflr_grammar_format format;
    } shapes[] = {
        {"many rules", many_rules, CFLR_GRAMMAR_CFLR},
        {"many alternatives", many_alternatives, CFLR_GRAMMAR_CFLR},
        {"one long rule", one_long_rule, CFLR_GRAMMAR_CFLR},
        {"many groups", many_groups, CFLR_GRAMMAR_CFLR},
        {"long with indexes", long_with_indexes, CFLR_GRAMMAR_CFLR},
        {"constants", constants, CFLR_GRAMMAR_CFLR},
        {"expanded columns", expanded_columns, CFLR_GRAMMAR_GRACFL},
        {"arrows", arrows, CFLR_GRAMMAR_CFPQ},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        double small = best_time(shapes[i].shape, SMALL, shapes[i].format);
        double large = best_time(shapes[i].shape, SMALL * TIMES, shapes[i].format);
        cr_expect_lt(large, BOUND * small + 0.01, "%s: %.4f s, then %.4f s", shapes[i].name, small,
                     large);
    }
}

/* ---- grounding ---- */

static cflr_graph *indexed_graph(cflr_context *context, unsigned indexes) {
    cflr_graph_builder *builder;
    cflr_graph *graph;
    cflr_error error = {0};
    uint32_t label;
    MUST(cflr_graph_builder_new(context, &builder, &error));
    MUST(cflr_graph_builder_label(builder, "a", NULL, &label, &error));
    MUST(cflr_graph_builder_edge(builder, 0, 1, label, &error));
    for (unsigned i = 0; i < indexes; i++) {
        char index[16];
        snprintf(index, sizeof index, "%u", i);
        MUST(cflr_graph_builder_label(builder, "f", index, &label, &error));
        MUST(cflr_graph_builder_edge(builder, i % 7, i % 5, label, &error));
    }
    MUST(cflr_graph_builder_freeze(builder, &graph, &error));
    return graph;
}

static double ground_time(const char *source, unsigned indexes, uint32_t *n_rules) {
    cflr_context *context = test_context();
    cflr_graph *graph = indexed_graph(context, indexes);
    cflr_grammar *grammar = grammar_of(context, source);
    double best = 1e9;
    for (int run = 0; run < 3; run++) {
        cflri_ground *ground;
        cflr_error error = {0};
        double start = cpu_seconds();
        MUST(cflri_ground_new(grammar, graph, &ground, &error));
        double seconds = cpu_seconds() - start;
        if (seconds < best) best = seconds;
        *n_rules = ground->n_rules;
        cflri_ground_free(ground);
    }
    cflr_grammar_free(grammar);
    cflr_graph_free(graph);
    test_context_end(context);
    return best;
}

Test(scale, grounding) {
    static const char source[] =
        "V ::= ~A V | F[i] f[i] | eps | f[j]\nF[i] ::= ~f[i] V\nA ::= a A | a";
    uint32_t small_rules, large_rules;
    double small = ground_time(source, SMALL, &small_rules);
    double large = ground_time(source, SMALL * TIMES, &large_rules);
    cr_expect_eq(small_rules, 4 * SMALL + 4);
    cr_expect_eq(large_rules, 4 * SMALL * TIMES + 4);
    cr_expect_lt(large, BOUND * small + 0.01, "%.4f s, then %.4f s", small, large);
}

/* A symbol with a rule for each constant: an instance meets its own, not all of them. */
Test(scale, grounding_constants) {
    uint32_t small_rules, large_rules;
    growing g = {0};
    constants(&g, SMALL);
    double small = ground_time(g.text, SMALL, &small_rules);
    g.n = 0;
    constants(&g, SMALL * TIMES);
    double large = ground_time(g.text, SMALL * TIMES, &large_rules);
    free(g.text);
    cr_expect_eq(small_rules, 3 * SMALL + 1);
    cr_expect_eq(large_rules, 3 * SMALL * TIMES + 1);
    cr_expect_lt(large, BOUND * small + 0.01, "%.4f s, then %.4f s", small, large);
}

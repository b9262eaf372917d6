/* SPDX-License-Identifier: Apache-2.0
 *
 * grammar.c: compiles one large grammar of a named shape, or instantiates it on a graph with many
 * indexes, so that run.sh can count the instructions of that at two sizes.
 *
 *     scale_grammar              the names of the shapes, one a line
 *     scale_grammar SHAPE SIZE
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar/equations/ground.h"

#define MUST(call)                                                             \
    do {                                                                       \
        if ((call) != CFLR_OK) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, error.message); \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

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

static void recursive_indexes(growing *g, unsigned size) {
    (void)size; /* the graph grows, not the grammar */
    put(g, "V ::= ~A V | F[i] f[i] | eps | f[j]\nF[i] ::= ~f[i] V\nA ::= a A | a", 0, 0);
}

typedef struct shape {
    const char *name;
    void (*make)(growing *, unsigned);
    cflr_grammar_format format;
    unsigned
        rules_per_index; /* ground rules for each index of the graph; 0: the graph plays no part */
    unsigned more_rules; /* and those that no index multiplies */
} shape;

static const shape shapes[] = {
    {"many-rules", many_rules, CFLR_GRAMMAR_CFLR, 0, 0},
    {"many-alternatives", many_alternatives, CFLR_GRAMMAR_CFLR, 0, 0},
    {"one-long-rule", one_long_rule, CFLR_GRAMMAR_CFLR, 0, 0},
    {"many-groups", many_groups, CFLR_GRAMMAR_CFLR, 0, 0},
    {"long-with-indexes", long_with_indexes, CFLR_GRAMMAR_CFLR, 0, 0},
    {"constants", constants, CFLR_GRAMMAR_CFLR, 0, 0},
    {"expanded-columns", expanded_columns, CFLR_GRAMMAR_GRACFL, 0, 0},
    {"arrows", arrows, CFLR_GRAMMAR_CFPQ, 0, 0},
    {"ground-variables", recursive_indexes, CFLR_GRAMMAR_CFLR, 4, 4},
    /* a symbol with a rule for each constant: an instance meets its own, not all of them */
    {"ground-constants", constants, CFLR_GRAMMAR_CFLR, 3, 1},
};

/* ---- one run ---- */

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

static void ground(cflr_context *context, const cflr_grammar *grammar, const shape *of,
                   unsigned size) {
    cflri_ground *ground;
    cflr_error error = {0};
    cflr_graph *graph = indexed_graph(context, size);
    MUST(cflri_ground_new(grammar, graph, &ground, &error));
    uint32_t expected = of->rules_per_index * size + of->more_rules;
    if (ground->n_rules != expected) {
        fprintf(stderr, "%s: %" PRIu32 " ground rules, not %" PRIu32 "\n", of->name,
                ground->n_rules, expected);
        exit(1);
    }
    cflri_ground_free(ground);
    cflr_graph_free(graph);
}

static void run(const shape *of, unsigned size) {
    growing g = {0};
    cflr_context *context;
    cflr_grammar *grammar;
    cflr_error error = {0};
    of->make(&g, size);
    MUST(cflr_context_new(NULL, &context, &error));
    MUST(cflr_grammar_parse(context, g.text, g.n, of->name, of->format, &grammar, &error));
    if (of->rules_per_index) ground(context, grammar, of, size);
    cflr_grammar_free(grammar);
    cflr_context_free(context);
    free(g.text);
}

int main(int argc, char **argv) {
    bool found = argc == 1;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (argc == 1) puts(shapes[i].name);
        if (argc != 3 || strcmp(argv[1], shapes[i].name) != 0) continue;
        run(&shapes[i], (unsigned)strtoul(argv[2], NULL, 10));
        found = true;
    }
    return found ? 0 : 2;
}

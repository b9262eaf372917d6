/* SPDX-License-Identifier: Apache-2.0
 *
 * relations.h: two closures of tiny graphs, for the tests of grammars.
 *
 * A relation over at most eight vertices is one 64-bit number, bit 8 u + v for the pair (u, v).
 *
 *     by_rules   every ground rule on every pair of relations, until nothing changes: says what the
 *                compiled grammar means
 *     by_tree    the author's expressions evaluated as they stand, operators as operations on
 *                relations, for every value of their variables: says what the author means, and
 *                looks at neither the expansion nor the normal form nor ground rules
 */
#ifndef TEST_GRAMMAR_RELATIONS_H
#define TEST_GRAMMAR_RELATIONS_H

#include "grammar/equations/ground.h"
#include "grammar/read/ast.h"
#include "tests/support/support.h"

enum { MOST_VERTICES = 8, MOST_SYMBOLS = 64, MOST_INDEXES = 8 };

typedef uint64_t relation;

/* ---- operations ---- */

relation relation_identity(uint32_t n_vertices);
relation relation_compose(relation a, relation b);
relation relation_converse(relation a);
/* The pairs of a label of the graph. */
relation relation_of_label(const cflr_graph *graph, uint32_t label);

/* ---- graphs and grammars from text ---- */

/* "0 1 a; 1 2 f[8]" */
cflr_graph *graph_of(cflr_context *context, const char *edges);
/* Must parse. */
cflr_grammar *grammar_of(cflr_context *context, const char *text);
cflr_grammar *grammar_in(cflr_context *context, const char *text, cflr_grammar_format format);

/* The symbol with this name, or CFLRI_NO_SYMBOL. */
uint32_t symbol_named(const cflr_grammar *grammar, const char *name);

/* ---- closures ---- */

/* (symbol name, index) -> relation; the index is "" for a plain symbol. */
typedef struct closure {
    uint32_t n;
    struct {
        char name[32], index[32];
        relation pairs;
    } at[MOST_SYMBOLS * MOST_INDEXES];
} closure;

/* By ground symbol: the pairs that its filter keeps, all where it has none. To be freed. */
relation *filter_masks(const cflri_ground *ground);

/* By ground symbol: every ground rule on every pair of relations, until nothing changes. To be
 * freed. */
relation *closure_of_ground(const cflri_ground *ground);

/* Pairs of the author's nonterminals. */
void closure_by_rules(const cflr_grammar *grammar, const cflr_graph *graph, closure *c);
void closure_by_tree(const cflr_grammar *grammar, const cflr_graph *graph, closure *c);

relation closure_find(const closure *c, const char *name, const char *index);

/* NULL when equal, empty relations left out; else a description in static storage. */
const char *closure_difference(const closure *a, const closure *b);

/* "0 1 A\n0 2 B[8]\n", sorted; malloc'ed. */
char *closure_text(const closure *c);

#endif

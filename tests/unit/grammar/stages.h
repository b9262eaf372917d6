/* SPDX-License-Identifier: Apache-2.0
 *
 * stages.h: what grammar/equations makes of a grammar on a tiny graph, stage by stage, as text and
 * as pairs.
 *
 *     ground -> algebra -> equations          closure_of_ground (relations.h) says what is right;
 *                                             closure_of_algebra, closure_of_equations what is made
 *
 * Both are plain fixed points over sets of pairs that know algebra.h and equations.h only.
 */
#ifndef TEST_GRAMMAR_STAGES_H
#define TEST_GRAMMAR_STAGES_H

#include "grammar/equations/equations.h"
#include "tests/unit/grammar/random_grammar.h"

enum { ALL_TECHNIQUES = 0xFF };

/* A grammar on a graph; owns all. */
typedef struct stages {
    cflr_context *context;
    cflr_grammar *grammar;
    cflr_graph *graph;
    cflri_ground *ground;
    cflri_input_kind *input;
} stages;

/* Texts as of grammar_of and graph_of. */
stages stages_of(cflr_context *context, const char *grammar, const char *graph);
/* Takes both over. */
stages stages_from(cflr_context *context, cflr_grammar *grammar, cflr_graph *graph);
void stages_free(stages *s);

/* A random grammar on a random graph; both follow from the seed. Every other one has all operators,
 * the others are short sums of products of few symbols, which recur in many ways; one in three has
 * a filter. False when the grammar is refused. w->text is its text. */
bool stages_random(cflr_context *context, uint64_t seed, random_grammar *w, stages *s);

/* The ground symbol without index of this name; must be there. */
uint32_t stages_symbol(const stages *s, const char *name);

/* ---- algebra ---- */

cflri_algebra algebra_of(const stages *s, unsigned techniques);

/* One line a set that is no input, "V = ~a V | star(a)", and one a symbol that another set stands
 * for, "B is ~A". Sets without a symbol are numbered from <1>, `{A}` are the edges of a symbol that
 * has rules too, `|...|` stands around a set that is its own mirror. To be freed. */
char *algebra_text(const stages *s, const cflri_algebra *algebra);

/* The pairs of each ground symbol. To be freed. */
relation *closure_of_algebra(const stages *s, const cflri_algebra *algebra);

/* ---- equations ---- */

/* Those of all symbols; valid. */
cflri_equations *equations_of(const stages *s, unsigned techniques);

/* As `cflr grammar show --stage plan`. To be freed with cflr_text_free. */
char *equations_text(const stages *s, const cflri_equations *equations);

/* The pairs of each ground symbol that is wanted: all equations until nothing changes, or one
 * stratum after the other, each until nothing changes. To be freed. */
relation *closure_of_equations(const stages *s, const cflri_equations *equations, bool by_strata);

/* NULL when equal, of all symbols or of those that are wanted; else a description in static
 * storage. */
const char *pairs_difference(const stages *s, const cflri_equations *wanted, const relation *is,
                             const relation *expected);

/* ---- by hand ---- */

typedef struct stages_case {
    const char *grammar, *graph; /* NULL: edges a, b, c, d, f[8] and f[16], none beside another */
    const char *text;
} stages_case;

/* Each grammar becomes the text, with these techniques, and keeps its pairs. */
void expect_algebra(const stages_case *cases, size_t n, unsigned techniques);
void expect_equations(const stages_case *cases, size_t n, unsigned techniques);

#endif

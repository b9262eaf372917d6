/* SPDX-License-Identifier: Apache-2.0
 *
 * explain.h: how derivations are printed.
 */
#ifndef CFLR_CLI_EXPLAIN_EXPLAIN_H
#define CFLR_CLI_EXPLAIN_EXPLAIN_H

#include "cli/names/names.h"

/* The derivations of one pair, which the explainer has found. */
typedef struct explanation {
    const cflr_graph *graph;
    const cflr_explainer *explainer;
    size_t n;
} explanation;

/* In steps of the source, below a line that is printed. 0, or the exit code after a message. */
int explanation_print(const explanation *x, FILE *file);
/* The same of derivations about locations (--aliasing strict); *known stays false, and nothing is
 * printed, when they have another form than those of pointer-types. */
int explanation_print_locations(const explanation *x, FILE *file, bool *known);
/* In symbols, of any grammar, below a line with the pair. */
int explanation_print_symbols(const explanation *x, FILE *file);
/* The list `derivations` of docs/reference/json.md. */
json_t *explanation_json(const explanation *x);
/* The edges, for Graphviz, inside of a digraph. */
void explanation_dot(const explanation *x, FILE *file);

/* The objects that are meant by the O of `points-to P O`, those alone to which a pointer points if
 * there are any. `line` is all that stands behind P, `word` the same where it is one word, else
 * NULL. 0, or the exit code after a message; the set is to be freed in both cases. */
int find_objects(const cflr_result *result, const place_set *pointers, const char *line,
                 const char *word, place_set *set);

/* Why two pointers may not hold one address, or, not `alias`, why the first may not point to the
 * second, which is an object: how near its address comes. To the file, or as a key of the answer,
 * whichever is there. */
void explain_why_not(const cflr_result *result, uint32_t pointer, uint32_t other, bool alias,
                     FILE *file, json_t *answer);

/* `cflr explain --imprecision`: prints up to `most` causes by which most of a program's points-to
 * pairs come about; the exit code. `result` is a closure of the graph under the grammar, or NULL:
 * it is made then. */
int explain_imprecision(const cflr_graph *graph, const cflr_grammar *grammar,
                        const cflr_result *result, uint32_t most);

#endif

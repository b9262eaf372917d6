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

/* In steps of the source, below a line that is printed; long ones are shortened, unless `all` is
 * set (explain_lines.h). 0, or the exit code after a message. */
int explanation_print(const explanation *x, FILE *file, bool all);
/* The same of derivations about locations (--aliasing strict); *known stays false, and nothing is
 * printed, when they have another form than those of pointer-types. */
int explanation_print_locations(const explanation *x, FILE *file, bool all, bool *known);
/* In symbols, of any grammar, below a line with the pair. */
int explanation_print_symbols(const explanation *x, FILE *file, bool all);
/* The list `derivations` of docs/reference/json.md. */
json_t *explanation_json(const explanation *x);
/* The edges, for Graphviz, inside of a digraph. */
void explanation_dot(const explanation *x, FILE *file);

/* The objects that are meant by the O of `points-to P O`, those alone to which a pointer points if
 * there are any. `line` is all that stands behind P, `word` the same where it is one word, else
 * NULL. 0, or the exit code after a message; the set is to be freed in both cases. */
int find_objects(const cflr_result *result, const place_set *pointers, const char *line,
                 const char *word, place_set *set);

/* ---- where two pointers meet ---- */

/* A place in an object, whose address both pointers may hold, and the copies of the two that do:
 * which pairs (pointer, target) of a symbol tell. */
typedef struct common_place {
    uint32_t object;
    uint32_t pointer[2];
    const char *symbol;
    uint32_t target;
} common_place;

typedef struct common_places {
    common_place *at; /* by object, then by target */
    size_t n;
    uint32_t *object; /* each once, as a reader sees them */
    size_t n_objects;
} common_places;

/* All places that both may hold the address of, by what the program itself does: where the result
 * tells. 0, or the exit code after a message; to be freed in both cases. */
int common_find(const cflr_result *result, const place_set *p, const place_set *q,
                common_places *found);
void common_free(common_places *found);

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

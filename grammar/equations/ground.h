/* SPDX-License-Identifier: Apache-2.0
 *
 * ground.h: a compiled grammar instantiated for the indexes that a graph holds, with the
 * right-hand-side indexes that the solvers read. This is the whole interface between grammars and
 * solvers, on the CPU and elsewhere.
 *
 * A ground symbol is a (symbol, index) pair. Instances are made lazily: a fix-point over the rules
 * keeps an instance only when some pair of it could exist (terminals: the graph has such edges;
 * nonterminals: some rule has all its right side). O(rules x indexes).
 *
 *     by_unary    B -> { A : A ::= B }
 *     by_converse B -> { A : A ::= B backwards }
 *     by_left     B -> { (C, A) : A ::= B C }     sorted by C
 *     by_right    C -> { (B, A) : A ::= B C }     sorted by B
 *     by_pair     (B, C) -> { A : A ::= B C }     hash of B * n_symbols + C
 */
#ifndef CFLRI_GROUND_H
#define CFLRI_GROUND_H

#include "base/graph/graph.h"
#include "grammar/compiled.h"

typedef struct cflri_ground_symbol {
    uint32_t symbol; /* of the grammar */
    /* String id in the graph's table, 0 for a plain symbol; at or above the table's size a constant
     * index that the graph does not know. cflri_ground_index_text gives the text of both. */
    uint32_t index;
    /* The graph's label with these edges, else CFLR_NO_LABEL. Nonterminals may have one too: its
     * edges are pairs of the symbol from the start. */
    uint32_t label;
    /* Ground symbol whose pairs this one holds backwards, or CFLRI_NO_SYMBOL. */
    uint32_t converse_of;
} cflri_ground_symbol;

typedef struct cflri_ground_rule {
    uint32_t left;
    uint32_t right[2]; /* right[1] is CFLRI_NO_SYMBOL for unary and converse rules */
    uint32_t rule;     /* of the compiled grammar */
} cflri_ground_rule;

/* One entry of a right-hand-side index: with `partner` on the other side, `left` follows. */
typedef struct cflri_join {
    uint32_t partner;
    uint32_t left;
    uint32_t rule; /* ground rule number */
} cflri_join;

typedef struct cflri_join_index {
    uint32_t *start; /* n_symbols + 1 */
    cflri_join *join;
} cflri_join_index;

struct cflri_pair_table; /* ground_index.c */

typedef struct cflri_ground {
    cflr_context *context;
    const cflr_grammar *grammar;
    const cflr_graph *graph;
    uint32_t n_symbols;
    cflri_ground_symbol *symbol; /* ascending by (symbol, order of the index in the graph) */
    uint32_t n_rules;
    cflri_ground_rule *rule; /* ascending by (left, right) */
    uint32_t *first_rule;    /* by symbol: of those with it on the left; one more at the end */
    uint32_t n_epsilon;
    uint32_t *epsilon;            /* ground symbols A with A ::= eps */
    cflri_join_index by_unary;    /* partner unused */
    cflri_join_index by_converse; /* partner unused */
    cflri_join_index by_left;
    cflri_join_index by_right;
    struct cflri_pair_table *by_pair;
} cflri_ground;

/* `graph` tells which labels and indexes there are. Both must outlive *ground. */
cflr_status cflri_ground_new(const cflr_grammar *grammar, const cflr_graph *graph,
                             cflri_ground **ground, cflr_error *error);
void cflri_ground_free(cflri_ground *ground);

/* Has the symbol rules, but for A ::= eps? */
static inline bool cflri_ground_has_rules(const cflri_ground *ground, uint32_t symbol) {
    return ground->first_rule[symbol] < ground->first_rule[symbol + 1];
}

/* Marks, in n_symbols zeros, the symbols that derive the empty path. False when memory is refused.
 * O(rules). */
bool cflri_ground_find_nullable(const cflri_ground *ground, bool *nullable);

/* Text of a ground symbol's index, "" for a plain one. Lives as long as graph and grammar. */
const char *cflri_ground_index_text(const cflri_ground *ground, uint32_t symbol);

/* The left sides A of A ::= B C: *count of them. O(1). */
const cflri_join *cflri_ground_pair(const cflri_ground *ground, uint32_t left, uint32_t right,
                                    uint32_t *count);

#endif

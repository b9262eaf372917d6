/* SPDX-License-Identifier: Apache-2.0
 *
 * compile.h: the way from a tree to a compiled grammar, one step a file.
 *
 *     tree ──expand.c──> flat rules ──normal.c──> rules of one or two symbols ──check.c──> warnings
 *           ( ) | ? * + ~( )          one index variable each; ~x ::= x
 *
 * Only the user's nonterminals count: each step may add auxiliaries, and must leave the pairs of
 * every other symbol as the author's rules define them.
 */
#ifndef CFLRI_COMPILE_H
#define CFLRI_COMPILE_H

#include "grammar/read/ast.h"

/* From texts to numbers, to find what was made before. */
typedef struct cflri_memo {
    cflri_strings keys;
    CFLRI_VEC(uint32_t) value; /* by key number; CFLRI_NO_SYMBOL until it is set */
} cflri_memo;

cflr_status cflri_memo_init(cflri_memo *memo, cflr_context *context, cflr_error *error);
void cflri_memo_free(cflri_memo *memo);
/* *value points to the number kept for the key, until the next call. */
cflr_status cflri_memo_find(cflri_memo *memo, const char *key, size_t length, uint32_t **value,
                            cflr_error *error);

typedef struct cflri_compile {
    cflr_context *context;
    cflr_grammar *grammar;
    struct cflri_ast *ast;
    cflri_arena scratch; /* of one rule */
    cflri_memo memo;
    CFLRI_VEC(cflri_symbol) symbols;
    CFLRI_VEC(uint32_t) converse; /* symbol -> ~symbol, or CFLRI_NO_SYMBOL */
    CFLRI_VEC(cflri_rule) rules;
    CFLRI_VEC(cflri_origin) origins;
    cflri_text text; /* for keys and names */
    uint32_t n_auxiliaries;
} cflri_compile;

/* A new auxiliary, "%1" and so on; an auxiliary that the text itself names is skipped. */
cflr_status cflri_auxiliary_new(cflri_compile *compile, bool indexed, cflri_place place,
                                uint32_t *symbol, cflr_error *error);

/* The compiled number of a symbol of the tree, or of its converse. */
cflr_status cflri_compiled_symbol(cflri_compile *compile, uint32_t symbol, bool converse,
                                  uint32_t *compiled, cflr_error *error);

/* Tree to flat rules (ast->flats) and origins. */
cflr_status cflri_expand(cflri_compile *compile, cflr_error *error);

/* Flat rules to rules. */
cflr_status cflri_normalise(cflri_compile *compile, cflr_error *error);

/* Errors that make a grammar meaningless, before it is compiled. */
cflr_status cflri_check_tree(struct cflri_ast *ast, cflr_error *error);

/* Warnings about a compiled grammar, into grammar->diagnostics, in order of their places. */
cflr_status cflri_check_grammar(cflr_grammar *grammar, cflr_error *error);

/* The whole way: fills the arrays of the grammar. */
cflr_status cflri_compile_grammar(cflr_grammar *grammar, struct cflri_ast *ast, cflr_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * compiled.h: a grammar in normal form, indexes still symbolic.
 *
 * After expansion every rule is one of
 *
 *     A ::=            epsilon        A plain
 *     A ::= B          unary
 *     A ::= B C        binary
 *     ~X ::= X         converse       one for each ~X that some rule reads; X read backwards
 *
 * and carries at most one index variable, shared by all its symbols with a variable. A variable
 * that occurs once is projected away first, by an auxiliary plain symbol:
 *
 *     T[i] ::= B[i] C[j]              T[i] ::= B[i] %1        %1 ::= C[j]
 *
 * so that instantiating costs (rules x indexes), never indexes squared. A symbol may also carry a
 * constant index (f["8"]): such rules are ground already.
 */
#ifndef CFLRI_COMPILED_H
#define CFLRI_COMPILED_H

#include "base/intern.h"
#include "base/vec.h"
#include "cflr/grammar.h"

typedef enum cflri_symbol_kind {
    CFLRI_TERMINAL,
    CFLRI_NONTERMINAL,
    CFLRI_AUXILIARY, /* made by expansion or normal form; its name starts with '%' */
} cflri_symbol_kind;

#define CFLRI_NO_SYMBOL UINT32_MAX

typedef struct cflri_symbol {
    const char *name; /* "V", "~a", "%3" */
    cflri_symbol_kind kind;
    bool indexed;
    uint32_t converse_of; /* for "~x": the symbol x; CFLRI_NO_SYMBOL otherwise */
    /* Defined as (...)* or (...)+ and expanded into A ::= A (...): edges of this name in a graph
     * would be extended too, which the author did not write, so grounding refuses them. */
    bool closed;
    uint32_t line, column; /* first appearance; of an auxiliary: the expression it stands for */
} cflri_symbol;

/* How a symbol of a rule uses its index. */
typedef enum cflri_index_use {
    CFLRI_INDEX_NONE,     /* plain symbol */
    CFLRI_INDEX_VARIABLE, /* the rule's one variable */
    CFLRI_INDEX_CONSTANT, /* one fixed index, such as "8" */
} cflri_index_use;

typedef struct cflri_rule {
    uint32_t left;
    uint32_t right[2];
    uint8_t n_right;  /* 0, 1, 2 */
    bool is_converse; /* ~X ::= X: n_right is 1, right[0] is X, pairs are swapped */
    bool projects;    /* left is plain, right[0] indexed: union over all indexes */
    uint8_t left_use; /* cflri_index_use */
    uint8_t right_use[2];
    uint32_t constant[3]; /* of left, right[0], right[1]: number in the grammar's constants, or 0 */
    uint32_t origin;      /* number of the user's rule, for messages, statistics and witnesses */
} cflri_rule;

/* Of a pair (u,v) of the symbol, v must be where the labels lead to from u; where the first of
 * them leads nowhere from u, v may be any. */
typedef struct cflri_filter_rule {
    uint32_t symbol; /* with rules, not nullable */
    uint32_t n;      /* labels, at least one */
    uint32_t *label; /* symbols without rules and without index */
    bool *back;      /* which are read backwards */
} cflri_filter_rule;

/* A rule as the user wrote it. */
typedef struct cflri_origin {
    uint32_t line, column;
    const char *text; /* one alternative or the whole rule, white space folded */
} cflri_origin;

struct cflri_ast; /* rules as read, for the stages before the normal form: grammar/read/ast.h */

struct cflr_grammar {
    cflr_context *context;
    cflri_arena arena; /* all texts and arrays below */
    char *subject;
    uint32_t n_symbols;
    cflri_symbol *symbol;
    uint32_t n_rules;
    cflri_rule *rule;
    uint32_t n_origins;
    cflri_origin *origin;
    uint32_t n_constants;
    const char **constant; /* by number; constant 0 is "" and stands for none */
    uint32_t start;
    CFLRI_VEC(cflr_diagnostic) diagnostics;
    CFLRI_VEC(struct cflri_answer {
        const char *question;
        uint32_t symbol;
        bool meets; /* by pairs (u,v) of which both rows of the symbol have a target in common */
        const char *text; /* "S", or "S ~S" when it meets */
    })
    answers;
    CFLRI_VEC(cflri_filter_rule) filters; /* one a symbol */
    struct cflri_ast *ast;
};

/* The filter of a symbol, or NULL. */
const cflri_filter_rule *cflri_grammar_filter(const struct cflr_grammar *grammar, uint32_t symbol);

#endif

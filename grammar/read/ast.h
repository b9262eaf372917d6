/* SPDX-License-Identifier: Apache-2.0
 *
 * ast.h: a grammar as its author wrote it, with a place for everything. Every reader (our own
 * syntax and the importers) ends here; everything after it starts here.
 *
 *     VF[i] ::= ~f[i] (a MA?)* | eps
 *
 *     rule  left VF, variable 0 "i"
 *       ALT ── CONCAT ── CONVERSE ── SYMBOL f, variable 0
 *        |        └───── STAR ────── CONCAT ── SYMBOL a
 *        |                              └───── OPTION ── SYMBOL MA
 *        └──── EMPTY
 *
 * Children hang on `first` and go on along `next`. A node knows the variables below it, as a set of
 * bits. Depth is bounded (CFLRI_MAX_DEPTH), so walking a tree may recurse; length is not.
 */
#ifndef CFLRI_AST_H
#define CFLRI_AST_H

#include "grammar/compiled.h"
#include "grammar/read/text.h"

enum {
    CFLRI_MAX_DEPTH = 256,    /* of a tree, counted in nodes */
    CFLRI_MAX_VARIABLES = 64, /* different index variables of one rule */
};

typedef enum cflri_node_kind {
    CFLRI_NODE_EMPTY,    /* eps */
    CFLRI_NODE_SYMBOL,   /* x, x[i], x["8"] */
    CFLRI_NODE_CONCAT,   /* two or more children in order */
    CFLRI_NODE_ALT,      /* two or more children */
    CFLRI_NODE_OPTION,   /* x? */
    CFLRI_NODE_STAR,     /* x* */
    CFLRI_NODE_PLUS,     /* x+ */
    CFLRI_NODE_CONVERSE, /* ~x */
} cflri_node_kind;

typedef struct cflri_place {
    uint32_t line, column; /* from 1; 0 when unknown */
} cflri_place;

typedef struct cflri_node {
    uint8_t kind; /* cflri_node_kind */
    uint8_t use;  /* SYMBOL: cflri_index_use */
    uint16_t depth;
    uint32_t symbol; /* SYMBOL: number in the tree's table */
    uint32_t index;  /* SYMBOL: number of the rule's variable, or of the grammar's constant */
    cflri_place place;
    uint64_t variables;
    struct cflri_node *first, *next;
} cflri_node;

/* Is a symbol written with an index? It must be one way everywhere. */
typedef enum cflri_shape {
    CFLRI_SHAPE_UNKNOWN,
    CFLRI_SHAPE_PLAIN,
    CFLRI_SHAPE_INDEXED
} cflri_shape;

typedef struct cflri_ast_symbol {
    cflri_place place; /* first appearance */
    cflri_place shaped_at;
    cflri_place declared_at; /* in %terminal; line 0 when it is not */
    uint8_t shape;           /* cflri_shape */
    bool on_right;
    uint32_t n_rules;  /* with this left side */
    uint32_t compiled; /* number in the compiled grammar; CFLRI_NO_SYMBOL when no rule has it */
} cflri_ast_symbol;

typedef struct cflri_ast_rule {
    uint32_t left;
    uint8_t left_use;
    uint32_t left_index;
    cflri_place place;
    cflri_node *body;
    uint32_t n_variables;
    const char **variable; /* names by number */
} cflri_ast_rule;

typedef struct cflri_ast_answer {
    const char *question;
    uint32_t symbol;
    bool meets; /* "S ~S" */
    cflri_place place;
} cflri_ast_answer;

/* One label of a %filter line. */
typedef struct cflri_ast_step {
    uint32_t symbol;
    bool back;
    cflri_place place;
} cflri_ast_step;

typedef struct cflri_ast_filter {
    uint32_t symbol;
    cflri_place place;
    uint32_t first_step, n_steps; /* in ast->steps */
} cflri_ast_filter;

/* One symbol of an expanded rule. */
typedef struct cflri_item {
    uint32_t symbol; /* compiled number; converses are symbols of their own */
    uint32_t index;  /* as in cflri_node */
    uint8_t use;
} cflri_item;

/* A rule of the expanded stage: no operators left, any length. */
typedef struct cflri_flat {
    cflri_item left;
    uint32_t n;
    uint32_t origin;
    cflri_item *item;
} cflri_flat;

struct cflri_ast {
    cflr_context *context;
    cflr_grammar *grammar; /* its arena holds the nodes */
    cflri_strings names;   /* string number = symbol number; 0 is no symbol */
    CFLRI_VEC(cflri_ast_symbol) symbols;
    cflri_strings constants; /* string number = constant number; 0 is none */
    CFLRI_VEC(cflri_ast_rule) rules;
    CFLRI_VEC(cflri_ast_answer) answers;
    CFLRI_VEC(cflri_ast_filter) filters;
    CFLRI_VEC(cflri_ast_step) steps; /* of the filters */
    uint32_t start;                  /* 0 until %start is read or the first rule is taken */
    cflri_place start_place;
    bool has_terminals;              /* a %terminal line was read */
    CFLRI_VEC(uint32_t) origin_rule; /* origin -> rule */
    CFLRI_VEC(cflri_flat) flats;     /* the expanded stage */
};

cflr_status cflri_ast_new(cflr_grammar *grammar, struct cflri_ast **ast, cflr_error *error);
void cflri_ast_free(struct cflri_ast *ast);

static inline const char *cflri_ast_name(const struct cflri_ast *ast, uint32_t symbol) {
    return cflri_string(&ast->names, symbol);
}

/* The number of a symbol, made when it is new. Refuses names that no label can have. */
cflr_status cflri_ast_symbol_add(struct cflri_ast *ast, const char *name, size_t length,
                                 cflri_place place, uint32_t *symbol, cflr_error *error);

/* Records that `symbol` is used with or without an index; fails where it was otherwise before. */
cflr_status cflri_ast_shape(struct cflri_ast *ast, uint32_t symbol, bool indexed, cflri_place place,
                            cflr_error *error);

/* ---- building rules ---- */

/* A rule that is being read: its variables get numbers as they appear. */
typedef struct cflri_rule_builder {
    struct cflri_ast *ast;
    cflri_ast_rule rule;
    const char *names[CFLRI_MAX_VARIABLES];
} cflri_rule_builder;

void cflri_rule_begin(cflri_rule_builder *builder, struct cflri_ast *ast);

/* The number of a variable or constant named so. */
cflr_status cflri_rule_index(cflri_rule_builder *builder, cflri_index_use use, const char *name,
                             size_t length, cflri_place place, uint32_t *index, cflr_error *error);

cflr_status cflri_rule_left(cflri_rule_builder *builder, cflri_item left, cflri_place place,
                            cflr_error *error);

/* A leaf. */
cflr_status cflri_node_symbol(struct cflri_ast *ast, cflri_item item, cflri_place place,
                              cflri_node **node, cflr_error *error);

/* An inner node over the children chained from `first` (NULL for EMPTY). A CONCAT or ALT of one
 * child is that child, a CONCAT of none is EMPTY. Fails when the tree gets too deep. */
cflr_status cflri_node_make(struct cflri_ast *ast, cflri_node_kind kind, cflri_node *first,
                            cflri_place place, cflri_node **node, cflr_error *error);

/* Appends the rule with this body to the grammar. */
cflr_status cflri_rule_end(cflri_rule_builder *builder, cflri_node *body, cflr_error *error);

/* ---- printing ---- */

/* The expression in the syntax of the grammar. */
void cflri_text_node(cflri_text *text, const struct cflri_ast *ast, const cflri_ast_rule *rule,
                     const cflri_node *node);

/* "[i]", "["8"]" or nothing. */
void cflri_text_index(cflri_text *text, const struct cflri_ast *ast, const cflri_ast_rule *rule,
                      uint8_t use, uint32_t index);

#endif

/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.h: one declaration of libclang as a flat tree that may be read in any order.
 *
 * libclang shows a tree only by visiting it. Visiting once, in one sweep, and keeping what matters
 * is several times cheaper than asking for the children of each expression, and it never recurses
 * here however deep the source nests.
 *
 *     int *f(int *p) { return p ? p : &g; }
 *
 *     0 FunctionDecl f      first 1
 *     1   CompoundStmt      first 2
 *     2     ReturnStmt      first 3
 *     3       Conditional   first 4
 *     4         p           next 5       5 p  next 6       6 unary & ...
 *
 * Kept are statements, expressions, variables, names of types (their arrays may have sizes that are
 * evaluated) and the members that designators name. Left out are types, records, parameters,
 * attributes, and the operand of sizeof, which is not evaluated.
 */
#ifndef CFLRI_TREE_H
#define CFLRI_TREE_H

#include "base/vec.h"
#include "frontend/clang/clang.h"

/* No child, no sibling: the root is never a child. */
#define CFLRI_NO_CHILD 0u

/* By what a null pointer may be written. */
typedef enum cflri_nulled {
    CFLRI_NULLED_NOT,
    CFLRI_NULLED_ALONE,  /* a constant */
    CFLRI_NULLED_CHOICE, /* a choice of one */
    CFLRI_NULLED_RESULT, /* a call */
} cflri_nulled;

/* Where a null constant is reached. */
typedef enum cflri_null_where {
    CFLRI_NULL_ANYWHERE,
    CFLRI_NULL_ECHO,    /* only where an argument is null */
    CFLRI_NULL_NO_SIZE, /* only where an argument is null, or a size that is 0 */
    CFLRI_NULL_FAILURE, /* perhaps where the result of a call is null */
} cflri_null_where;

typedef struct cflri_tree_node {
    CXCursor cursor;
    uint32_t first; /* child */
    uint32_t next;  /* sibling */
    /* Set by the reader of the tree, 0 at first: */
    uint32_t decl;   /* the declaration or field that it names, or a call in the facts, plus 1 */
    uint8_t class;   /* of its value, plus 1 */
    bool typed;      /* is its type known? */
    bool plain;      /* and the plain one? */
    uint8_t tested;  /* of a read: what tests before it show, a cflri_shown (tested.h) */
    bool asked;      /* of a pointer: it is read by a test alone (tested.c) */
    uint8_t nulled;  /* of what is written: by what, a cflri_nulled (control.c) */
    bool checked;    /* of a place that is written to: it is tested at once (stores.c) */
    bool sees_store; /* of a read: it may see what was written to such a place before */
    uint32_t block;  /* of a constant: its block of the function, plus 1 (control.h) */
    bool dead;       /* of a constant: no way of the function leads to it (control.c) */
} cflri_tree_node;

/* Of an expression, which many ask for; beside the nodes, because most have none to be kept. */
typedef struct cflri_tree_types {
    CXType type;
    CXType plain; /* types.h */
} cflri_tree_types;

typedef struct cflri_tree_open {
    uint32_t node;
    uint32_t last; /* child seen last */
} cflri_tree_open;

/* Zero bytes are an empty tree. */
typedef struct cflri_tree {
    CFLRI_VEC(cflri_tree_node) nodes;
    CFLRI_VEC(cflri_tree_types) types; /* of each node, where the node says that they are known */
    CFLRI_VEC(cflri_tree_open) open;   /* while reading: the path from the root */
} cflri_tree;

/* Replaces the tree by the one under `root`; false when memory is refused. */
bool cflri_tree_read(cflr_context *context, cflri_tree *tree, CXCursor root);
void cflri_tree_free(cflr_context *context, cflri_tree *tree);

static inline CXCursor cflri_tree_cursor(const cflri_tree *tree, uint32_t node) {
    return tree->nodes.at[node].cursor;
}

static inline enum CXCursorKind cflri_tree_kind(const cflri_tree *tree, uint32_t node) {
    return tree->nodes.at[node].cursor.kind;
}

static inline uint32_t cflri_tree_first(const cflri_tree *tree, uint32_t node) {
    return tree->nodes.at[node].first;
}

static inline uint32_t cflri_tree_next(const cflri_tree *tree, uint32_t node) {
    return tree->nodes.at[node].next;
}

/* Expressions come one after the other in all releases of libclang, which need not be called for
 * that. */
static inline bool cflri_is_expression(enum CXCursorKind kind) {
    return kind >= CXCursor_FirstExpr && kind <= CXCursor_LastExpr;
}

/* CFLRI_NO_CHILD when there are fewer than k + 1 children. */
uint32_t cflri_tree_child(const cflri_tree *tree, uint32_t node, uint32_t k);
uint32_t cflri_tree_last(const cflri_tree *tree, uint32_t node);
uint32_t cflri_tree_count(const cflri_tree *tree, uint32_t node);

#endif

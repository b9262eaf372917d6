/* SPDX-License-Identifier: Apache-2.0
 *
 * tree.c: one sweep of libclang's visitor into a flat tree.
 *
 * The visitor calls back in preorder with the cursor and its parent. The path from the root to the
 * last node that may have children is kept open; the parent of the next cursor is on that path,
 * because whatever lies beneath it is finished. O(nodes), and every node leaves the path once.
 *
 * The sweep is a good part of the work of the front end: names and literals, more than half of all
 * nodes, are not put on the path, and equal cursors are recognised by their bytes first.
 */
#include "frontend/clang/tree.h"

#include "frontend/clang/cursors.h"

typedef struct sweep {
    cflr_context *context;
    cflri_tree *tree;
    bool refused;
} sweep;

/* Expressions and statements come one after the other, and before the unit, in all releases of
 * libclang. */
static bool kept(enum CXCursorKind kind) {
    return (kind >= CXCursor_FirstExpr && kind < CXCursor_TranslationUnit) ||
           kind == CXCursor_VarDecl || kind == CXCursor_TypedefDecl || kind == CXCursor_MemberRef;
}

/* Does evaluating it evaluate children? Not that of names and literals, nor of sizeof and the like
 * (UnaryExpr). */
static bool entered(enum CXCursorKind kind) {
    switch (kind) {
        case CXCursor_UnaryExpr:
        case CXCursor_MemberRef:
        case CXCursor_DeclRefExpr:
        case CXCursor_IntegerLiteral:
        case CXCursor_CharacterLiteral:
        case CXCursor_FloatingLiteral:
        case CXCursor_StringLiteral:
        case CXCursor_NullStmt:
        case CXCursor_BreakStmt:
        case CXCursor_ContinueStmt:
            return false;
        default:
            return true;
    }
}

static void append(cflri_tree *tree, uint32_t node) {
    cflri_tree_open *parent = &tree->open.at[tree->open.n - 1];
    if (parent->last == CFLRI_NO_CHILD)
        tree->nodes.at[parent->node].first = node;
    else
        tree->nodes.at[parent->last].next = node;
    parent->last = node;
}

static bool push(sweep *s, CXCursor cursor, bool open) {
    const cflri_tree_node made = {.cursor = cursor};
    const cflri_tree_open opened = {(uint32_t)s->tree->nodes.n, CFLRI_NO_CHILD};
    s->refused = !cflri_vec_push(s->context, &s->tree->nodes, made) ||
                 (open && !cflri_vec_push(s->context, &s->tree->open, opened));
    return !s->refused;
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData user) {
    sweep *s = user;
    cflri_tree *tree = s->tree;
    bool attribute = cursor.kind == CXCursor_UnexposedAttr && parent.kind == CXCursor_VarDecl;
    if (!kept(cursor.kind) && !attribute) return CXChildVisit_Continue;
    while (
        tree->open.n > 1 &&
        !cflri_cursors_equal(&tree->nodes.at[tree->open.at[tree->open.n - 1].node].cursor, &parent))
        tree->open.n--;
    append(tree, (uint32_t)tree->nodes.n);
    bool enter = entered(cursor.kind);
    if (!push(s, cursor, enter)) return CXChildVisit_Break;
    return enter ? CXChildVisit_Recurse : CXChildVisit_Continue;
}

bool cflri_tree_read(cflr_context *context, cflri_tree *tree, CXCursor root) {
    sweep s = {context, tree, false};
    tree->nodes.n = 0;
    tree->open.n = 0;
    if (!push(&s, root, true)) return false;
    cflri_clang_visitChildren(root, visit, &s);
    return !s.refused && cflri_vec_reserve(context, &tree->types, tree->nodes.n);
}

void cflri_tree_free(cflr_context *context, cflri_tree *tree) {
    cflri_vec_free(context, &tree->nodes);
    cflri_vec_free(context, &tree->types);
    cflri_vec_free(context, &tree->open);
}

uint32_t cflri_tree_child(const cflri_tree *tree, uint32_t node, uint32_t k) {
    uint32_t child = cflri_tree_first(tree, node);
    while (k-- > 0 && child != CFLRI_NO_CHILD) child = cflri_tree_next(tree, child);
    return child;
}

uint32_t cflri_tree_last(const cflri_tree *tree, uint32_t node) {
    uint32_t last = CFLRI_NO_CHILD;
    for (uint32_t c = cflri_tree_first(tree, node); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(tree, c))
        last = c;
    return last;
}

uint32_t cflri_tree_count(const cflri_tree *tree, uint32_t node) {
    uint32_t n = 0;
    for (uint32_t c = cflri_tree_first(tree, node); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(tree, c))
        n++;
    return n;
}

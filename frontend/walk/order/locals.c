/* SPDX-License-Identifier: Apache-2.0
 *
 * locals.c: which locals can be split.
 *
 * A local pointer whose address is not taken changes only where the function assigns to it. One
 * that gets more than one value is worth splitting; with data flow so is one that gets any, since
 * tests take it apart, too, and so are numbers, of which `n += x` is a new value. Not split are
 *
 *     static and volatile ones, and those with attributes (cleanup passes the address)
 *     operands of assembly, which may change them
 *     all in a function that saves its context (getcontext), or that has code which runs beside it
 *     (OpenMP, blocks): what the source shows is not the order of execution there
 *
 * Where setjmp returns again is known (control.c).
 *
 * One look at each node of the tree. A name knows nothing of what is around it, so each operator
 * looks at its operand.
 */
#include "frontend/walk/walk.h"

/* ---- candidates ---- */

static void add(cflri_walk *w, uint32_t number, uint32_t writes) {
    cflri_decl *decl = &w->names.decls.at[number];
    const cflri_local local = {.decl = number, .writes = writes};
    if (decl->local != CFLRI_NO_LOCAL) return;
    if (!cflri_vec_push(w->context, &w->locals.all, local)) {
        cflri_walk_refuse(w);
        return;
    }
    decl->local = (uint32_t)w->locals.all.n - 1;
}

static bool is_scalar(const cflri_walk *w, const cflri_decl *decl) {
    bool local = decl->kind == CFLRI_DECL_PARAMETER ||
                 (decl->kind == CFLRI_DECL_VARIABLE &&
                  cflri_clang_getCursorLinkage(decl->cursor) == CXLinkage_NoLinkage &&
                  cflri_clang_Cursor_getStorageClass(decl->cursor) != CX_SC_Static);
    bool scalar = decl->class == CFLRI_TYPE_POINTER || cflri_is_number(w, decl->class);
    return local && scalar &&
           !cflri_clang_isVolatileQualifiedType(cflri_clang_getCursorType(decl->cursor));
}

/* Asked at each use: remembered, plus 1. */
bool cflri_local_is_scalar(cflri_walk *w, uint32_t number) {
    cflri_decl *decl = &w->names.decls.at[number];
    if (!decl->scalar) decl->scalar = is_scalar(w, decl) ? 2 : 1;
    return decl->scalar == 2;
}

static bool has_attribute(const cflri_walk *w, uint32_t declaration) {
    for (uint32_t c = cflri_tree_first(&w->tree, declaration); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c))
        if (cflri_tree_kind(&w->tree, c) == CXCursor_UnexposedAttr) return true;
    return false;
}

static void see_variable(cflri_walk *w, uint32_t e) {
    uint32_t number = cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, e));
    if (number == CFLRI_NO_NUMBER || !cflri_local_is_scalar(w, number)) return;
    if (!has_attribute(w, e)) add(w, number, cflri_initialiser_of(w, e) != CFLRI_NO_CHILD);
}

/* ---- what happens to them ---- */

static cflri_local *local_of(cflri_walk *w, uint32_t e) {
    uint32_t local = cflri_local_at(w, cflri_expr_unwrapped(w, e));
    return local == CFLRI_NO_LOCAL ? NULL : &w->locals.all.at[local];
}

static void keep_whole(cflri_walk *w, uint32_t e) {
    cflri_local *local = e == CFLRI_NO_CHILD ? NULL : local_of(w, e);
    if (local) local->whole = true;
}

static void see_assignment(cflri_walk *w, uint32_t e) {
    if (cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) !=
        CXBinaryOperator_Assign)
        return;
    cflri_local *local = local_of(w, cflri_tree_first(&w->tree, e));
    if (local) local->writes++;
}

static void see_call(cflri_walk *w, uint32_t e) {
    uint32_t callee = cflri_tree_first(&w->tree, e);
    if (callee == CFLRI_NO_CHILD) return;
    callee = cflri_expr_bare(w, callee);
    if (cflri_tree_kind(&w->tree, callee) != CXCursor_DeclRefExpr) return;
    uint32_t number = cflri_referenced_decl(w, callee);
    if (number == CFLRI_NO_NUMBER) return;
    w->locals.twice |= w->names.decls.at[number].returns_twice;
    w->locals.anywhere |= w->names.decls.at[number].saves_context;
}

/* Blocks, and the statements of other languages and extensions. */
bool cflri_runs_beside(enum CXCursorKind kind) {
    if (kind == CXCursor_BlockExpr) return true;
    return kind > CXCursor_MSAsmStmt && cflri_clang_isStatement(kind) &&
           kind != CXCursor_NullStmt && kind != CXCursor_DeclStmt;
}

static void see(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    switch (kind) {
        case CXCursor_VarDecl:
            see_variable(w, e);
            break;
        case CXCursor_BinaryOperator:
            see_assignment(w, e);
            break;
        case CXCursor_UnaryOperator:
            if (cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                CXUnaryOperator_AddrOf)
                keep_whole(w, cflri_tree_first(&w->tree, e));
            break;
        case CXCursor_CallExpr:
            see_call(w, e);
            break;
        case CXCursor_GCCAsmStmt:
        case CXCursor_MSAsmStmt:
            for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
                 c = cflri_tree_next(&w->tree, c))
                keep_whole(w, cflri_expr_bare(w, c));
            break;
        default:
            w->locals.refused |= cflri_runs_beside(kind);
            break;
    }
}

/* ---- all ---- */

uint32_t cflri_local_changed(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    if (!w->facts->chosen.data_flow || left == CFLRI_NO_CHILD) return CFLRI_NO_CHILD;
    left = cflri_expr_unwrapped(w, left);
    bool number = cflri_is_number(w, cflri_expr_class(w, left));
    return number && cflri_local_at(w, left) != CFLRI_NO_LOCAL ? left : CFLRI_NO_CHILD;
}

uint32_t cflri_local_at(cflri_walk *w, uint32_t e) {
    uint32_t number = CFLRI_NO_NUMBER;
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    if (kind == CXCursor_DeclRefExpr) number = cflri_referenced_decl(w, e);
    if (kind == CXCursor_VarDecl) number = cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, e));
    return number == CFLRI_NO_NUMBER ? CFLRI_NO_LOCAL : w->names.decls.at[number].local;
}

void cflri_local_parameter(cflri_walk *w, uint32_t number) {
    if (cflri_local_is_scalar(w, number)) add(w, number, 1);
}

/* Forgets what will not be split, so that names of it are like all others. */
static bool keep_split(cflri_walk *w) {
    bool any = false;
    uint32_t least = w->facts->chosen.data_flow ? 1 : 2;
    for (size_t i = 0; i < w->locals.all.n; i++) {
        const cflri_local *local = &w->locals.all.at[i];
        bool split =
            !w->locals.refused && !w->locals.anywhere && !local->whole && local->writes >= least;
        if (!split) w->names.decls.at[local->decl].local = CFLRI_NO_LOCAL;
        any |= split;
    }
    return any;
}

bool cflri_locals_find(cflri_walk *w) {
    for (uint32_t e = 0; e < w->tree.nodes.n && w->facts->status == CFLR_OK; e++) see(w, e);
    return keep_split(w);
}

void cflri_locals_forget(cflri_walk *w) {
    for (size_t i = 0; i < w->locals.all.n; i++)
        w->names.decls.at[w->locals.all.at[i].decl].local = CFLRI_NO_LOCAL;
    w->locals.all.n = 0;
    w->locals.refused = w->locals.twice = w->locals.anywhere = false;
}

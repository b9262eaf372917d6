/* SPDX-License-Identifier: Apache-2.0
 *
 * stmt.c: statements.
 *
 * The analysis has no order of execution: a statement is the effects of its expressions, whatever
 * controls it. So statements are taken from a stack, parts in the order of the source, and neither
 * deep nesting nor a chain of ten thousand else-ifs recurses. The stack is shared with the
 * statement expressions inside; each walk works above what it found there.
 */
#include "frontend/walk/walk.h"

/* Pushes the children so that the first one is taken first. */
static void push_children(cflri_walk *w, uint32_t parent) {
    uint32_t n = cflri_tree_count(&w->tree, parent);
    if (!cflri_vec_reserve(w->context, &w->statements, n)) {
        cflri_walk_refuse(w);
        return;
    }
    size_t end = w->statements.n + n;
    uint32_t child = cflri_tree_first(&w->tree, parent);
    for (uint32_t i = 1; i <= n; i++, child = cflri_tree_next(&w->tree, child))
        w->statements.at[end - i] = child;
    w->statements.n = end;
}

/* ---- declarations ---- */

uint32_t cflri_initialiser_of(const cflri_walk *w, uint32_t declaration) {
    CXCursor cursor =
        cflri_clang_Cursor_getVarDeclInitializer(cflri_tree_cursor(&w->tree, declaration));
    if (cflri_clang_Cursor_isNull(cursor)) return CFLRI_NO_CHILD;
    uint32_t last = cflri_tree_last(&w->tree, declaration);
    bool found = last != CFLRI_NO_CHILD &&
                 cflri_clang_equalCursors(cflri_tree_cursor(&w->tree, last), cursor);
    return found ? last : CFLRI_NO_CHILD;
}

/* Does an array of variable size make the type? Records cannot hold one. */
static bool is_variable(CXType type) {
    for (;; type = cflri_type_plain(type)) {
        if (type.kind == CXType_VariableArray) return true;
        if (type.kind == CXType_Pointer)
            type = cflri_clang_getPointeeType(type);
        else if (type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray)
            type = cflri_clang_getArrayElementType(type);
        else
            return false;
    }
}

/* Sizes of variable arrays are evaluated; operands of typeof look the same and have no effect worth
 * telling apart. */
static void sizes(cflri_walk *w, uint32_t declaration, CXType type, uint32_t initialiser) {
    uint32_t first = cflri_tree_first(&w->tree, declaration);
    if (first == initialiser || !is_variable(type)) return;
    for (uint32_t c = first; c != CFLRI_NO_CHILD; c = cflri_tree_next(&w->tree, c)) {
        if (c != initialiser && cflri_is_expression(cflri_tree_kind(&w->tree, c)))
            cflri_expr_effects(w, c);
    }
}

void cflri_variable(cflri_walk *w, uint32_t declaration) {
    uint32_t number = cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, declaration));
    if (number == CFLRI_NO_NUMBER) return;
    const cflri_decl decl = w->names.decls.at[number];
    w->stated = declaration;
    uint32_t initialiser = cflri_initialiser_of(w, declaration);
    sizes(w, declaration, decl.type, initialiser);
    cflri_attributes(w, declaration, number);
    size_t accesses = w->accesses.n;
    if (!cflri_type_carries(&w->types, decl.type)) {
        if (initialiser == CFLRI_NO_CHILD) return;
        cflri_expr_effects(w, initialiser);
        cflri_bytes_initialise(w, accesses, number, initialiser);
        return;
    }
    if (initialiser == CFLRI_NO_CHILD && decl.local != CFLRI_NO_LOCAL) return; /* never read */
    cflri_node content = cflri_version_content(w, declaration, number);
    if (initialiser == CFLRI_NO_CHILD) return;
    const cflri_lvalue place = {
        .class = decl.class, .nodes = cflri_one_value(content), .type = decl.type};
    cflri_init_place(w, &place, initialiser);
    if (decl.class == CFLRI_TYPE_INTEGER || decl.class == CFLRI_TYPE_NUMBER)
        cflri_bytes_initialise(w, accesses, number, initialiser);
}

/* ---- statements ---- */

static void return_stmt(cflri_walk *w, uint32_t statement) {
    uint32_t e = cflri_tree_first(&w->tree, statement);
    if (e == CFLRI_NO_CHILD) return;
    if (w->names.function == 0 || cflri_expr_class(w, e) == CFLRI_TYPE_NONE) {
        cflri_expr_effects(w, e);
        return;
    }
    cflri_facts *facts = w->facts;
    const cflri_value value = cflri_expr_value(w, e);
    cflri_node object = facts->functions.at[w->names.function].object;
    const cflri_lvalue result = {.class = cflri_expr_class(w, e),
                                 .addressed = true,
                                 .nodes = cflri_one_value(cflri_facts_slot(
                                     facts, cflri_facts_address(facts, object), CFLRI_SLOT_RETURN)),
                                 .type = w->result_type};
    cflri_flow_into(w, &cflri_plain_flow, &value, &result);
}

static void take(cflri_walk *w, uint32_t at) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, at);
    w->stated = at;
    if (cflri_is_expression(kind)) {
        cflri_expr_effects(w, at);
        return;
    }
    switch (kind) {
        case CXCursor_VarDecl:
            cflri_variable(w, at);
            break;
        case CXCursor_TypedefDecl:
            sizes(w, at, cflri_expr_plain(w, at), CFLRI_NO_CHILD);
            break;
        case CXCursor_ReturnStmt:
            return_stmt(w, at);
            break;
        case CXCursor_GCCAsmStmt:
        case CXCursor_MSAsmStmt:
            cflri_asm_stmt(w, at);
            break;
        default:
            push_children(w, at);
            break;
    }
}

static void drain(cflri_walk *w, size_t base) {
    while (w->statements.n > base && w->facts->status == CFLR_OK)
        take(w, w->statements.at[--w->statements.n]);
    w->statements.n = base;
}

void cflri_stmt(cflri_walk *w, uint32_t statement) {
    size_t base = w->statements.n;
    if (!cflri_vec_push(w->context, &w->statements, statement)) {
        cflri_walk_refuse(w);
        return;
    }
    drain(w, base);
}

/* Under labels and attributes. */
static uint32_t labelled(const cflri_walk *w, uint32_t at) {
    while (cflri_tree_kind(&w->tree, at) == CXCursor_LabelStmt ||
           cflri_tree_kind(&w->tree, at) == CXCursor_UnexposedStmt) {
        uint32_t inner = cflri_tree_last(&w->tree, at);
        if (inner == CFLRI_NO_CHILD) break;
        at = inner;
    }
    return at;
}

cflri_value cflri_stmt_value(cflri_walk *w, uint32_t compound, bool used) {
    size_t base = w->statements.n;
    push_children(w, compound);
    if (w->statements.n == base) return cflri_no_value();
    uint32_t last = labelled(w, w->statements.at[base]);
    if (!used || !cflri_is_expression(cflri_tree_kind(&w->tree, last))) {
        drain(w, base);
        return cflri_no_value();
    }
    drain(w, base + 1); /* the first to be pushed is the last statement */
    w->statements.n = base;
    return w->facts->status == CFLR_OK ? cflri_expr_value(w, last) : cflri_no_value();
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * access_path.c: expressions that name the same place each time, and what may change what is there.
 *
 *     p    s.next p->next->name *result table[3] table[i] (((struct t *)p)->m) strchr(p->name, '/')
 *
 * are variables with steps behind them; conversions and parentheses are none. Any other call, a sum
 * or an assignment in an expression makes it no path, and so does anything volatile or atomic.
 * strchr and strrchr of the same text and character are null together, so they are one.
 *
 * A local of scalar type whose address is not taken changes only where the function writes to it:
 * it is apart. All else is memory, and a write to memory may change any other, with these
 * exceptions:
 *
 *     s->n = 1;          a number of more than one byte is no part of a pointer (the rule of strict
 *                        aliasing), but may be one of a text
 *     s->next = q;       changes members `next` only, and what is no member: not s->name. A member
 *                        of a union is all of its members
 *     p = q;             changes p, and *r that may be p, but neither another variable nor a member
 *     s->cur++;          a pointer that is not null is not null when it has been moved
 *     v = w;             a record changes itself and what it may hold, but no other variable; a
 *                        local one whose address is not taken, and that has no array, changes
 *                        nothing else
 *
 * O(steps) each.
 */
#include <string.h>

#include "frontend/walk/order/conditions.h"

/* ---- variables ---- */

static void see_taken(cflri_walk *w, uint32_t e) {
    uint32_t inner = cflri_expr_bare(w, e);
    while (cflri_tree_kind(&w->tree, inner) == CXCursor_MemberRefExpr &&
           cflri_tree_first(&w->tree, inner) != CFLRI_NO_CHILD) {
        uint32_t base = cflri_expr_bare(w, cflri_tree_first(&w->tree, inner));
        if (cflri_expr_class(w, base) == CFLRI_TYPE_POINTER) return; /* &p->m is not about p */
        inner = base;
    }
    bool name = cflri_tree_kind(&w->tree, inner) == CXCursor_DeclRefExpr;
    const cflri_taken taken = {name ? cflri_referenced_decl(w, inner) : CFLRI_NO_NUMBER, inner};
    if (taken.decl != CFLRI_NO_NUMBER && !cflri_vec_push(w->context, &w->tested.taken, taken))
        cflri_walk_refuse(w);
}

static void see_attributes(cflri_walk *w, uint32_t e) {
    if (!cflri_clang_Cursor_hasAttrs(cflri_tree_cursor(&w->tree, e))) return;
    const cflri_taken taken = {cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, e)),
                               CFLRI_NO_CHILD};
    if (taken.decl != CFLRI_NO_NUMBER && !cflri_vec_push(w->context, &w->tested.taken, taken))
        cflri_walk_refuse(w);
}

bool cflri_paths_begin(cflri_walk *w) {
    w->tested.taken.n = 0;
    for (uint32_t e = 0; e < w->tree.nodes.n && w->facts->status == CFLR_OK; e++) {
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
        if (cflri_runs_beside(kind)) return false;
        bool assembly = kind == CXCursor_GCCAsmStmt || kind == CXCursor_MSAsmStmt;
        bool address = cflri_expr_takes_address(w, e);
        if (kind == CXCursor_VarDecl) see_attributes(w, e);
        for (uint32_t c = cflri_tree_first(&w->tree, e);
             (assembly || address) && c != CFLRI_NO_CHILD; c = cflri_tree_next(&w->tree, c))
            see_taken(w, c);
    }
    return w->facts->status == CFLR_OK;
}

static bool is_apart(cflri_walk *w, uint32_t number) {
    for (size_t i = 0; i < w->tested.taken.n; i++)
        if (w->tested.taken.at[i].decl == number) return false;
    return cflri_local_is_scalar(w, number);
}

/* ---- paths ---- */

static bool is_shared(CXType type) {
    return cflri_clang_isVolatileQualifiedType(type) || type.kind == CXType_Atomic;
}

static bool start_at(cflri_walk *w, uint32_t number, cflri_path *path) {
    if (number == CFLRI_NO_NUMBER) return false;
    const cflri_decl *decl = &w->names.decls.at[number];
    if (decl->kind != CFLRI_DECL_VARIABLE && decl->kind != CFLRI_DECL_PARAMETER) return false;
    memset(path, 0, sizeof *path);
    path->root = number;
    path->memory = !is_apart(w, number);
    return true;
}

/* The index of an element; false when it is neither a number nor the name of a local. */
static bool index_of(cflri_walk *w, uint32_t e, uint32_t *kind, uint32_t *at) {
    long long value;
    uint32_t bare = cflri_expr_bare(w, e);
    *kind = CFLRI_PATH_INDEX;
    if (cflri_tree_kind(&w->tree, bare) == CXCursor_IntegerLiteral) {
        bool small = cflri_expr_constant(w, bare, &value) && value >= 0 && value < UINT32_MAX;
        *at = small ? (uint32_t)value : 0;
        return small;
    }
    *kind = CFLRI_PATH_NAMED;
    if (cflri_tree_kind(&w->tree, bare) != CXCursor_DeclRefExpr) return false;
    *at = cflri_referenced_decl(w, bare);
    return *at != CFLRI_NO_NUMBER && is_apart(w, *at);
}

/* The text that strchr or strrchr searches, and for which character; CFLRI_NO_CHILD: it is another
 * call. */
static uint32_t searched(cflri_walk *w, uint32_t call, uint32_t *character) {
    static const char *const names[] = {"strchr", "strrchr", "index", "rindex"};
    long long value;
    bool found = false;
    uint32_t number =
        cflri_tree_count(&w->tree, call) == 3 ? cflri_call_function(w, call) : CFLRI_NO_NUMBER;
    if (number == CFLRI_NO_NUMBER) return CFLRI_NO_CHILD;
    const cflri_decl *decl = &w->names.decls.at[number];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        found |= strcmp(cflri_string(&w->facts->strings, decl->name), names[i]) == 0;
    uint32_t last = cflri_expr_bare(w, cflri_tree_last(&w->tree, call));
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, last);
    if (!found || !cflri_in_system_header(decl->cursor) ||
        (kind != CXCursor_CharacterLiteral && kind != CXCursor_IntegerLiteral) ||
        !cflri_expr_constant(w, last, &value) || value < 0 || value > INT32_MAX)
        return CFLRI_NO_CHILD;
    *character = (uint32_t)value;
    return cflri_tree_child(&w->tree, call, 1);
}

/* The last step to `e`, and the expression before it; CFLRI_NO_CHILD: it is no step. */
static uint32_t step_of(cflri_walk *w, uint32_t e, uint32_t *kind, uint32_t *at) {
    uint32_t base = cflri_tree_first(&w->tree, e);
    *at = 0;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_MemberRefExpr:
            *at = cflri_member_field(w, e);
            if (base == CFLRI_NO_CHILD || *at == CFLRI_NO_NUMBER) return CFLRI_NO_CHILD;
            *kind =
                cflri_expr_class(w, base) == CFLRI_TYPE_POINTER ? CFLRI_PATH_ARROW : CFLRI_PATH_DOT;
            return base;
        case CXCursor_ArraySubscriptExpr:
            return cflri_tree_count(&w->tree, e) == 2 &&
                           index_of(w, cflri_tree_last(&w->tree, e), kind, at)
                       ? base
                       : CFLRI_NO_CHILD;
        case CXCursor_UnaryOperator:
            *kind = CFLRI_PATH_DEREF;
            return cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                           CXUnaryOperator_Deref
                       ? base
                       : CFLRI_NO_CHILD;
        case CXCursor_CallExpr:
            *kind = CFLRI_PATH_FOUND;
            return searched(w, e, at);
        default:
            return CFLRI_NO_CHILD;
    }
}

bool cflri_path_of(cflri_walk *w, uint32_t e, cflri_path *path) {
    uint32_t kinds[CFLRI_PATH_MOST], ats[CFLRI_PATH_MOST], n = 0;
    for (;;) {
        e = cflri_expr_bare(w, e);
        if (is_shared(cflri_clang_getCursorType(cflri_tree_cursor(&w->tree, e)))) return false;
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
        if (kind == CXCursor_DeclRefExpr || kind == CXCursor_VarDecl) break;
        if (n == CFLRI_PATH_MOST) return false;
        e = step_of(w, e, &kinds[n], &ats[n]);
        if (e == CFLRI_NO_CHILD) return false;
        n++;
    }
    uint32_t number = cflri_tree_kind(&w->tree, e) == CXCursor_VarDecl
                          ? cflri_decl_of(&w->names, cflri_tree_cursor(&w->tree, e))
                          : cflri_referenced_decl(w, e);
    if (!start_at(w, number, path)) return false;
    for (path->n = 0; path->n < n; path->n++) {
        path->step[path->n].kind = kinds[n - 1 - path->n];
        path->step[path->n].at = ats[n - 1 - path->n];
    }
    path->memory |= n > 0;
    return true;
}

bool cflri_path_begins(const cflri_path *whole, const cflri_path *start) {
    return whole->root == start->root && whole->n >= start->n &&
           memcmp(whole->step, start->step, start->n * sizeof *start->step) == 0;
}

bool cflri_path_is_of_text(const cflri_path *path) {
    for (uint32_t i = 0; i < path->n; i++)
        if (path->step[i].kind == CFLRI_PATH_FOUND) return true;
    return false;
}

/* ---- changes ---- */

/* Is it, or does it lie in, a member that shares its place with others? */
static bool is_in_union(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    while (kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr) {
        uint32_t base = cflri_tree_first(&w->tree, e);
        uint32_t field = kind == CXCursor_MemberRefExpr ? cflri_member_field(w, e) : 0;
        if (base == CFLRI_NO_CHILD || field == CFLRI_NO_NUMBER) return true;
        if (kind == CXCursor_MemberRefExpr &&
            cflri_clang_getCursorSemanticParent(w->types.fields.at[field].cursor).kind !=
                CXCursor_StructDecl)
            return true;
        e = cflri_expr_bare(w, base);
        kind = cflri_tree_kind(&w->tree, e);
    }
    return false;
}

/* Is it a variable, or a member of one that no pointer leads to? */
static bool is_in_itself(const cflri_path *path) {
    for (uint32_t i = 0; i < path->n; i++)
        if (path->step[i].kind != CFLRI_PATH_DOT) return false;
    return true;
}

/* Has it an array, at any depth? Its name is its address, and no operator says that it is taken. */
static bool has_array(cflri_walk *w, CXType type, int depth) {
    enum { MOST_DEPTH = 4 };
    cflri_type_class class = cflri_type_classify(&w->types, type);
    if (class == CFLRI_TYPE_ARRAY || depth == MOST_DEPTH) return true;
    if (class != CFLRI_TYPE_RECORD) return false;
    uint32_t record = cflri_type_record(&w->types, cflri_type_canonical(type));
    if (record == UINT32_MAX) return true;
    const cflri_record known = w->types.records.at[record];
    for (uint32_t i = 0; i < known.n_fields; i++)
        if (has_array(w, w->types.fields.at[known.first_field + i].type, depth + 1)) return true;
    return false;
}

/* Is it a local record, or lies in one, that no pointer leads to? */
static bool is_record_apart(cflri_walk *w, const cflri_path *path) {
    const cflri_decl *decl = &w->names.decls.at[path->root];
    bool local = decl->kind == CFLRI_DECL_PARAMETER ||
                 cflri_clang_getCursorLinkage(decl->cursor) == CXLinkage_NoLinkage;
    if (!local || decl->class != CFLRI_TYPE_RECORD || !is_in_itself(path)) return false;
    for (size_t i = 0; i < w->tested.taken.n; i++)
        if (w->tested.taken.at[i].decl == path->root) return false;
    return !has_array(w, cflri_clang_getCursorType(decl->cursor), 0);
}

cflri_change cflri_change_by(cflri_walk *w, uint32_t e, bool moves) {
    if (cflri_tree_kind(&w->tree, e) != CXCursor_VarDecl) e = cflri_expr_bare(w, e);
    cflri_change change = {.member = CFLRI_NO_NUMBER};
    CXType type = cflri_expr_plain(w, e);
    cflri_type_class class = cflri_type_classify_plain(&w->types, type);
    change.pointer = class == CFLRI_TYPE_POINTER;
    change.moves = moves && change.pointer;
    change.named = cflri_path_of(w, e, &change.path);
    change.memory = !change.named || change.path.memory;
    bool scalar = class == CFLRI_TYPE_INTEGER || class == CFLRI_TYPE_NUMBER;
    bool in_union = is_in_union(w, e);
    if (change.named && change.memory && !in_union)
        change.memory = !is_record_apart(w, &change.path);
    if ((!scalar && !change.pointer) || in_union) return change;
    change.number = scalar && cflri_clang_Type_getSizeOf(type) > 1;
    change.byte = class == CFLRI_TYPE_NUMBER && !change.number;
    if (cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr)
        change.member = cflri_member_field(w, e);
    return change;
}

/* Does the path read this member, or what may be any? */
static bool reads(const cflri_path *path, uint32_t member) {
    for (uint32_t i = 0; i < path->n; i++) {
        bool last = i + 1 == path->n;
        bool field = path->step[i].kind == CFLRI_PATH_ARROW || path->step[i].kind == CFLRI_PATH_DOT;
        if (field ? path->step[i].at == member : last || path->step[i + 1].kind != CFLRI_PATH_DOT)
            return true;
    }
    return false;
}

bool cflri_path_is_changed(const cflri_path *path, const cflri_change *change) {
    if (change->named) {
        if (cflri_path_begins(path, &change->path))
            return !change->moves || path->n > change->path.n;
        for (uint32_t i = 0; i < path->n; i++)
            if (path->step[i].kind == CFLRI_PATH_NAMED && change->path.n == 0 &&
                path->step[i].at == change->path.root)
                return true;
    }
    if (!change->memory || !path->memory) return false;
    if (change->number && !cflri_path_is_of_text(path)) return false;
    if (change->named && is_in_itself(&change->path) && is_in_itself(path) &&
        change->path.root != path->root)
        return false;
    bool variable = change->named && change->path.n == 0 && change->pointer;
    if (variable) return reads(path, CFLRI_NO_NUMBER);
    return change->member == CFLRI_NO_NUMBER || reads(path, change->member);
}

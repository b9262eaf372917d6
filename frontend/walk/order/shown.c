/* SPDX-License-Identifier: Apache-2.0
 *
 * shown.c: what the outcome of a test, or a call, shows of the values of paths (access_path.h).
 *
 *     p    s->next != NULL    (q = p)    true: p, s->next, or p and q are not null
 *     ok    !failed                      true: ok is not 0, failed is 0
 *     valid(p)                           true: p is not null, where valid(NULL) is 0
 *     c ? p != NULL : 0                  true: c is not 0, p is not null
 *
 * A list of what is shown is short: what is beyond its room is not known. A value that was
 * converted tells less when it is 0, because bits may have been lost on the way (conditions.c).
 *
 * O(parts of the condition).
 */
#include "frontend/walk/order/conditions.h"
#include "frontend/walk/order/ending.h"

enum { MOST_DEPTH = 24 /* of a condition, or of steps from a pointer to what it is made of */ };

/* ---- what an outcome shows ---- */

static void add_truth(cflri_shown_list *list, const cflri_path *path, bool yes) {
    if (list->n == CFLRI_MOST_SHOWN) return;
    list->at[list->n++] = (cflri_truth){*path, yes};
}

/* Adds what a called function shows of arguments that are apart: memory may have changed since. */
static void show_arguments(cflri_walk *w, uint32_t call, uint32_t masks, cflri_shown_list *list) {
    uint32_t a = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, call));
    for (uint32_t k = 0; k < 32 && a != CFLRI_NO_CHILD; k++, a = cflri_tree_next(&w->tree, a)) {
        cflri_path path;
        if ((masks >> k & 1) && cflri_path_of(w, a, &path) && !path.memory)
            add_truth(list, &path, true);
    }
}

static void show_callee(cflri_walk *w, uint32_t call, bool yes, cflri_shown_list *list) {
    uint32_t number = cflri_call_function(w, call);
    if (number != CFLRI_NO_NUMBER)
        show_arguments(w, call, cflri_function_shows(w, number).when[yes], list);
}

/* Of a test of a pointer: what is known of it, and of all that it was assigned to on the way. */
static void show_pointer(cflri_walk *w, uint32_t pointer, bool yes, cflri_shown_list *list) {
    cflri_path path;
    for (uint32_t at = pointer; at != CFLRI_NO_CHILD;) {
        uint32_t right = cflri_condition_assigned(w, at);
        uint32_t name = right == CFLRI_NO_CHILD ? at : cflri_tree_first(&w->tree, at);
        if (cflri_path_of(w, name, &path)) add_truth(list, &path, yes);
        at = right;
    }
    if (cflri_tree_kind(&w->tree, pointer) == CXCursor_CallExpr) show_callee(w, pointer, yes, list);
}

static void show_test(cflri_walk *w, uint32_t e, bool yes, cflri_shown_list *list) {
    bool when;
    cflri_path path;
    uint32_t pointer = cflri_condition_pointer(w, e, &when);
    uint32_t bare = cflri_expr_bare(w, e);
    if (pointer != CFLRI_NO_CHILD)
        show_pointer(w, pointer, when == yes, list);
    else if (!yes && cflri_condition_is_narrowed(w, e))
        return;
    else if (cflri_tree_kind(&w->tree, bare) == CXCursor_CallExpr)
        show_callee(w, bare, yes, list);
    else if (cflri_tree_kind(&w->tree, bare) == CXCursor_DeclRefExpr &&
             cflri_path_of(w, bare, &path) && !path.memory)
        add_truth(list, &path, yes);
}

static void show(cflri_walk *w, uint32_t e, bool yes, int depth, cflri_shown_list *list);

/* c ? a : b has an outcome that one of its parts, a constant, does not: so it is the other. */
static void show_choice(cflri_walk *w, const cflri_condition *parts, bool yes, int depth,
                        cflri_shown_list *list) {
    bool always;
    if (cflri_condition_is_constant(w, parts->last, &always) && always != yes) {
        show(w, parts->chooser, true, depth, list);
        show(w, parts->first, yes, depth, list);
    } else if (cflri_condition_is_constant(w, parts->first, &always) && always != yes) {
        show(w, parts->chooser, false, depth, list);
        show(w, parts->last, yes, depth, list);
    }
}

static void show(cflri_walk *w, uint32_t e, bool yes, int depth, cflri_shown_list *list) {
    for (; depth < MOST_DEPTH; depth++) {
        const cflri_condition parts = cflri_condition_parts(w, e);
        switch (parts.kind) {
            case CFLRI_CONDITION_NOT:
                yes = !yes;
                break;
            case CFLRI_CONDITION_OF_PART:
                if (!yes && cflri_condition_is_narrowed(w, e) && cflri_condition_shows(w, e))
                    return;
                break;
            case CFLRI_CONDITION_COMMA:
                break;
            case CFLRI_CONDITION_AND:
            case CFLRI_CONDITION_OR:
                if (yes != (parts.kind == CFLRI_CONDITION_AND)) return;
                show(w, parts.first, yes, depth + 1, list);
                break;
            case CFLRI_CONDITION_CHOICE:
                show_choice(w, &parts, yes, depth + 1, list);
                return;
            case CFLRI_CONDITION_TEST:
                show_test(w, e, yes, list);
                return;
        }
        e = parts.last;
    }
}

void cflri_outcome_shows(cflri_walk *w, uint32_t e, bool yes, cflri_shown_list *list) {
    show(w, e, yes, 0, list);
}

/* Arguments that are not 0 where the call returns: conditions that hold. */
static void show_needed(cflri_walk *w, uint32_t call, uint32_t needs, cflri_shown_list *list) {
    uint32_t a = cflri_tree_next(&w->tree, cflri_tree_first(&w->tree, call));
    for (uint32_t k = 0; needs >> k && k < 32 && a != CFLRI_NO_CHILD;
         k++, a = cflri_tree_next(&w->tree, a))
        if (needs >> k & 1) cflri_outcome_shows(w, a, true, list);
}

void cflri_call_shows(cflri_walk *w, uint32_t call, cflri_shown_list *list) {
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER) return;
    const cflri_shows shows = cflri_function_shows(w, number);
    show_arguments(w, call, shows.when[0] & shows.when[1], list);
    show_needed(w, call, cflri_function_needs(w, number), list);
}

/* ---- values of pointers ---- */

uint32_t cflri_pointer_made_of(cflri_walk *w, uint32_t e) {
    for (int steps = 0; steps < MOST_DEPTH; steps++) {
        e = cflri_expr_bare(w, e);
        uint32_t first = cflri_tree_first(&w->tree, e);
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
        if (kind == CXCursor_BinaryOperator && cflri_tree_count(&w->tree, e) == 2 &&
            cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                CXBinaryOperator_Add) {
            uint32_t second = cflri_tree_last(&w->tree, e);
            e = cflri_expr_class(w, first) == CFLRI_TYPE_POINTER ? first : second;
            continue;
        }
        if (!cflri_expr_takes_address(w, e)) return e;
        e = cflri_expr_bare(w, first);
        while (cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr &&
               cflri_tree_first(&w->tree, e) != CFLRI_NO_CHILD &&
               cflri_expr_class(w, cflri_tree_first(&w->tree, e)) != CFLRI_TYPE_POINTER)
            e = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
        if (cflri_tree_kind(&w->tree, e) != CXCursor_MemberRefExpr &&
            cflri_tree_kind(&w->tree, e) != CXCursor_ArraySubscriptExpr)
            return CFLRI_NO_CHILD;
        e = cflri_tree_first(&w->tree, e);
    }
    return CFLRI_NO_CHILD;
}

/* A variable that is there: one that is declared only may be weak, and missing. */
static bool is_there(cflri_walk *w, uint32_t name) {
    uint32_t number = cflri_referenced_decl(w, name);
    if (number == CFLRI_NO_NUMBER || w->names.decls.at[number].kind != CFLRI_DECL_VARIABLE)
        return number != CFLRI_NO_NUMBER && w->names.decls.at[number].kind == CFLRI_DECL_PARAMETER;
    CXCursor cursor = w->names.decls.at[number].cursor;
    return cflri_clang_getCursorLinkage(cursor) != CXLinkage_External ||
           cflri_clang_isCursorDefinition(cursor);
}

/* An array, which is where it is; a parameter is none, whatever its type looks like. */
static bool is_array(cflri_walk *w, uint32_t e) {
    uint32_t number;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
            number = cflri_referenced_decl(w, e);
            return number != CFLRI_NO_NUMBER && w->names.decls.at[number].class == CFLRI_TYPE_ARRAY;
        case CXCursor_MemberRefExpr:
            number = cflri_member_field(w, e);
            return number != CFLRI_NO_NUMBER &&
                   w->types.fields.at[number].class == CFLRI_TYPE_ARRAY;
        case CXCursor_ArraySubscriptExpr:
            return cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e)) == CFLRI_TYPE_ARRAY;
        default:
            return false;
    }
}

/* Is it a variable, or what lies in one? */
static bool is_in_variable(cflri_walk *w, uint32_t e) {
    for (;;) {
        e = cflri_expr_bare(w, e);
        uint32_t base = cflri_tree_first(&w->tree, e);
        enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
        if (kind == CXCursor_DeclRefExpr) return is_there(w, e);
        bool part = kind == CXCursor_MemberRefExpr || kind == CXCursor_ArraySubscriptExpr;
        if (!part || base == CFLRI_NO_CHILD) return false;
        e = cflri_expr_bare(w, base);
        bool array = kind == CXCursor_ArraySubscriptExpr;
        if (array ? !is_array(w, e) : cflri_expr_class(w, e) == CFLRI_TYPE_POINTER) return false;
    }
}

bool cflri_is_address(cflri_walk *w, uint32_t e) {
    e = cflri_expr_bare(w, e);
    if (cflri_expr_takes_address(w, e)) return is_in_variable(w, cflri_tree_first(&w->tree, e));
    return cflri_tree_kind(&w->tree, e) == CXCursor_StringLiteral ||
           (is_array(w, e) && is_in_variable(w, e));
}

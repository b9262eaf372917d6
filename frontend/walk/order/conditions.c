/* SPDX-License-Identifier: Apache-2.0
 *
 * conditions.c: what a condition decides.
 *
 *     p    p != NULL    0 != p    !!p    (q = p)    __builtin_expect(p != 0, 1)
 *     p > NULL    0 < (uintptr_t)p    !(p <= NULL)                            true: p is not null
 *     !p   p == NULL    NULL == (p = f())    (p != NULL) == 0                 false: p is not null
 *
 * A condition is taken apart by one step at a time, so that callers need no recursion. A conversion
 * is what it converts, whatever the types: where the converted value is not 0, neither is the
 * value; and where it is 0 nothing is concluded but of `!`, `==`, `&&` and `||`, whose values are 0
 * and 1.
 *
 * A test is about a name, or about an assignment, whose value is that of both its sides. Nothing
 * happens between the test and the branch that it decides, so what it shows holds there.
 */
#include "frontend/walk/order/conditions.h"

#include <string.h>

#include "frontend/walk/order/ending.h"

/* ---- parts ---- */

static cflri_condition parts_of(cflri_condition_kind kind, uint32_t first, uint32_t last) {
    if (last == CFLRI_NO_CHILD) kind = CFLRI_CONDITION_TEST; /* it did not parse */
    return (cflri_condition){kind, first, last, CFLRI_NO_CHILD};
}

static cflri_condition unary_parts(const cflri_walk *w, uint32_t e) {
    uint32_t operand = cflri_tree_first(&w->tree, e);
    switch (cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e))) {
        case CXUnaryOperator_LNot:
            return parts_of(CFLRI_CONDITION_NOT, operand, operand);
        case CXUnaryOperator_Extension:
            return parts_of(CFLRI_CONDITION_OF_PART, operand, operand);
        default:
            return parts_of(CFLRI_CONDITION_TEST, operand, operand);
    }
}

/* `0`, `(void *)0`, nullptr. */
static bool is_null_constant(const cflri_walk *w, uint32_t e) {
    long long value = 1;
    e = cflri_expr_bare(w, e);
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_CXXNullPtrLiteralExpr:
        case CXCursor_GNUNullExpr:
            return true;
        case CXCursor_IntegerLiteral:
            return cflri_expr_constant(w, e, &value) && value == 0;
        default:
            return false;
    }
}

/* 0 by whatever name: an enumerator, `false`. */
static bool is_zero(const cflri_walk *w, uint32_t e) {
    bool always;
    return is_null_constant(w, e) || (cflri_condition_is_constant(w, e, &always) && !always);
}

/* `condition != 0` is the condition, and `condition == 0` its opposite; a pointer beside 0 is a
 * test. */
static cflri_condition compared_parts(cflri_walk *w, uint32_t first, uint32_t last, bool equal) {
    uint32_t part = is_zero(w, last) ? first : last;
    if (part == last && !is_zero(w, first)) return parts_of(CFLRI_CONDITION_TEST, first, last);
    if (cflri_expr_class(w, cflri_expr_bare(w, part)) == CFLRI_TYPE_POINTER)
        return parts_of(CFLRI_CONDITION_TEST, first, last);
    return parts_of(equal ? CFLRI_CONDITION_NOT : CFLRI_CONDITION_OF_PART, part, part);
}

static cflri_condition binary_parts(cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e), last = cflri_tree_last(&w->tree, e);
    if (cflri_tree_count(&w->tree, e) != 2) return parts_of(CFLRI_CONDITION_TEST, first, last);
    enum CXBinaryOperatorKind kind =
        cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e));
    switch (kind) {
        case CXBinaryOperator_LAnd:
            return parts_of(CFLRI_CONDITION_AND, first, last);
        case CXBinaryOperator_LOr:
            return parts_of(CFLRI_CONDITION_OR, first, last);
        case CXBinaryOperator_Comma:
            return parts_of(CFLRI_CONDITION_COMMA, first, last);
        case CXBinaryOperator_EQ:
        case CXBinaryOperator_NE:
            return compared_parts(w, first, last, kind == CXBinaryOperator_EQ);
        default:
            return parts_of(CFLRI_CONDITION_TEST, first, last);
    }
}

/* A cast whose type has expressions (typeof) is left whole. */
static cflri_condition converted_parts(const cflri_walk *w, uint32_t e) {
    uint32_t last = cflri_tree_last(&w->tree, e);
    cflri_condition_kind kind = CFLRI_CONDITION_OF_PART;
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != last; c = cflri_tree_next(&w->tree, c))
        if (cflri_is_expression(cflri_tree_kind(&w->tree, c))) kind = CFLRI_CONDITION_TEST;
    if (last == CFLRI_NO_CHILD || !cflri_is_expression(cflri_tree_kind(&w->tree, last)))
        kind = CFLRI_CONDITION_TEST;
    return parts_of(kind, last, last);
}

/* The function that is called by its name, or CFLRI_NO_NUMBER. */
uint32_t cflri_call_function(cflri_walk *w, uint32_t call) {
    uint32_t callee = cflri_tree_first(&w->tree, call);
    if (callee == CFLRI_NO_CHILD) return CFLRI_NO_NUMBER;
    callee = cflri_expr_bare(w, callee);
    if (cflri_tree_kind(&w->tree, callee) != CXCursor_DeclRefExpr) return CFLRI_NO_NUMBER;
    uint32_t number = cflri_referenced_decl(w, callee);
    bool function =
        number != CFLRI_NO_NUMBER && w->names.decls.at[number].kind == CFLRI_DECL_FUNCTION;
    return function ? number : CFLRI_NO_NUMBER;
}

static const char *name_of(const cflri_walk *w, uint32_t decl) {
    return cflri_string(&w->facts->strings, w->names.decls.at[decl].name);
}

/* __builtin_expect(condition, expected): the second is a constant, evaluated all the same. */
static cflri_condition call_parts(cflri_walk *w, uint32_t e) {
    uint32_t number = cflri_call_function(w, e);
    bool expects = number != CFLRI_NO_NUMBER && cflri_tree_count(&w->tree, e) >= 3 &&
                   strncmp(name_of(w, number), "__builtin_expect", 16) == 0;
    return expects ? parts_of(CFLRI_CONDITION_COMMA, cflri_tree_child(&w->tree, e, 2),
                              cflri_tree_child(&w->tree, e, 1))
                   : parts_of(CFLRI_CONDITION_TEST, e, e);
}

static cflri_condition choice_parts(const cflri_walk *w, uint32_t e) {
    if (cflri_tree_count(&w->tree, e) != 3) return parts_of(CFLRI_CONDITION_TEST, e, e);
    cflri_condition parts = parts_of(CFLRI_CONDITION_CHOICE, cflri_tree_child(&w->tree, e, 1),
                                     cflri_tree_child(&w->tree, e, 2));
    parts.chooser = cflri_tree_first(&w->tree, e);
    return parts;
}

cflri_condition cflri_condition_parts(cflri_walk *w, uint32_t e) {
    uint32_t inner;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_ParenExpr:
        case CXCursor_CStyleCastExpr:
            return converted_parts(w, e);
        case CXCursor_UnexposedExpr:
            if (cflri_is_elvis(w, e)) /* as `first || last` is, whose values are theirs */
                return parts_of(CFLRI_CONDITION_OR, cflri_tree_first(&w->tree, e),
                                cflri_tree_last(&w->tree, e));
            inner = cflri_unnamed_converted(w, e);
            return inner == CFLRI_NO_CHILD ? parts_of(CFLRI_CONDITION_TEST, e, e)
                                           : converted_parts(w, e);
        case CXCursor_UnaryOperator:
            return unary_parts(w, e);
        case CXCursor_BinaryOperator:
            return binary_parts(w, e);
        case CXCursor_ConditionalOperator:
            return choice_parts(w, e);
        case CXCursor_CallExpr:
            return call_parts(w, e);
        default:
            return parts_of(CFLRI_CONDITION_TEST, e, e);
    }
}

/* ---- tests ---- */

/* Does a comparison of these operands, with null in the place of the second, say anything of the
 * first? `*when` is its value where that is not null. False: nothing. */
static bool tells_null(enum CXBinaryOperatorKind kind, bool *when) {
    *when = kind == CXBinaryOperator_NE || kind == CXBinaryOperator_GT;
    return *when || kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_LE;
}

/* With the operands in each other's place. */
static enum CXBinaryOperatorKind turned(enum CXBinaryOperatorKind kind) {
    if (kind == CXBinaryOperator_LT) return CXBinaryOperator_GT;
    if (kind == CXBinaryOperator_GE) return CXBinaryOperator_LE;
    bool same = kind == CXBinaryOperator_EQ || kind == CXBinaryOperator_NE;
    return same ? kind : CXBinaryOperator_Invalid;
}

/* The operand that is compared with null; `e` itself when that is no such comparison. */
static uint32_t compared(const cflri_walk *w, uint32_t e, bool *when) {
    if (cflri_tree_kind(&w->tree, e) != CXCursor_BinaryOperator ||
        cflri_tree_count(&w->tree, e) != 2)
        return e;
    enum CXBinaryOperatorKind kind =
        cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e));
    uint32_t left = cflri_tree_first(&w->tree, e), right = cflri_tree_last(&w->tree, e);
    bool value;
    if (is_null_constant(w, right) && tells_null(kind, &value))
        e = cflri_expr_bare(w, left);
    else if (is_null_constant(w, left) && tells_null(turned(kind), &value))
        e = cflri_expr_bare(w, right);
    else
        return e;
    *when = value;
    return e;
}

uint32_t cflri_condition_pointer(cflri_walk *w, uint32_t test, bool *when) {
    *when = true;
    uint32_t e = compared(w, cflri_expr_bare(w, test), when);
    return cflri_expr_class(w, e) == CFLRI_TYPE_POINTER ? e : CFLRI_NO_CHILD;
}

/* `1`, `true`, an enumerator. */
static bool is_number(const cflri_walk *w, uint32_t e) {
    CXCursor cursor = cflri_tree_cursor(&w->tree, e);
    switch (cursor.kind) {
        case CXCursor_IntegerLiteral:
        case CXCursor_CharacterLiteral:
        case CXCursor_CXXBoolLiteralExpr:
            return true;
        case CXCursor_DeclRefExpr:
            return cflri_clang_getCursorReferenced(cursor).kind == CXCursor_EnumConstantDecl;
        default:
            return false;
    }
}

bool cflri_condition_is_constant(const cflri_walk *w, uint32_t e, bool *always) {
    long long value = 0;
    e = cflri_expr_bare(w, e);
    bool constant = is_number(w, e) && cflri_expr_constant(w, e, &value);
    *always = value != 0;
    return constant && (value == 0 || (value & 0xff) != 0);
}

uint32_t cflri_condition_assigned(const cflri_walk *w, uint32_t pointer) {
    bool assigns = cflri_tree_kind(&w->tree, pointer) == CXCursor_BinaryOperator &&
                   cflri_tree_count(&w->tree, pointer) == 2 &&
                   cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, pointer)) ==
                       CXBinaryOperator_Assign;
    return assigns ? cflri_expr_bare(w, cflri_tree_last(&w->tree, pointer)) : CFLRI_NO_CHILD;
}

bool cflri_condition_is_equality(cflri_walk *w, uint32_t test, bool yes, uint32_t *first,
                                 uint32_t *second) {
    uint32_t e = cflri_expr_bare(w, test);
    if (cflri_tree_kind(&w->tree, e) != CXCursor_BinaryOperator ||
        cflri_tree_count(&w->tree, e) != 2)
        return false;
    enum CXBinaryOperatorKind kind =
        cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e));
    if (kind != (yes ? CXBinaryOperator_EQ : CXBinaryOperator_NE)) return false;
    *first = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
    *second = cflri_expr_bare(w, cflri_tree_last(&w->tree, e));
    return cflri_expr_class(w, *first) == CFLRI_TYPE_POINTER &&
           cflri_expr_class(w, *second) == CFLRI_TYPE_POINTER;
}

bool cflri_condition_is_narrowed(cflri_walk *w, uint32_t e) {
    e = cflri_expr_unwrapped(w, e);
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    if (kind == CXCursor_CStyleCastExpr) return true;
    uint32_t inner =
        kind == CXCursor_UnexposedExpr ? cflri_unnamed_converted(w, e) : CFLRI_NO_CHILD;
    if (inner == CFLRI_NO_CHILD) return false;
    CXType to = cflri_expr_plain(w, e);
    return to.kind != CXType_Bool &&
           cflri_clang_Type_getSizeOf(to) < cflri_clang_Type_getSizeOf(cflri_expr_plain(w, inner));
}

bool cflri_condition_shows(cflri_walk *w, uint32_t test) {
    uint32_t e = cflri_expr_bare(w, test), first, second;
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    for (int yes = 0; yes < 2; yes++)
        if (cflri_condition_is_equality(w, e, yes, &first, &second)) return true;
    if (kind == CXCursor_CallExpr) return cflri_call_function(w, e) != CFLRI_NO_NUMBER;
    uint32_t number = kind == CXCursor_DeclRefExpr ? cflri_referenced_decl(w, e) : CFLRI_NO_NUMBER;
    return number != CFLRI_NO_NUMBER && cflri_local_is_scalar(w, number);
}

/* ---- calls that do not return ---- */

/* error() of the C library ends the program when its status, the first argument, is not 0. */
static bool is_fatal_error(cflri_walk *w, uint32_t number, uint32_t call) {
    const char *name = name_of(w, number);
    const CXCursor cursor = w->names.decls.at[number].cursor;
    bool always, named = strcmp(name, "error") == 0 || strcmp(name, "error_at_line") == 0;
    return named && cflri_tree_count(&w->tree, call) > 3 &&
           cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor)) &&
           cflri_condition_is_constant(w, cflri_tree_child(&w->tree, call, 1), &always) && always;
}

bool cflri_call_never_returns(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call), callee = cflri_tree_first(&w->tree, call);
    if (number != CFLRI_NO_NUMBER)
        return cflri_function_never_returns(w, number) || is_fatal_error(w, number, call);
    return callee != CFLRI_NO_CHILD &&
           cflri_type_never_returns(cflri_expr_type(w, cflri_expr_bare(w, callee)));
}

bool cflri_call_leaves_unit(cflri_walk *w, uint32_t call) {
    uint32_t number = cflri_call_function(w, call);
    if (number == CFLRI_NO_NUMBER || w->names.decls.at[number].has_body) return false;
    CXCursor cursor = w->names.decls.at[number].cursor;
    return cflri_clang_getCursorLinkage(cursor) == CXLinkage_External &&
           !cflri_clang_Location_isInSystemHeader(cflri_clang_getCursorLocation(cursor));
}

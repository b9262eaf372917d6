/* SPDX-License-Identifier: Apache-2.0
 *
 * formats.c: functions that are declared to take a format.
 *
 *     __attribute__((format(printf, 2, 3))) void say(int level, const char *format, ...);
 *
 * A call of one is a sink of rules that ask for formats. Where its body hands the format on as it
 * was given, to another such function or to `vprintf`, it is the callers of the body that decide
 * about it:
 *
 *     void say(int level, const char *format, ...) { ... vfprintf(stderr, format, list); ... }
 *
 * So the call in the body is none to report, unless the parameter may be something else by then.
 */
#include "frontend/summaries/rules.h"
#include "frontend/walk/walk.h"

#include <stdlib.h>
#include <string.h>

enum { NOT_ASKED, NO_FORMAT, FIRST /* argument 0 */ };

/* ---- attributes ---- */

/* "printf, 2, 3": 2; 0: another kind of format. */
static unsigned long format_in(const char *argument) {
    const char *comma = strchr(argument, ',');
    if (!comma) return 0;
    const char *printf_kind = strstr(argument, "printf"), *scanf_kind = strstr(argument, "scanf");
    bool known = (printf_kind && printf_kind < comma) || (scanf_kind && scanf_kind < comma);
    return known ? strtoul(comma + 1, NULL, 10) : 0;
}

static uint8_t format_of(CXCursor declaration) {
    char argument[CFLRI_ATTRIBUTE_SIZE];
    if (!cflri_clang_Cursor_hasAttrs(declaration)) return NO_FORMAT;
    CXString printed = cflri_attributes_text(declaration);
    bool there = cflri_attribute_in(cflri_clang_getCString(printed), "format", argument);
    unsigned long number = there ? format_in(argument) : 0;
    cflri_clang_disposeString(printed);
    return number > 0 && number < UINT8_MAX - FIRST ? (uint8_t)(number - 1 + FIRST) : NO_FORMAT;
}

uint32_t cflri_format_argument(cflri_walk *w, uint32_t decl) {
    cflri_decl *d = &w->names.decls.at[decl];
    if (!cflri_rules_ask_formats(w->summaries)) return 0;
    if (d->format == NOT_ASKED) {
        const CXCursor declarations[] = {cflri_clang_getCanonicalCursor(d->cursor), d->cursor};
        d->format = NO_FORMAT;
        for (int i = 0; i < 2 && d->format == NO_FORMAT; i++)
            d->format = format_of(declarations[i]);
    }
    return d->format >= FIRST ? (uint32_t)(d->format - FIRST) + 1 : 0;
}

/* ---- what is handed on ---- */

/* What the node may change: the left side of an assignment, what `&`, `++` and `--` are about. */
static uint32_t changed_by(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    CXCursor cursor = cflri_tree_cursor(&w->tree, e);
    if (kind == CXCursor_CompoundAssignOperator) return cflri_tree_first(&w->tree, e);
    if (kind == CXCursor_BinaryOperator)
        return cflri_clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign
                   ? cflri_tree_first(&w->tree, e)
                   : CFLRI_NO_CHILD;
    if (kind != CXCursor_UnaryOperator) return CFLRI_NO_CHILD;
    switch (cflri_clang_getCursorUnaryOperatorKind(cursor)) {
        case CXUnaryOperator_PostInc:
        case CXUnaryOperator_PostDec:
        case CXUnaryOperator_PreInc:
        case CXUnaryOperator_PreDec:
        case CXUnaryOperator_AddrOf:
            return cflri_tree_first(&w->tree, e);
        default:
            return CFLRI_NO_CHILD;
    }
}

static bool is_name_of(cflri_walk *w, uint32_t e, uint32_t decl) {
    e = cflri_expr_bare(w, e);
    return cflri_tree_kind(&w->tree, e) == CXCursor_DeclRefExpr &&
           cflri_referenced_decl(w, e) == decl;
}

/* One look at each node of the function. */
static bool is_changed(cflri_walk *w, uint32_t decl) {
    for (uint32_t e = 0; e < w->tree.nodes.n; e++) {
        uint32_t changed = changed_by(w, e);
        if (changed != CFLRI_NO_CHILD && is_name_of(w, changed, decl)) return true;
    }
    return false;
}

/* The parameter that the function which is walked gets as a format, if nothing in the function
 * changes it; CFLRI_NO_NUMBER: none. */
static uint32_t find_own_format(cflri_walk *w) {
    CXCursor function = cflri_tree_cursor(&w->tree, 0);
    uint32_t decl = cflri_decl_of(&w->names, function);
    uint32_t format = decl == CFLRI_NO_NUMBER ? 0 : cflri_format_argument(w, decl);
    if (format == 0 || (int)format > cflri_clang_Cursor_getNumArguments(function))
        return CFLRI_NO_NUMBER;
    uint32_t own = cflri_decl_of(&w->names, cflri_clang_Cursor_getArgument(function, format - 1));
    return own == CFLRI_NO_NUMBER || is_changed(w, own) ? CFLRI_NO_NUMBER : own;
}

static uint32_t own_format(cflri_walk *w) {
    cflri_own_format *own = &w->own_format;
    if (own->function != w->names.function)
        *own = (cflri_own_format){w->names.function, find_own_format(w)};
    return own->parameter;
}

uint32_t cflri_format_passed(cflri_walk *w, uint32_t first) {
    if (w->names.function == 0 || !cflri_rules_ask_formats(w->summaries)) return 0;
    uint32_t own = own_format(w), k = 1;
    if (own == CFLRI_NO_NUMBER) return 0;
    for (uint32_t e = first; e != CFLRI_NO_CHILD; e = cflri_tree_next(&w->tree, e), k++)
        if (is_name_of(w, e, own)) return k;
    return 0;
}

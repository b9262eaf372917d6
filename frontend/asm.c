/* SPDX-License-Identifier: Apache-2.0
 *
 * asm.c: inline assembly.
 *
 * libclang (before 21) shows the operands without their constraints, outputs first. So every
 * operand that is an lvalue may be written, with the value of any operand or with what any operand
 * points to. What the instructions do to memory beyond their operands is unknown, and noted.
 */
#include "frontend/walk.h"

/* A read operand is under an implicit conversion; what is not may be an output. */
static bool may_be_written(const cflri_walk *w, uint32_t e) {
    e = cflri_expr_unwrapped(w, e);
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            return true;
        case CXCursor_UnaryOperator:
            return clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
                   CXUnaryOperator_Deref;
        default:
            return false;
    }
}

static cflri_value operand_sources(cflri_walk *w, uint32_t statement, const cflri_value *outputs) {
    cflri_value sources = *outputs;
    for (uint32_t c = cflri_tree_first(&w->tree, statement); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (may_be_written(w, c) || !clang_isExpression(cflri_tree_kind(&w->tree, c))) continue;
        const cflri_value value = cflri_expr_value(w, c);
        sources = cflri_join(w, statement, &sources, &value);
        if (cflri_expr_class(w, c) != CFLRI_TYPE_POINTER) continue;
        const cflri_value content = cflri_content_of(w, &value, CFLRI_CARRIES_POINTER);
        sources = cflri_join(w, statement, &sources, &content);
    }
    return sources;
}

void cflri_asm_stmt(cflri_walk *w, uint32_t statement) {
    cflri_assumed(w, statement, "inline assembly: operands flow to all outputs");
    cflri_value outputs = cflri_no_value();
    for (uint32_t c = cflri_tree_first(&w->tree, statement); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (!may_be_written(w, c) || cflri_expr_class(w, c) == CFLRI_TYPE_NONE) continue;
        cflri_lvalue place = cflri_expr_place(w, c);
        bool scalar = place.class == CFLRI_TYPE_POINTER || place.class == CFLRI_TYPE_INTEGER;
        if (!scalar) continue;
        const cflri_value content = cflri_place_content(w, &place);
        outputs = cflri_join(w, statement, &outputs, &content);
    }
    const cflri_value sources = operand_sources(w, statement, &outputs);
    for (uint32_t i = 0; i < outputs.n; i++)
        cflri_flow_value(w, &cflri_plain_flow, &sources, outputs.at[i]);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * expr.c: which construct an expression is, and which file handles it.
 *
 * An lvalue that is read is a place whose value is asked for: libclang shows the conversion as an
 * unnamed expression around it, so the conversion itself has nothing to do. An expression that
 * cannot hold a pointer makes no nodes: only its effects are stated.
 *
 * Trap: libclang gives a parameter `T a[n]`, all its uses, and sums and conditionals made of them,
 * the type that was written. So the type of an expression tells only the class of its value, in
 * which arrays and functions count as pointers; whether a place is an array is asked of the place.
 */
#include "frontend/walk/walk.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* A variable's name has the variable's type; that of an array may have been completed later. */
static CXType type_of(const cflri_walk *w, const cflri_tree_node *node) {
    if (node->cursor.kind == CXCursor_DeclRefExpr && node->decl) {
        const cflri_decl *decl = &w->names.decls.at[node->decl - 1];
        if (decl->kind != CFLRI_DECL_OTHER && decl->class == CFLRI_TYPE_POINTER)
            return decl->written;
    }
    return cflri_clang_getCursorType(node->cursor);
}

CXType cflri_expr_type(const cflri_walk *w, uint32_t e) {
    cflri_tree_node *node = &w->tree.nodes.at[e];
    CXType *type = &w->tree.types.at[e].type;
    if (!node->typed) *type = type_of(w, node);
    node->typed = true;
    return *type;
}

CXType cflri_expr_plain(const cflri_walk *w, uint32_t e) {
    cflri_tree_node *node = &w->tree.nodes.at[e];
    CXType *plain = &w->tree.types.at[e].plain;
    if (!node->plain) *plain = cflri_type_plain(cflri_expr_type(w, e));
    node->plain = true;
    return *plain;
}

CXType cflri_expr_pointee(const cflri_walk *w, uint32_t e) {
    CXType type = cflri_expr_plain(w, e);
    if (type.kind == CXType_Pointer) return cflri_type_element(cflri_clang_getPointeeType(type));
    CXType element = cflri_type_element(type);
    return cflri_clang_equalTypes(type, element) ? (CXType){.kind = CXType_Invalid} : element;
}

bool cflri_is_number(const cflri_walk *w, cflri_type_class class) {
    return class == CFLRI_TYPE_NUMBER ||
           (w->facts->chosen.data_flow && class == CFLRI_TYPE_INTEGER);
}

/* A name and a member have the class of what they go to, which is known. A bit-field's own class
 * may be less than its type's. */
static cflri_type_class class_of(cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, e);
    uint32_t number;
    if (kind == CXCursor_DeclRefExpr && (number = cflri_referenced_decl(w, e)) != CFLRI_NO_NUMBER &&
        w->names.decls.at[number].kind != CFLRI_DECL_OTHER)
        return w->names.decls.at[number].class;
    if (kind == CXCursor_MemberRefExpr && (number = cflri_member_field(w, e)) != CFLRI_NO_NUMBER)
        return cflri_type_classify_plain(&w->types, w->types.fields.at[number].type);
    return cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e));
}

/* Asked of one expression by all that are around it: remembered in the tree, plus 1. */
cflri_type_class cflri_expr_class(cflri_walk *w, uint32_t e) {
    uint8_t *memo = &w->tree.nodes.at[e].class;
    if (*memo) return (cflri_type_class)(*memo - 1);
    cflri_type_class class = class_of(w, e);
    if (class == CFLRI_TYPE_ARRAY || class == CFLRI_TYPE_FUNCTION) class = CFLRI_TYPE_POINTER;
    *memo = (uint8_t)(class + 1);
    return class;
}

/* The one child of a conversion or parenthesis; NO_CHILD for all else. A cast may show the types it
 * mentions first. */
static uint32_t converted(const cflri_walk *w, uint32_t e) {
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_ParenExpr:
        case CXCursor_CStyleCastExpr:
            return cflri_tree_last(&w->tree, e);
        case CXCursor_UnexposedExpr: {
            uint32_t first = cflri_tree_first(&w->tree, e);
            if (first == CFLRI_NO_CHILD || cflri_tree_next(&w->tree, first) != CFLRI_NO_CHILD)
                return CFLRI_NO_CHILD;
            return cflri_is_expression(cflri_tree_kind(&w->tree, first)) ? first : CFLRI_NO_CHILD;
        }
        default:
            return CFLRI_NO_CHILD;
    }
}

bool cflri_expr_takes_address(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_UnaryOperator &&
           cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
               CXUnaryOperator_AddrOf;
}

uint32_t cflri_expr_bare(const cflri_walk *w, uint32_t e) {
    for (;;) {
        uint32_t inner = converted(w, e);
        if (inner == CFLRI_NO_CHILD) return e;
        e = inner;
    }
}

uint32_t cflri_expr_unwrapped(const cflri_walk *w, uint32_t e) {
    while (cflri_tree_kind(&w->tree, e) == CXCursor_ParenExpr) {
        uint32_t inner = cflri_tree_last(&w->tree, e);
        if (inner == CFLRI_NO_CHILD) break;
        e = inner;
    }
    return e;
}

bool cflri_expr_constant(const cflri_walk *w, uint32_t e, long long *value) {
    CXEvalResult result = cflri_clang_Cursor_Evaluate(cflri_tree_cursor(&w->tree, e));
    if (!result) return false;
    bool known = cflri_clang_EvalResult_getKind(result) == CXEval_Int;
    if (known) *value = cflri_clang_EvalResult_getAsLongLong(result);
    cflri_clang_EvalResult_dispose(result);
    return known;
}

void cflri_assumed(cflri_walk *w, uint32_t e, const char *text) {
    cflri_place place = cflri_place_of(&w->names, cflri_tree_cursor(&w->tree, e));
    cflri_facts_note_at(w->facts, CFLR_NOTE_ASSUMED, &place, text);
}

/* Goes one level deeper; false at the bound, where a note is left. */
static bool enter(cflri_walk *w, uint32_t e) {
    if (w->depth >= CFLRI_MOST_NESTED) {
        cflri_unread(w, cflri_tree_cursor(&w->tree, e), "expression nested too deeply: not read");
        return false;
    }
    w->depth++;
    w->stated = e;
    return true;
}

static void leave(cflri_walk *w, uint32_t outer) {
    assert(w->depth > 0);
    w->depth--;
    w->stated = outer;
}

/* ---- names ---- */

uint32_t cflri_referenced_decl(cflri_walk *w, uint32_t e) {
    uint32_t known = w->tree.nodes.at[e].decl;
    if (known) return known - 1;
    CXCursor to = cflri_clang_getCursorReferenced(cflri_tree_cursor(&w->tree, e));
    uint32_t number = cflri_decl_of(&w->names, to);
    if (number != CFLRI_NO_NUMBER) w->tree.nodes.at[e].decl = number + 1;
    return number;
}

/* The declaration that a reference goes to; NULL when it can have no node. */
static const cflri_decl *referenced(cflri_walk *w, uint32_t e, uint32_t *number) {
    *number = cflri_referenced_decl(w, e);
    if (*number == CFLRI_NO_NUMBER) return NULL;
    const cflri_decl *decl = &w->names.decls.at[*number];
    return decl->kind == CFLRI_DECL_OTHER ? NULL : decl;
}

static cflri_lvalue name_place(cflri_walk *w, uint32_t e) {
    uint32_t number;
    const cflri_decl *decl = referenced(w, e, &number);
    if (!decl) return (cflri_lvalue){.class = CFLRI_TYPE_NONE};
    cflri_lvalue place = {.class = decl->class, .type = decl->type};
    if (decl->kind == CFLRI_DECL_FUNCTION) {
        place.addressed = true;
        place.nodes = cflri_function_value(w, number);
    } else {
        place.nodes = cflri_one_value(cflri_version_content(w, e, number));
        if (place.class == CFLRI_TYPE_ARRAY) cflri_show_elements(w, e, &place);
    }
    return place;
}

static cflri_value name_value(cflri_walk *w, uint32_t e) {
    uint32_t number;
    const cflri_decl *decl = referenced(w, e, &number);
    if (!decl || decl->class == CFLRI_TYPE_NONE) return cflri_no_value();
    bool pointer = decl->class == CFLRI_TYPE_POINTER || decl->class == CFLRI_TYPE_ARRAY ||
                   decl->class == CFLRI_TYPE_FUNCTION;
    bool counts = pointer || cflri_is_number(w, decl->class);
    cflri_lvalue place = name_place(w, e);
    cflri_value value = cflri_place_value(w, &place);
    if (counts) cflri_mention(w, e, &value);
    return value;
}

/* Names that are only looked at are mentioned all the same. */
static void name_effects(cflri_walk *w, uint32_t e) {
    uint32_t number;
    const cflri_decl *decl = referenced(w, e, &number);
    if (decl && (decl->class == CFLRI_TYPE_POINTER || cflri_is_number(w, decl->class)))
        name_value(w, e);
}

/* ---- dispatch ---- */

void cflri_expr_effects_within(cflri_walk *w, uint32_t e) {
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c))
        cflri_expr_effects(w, c);
}

void cflri_expr_looked_through(cflri_walk *w, uint32_t e) {
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        if (cflri_expr_class(w, c) == CFLRI_TYPE_POINTER) {
            const cflri_value pointers = cflri_expr_value(w, c);
            cflri_bytes_accessed(w, e, &pointers);
            cflri_followed(w, e, &pointers);
        } else {
            cflri_expr_effects(w, c);
        }
    }
}

/* An expression that is none of the known ones may be any of its parts. */
static cflri_value any_part(cflri_walk *w, uint32_t e) {
    cflri_value value = cflri_no_value();
    if (cflri_tree_first(&w->tree, e) == CFLRI_NO_CHILD) return value;
    cflri_assumed(w, e, "unknown expression: taken as any of its parts");
    for (uint32_t c = cflri_tree_first(&w->tree, e); c != CFLRI_NO_CHILD;
         c = cflri_tree_next(&w->tree, c)) {
        const cflri_value part = cflri_expr_value(w, c);
        value = cflri_join(w, e, &value, &part);
    }
    return value;
}

static cflri_value statement_value(cflri_walk *w, uint32_t e, bool used) {
    uint32_t compound = cflri_tree_first(&w->tree, e);
    return compound == CFLRI_NO_CHILD ? cflri_no_value() : cflri_stmt_value(w, compound, used);
}

/* Does the source have a colon before `e`? Asked of the text where it is written, also in a macro.
 */
static bool after_colon(const cflri_walk *w, uint32_t e) {
    CXSourceRange range = cflri_clang_getCursorExtent(cflri_tree_cursor(&w->tree, e));
    CXToken *token = cflri_clang_getToken(w->unit, cflri_clang_getRangeStart(range));
    if (!token) return false;
    CXFile file = NULL;
    unsigned offset = 0;
    size_t size = 0;
    cflri_clang_getFileLocation(cflri_clang_getTokenLocation(w->unit, *token), &file, NULL, NULL,
                                &offset);
    cflri_clang_disposeTokens(w->unit, token, 1);
    const char *text = file ? cflri_clang_getFileContents(w->unit, file, &size) : NULL;
    if (!text || offset > size) return false;
    while (offset > 0 && strchr(" \t\r\n\\", text[offset - 1])) offset--;
    return offset > 0 && text[offset - 1] == ':';
}

/* The first arm of _Generic: after the expression that is only asked for its type, and that is not
 * there when a type is written instead (C2y). */
static uint32_t first_arm(const cflri_walk *w, uint32_t e) {
    uint32_t first = cflri_tree_first(&w->tree, e);
    return first == CFLRI_NO_CHILD || after_colon(w, first) ? first
                                                            : cflri_tree_next(&w->tree, first);
}

/* The arm whose type is the expression's: the others were not chosen, or convert to it. */
static cflri_value generic_value(cflri_walk *w, uint32_t e) {
    CXType type = cflri_expr_plain(w, e);
    cflri_value value = cflri_no_value();
    for (uint32_t arm = first_arm(w, e); arm != CFLRI_NO_CHILD;
         arm = cflri_tree_next(&w->tree, arm)) {
        if (!cflri_clang_equalTypes(cflri_expr_plain(w, arm), type)) continue;
        const cflri_value part = cflri_expr_value(w, arm);
        value = cflri_join(w, e, &value, &part);
    }
    return value;
}

static cflri_value value_of_kind(cflri_walk *w, uint32_t e) {
    uint32_t last;
    cflri_lvalue place;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
            return name_value(w, e);
        case CXCursor_MemberRefExpr:
            return cflri_member_value(w, e);
        case CXCursor_ArraySubscriptExpr:
            return cflri_subscript_value(w, e);
        case CXCursor_CompoundLiteralExpr:
        case CXCursor_StringLiteral:
            place = cflri_expr_place(w, e);
            return cflri_place_value(w, &place);
        case CXCursor_CallExpr:
            return cflri_call_value(w, e, true);
        case CXCursor_UnaryOperator:
            return cflri_unary_value(w, e);
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator:
            return cflri_binary_value(w, e, true);
        case CXCursor_ConditionalOperator:
            return cflri_conditional_value(w, e, true);
        case CXCursor_ParenExpr:
        case CXCursor_InitListExpr: /* braces around a scalar */
            last = cflri_tree_last(&w->tree, e);
            return last == CFLRI_NO_CHILD ? cflri_no_value() : cflri_expr_value(w, last);
        case CXCursor_CStyleCastExpr:
            last = cflri_tree_last(&w->tree, e);
            return last == CFLRI_NO_CHILD ? cflri_no_value() : cflri_cast_value(w, e, last);
        case CXCursor_UnexposedExpr:
            return cflri_unnamed_value(w, e);
        case CXCursor_StmtExpr:
            return statement_value(w, e, true);
        case CXCursor_GenericSelectionExpr:
            return generic_value(w, e);
        case CXCursor_CXXNullPtrLiteralExpr: /* C23 */
        case CXCursor_GNUNullExpr:
            return cflri_null_value(w, e);
        case CXCursor_UnaryExpr: /* sizeof, alignof */
        case CXCursor_IntegerLiteral:
        case CXCursor_FloatingLiteral:
        case CXCursor_ImaginaryLiteral:
        case CXCursor_CharacterLiteral:
        case CXCursor_AddrLabelExpr:
            return cflri_no_value();
        default:
            return any_part(w, e);
    }
}

/* A pointer that is read behind a test of the same: not null, or so unless a call between has
 * changed it. Findings are ranked by the name (findings/rank.c). */
static cflri_value tested_value(cflri_walk *w, uint32_t e, const cflri_value *value) {
    if (value->n == 0 || w->tree.nodes.at[e].tested == CFLRI_SHOWN_NOTHING) return *value;
    if (cflri_version_is_tested(w, e)) return *value;
    if (w->tree.nodes.at[e].tested == CFLRI_SHOWN_SURELY) return cflri_not_null(w, e, value);
    char text[CFLRI_SPELLING_SIZE], name[CFLRI_SPELLING_SIZE + 16];
    cflri_spell(w, e, text);
    snprintf(name, sizeof name, "[tested %s]", text);
    const cflri_node_record record = {.kind = CFLR_VERTEX_TEMPORARY,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(w->facts, name),
                                      .type = cflri_type_text(&w->names, cflri_expr_type(w, e))};
    cflri_node tested =
        cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), "!tested", &record);
    cflri_flow_value(w, &cflri_plain_flow, value, tested);
    return cflri_one_value(tested);
}

cflri_value cflri_expr_value(cflri_walk *w, uint32_t e) {
    uint32_t outer = w->stated;
    if (!enter(w, e)) return cflri_no_value();
    cflri_value value = value_of_kind(w, e);
    value = cflri_seen_value(w, e, &value);
    value = tested_value(w, e, &value);
    value = cflri_guarded_value(w, e, &value);
    leave(w, outer);
    return value;
}

static cflri_lvalue place_of_kind(cflri_walk *w, uint32_t e) {
    enum CXUnaryOperatorKind kind;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
            return name_place(w, e);
        case CXCursor_MemberRefExpr:
            return cflri_member_place(w, e, false);
        case CXCursor_ArraySubscriptExpr:
            return cflri_subscript_place(w, e, false);
        case CXCursor_CompoundLiteralExpr:
            return cflri_compound_literal_place(w, e);
        case CXCursor_StringLiteral:
            return cflri_string_place(w, e);
        case CXCursor_UnaryOperator:
            kind = cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e));
            if (kind == CXUnaryOperator_Deref) return cflri_deref_place(w, e, false);
            if (kind == CXUnaryOperator_Real || kind == CXUnaryOperator_Imag)
                return cflri_complex_part(w, e, false);
            break;
        default:
            break;
    }
    /* A record that no place holds (the result of a call), or an lvalue under an unnamed node. */
    uint32_t inner = converted(w, e);
    cflri_type_class class = cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e));
    if (inner != CFLRI_NO_CHILD && class != CFLRI_TYPE_RECORD) return cflri_expr_place(w, inner);
    return (cflri_lvalue){.class = class,
                          .addressed = true,
                          .nodes = cflri_expr_value(w, e),
                          .type = cflri_expr_plain(w, e)};
}

cflri_lvalue cflri_expr_place(cflri_walk *w, uint32_t e) {
    e = cflri_expr_unwrapped(w, e);
    uint32_t outer = w->stated;
    if (!enter(w, e)) return (cflri_lvalue){.class = CFLRI_TYPE_NONE};
    cflri_lvalue place = place_of_kind(w, e);
    leave(w, outer);
    return place;
}

/* Pointers that are read without use are still mentioned, so their values are asked for. */
static void access_effects(cflri_walk *w, uint32_t e) {
    cflri_type_class class = cflri_expr_class(w, e);
    if (class == CFLRI_TYPE_POINTER || cflri_is_number(w, class))
        cflri_expr_value(w, e);
    else
        cflri_expr_looked_through(w, e);
}

static bool is_access(const cflri_walk *w, uint32_t e) {
    enum CXUnaryOperatorKind kind =
        cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e));
    return kind == CXUnaryOperator_Deref || kind == CXUnaryOperator_AddrOf;
}

static void effects_of_kind(cflri_walk *w, uint32_t e) {
    uint32_t last;
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_DeclRefExpr:
            name_effects(w, e);
            break;
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
            access_effects(w, e);
            break;
        case CXCursor_UnaryOperator:
            if (is_access(w, e))
                access_effects(w, e);
            else if (cflri_expr_class(w, e) == CFLRI_TYPE_POINTER)
                cflri_unary_value(w, e); /* --h moves h */
            else
                cflri_expr_effects_within(w, e);
            break;
        case CXCursor_BinaryOperator:
        case CXCursor_CompoundAssignOperator:
            cflri_binary_value(w, e, false);
            break;
        case CXCursor_ConditionalOperator:
            cflri_conditional_value(w, e, false);
            break;
        case CXCursor_CallExpr:
            cflri_call_value(w, e, false);
            break;
        case CXCursor_StmtExpr:
            statement_value(w, e, false);
            break;
        case CXCursor_CompoundLiteralExpr:
            cflri_expr_place(w, e);
            break;
        case CXCursor_GenericSelectionExpr:
            generic_value(w, e);
            break;
        case CXCursor_CStyleCastExpr:
            last = cflri_tree_last(&w->tree, e);
            if (last != CFLRI_NO_CHILD) cflri_cast_effects(w, e, last);
            break;
        case CXCursor_UnexposedExpr:
            cflri_unnamed_effects(w, e);
            break;
        default:
            cflri_expr_effects_within(w, e);
            break;
    }
}

void cflri_expr_effects(cflri_walk *w, uint32_t e) {
    uint32_t outer = w->stated;
    if (!enter(w, e)) return;
    effects_of_kind(w, e);
    leave(w, outer);
}

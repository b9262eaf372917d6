/* SPDX-License-Identifier: Apache-2.0
 *
 * member.c: members.
 *
 *     p->m     field(value of p, offset of m)          s.m    the same: the value of s is &s
 *
 * libclang shows the implicit step through an anonymous record sometimes and sometimes not; the
 * offset of a member is taken from the innermost named record, so such a step adds nothing.
 */
#include "frontend/walk/walk.h"

uint32_t cflri_member_field(cflri_walk *w, uint32_t e) {
    uint32_t known = w->tree.nodes.at[e].decl;
    if (known) return known - 1;
    CXCursor to = cflri_clang_getCursorReferenced(cflri_tree_cursor(&w->tree, e));
    if (to.kind != CXCursor_FieldDecl) return CFLRI_NO_NUMBER;
    uint32_t number = cflri_type_field(&w->types, to);
    if (number != CFLRI_NO_NUMBER) w->tree.nodes.at[e].decl = number + 1;
    return number;
}

static cflri_value step_to(cflri_walk *w, const cflri_value *base, const cflri_field *field) {
    const cflri_value at = cflri_field_of(w, base, field->anonymous ? 0 : field->offset);
    uint32_t number = w->types.records.at[field->record].first_field + field->position;
    for (uint32_t i = 0; i < at.n; i++) cflri_tell_member(w, number, at.at[i]);
    return at;
}

/* The pointer to the record: where an address is taken inside a record inside a record, the address
 * of the inner record is taken on the way. */
static cflri_value base_value(cflri_walk *w, uint32_t base, bool taken) {
    uint32_t inner = cflri_expr_unwrapped(w, base);
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, inner);
    if (!taken || cflri_expr_class(w, inner) != CFLRI_TYPE_RECORD) return cflri_expr_value(w, base);
    if (kind == CXCursor_ArraySubscriptExpr) return cflri_subscript_taken(w, inner);
    if (kind != CXCursor_MemberRefExpr) return cflri_expr_value(w, base);
    cflri_lvalue place = cflri_member_place(w, inner, true);
    return cflri_place_address(w, &place);
}

cflri_array cflri_member_array(cflri_walk *w, uint32_t e, uint32_t number, bool taken) {
    uint32_t base = cflri_tree_first(&w->tree, e);
    const cflri_value pointers = base_value(w, base, taken);
    const cflri_field field = w->types.fields.at[number];
    if (!taken && cflri_expr_class(w, base) == CFLRI_TYPE_POINTER) cflri_followed(w, e, &pointers);
    cflri_array array = cflri_array_at(w, &pointers, field.offset, number, field.type);
    const cflri_value address = step_to(w, &pointers, &field);
    if (field.offset > 0) cflri_describe(w, e, "&", &address);
    array.view = cflri_view_member(w, e, &field, &address);
    return array;
}

/* Which records lie in others is asked when the program is closed (moves.c). */
static void tell_type(cflri_walk *w, const cflri_field *field, const cflri_value *addresses) {
    for (uint32_t i = 0; i < addresses->n; i++) {
        cflri_node_record *node = &w->facts->nodes.at[addresses->at[i]];
        if (node->how == CFLRI_FIELD && !node->type)
            node->type = cflri_type_text(&w->names, field->type);
    }
}

cflri_lvalue cflri_member_place(cflri_walk *w, uint32_t e, bool taken) {
    uint32_t base = cflri_tree_first(&w->tree, e);
    uint32_t number = cflri_member_field(w, e);
    if (base == CFLRI_NO_CHILD || number == CFLRI_NO_NUMBER) {
        cflri_expr_effects_within(w, e);
        return (cflri_lvalue){.class = CFLRI_TYPE_NONE};
    }
    const cflri_field field = w->types.fields.at[number];
    cflri_lvalue place = {.class = field.class, .addressed = true, .type = field.type};
    if (field.class == CFLRI_TYPE_ARRAY) {
        const cflri_array array = cflri_member_array(w, e, number, taken);
        place.nodes = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);
        return place;
    }
    const cflri_value pointers = base_value(w, base, taken);
    if (!field.anonymous && field.offset == 0) place.record = cflri_record_text(w, field.record);
    if (field.class == CFLRI_TYPE_NUMBER && cflri_expr_class(w, base) == CFLRI_TYPE_POINTER)
        cflri_bytes_accessed(w, e, &pointers);
    if (!taken && cflri_expr_class(w, base) == CFLRI_TYPE_POINTER) cflri_followed(w, e, &pointers);
    place.nodes = step_to(w, &pointers, &field);
    if (!field.anonymous && field.offset > 0) cflri_describe(w, e, "&", &place.nodes);
    if (!field.anonymous && field.class == CFLRI_TYPE_RECORD) tell_type(w, &field, &place.nodes);
    return place;
}

cflri_value cflri_member_value(cflri_walk *w, uint32_t e) {
    uint32_t number = cflri_member_field(w, e);
    if (number == CFLRI_NO_NUMBER || w->types.fields.at[number].class == CFLRI_TYPE_NONE) {
        cflri_expr_looked_through(w, e);
        return cflri_no_value();
    }
    bool decays = w->types.fields.at[number].class == CFLRI_TYPE_ARRAY;
    cflri_lvalue place = cflri_member_place(w, e, decays);
    cflri_value value = cflri_place_value(w, &place);
    cflri_mention_access(w, e, &place, &value);
    return value;
}

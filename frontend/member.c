/* SPDX-License-Identifier: Apache-2.0
 *
 * member.c: members and elements.
 *
 *     p->m     field(value of p, offset of m)          s.m    the same: the value of s is &s
 *     a[i]     value of a: an array is one element; but for offsetof as index (container.c)
 *
 * libclang shows the implicit step through an anonymous record sometimes and sometimes not; the
 * offset of a member is taken from the innermost named record, so such a step adds nothing.
 */
#include "frontend/walk.h"

/* ---- members ---- */

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
    return cflri_field_of(w, base, field->anonymous ? 0 : field->offset);
}

/* The pointer to the record: where an address is taken inside a record inside a record, the address
 * of the inner record is taken on the way. */
static cflri_value base_value(cflri_walk *w, uint32_t base, bool taken) {
    uint32_t inner = cflri_expr_unwrapped(w, base);
    bool nested = cflri_tree_kind(&w->tree, inner) == CXCursor_MemberRefExpr &&
                  cflri_expr_class(w, inner) == CFLRI_TYPE_RECORD;
    if (!taken || !nested) return cflri_expr_value(w, base);
    cflri_lvalue place = cflri_member_place(w, inner, true);
    return cflri_place_address(w, &place);
}

cflri_lvalue cflri_member_place(cflri_walk *w, uint32_t e, bool taken) {
    uint32_t base = cflri_tree_first(&w->tree, e);
    uint32_t number = cflri_member_field(w, e);
    if (base == CFLRI_NO_CHILD || number == CFLRI_NO_NUMBER) {
        cflri_expr_effects_within(w, e);
        return (cflri_lvalue){.class = CFLRI_TYPE_NONE};
    }
    const cflri_value pointers = base_value(w, base, taken);
    const cflri_field field = w->types.fields.at[number];
    if (field.class == CFLRI_TYPE_NUMBER && cflri_expr_class(w, base) == CFLRI_TYPE_POINTER)
        cflri_bytes_accessed(w, e, &pointers);
    if (taken)
        cflri_container_state(w, number, &pointers);
    else if (cflri_expr_class(w, base) == CFLRI_TYPE_POINTER)
        cflri_followed(w, e, &pointers);
    cflri_lvalue place = {.class = field.class,
                          .addressed = true,
                          .nodes = step_to(w, &pointers, &field),
                          .type = field.type};
    if (!field.anonymous && field.offset > 0) cflri_describe(w, e, "&", &place.nodes);
    place.nodes = cflri_view_member(w, e, &field, &place.nodes);
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

/* ---- elements ---- */

/* `((char *)0)[i]` is how old code makes a pointer of an integer. */
static cflri_value element_pointer(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = left == CFLRI_NO_CHILD ? left : cflri_tree_next(&w->tree, left);
    if (right == CFLRI_NO_CHILD) {
        cflri_expr_effects_within(w, e);
        return cflri_no_value();
    }
    bool swapped = cflri_expr_class(w, left) != CFLRI_TYPE_POINTER;
    uint32_t base = swapped ? right : left;
    uint32_t index = swapped ? left : right;
    const cflri_value pointers = cflri_expr_value(w, base);
    bool from_null = pointers.n == 1 && cflri_is_null(w, pointers.at[0]);
    if (from_null) return cflri_expr_value(w, index);
    if (cflri_is_offsetof(w, index)) return cflri_offset_moved(w, &pointers, index, false);
    cflri_expr_effects(w, index);
    return pointers;
}

cflri_lvalue cflri_subscript_place(cflri_walk *w, uint32_t e, bool taken) {
    cflri_lvalue place = {.addressed = true, .type = cflri_expr_plain(w, e)};
    place.class = cflri_type_classify_plain(&w->types, place.type);
    place.nodes = element_pointer(w, e);
    if (place.class == CFLRI_TYPE_INTEGER || place.class == CFLRI_TYPE_NUMBER)
        cflri_bytes_accessed(w, e, &place.nodes);
    if (!taken && place.class != CFLRI_TYPE_ARRAY) cflri_followed(w, e, &place.nodes);
    return place;
}

cflri_value cflri_subscript_value(cflri_walk *w, uint32_t e) {
    if (cflri_expr_class(w, e) == CFLRI_TYPE_NONE) {
        cflri_expr_looked_through(w, e);
        return cflri_no_value();
    }
    cflri_lvalue place = cflri_subscript_place(w, e, false);
    cflri_value value = cflri_place_value(w, &place);
    cflri_mention_access(w, e, &place, &value);
    return value;
}

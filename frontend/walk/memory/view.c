/* SPDX-License-Identifier: Apache-2.0
 *
 * view.c: memory that is seen as something else than it is.
 *
 * A step leads to a member, and an array is one element at its start. So where an array and a
 * record are one memory, the second pointer has two names:
 *
 *     union { int *at[2]; struct { int *a, *b; } named; } u;      u.at[1], u.named.b
 *     struct pair *p = (struct pair *)array;                       array[1], p->b
 *     int **q = (int **)&pair;                                     q[1], pair.b
 *
 * There a pointer to elements is also a smeared one (facts.h): what is stored through it may lie at
 * any offset, and what is read through it may come from any.
 *
 * A record in a record is two steps where a flat one has one. That a member of a member is one of
 * the whole the graph knows (emit.c). But a pointer to the record within sees what is stored
 * through the flat one only if both places hold it, so their contents are exchanged at the cast.
 *
 * And memory behind a record is no member of it:
 *
 *     struct head *h = malloc(sizeof *h + n);  char **rest = (char **)(h + 1);
 *
 * `h + 1` as a pointer to something else is also the place right behind h, which a member without a
 * size is.
 *
 * Where elements of arrays are apart (element.c), a pointer to a record that begins with an array
 * is one to its first element only. Before it hides what it points to, from where it may come back
 * as a pointer to elements, it becomes one to all of them.
 */
#include "frontend/walk/walk.h"

#include <stdio.h>
#include <string.h>

cflri_node cflri_smeared(cflri_walk *w, uint32_t e, const char *name, const cflri_tag *tag,
                         const cflri_value *pointers, bool piecewise) {
    char key[CFLRI_SPELLING_SIZE];
    const cflri_node_record record = {.kind = CFLR_VERTEX_UNKNOWN,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(w->facts, name),
                                      .smeared = true,
                                      .piecewise = piecewise};
    snprintf(key, sizeof key, "!%s", name);
    cflri_node root = cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), key, &record);
    cflri_flow_value(w, tag, pointers, root);
    return root;
}

/* Does a record of this type hold a pointer further than at its start? */
static bool is_spread(cflri_walk *w, CXType type) {
    if (cflri_type_classify(&w->types, type) != CFLRI_TYPE_RECORD) return false;
    cflri_leaves leaves = cflri_type_leaves(&w->types, type);
    if (leaves.too_many || leaves.n > 1) return true;
    return leaves.n == 1 && w->types.leaves.at[leaves.first].n_steps > 0;
}

cflri_value cflri_view_anywhere(cflri_walk *w, uint32_t e, const cflri_value *whole) {
    if (whole->n == 0 || w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE) return cflri_no_value();
    return cflri_one_value(cflri_smeared(w, e, "view", &cflri_plain_flow, whole, false));
}

cflri_value cflri_view_elements(cflri_walk *w, uint32_t e, const cflri_value *elements,
                                const cflri_value *whole) {
    if (elements->n == 0) return *elements;
    const cflri_value any = cflri_view_anywhere(w, e, whole);
    return cflri_join(w, e, elements, &any);
}

/* ---- unions ---- */

bool cflri_view_shares(cflri_walk *w, uint32_t record) {
    const cflri_record *r = &w->types.records.at[record];
    return r->is_union && is_spread(w, cflri_clang_getCursorType(r->cursor));
}

/* How many steps lead from the outermost union around this member to it; false: none is around. */
static bool steps_from_union(cflri_walk *w, uint32_t e, uint32_t *steps) {
    uint32_t taken = 0;
    bool inside = false;
    while (cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr) {
        uint32_t number = cflri_member_field(w, e);
        if (number == CFLRI_NO_NUMBER) break;
        const cflri_field *field = &w->types.fields.at[number];
        if (!field->anonymous && field->offset > 0) taken++;
        if (cflri_view_shares(w, w->types.fields.at[number].record)) {
            inside = true;
            *steps = taken;
        }
        uint32_t base = cflri_tree_first(&w->tree, e);
        if (base == CFLRI_NO_CHILD) break;
        e = cflri_expr_unwrapped(w, base);
    }
    return inside;
}

/* Is `e` a member inside a union, of which a member may hold a pointer? */
static bool is_in_union(cflri_walk *w, uint32_t e) {
    while (cflri_tree_kind(&w->tree, e) == CXCursor_MemberRefExpr) {
        uint32_t number = cflri_member_field(w, e), base = cflri_tree_first(&w->tree, e);
        if (number == CFLRI_NO_NUMBER || base == CFLRI_NO_CHILD) return false;
        const cflri_record *record = &w->types.records.at[w->types.fields.at[number].record];
        const CXType type = cflri_clang_getCursorType(record->cursor);
        if (record->is_union && cflri_type_may_point(&w->types, type)) return true;
        e = cflri_expr_unwrapped(w, base);
    }
    return false;
}

cflri_value cflri_view_member(cflri_walk *w, uint32_t e, const cflri_field *field,
                              const cflri_value *address) {
    uint32_t steps;
    bool numbers =
        field->class == CFLRI_TYPE_ARRAY && cflri_type_is_number(cflri_type_element(field->type));
    if (numbers && is_in_union(w, e))
        cflri_hides(w, address, false); /* words, or text that is aligned */
    if (!cflri_type_may_point(&w->types, field->type) || !steps_from_union(w, e, &steps))
        return cflri_no_value();
    const cflri_value whole = cflri_before_steps(w, address, steps);
    return cflri_view_anywhere(w, e, &whole);
}

/* ---- casts ---- */

static bool is_cell(cflri_walk *w, CXType type) {
    cflri_type_class class = cflri_type_classify(&w->types, type);
    return class == CFLRI_TYPE_POINTER || class == CFLRI_TYPE_INTEGER;
}

/* The element of `&h[1]`; any other expression is itself. */
static uint32_t element(const cflri_walk *w, uint32_t e) {
    uint32_t inner = cflri_tree_first(&w->tree, e);
    if (cflri_tree_kind(&w->tree, e) != CXCursor_UnaryOperator || inner == CFLRI_NO_CHILD) return e;
    inner = cflri_expr_unwrapped(w, inner);
    return cflri_tree_kind(&w->tree, inner) == CXCursor_ArraySubscriptExpr ? inner : e;
}

static bool is_sum(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_BinaryOperator &&
           cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
               CXBinaryOperator_Add;
}

/* The type that the pointer in a sum points to before it is cast. */
static CXType summand(const cflri_walk *w, uint32_t sum) {
    return cflri_expr_pointee(w, cflri_expr_bare(w, cflri_tree_first(&w->tree, sum)));
}

uint32_t cflri_view_behind(cflri_walk *w, uint32_t e) {
    long long count = 0;
    uint32_t sum = element(w, e), left = cflri_tree_first(&w->tree, sum);
    uint32_t right = left == CFLRI_NO_CHILD ? left : cflri_tree_next(&w->tree, left);
    if (right == CFLRI_NO_CHILD || (sum == e && !is_sum(w, e))) return 0;
    bool first = cflri_expr_class(w, left) == CFLRI_TYPE_POINTER;
    if (!cflri_expr_constant(w, cflri_expr_bare(w, first ? right : left), &count)) return 0;
    long long size = cflri_clang_Type_getSizeOf(cflri_expr_pointee(w, e));
    bool sensible = count > 0 && size > 0 && count <= INT32_MAX / size;
    return sensible ? (uint32_t)(count * size) : 0;
}

/* Makes each of two places hold what the other holds. */
static void exchange(cflri_walk *w, const cflri_value *a, const cflri_value *b) {
    for (uint32_t i = 0; i < b->n; i++) cflri_flow_value(w, &cflri_plain_flow, a, b->at[i]);
    for (uint32_t i = 0; i < a->n; i++) cflri_flow_value(w, &cflri_plain_flow, b, a->at[i]);
}

/* Elements, which lie at the start, become members: each may be any of them. */
static cflri_value elements_as_record(cflri_walk *w, uint32_t e, const cflri_value *value) {
    const cflri_value all = cflri_view_elements(w, e, value, value);
    const cflri_value any = cflri_one_value(all.at[all.n - 1]);
    const cflri_value element = cflri_content_of(w, value, CFLRI_CARRIES_POINTER);
    const cflri_value member = cflri_content_of(w, &any, CFLRI_CARRIES_POINTER);
    exchange(w, &element, &member);
    return all;
}

/* ---- records seen as other records ---- */

enum { MOST_LEAVES_COMPARED = 128 };

static uint32_t offset_of_leaf(const cflri_walk *w, const cflri_leaf *leaf) {
    uint32_t offset = 0;
    for (uint32_t i = 0; i < leaf->n_steps; i++) offset += w->types.steps.at[leaf->first_step + i];
    return offset;
}

static bool same_steps(const cflri_walk *w, const cflri_leaf *a, const cflri_leaf *b) {
    if (a->n_steps != b->n_steps) return false;
    const uint32_t *steps = w->types.steps.at;
    return memcmp(steps + a->first_step, steps + b->first_step, a->n_steps * sizeof *steps) == 0;
}

static cflri_value leaf_content(cflri_walk *w, const cflri_value *record, const cflri_leaf *leaf) {
    cflri_value at = *record;
    for (uint32_t i = 0; i < leaf->n_steps; i++) {
        uint32_t step = leaf->first_step + i;
        at = cflri_field_of(w, &at, w->types.steps.at[step]);
        for (uint32_t k = 0; k < at.n; k++)
            cflri_tell_member(w, w->types.step_fields.at[step], at.at[k]);
    }
    return cflri_content_of(w, &at, leaf->carrier);
}

/* Two ways lead to one place. */
static void unite(cflri_walk *w, const cflri_value *record, const cflri_leaf *a,
                  const cflri_leaf *b) {
    const cflri_value one = leaf_content(w, record, a), other = leaf_content(w, record, b);
    exchange(w, &one, &other);
}

/* A member of a member is two steps, and one where the other record has no record inside. */
static cflri_value between_records(cflri_walk *w, uint32_t e, CXType to, CXType from,
                                   const cflri_value *value) {
    const cflri_leaves a = cflri_type_leaves(&w->types, to);
    const cflri_leaves b = cflri_type_leaves(&w->types, from);
    bool few =
        !a.too_many && !b.too_many && a.n <= MOST_LEAVES_COMPARED && b.n <= MOST_LEAVES_COMPARED;
    if (!few) return cflri_view_elements(w, e, value, value);
    for (uint32_t i = 0; i < a.n; i++) {
        const cflri_leaf one = w->types.leaves.at[a.first + i];
        uint32_t offset = offset_of_leaf(w, &one);
        for (uint32_t j = 0; j < b.n; j++) {
            const cflri_leaf other = w->types.leaves.at[b.first + j];
            if (offset_of_leaf(w, &other) == offset && !same_steps(w, &one, &other))
                unite(w, value, &one, &other);
        }
    }
    return *value;
}

/* The member with which a record begins, of records in records the innermost one; CFLRI_NO_NUMBER:
 * none. */
static uint32_t first_member(cflri_walk *w, CXType type) {
    uint32_t number = CFLRI_NO_NUMBER;
    while (type.kind == CXType_Record) {
        uint32_t record = cflri_type_record(&w->types, type);
        if (record == CFLRI_NO_NUMBER || w->types.records.at[record].n_fields == 0) break;
        number = w->types.records.at[record].first_field;
        type = w->types.fields.at[number].type;
    }
    return number;
}

cflri_value cflri_view_hidden(cflri_walk *w, uint32_t e, uint32_t bare, const cflri_value *value) {
    if (!w->types.elements) return *value;
    uint32_t number = first_member(w, cflri_expr_pointee(w, bare));
    if (number == CFLRI_NO_NUMBER) return *value;
    const cflri_array array = cflri_array_at(w, value, 0, number, w->types.fields.at[number].type);
    const cflri_value elements = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);
    return cflri_join(w, e, value, &elements);
}

/* A complex number is two elements. */
static cflri_value parts(cflri_walk *w, uint32_t e, const cflri_value *number, CXType part) {
    const cflri_value imaginary =
        cflri_field_of(w, number, (int32_t)cflri_clang_Type_getSizeOf(part));
    return cflri_join(w, e, number, &imaginary);
}

cflri_value cflri_view_cast(cflri_walk *w, uint32_t e, uint32_t bare, const cflri_value *value) {
    if (value->n == 0 || w->facts->chosen.fields != CFLR_FIELDS_SENSITIVE) return *value;
    CXType to = cflri_expr_pointee(w, e), from = cflri_expr_pointee(w, bare);
    if (cflri_clang_equalTypes(to, from)) return *value;
    if (is_sum(w, bare) && is_cell(w, to) && is_spread(w, summand(w, bare)))
        return cflri_view_elements(w, e, value, value);
    if (from.kind == CXType_Complex) return parts(w, e, value, cflri_clang_getElementType(from));
    if (is_spread(w, from) && is_cell(w, to)) return cflri_view_elements(w, e, value, value);
    if (is_spread(w, to) && is_cell(w, from)) return elements_as_record(w, e, value);
    if (cflri_type_classify(&w->types, from) != CFLRI_TYPE_RECORD) return *value;
    uint32_t distance = cflri_view_behind(w, bare);
    if (is_spread(w, to) && is_spread(w, from) && distance == 0)
        return between_records(w, e, to, from, value);
    if (distance == 0) return *value;
    const cflri_value rest = cflri_field_of(w, value, (int32_t)distance);
    return cflri_join(w, e, value, &rest);
}

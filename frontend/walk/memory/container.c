/* SPDX-License-Identifier: Apache-2.0
 *
 * container.c: offsets of members as numbers, and the way back from a member to its record.
 *
 *     (char *)s + offsetof(struct s, m)                       &s->m
 *     (struct s *)((char *)p - offsetof(struct s, m))         the record that *p is the member m of
 *
 * Both also as subscripts, in integers, and with the sign before the offset.
 *
 * The second is how linked lists and objects of C libraries are built (container_of). It is a step
 * back, and the grammar lets a value that went one step forth come back by an equal one:
 *
 *     a -f[8]-> &a->link -a-> head.next          head.next -b[8]-> c            so c is a
 *
 * A member of a member is two steps, each with its way back; where it was reached by one, emission
 * has the sum of both (emit.c). So only records come out that went in by the same member.
 */
#include "frontend/walk/walk.h"

/* ---- offsets ---- */

enum { MOST_STEPS = 16 };

/* The fields of an offset, from the outermost record inwards. */
typedef struct path {
    uint32_t n;
    bool negative;
    uint32_t field[MOST_STEPS];
} path;

static void add_step(cflri_walk *w, path *p, uint32_t e) {
    uint32_t field = cflri_member_field(w, e);
    if (field != CFLRI_NO_NUMBER && !w->types.fields.at[field].anonymous && p->n < MOST_STEPS)
        p->field[p->n++] = field;
}

uint32_t cflri_named_member(const cflri_walk *w, uint32_t e) {
    uint32_t c = cflri_tree_first(&w->tree, e);
    while (c != CFLRI_NO_CHILD && cflri_tree_kind(&w->tree, c) != CXCursor_MemberRef)
        c = cflri_tree_next(&w->tree, c);
    return c;
}

/* offsetof as the compiler knows it: an unnamed expression that names the members. */
static bool builtin_path(cflri_walk *w, uint32_t e, path *p) {
    if (cflri_tree_kind(&w->tree, e) != CXCursor_UnexposedExpr) return false;
    uint32_t first = cflri_named_member(w, e);
    for (uint32_t c = first; c != CFLRI_NO_CHILD; c = cflri_tree_next(&w->tree, c))
        if (cflri_tree_kind(&w->tree, c) == CXCursor_MemberRef) add_step(w, p, c);
    return first != CFLRI_NO_CHILD;
}

static bool is_zero(const cflri_walk *w, uint32_t e) {
    long long value = 1;
    e = cflri_expr_bare(w, e);
    return cflri_tree_kind(&w->tree, e) == CXCursor_IntegerLiteral &&
           cflri_expr_constant(w, e, &value) && value == 0;
}

/* `a - (char *)0` is a as a number. */
static uint32_t less_null(const cflri_walk *w, uint32_t e) {
    if (cflri_tree_kind(&w->tree, e) != CXCursor_BinaryOperator ||
        cflri_tree_count(&w->tree, e) != 2 ||
        cflri_clang_getCursorBinaryOperatorKind(cflri_tree_cursor(&w->tree, e)) !=
            CXBinaryOperator_Sub ||
        !is_zero(w, cflri_tree_last(&w->tree, e)))
        return e;
    return cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
}

/* offsetof as old headers write it: (size_t)&((struct s *)0)->m */
static bool written_path(cflri_walk *w, uint32_t e, path *p) {
    e = less_null(w, e);
    if (!cflri_expr_takes_address(w, e)) return false;
    uint32_t at = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
    path inwards = {0};
    while (cflri_tree_kind(&w->tree, at) == CXCursor_MemberRefExpr &&
           cflri_tree_first(&w->tree, at) != CFLRI_NO_CHILD) {
        add_step(w, &inwards, at);
        at = cflri_expr_bare(w, cflri_tree_first(&w->tree, at));
    }
    if (inwards.n == 0 || !is_zero(w, at)) return false;
    while (inwards.n > 0) p->field[p->n++] = inwards.field[--inwards.n];
    return true;
}

bool cflri_is_minus(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_UnaryOperator &&
           cflri_tree_first(&w->tree, e) != CFLRI_NO_CHILD &&
           cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
               CXUnaryOperator_Minus;
}

static bool read_path(cflri_walk *w, uint32_t e, path *p) {
    e = cflri_expr_bare(w, e);
    *p = (path){0};
    for (; cflri_is_minus(w, e); p->negative = !p->negative)
        e = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
    return builtin_path(w, e, p) || written_path(w, e, p);
}

bool cflri_is_offsetof(cflri_walk *w, uint32_t e) {
    path p;
    return read_path(w, e, &p);
}

/* ---- pointers that are moved ---- */

/* To the member; in an array, to any of its elements. */
static cflri_value forward(cflri_walk *w, uint32_t e, const cflri_value *record, const path *p) {
    cflri_value at = *record;
    for (uint32_t i = 0; i < p->n; i++) {
        const cflri_field field = w->types.fields.at[p->field[i]];
        const cflri_array array = cflri_array_at(w, &at, field.offset, p->field[i], field.type);
        at = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);
    }
    return at;
}

/* To the outermost record, from the member inwards: from an array, that is from any of its elements
 * that are apart. */
static cflri_value back(cflri_walk *w, uint32_t e, const cflri_value *member, const path *p) {
    cflri_value at = *member;
    for (uint32_t i = p->n; i-- > 0;) {
        const cflri_field field = w->types.fields.at[p->field[i]];
        const cflri_elements elements = cflri_field_elements(&w->types, &field);
        cflri_value records = cflri_no_value();
        for (uint32_t k = 0; k < (elements.n ? elements.n : 1); k++) {
            int32_t step = -(int32_t)(field.offset + k * elements.size);
            const cflri_value record = cflri_field_of(w, &at, step);
            records = cflri_join(w, e, &records, &record);
        }
        at = records;
    }
    return at;
}

cflri_value cflri_offset_moved(cflri_walk *w, const cflri_value *pointer, uint32_t offset,
                               bool subtracted) {
    path p;
    if (!read_path(w, offset, &p)) return *pointer;
    return p.negative != subtracted ? back(w, offset, pointer, &p)
                                    : forward(w, offset, pointer, &p);
}

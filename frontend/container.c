/* SPDX-License-Identifier: Apache-2.0
 *
 * container.c: offsets of members as numbers, and the way back from a member to its record.
 *
 *     (char *)s + offsetof(struct s, m)                       &s->m
 *     (struct s *)((char *)p - offsetof(struct s, m))         the record that *p is the member m of
 *
 * Both also as subscripts, in integers, and with the sign before the offset.
 *
 * The second is how linked lists and objects of C libraries are built (container_of). Graph steps
 * go from a record to its members only. So each member m of a record type has one node that stands
 * for "any record whose member m had its address taken": where the source takes the address of a
 * member, the pointer to the record flows there, and where it goes back, the value is that node.
 *
 *     list_add(&a->link)         a -> [struct s.link]  <- b         list_add(&b->link)
 *     c = container_of(p)        [struct s.link] -> c
 *
 * That is sound as long as members are reached as members of their record, and it keeps types and
 * members apart, but not the records of one type. At offset 0 record and member have one address,
 * and without fields everywhere: then the value is simply p. Nodes that nobody goes back from are
 * dropped when the program is closed.
 */
#include "frontend/walk.h"

#include <stdio.h>

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
    if (cflri_tree_kind(&w->tree, e) != CXCursor_UnaryOperator ||
        cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) !=
            CXUnaryOperator_AddrOf)
        return false;
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

static bool is_minus(const cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_UnaryOperator &&
           cflri_tree_first(&w->tree, e) != CFLRI_NO_CHILD &&
           cflri_clang_getCursorUnaryOperatorKind(cflri_tree_cursor(&w->tree, e)) ==
               CXUnaryOperator_Minus;
}

static bool read_path(cflri_walk *w, uint32_t e, path *p) {
    e = cflri_expr_bare(w, e);
    *p = (path){0};
    for (; is_minus(w, e); p->negative = !p->negative)
        e = cflri_expr_bare(w, cflri_tree_first(&w->tree, e));
    return builtin_path(w, e, p) || written_path(w, e, p);
}

bool cflri_is_offsetof(cflri_walk *w, uint32_t e) {
    path p;
    return read_path(w, e, &p);
}

/* ---- containers ---- */

static bool leads_away(const cflri_walk *w, const cflri_field *field) {
    return !field->anonymous && field->offset > 0 && w->facts->fields == CFLR_FIELDS_SENSITIVE;
}

static uint32_t member_name(cflri_walk *w, const cflri_field *field) {
    CXString name = cflri_clang_getCursorSpelling(field->cursor);
    CXCursor record = w->types.records.at[field->record].cursor;
    const char *type = cflri_string(&w->facts->strings,
                                    cflri_type_text(&w->names, cflri_clang_getCursorType(record)));
    char text[CFLRI_SPELLING_SIZE];
    snprintf(text, sizeof text, "[%.90s.%.30s]", type, cflri_clang_getCString(name));
    cflri_clang_disposeString(name);
    return cflri_facts_string(w->facts, text);
}

/* The node of all records whose member this is; made on first use. */
static cflri_node container_of(cflri_walk *w, uint32_t number) {
    cflri_field *field = &w->types.fields.at[number];
    if (field->container) return field->container - 1;
    CXCursor record = w->types.records.at[field->record].cursor;
    const cflri_node_record made = {.kind = CFLR_VERTEX_TEMPORARY,
                                    .carrier = CFLRI_CARRIES_POINTER,
                                    .name = member_name(w, field),
                                    .container = true,
                                    .place = cflri_place_of(&w->names, record)};
    cflri_node node = cflri_container_node(&w->names, field->offset, &made);
    if (node != CFLRI_NO_NODE) field->container = node + 1;
    return node;
}

void cflri_container_state(cflri_walk *w, uint32_t number, const cflri_value *record) {
    if (!leads_away(w, &w->types.fields.at[number])) return;
    for (uint32_t i = 0; i < record->n; i++) {
        if (cflri_is_null(w, record->at[i])) continue; /* offsetof, written out */
        const cflri_value one = cflri_one_value(record->at[i]);
        cflri_flow_value(w, &cflri_plain_flow, &one, container_of(w, number));
    }
}

/* ---- pointers that are moved ---- */

/* To the member; in an array, to any of its elements. */
static cflri_value forward(cflri_walk *w, uint32_t e, const cflri_value *record, const path *p) {
    cflri_value at = *record;
    for (uint32_t i = 0; i < p->n; i++) {
        cflri_container_state(w, p->field[i], &at);
        const cflri_field field = w->types.fields.at[p->field[i]];
        const cflri_array array = cflri_array_at(w, &at, field.offset, p->field[i], field.type);
        at = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);
    }
    return at;
}

/* The outermost record; it begins where a record inside it does that is its member at offset 0. */
static cflri_value back(cflri_walk *w, const cflri_value *member, const path *p) {
    for (uint32_t i = 0; i < p->n; i++) {
        if (leads_away(w, &w->types.fields.at[p->field[i]]))
            return cflri_one_value(container_of(w, p->field[i]));
    }
    return *member;
}

cflri_value cflri_offset_moved(cflri_walk *w, const cflri_value *pointer, uint32_t offset,
                               bool subtracted) {
    path p;
    if (!read_path(w, offset, &p)) return *pointer;
    return p.negative != subtracted ? back(w, pointer, &p) : forward(w, offset, pointer, &p);
}

void cflri_offset_note(cflri_walk *w, uint32_t e) {
    path p;
    if (!read_path(w, e, &p)) return;
    for (uint32_t i = 0; i < p.n; i++) {
        if (!leads_away(w, &w->types.fields.at[p.field[i]])) continue;
        cflri_assumed(w, e, "offset of a member kept as a number: pointers moved by it stay");
        return;
    }
}

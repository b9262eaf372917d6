/* SPDX-License-Identifier: Apache-2.0
 *
 * element.c: elements of arrays.
 *
 *     a[i]     value of a: an array is one element; but for offsetof as index (container.c)
 *
 * That is all with --arrays one. With --arrays constant the first elements of an array are apart
 * (types.h says which), and an element is a member that lies where it does:
 *
 *     int *a[4];  struct s { int n; int *m[2]; } *p;
 *
 *     a[0]           content of a                     p->m[0]        p -f[8]->  -d->
 *     a[2]           &a -f[16]->  -d->                p->m[1]        p -f[16]-> -d->
 *     a[i], *a, a    all four of them                 p->m[i]        both
 *
 * Which element is meant is known where the array is written by its name and all its indices are
 * constants. Everything else that leads to an array, or to an element, gives all of them: what it
 * decays to, its address, the address of an element, or of a member of one. So a pointer never is
 * to one element only, and may be moved by any sum and cast to any type without leaving what it is
 * known to point to: it does not matter which other pointers may have the address of an array.
 * Elements behind the first ones lie where a[0] does, for all to whom they are elements of this
 * array; a length that another unit does not know changes nothing.
 *
 * One step leads from what holds the array to the element, also in an array of arrays: then offsets
 * are those of the memory, and an array and a record that lie in the same place meet in them.
 *
 * A constant index costs one step. All elements are as many nodes as elements are apart; where that
 * is more than a value has, those behind the first one are joined in a temporary.
 */
#include "frontend/walk/walk.h"

/* Are these pointers to an end of a section (sections.c), whose elements are variables? */
static bool is_end_of_section(const cflri_walk *w, const cflri_value *pointers) {
    const cflri_facts *facts = w->facts;
    if (pointers->n != 1 || facts->nodes.at[pointers->at[0]].how != CFLRI_ADDRESS) return false;
    const cflri_node_record *variable = &facts->nodes.at[facts->nodes.at[pointers->at[0]].base];
    return variable->external &&
           cflri_section_ended_by(cflri_string(&facts->strings, variable->key)) != NULL;
}

cflri_array cflri_array_at(cflri_walk *w, const cflri_value *records, uint32_t offset,
                           uint32_t field, CXType type) {
    cflri_array array = {.records = *records, .offset = offset, .field = field};
    array.elements = field == CFLRI_NO_NUMBER
                         ? cflri_type_elements(&w->types, type)
                         : cflri_field_elements(&w->types, &w->types.fields.at[field]);
    if (is_end_of_section(w, records)) array.elements.n = 1;
    return array;
}

/* ---- addresses ---- */

/* The address of one of those that are apart. */
static cflri_value address_of(cflri_walk *w, const cflri_array *array, uint32_t index) {
    cflri_value at =
        cflri_field_of(w, &array->records, array->offset + index * array->elements.size);
    for (uint32_t i = 0; i < at.n && array->field != CFLRI_NO_NUMBER; i++)
        cflri_tell_member(w, array->field, at.at[i]);
    for (uint32_t i = 0; i < at.n && index > 0; i++)
        cflri_describe_element(w, array, w->facts->nodes.at[at.at[i]].base, at.at[i]);
    return at;
}

/* Elements but the first, where all of them are too many for a value. */
static cflri_value others_joined(cflri_walk *w, uint32_t e, const cflri_array *array) {
    cflri_node joined = cflri_temporary(w, e, "!elements", CFLRI_CARRIES_POINTER);
    if (joined == CFLRI_NO_NODE) return cflri_no_value();
    for (uint32_t k = 1; k < array->elements.n; k++) {
        const cflri_value at = address_of(w, array, k);
        cflri_flow_value(w, &cflri_plain_flow, &at, joined);
    }
    return cflri_one_value(joined);
}

static cflri_value any_address(cflri_walk *w, uint32_t e, const cflri_array *array) {
    cflri_value all = address_of(w, array, 0);
    if (all.n * array->elements.n > CFLRI_VALUE_MOST) {
        const cflri_value others = others_joined(w, e, array);
        return cflri_join(w, e, &all, &others);
    }
    for (uint32_t k = 1; k < array->elements.n; k++) {
        const cflri_value at = address_of(w, array, k);
        all = cflri_join(w, e, &all, &at);
    }
    return all;
}

cflri_value cflri_element_address(cflri_walk *w, uint32_t e, const cflri_array *array,
                                  uint64_t index) {
    bool any = index == CFLRI_ANY_ELEMENT;
    const cflri_value at =
        any ? any_address(w, e, array)
            : address_of(w, array, index < array->elements.n ? (uint32_t)index : 0);
    return cflri_join(w, e, &at, &array->view);
}

void cflri_show_elements(cflri_walk *w, uint32_t e, cflri_lvalue *place) {
    const cflri_value address = cflri_place_address(w, place);
    const cflri_array array = cflri_array_at(w, &address, 0, CFLRI_NO_NUMBER, place->type);
    place->addressed = true;
    place->nodes = cflri_element_address(w, e, &array, CFLRI_ANY_ELEMENT);
}

/* ---- subscripts ---- */

typedef struct subscript {
    uint32_t base; /* the pointer or array; CFLRI_NO_CHILD where one of the two did not parse */
    uint32_t index;
} subscript;

static subscript read_subscript(cflri_walk *w, uint32_t e) {
    uint32_t left = cflri_tree_first(&w->tree, e);
    uint32_t right = left == CFLRI_NO_CHILD ? left : cflri_tree_next(&w->tree, left);
    if (right == CFLRI_NO_CHILD) return (subscript){CFLRI_NO_CHILD, CFLRI_NO_CHILD};
    bool swapped = cflri_expr_class(w, left) != CFLRI_TYPE_POINTER;
    uint32_t base = swapped ? right : left;
    return (subscript){base, swapped ? left : right};
}

/* `((char *)0)[i]` is how old code makes a pointer of an integer. */
static cflri_value element_pointer(cflri_walk *w, uint32_t e, bool taken) {
    const subscript s = read_subscript(w, e);
    if (s.base == CFLRI_NO_CHILD) {
        cflri_expr_effects_within(w, e);
        return cflri_no_value();
    }
    const cflri_value pointers = cflri_expr_value(w, s.base);
    bool from_null = pointers.n == 1 && cflri_is_null(w, pointers.at[0]);
    if (from_null) return cflri_expr_value(w, s.index);
    if (cflri_is_offsetof(w, s.index)) return cflri_offset_moved(w, &pointers, s.index, false);
    cflri_expr_effects(w, s.index);
    bool bytes =
        cflri_expr_class(w, e) == CFLRI_TYPE_NONE || cflri_expr_class(w, e) == CFLRI_TYPE_NUMBER;
    return bytes && !taken ? pointers : cflri_moved_value(w, e, &pointers, s.index, false);
}

/* Without parentheses and what C does to an array whose element is asked for. */
static uint32_t undecayed(cflri_walk *w, uint32_t e) {
    for (;;) {
        e = cflri_expr_unwrapped(w, e);
        uint32_t inner = cflri_unnamed_converted(w, e);
        if (inner == CFLRI_NO_CHILD) return e;
        e = inner;
    }
}

/* The type of the array that is named here; invalid where none is. A parameter is a pointer. */
static CXType named_type(cflri_walk *w, uint32_t e) {
    const CXType none = {.kind = CXType_Invalid};
    uint32_t number;
    if (cflri_tree_kind(&w->tree, e) == CXCursor_DeclRefExpr) {
        number = cflri_referenced_decl(w, e);
        if (number == CFLRI_NO_NUMBER) return none;
        const cflri_decl *decl = &w->names.decls.at[number];
        bool array = decl->kind == CFLRI_DECL_VARIABLE && decl->class == CFLRI_TYPE_ARRAY;
        return array ? decl->type : none;
    }
    if (cflri_tree_kind(&w->tree, e) != CXCursor_MemberRefExpr) return none;
    number = cflri_member_field(w, e);
    if (number == CFLRI_NO_NUMBER || cflri_tree_first(&w->tree, e) == CFLRI_NO_CHILD) return none;
    const cflri_field field = w->types.fields.at[number];
    return cflri_field_elements(&w->types, &field).n > 1 ? field.type : none;
}

static bool is_row(cflri_walk *w, uint32_t e) {
    return cflri_tree_kind(&w->tree, e) == CXCursor_ArraySubscriptExpr &&
           cflri_type_classify_plain(&w->types, cflri_expr_plain(w, e)) == CFLRI_TYPE_ARRAY;
}

/* The name of the array of which `e`, a subscript, is an element, over rows of arrays of arrays;
 * CFLRI_NO_CHILD where there is none, or no element of it is apart. */
static uint32_t named_array(cflri_walk *w, uint32_t e) {
    if (!w->types.elements) return CFLRI_NO_CHILD;
    do {
        const subscript s = read_subscript(w, e);
        if (s.base == CFLRI_NO_CHILD) return CFLRI_NO_CHILD;
        e = undecayed(w, s.base);
    } while (is_row(w, e));
    CXType type = named_type(w, e);
    bool apart = type.kind != CXType_Invalid && cflri_type_elements(&w->types, type).n > 1;
    return apart ? e : CFLRI_NO_CHILD;
}

static cflri_array array_named(cflri_walk *w, uint32_t name, bool taken) {
    if (cflri_tree_kind(&w->tree, name) == CXCursor_MemberRefExpr)
        return cflri_member_array(w, name, cflri_member_field(w, name), taken);
    uint32_t decl = cflri_referenced_decl(w, name);
    const cflri_value address =
        cflri_one_value(cflri_facts_address(w->facts, cflri_version_content(w, name, decl)));
    cflri_mention(w, name, &address);
    return cflri_array_at(w, &address, 0, CFLRI_NO_NUMBER, w->names.decls.at[decl].type);
}

/* Adds the offset of one index. An index that is not known, or lies before the array, may be any
 * element. */
static void add_index(cflri_walk *w, const subscript *s, CXType element, uint64_t *index) {
    long long constant = -1;
    bool known = cflri_expr_constant(w, s->index, &constant) && constant >= 0;
    if (!known) cflri_expr_effects(w, s->index);
    if (*index == CFLRI_ANY_ELEMENT) return;
    bool small = known && constant <= UINT32_MAX; /* both factors are, then */
    *index = small ? *index + (uint64_t)constant * cflri_type_count(element) : CFLRI_ANY_ELEMENT;
}

/* The address of the element that `e` is, of the array that is named there: of any, if `whole`. */
static cflri_value named_element(cflri_walk *w, uint32_t e, uint32_t name, bool taken, bool whole) {
    uint64_t index = 0;
    const cflri_array array = array_named(w, name, taken);
    for (uint32_t at = e; at != name;) {
        const subscript s = read_subscript(w, at);
        add_index(w, &s, cflri_expr_plain(w, at), &index);
        at = undecayed(w, s.base);
    }
    return cflri_element_address(w, e, &array, whole ? CFLRI_ANY_ELEMENT : index);
}

static cflri_value address_in_array(cflri_walk *w, uint32_t e, bool whole) {
    uint32_t name = named_array(w, e);
    return name == CFLRI_NO_CHILD ? element_pointer(w, e, whole)
                                  : named_element(w, e, name, whole, whole);
}

static cflri_lvalue subscript_place(cflri_walk *w, uint32_t e, bool taken, bool followed) {
    cflri_lvalue place = {.addressed = true, .type = cflri_expr_plain(w, e)};
    place.class = cflri_type_classify_plain(&w->types, place.type);
    bool row = place.class == CFLRI_TYPE_ARRAY;
    place.nodes = address_in_array(w, e, taken || row);
    if (place.class == CFLRI_TYPE_INTEGER || place.class == CFLRI_TYPE_NUMBER)
        cflri_bytes_accessed(w, e, &place.nodes);
    if (followed && !row) cflri_followed(w, e, &place.nodes);
    return place;
}

cflri_lvalue cflri_subscript_place(cflri_walk *w, uint32_t e, bool taken) {
    return subscript_place(w, e, taken, !taken);
}

cflri_value cflri_subscript_taken(cflri_walk *w, uint32_t e) {
    return subscript_place(w, e, true, true).nodes;
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

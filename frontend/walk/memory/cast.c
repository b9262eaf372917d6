/* SPDX-License-Identifier: Apache-2.0
 *
 * cast.c: conversions, written or implied.
 *
 * A pointer keeps its value through every conversion that keeps its width: to another pointer, to
 * an integer and back. The constant 0 made a pointer is a null pointer, one root for each place, so
 * that a finding can say where the null came from. A constant that can be an address, as that of a
 * device's registers, is the address of an object, one for each number; a small one, or a small
 * negative one, is a mark such as SIG_IGN or MAP_FAILED and points to nothing.
 */
#include <stdio.h>

#include "frontend/walk/names/signature.h"
#include "frontend/walk/walk.h"

static const char *name_of_null(cflri_walk *w, const cflri_tree_node *node) {
    switch (node->block ? cflri_null_is_where(w, node->block - 1) : CFLRI_NULL_ANYWHERE) {
        case CFLRI_NULL_ECHO:
            return CFLRI_NULL_OF_ARGUMENT;
        case CFLRI_NULL_NO_SIZE:
            return CFLRI_NULL_OF_SIZE;
        case CFLRI_NULL_FAILURE:
            return CFLRI_NULL_OF_FAILURE;
        default:
            return "NULL";
    }
}

cflri_value cflri_null_value(cflri_walk *w, uint32_t e) {
    const cflri_tree_node *node = &w->tree.nodes.at[cflri_expr_bare(w, e)];
    if (node->dead) return cflri_no_value();
    const char *name = name_of_null(w, node);
    const cflri_node_record record = {.kind = CFLR_VERTEX_NULL_VALUE,
                                      .carrier = CFLRI_CARRIES_POINTER,
                                      .name = cflri_facts_string(w->facts, name),
                                      .type = cflri_type_text(&w->names, cflri_expr_type(w, e))};
    return cflri_one_value(
        cflri_site_node(&w->names, cflri_tree_cursor(&w->tree, e), "!null", &record));
}

/* A literal, perhaps converted: `0`, `(void *)0`, `'\0'`. */
static bool is_literal(const cflri_walk *w, uint32_t e) {
    enum CXCursorKind kind = cflri_tree_kind(&w->tree, cflri_expr_bare(w, e));
    return kind == CXCursor_IntegerLiteral || kind == CXCursor_CharacterLiteral;
}

/* The content of an address that is written as a number. */
static cflri_value fixed_address(cflri_walk *w, long long constant) {
    enum { FIRST_PAGE = 4096, TEXT_SIZE = 32 };
    char key[TEXT_SIZE], name[TEXT_SIZE];
    if (constant > -FIRST_PAGE && constant < FIRST_PAGE) return cflri_no_value();
    snprintf(key, sizeof key, "fixed:%llx", (unsigned long long)constant);
    snprintf(name, sizeof name, "0x%llx", (unsigned long long)constant);
    const cflri_node_record record = {.kind = CFLR_VERTEX_VARIABLE,
                                      .carrier = CFLRI_CARRIES_OBJECT,
                                      .name = cflri_facts_string(w->facts, name)};
    cflri_node object = cflri_facts_root(w->facts, key, &record, true);
    return cflri_one_value(cflri_facts_address(w->facts, object));
}

static cflri_value literal_pointer(cflri_walk *w, uint32_t e, uint32_t operand) {
    long long constant = 1;
    if (!cflri_expr_constant(w, cflri_expr_bare(w, operand), &constant)) return cflri_no_value();
    return constant == 0 ? cflri_null_value(w, e) : fixed_address(w, constant);
}

/* `(T *)(BASE + 0x40)`: a number that is no pointer's may be a constant. */
static cflri_value computed_pointer(cflri_walk *w, uint32_t operand) {
    long long constant = 0;
    bool number = cflri_type_is_integer(cflri_expr_plain(w, operand));
    if (!number || !cflri_expr_constant(w, operand, &constant)) return cflri_no_value();
    return fixed_address(w, constant);
}

/* `(union u)x`: an object whose member is x. */
static cflri_value made_union(cflri_walk *w, uint32_t e, uint32_t operand) {
    const cflri_value value = cflri_expr_value(w, operand);
    cflri_node object = cflri_temporary(w, e, "!union", CFLRI_CARRIES_OBJECT);
    if (object == CFLRI_NO_NODE) return cflri_no_value();
    const cflri_lvalue place = {.class = cflri_expr_class(w, operand),
                                .nodes = cflri_one_value(object),
                                .type = cflri_expr_plain(w, operand)};
    cflri_flow_into(w, &cflri_plain_flow, &value, &place);
    return cflri_one_value(cflri_facts_address(w->facts, object));
}

/* ---- numbers that are narrower than a pointer ---- */

enum { NARROWEST_BYTES = 4 }; /* that hold half of a pointer */

/* A pointer made an integer, perhaps shifted or masked, but no difference of two. */
static bool is_made_of_pointer(cflri_walk *w, uint32_t e) {
    uint32_t bare = cflri_expr_bare(w, e);
    while (cflri_tree_kind(&w->tree, bare) == CXCursor_BinaryOperator) {
        if (cflri_expr_class(w, bare) != CFLRI_TYPE_INTEGER) return false;
        bare = cflri_tree_first(&w->tree, bare);
        if (bare == CFLRI_NO_CHILD || cflri_expr_class(w, bare) == CFLRI_TYPE_POINTER) return false;
        bare = cflri_expr_bare(w, bare);
    }
    return cflri_expr_class(w, bare) == CFLRI_TYPE_POINTER;
}

/* Of wide integers a cast that is written tells more than the many conversions of sizes. */
static bool is_narrowed(cflri_walk *w, uint32_t e, uint32_t operand) {
    CXType type = cflri_expr_plain(w, e);
    cflri_type_class class = cflri_expr_class(w, e);
    if (class != CFLRI_TYPE_NONE && class != CFLRI_TYPE_NUMBER) return false;
    if (!cflri_type_is_integer(type) || is_literal(w, operand)) return false;
    if (cflri_clang_Type_getSizeOf(type) < NARROWEST_BYTES) return false;
    bool written = cflri_tree_kind(&w->tree, e) == CXCursor_CStyleCastExpr;
    return (written && cflri_expr_class(w, operand) == CFLRI_TYPE_INTEGER) ||
           is_made_of_pointer(w, operand);
}

/* A value that flows into a lost one is lost there, if it is a pointer (integers.c). */
static void narrow(cflri_walk *w, uint32_t e, uint32_t operand) {
    static const char cause[] = "a pointer in a narrower integer";
    const cflri_value value = cflri_expr_value(w, operand);
    if (value.n == 0) return;
    cflri_node lost = cflri_lost_at(w, e, cause);
    if (is_made_of_pointer(w, operand)) cflri_assumed(w, e, cause);
    cflri_flow_value(w, &cflri_plain_flow, &value, lost);
}

void cflri_cast_effects(cflri_walk *w, uint32_t e, uint32_t operand) {
    if (is_narrowed(w, e, operand))
        narrow(w, e, operand);
    else
        cflri_expr_effects(w, operand);
}

/* A pointer made a truth value is a test; other values stay what they are. */
static cflri_value number_value(cflri_walk *w, uint32_t e, uint32_t operand) {
    CXType type = cflri_expr_plain(w, e);
    if (is_narrowed(w, e, operand)) narrow(w, e, operand);
    if (type.kind != CXType_Bool || cflri_expr_class(w, operand) != CFLRI_TYPE_POINTER)
        return cflri_expr_value(w, operand);
    cflri_expr_effects(w, operand);
    return cflri_no_value();
}

/* ---- pointers that hide what they point to ---- */

static CXType pointee(const cflri_walk *w, uint32_t e) {
    return cflri_type_plain(cflri_clang_getPointeeType(cflri_expr_plain(w, e)));
}

static bool is_read_from_memory(const cflri_walk *w, uint32_t e) {
    switch (cflri_tree_kind(&w->tree, e)) {
        case CXCursor_MemberRefExpr:
        case CXCursor_ArraySubscriptExpr:
        case CXCursor_UnaryOperator:
            return true;
        default:
            return false;
    }
}

static bool is_byte(CXType type) {
    return cflri_type_is_integer(type) && cflri_clang_Type_getSizeOf(type) == 1;
}

/* A record that no text completes may be any. */
static bool is_hidden(CXType type) {
    return type.kind == CXType_Void || cflri_type_is_opaque(type);
}

/* Does a pointer to this say nothing of pointers that may lie there? */
static bool hides_pointers(cflri_walk *w, CXType to) {
    return is_hidden(to) || cflri_type_is_number(to) ||
           (to.kind == CXType_Record && !cflri_type_may_point(&w->types, to));
}

/* May what the operand points to hold pointers, as far as can be seen here? */
static bool points_to_pointers(cflri_walk *w, uint32_t operand) {
    CXType type = cflri_expr_plain(w, operand);
    if (type.kind != CXType_Pointer) return cflri_type_may_point(&w->types, type); /* it decays */
    type = cflri_type_plain(cflri_clang_getPointeeType(type));
    if (type.kind == CXType_Void) return is_read_from_memory(w, operand);
    if (cflri_type_is_opaque(type)) return true;
    return !cflri_type_is_integer(type) && cflri_type_may_point(&w->types, type);
}

/* Does the pointer say what there is? */
static bool tells_type(cflri_walk *w, uint32_t operand) {
    CXType from = cflri_type_element(cflri_expr_pointee(w, operand));
    return from.kind == CXType_Pointer || (from.kind == CXType_Record && !is_hidden(from));
}

/* Bytes become something that holds pointers. */
static bool gets_pointers(cflri_walk *w, uint32_t operand, CXType to) {
    bool bytes = is_byte(pointee(w, operand));
    return bytes && !cflri_type_is_integer(to) && cflri_type_may_point(&w->types, to);
}

/* The sum or element that is cast: `&p[n]` is p + n. */
static uint32_t sum_in(const cflri_walk *w, uint32_t operand) {
    uint32_t bare = cflri_expr_bare(w, operand);
    if (cflri_tree_kind(&w->tree, bare) != CXCursor_UnaryOperator ||
        cflri_tree_first(&w->tree, bare) == CFLRI_NO_CHILD)
        return bare;
    return cflri_expr_unwrapped(w, cflri_tree_first(&w->tree, bare));
}

/* The value of the operand, which knows what it becomes. Of casts of casts the outermost one
 * counts. */
static cflri_value cast_value(cflri_walk *w, uint32_t e, uint32_t operand) {
    const cflri_cast_sum outer = w->sum;
    uint32_t sum = sum_in(w, operand);
    if (sum != outer.e) w->sum = (cflri_cast_sum){sum, e};
    const cflri_value value = cflri_expr_value(w, operand);
    w->sum = outer;
    return value;
}

void cflri_hides(cflri_walk *w, const cflri_value *value, bool stripped) {
    for (uint32_t i = 0; i < value->n; i++) {
        if (cflri_is_null(w, value->at[i])) continue;
        w->facts->nodes.at[value->at[i]].untyped = true;
        w->facts->nodes.at[value->at[i]].stripped |= stripped;
    }
}

/* A pointer that becomes an integer hides what it points to, too. */
static cflri_value converted_integer(cflri_walk *w, uint32_t operand) {
    const cflri_value value = cflri_expr_value(w, operand);
    uint32_t bare = cflri_expr_bare(w, operand);
    if (cflri_expr_class(w, bare) == CFLRI_TYPE_POINTER && points_to_pointers(w, bare))
        cflri_hides(w, &value, tells_type(w, bare));
    return value;
}

/* ---- pointers to functions ---- */

static CXType function_of(CXType plain) {
    bool pointer = plain.kind == CXType_Pointer || plain.kind == CXType_BlockPointer;
    return pointer ? cflri_type_plain(cflri_clang_getPointeeType(plain)) : plain;
}

/* The operand of the first of several casts becomes what the last one says, perhaps a `void *` or
 * an integer. */
static void turn(cflri_walk *w, uint32_t e, uint32_t operand) {
    CXType to = function_of(cflri_expr_plain(w, e));
    CXType from = function_of(cflri_expr_plain(w, cflri_expr_bare(w, operand)));
    if (from.kind != CXType_FunctionProto || cflri_clang_equalTypes(from, to)) return;
    uint32_t by = cflri_signature_of(w->facts, &w->types, from);
    cflri_facts_turn(w->facts, by, cflri_signature_of(w->facts, &w->types, to));
}

/* A pointer to memory with pointers becomes one to void or to integers, or the reverse: untyped.c
 * follows it. */
static cflri_value converted_pointer(cflri_walk *w, uint32_t e, uint32_t operand) {
    const cflri_value kept = cast_value(w, e, operand);
    if (kept.n == 0) return computed_pointer(w, operand);
    uint32_t bare = cflri_expr_bare(w, operand);
    if (cflri_clang_equalTypes(cflri_expr_type(w, bare), cflri_expr_type(w, e))) return kept;
    CXType to = pointee(w, e);
    if (is_byte(to) && cflri_view_behind(w, bare) > 0 && pointee(w, bare).kind == CXType_Record)
        return cflri_field_of(w, &kept, (int32_t)cflri_view_behind(w, bare)); /* its text */
    const cflri_value value = cflri_view_cast(w, e, bare, &kept);
    bool hides = hides_pointers(w, to) && points_to_pointers(w, bare);
    if (!hides && !gets_pointers(w, bare, to)) return value;
    cflri_hides(w, &value, hides && tells_type(w, bare));
    return hides ? cflri_view_hidden(w, e, bare, &value) : value;
}

cflri_value cflri_cast_value(cflri_walk *w, uint32_t e, uint32_t operand) {
    switch (cflri_expr_class(w, e)) {
        case CFLRI_TYPE_NONE:
            cflri_cast_effects(w, e, operand);
            return cflri_no_value();
        case CFLRI_TYPE_NUMBER:
            return number_value(w, e, operand);
        case CFLRI_TYPE_POINTER:
            turn(w, e, operand);
            return is_literal(w, operand) ? literal_pointer(w, e, operand)
                                          : converted_pointer(w, e, operand);
        case CFLRI_TYPE_RECORD:
            return cflri_expr_class(w, operand) == CFLRI_TYPE_RECORD ? cflri_expr_value(w, operand)
                                                                     : made_union(w, e, operand);
        default:
            turn(w, e, operand);
            return converted_integer(w, operand);
    }
}
